/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - the machine that the agent is built for. */
#ifndef FC_CAPTURE_AGENT_BASE_MACHINE_H
#define FC_CAPTURE_AGENT_BASE_MACHINE_H

#if defined(__x86_64__)
#include "capture/agent/base/machine_x86_64.h"
#else
#error "the agent has no port to this machine: docs/howto-port.md"
#endif

#endif
