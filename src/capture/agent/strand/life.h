/* SPDX-License-Identifier: Apache-2.0 */
/* life.h - how strands are made, for stacks that have none. */
#ifndef FC_CAPTURE_AGENT_STRAND_LIFE_H
#define FC_CAPTURE_AGENT_STRAND_LIFE_H

#include "capture/agent/strand/strand.h"

/* A new strand for a thread's stack, or one whose thread has ended; NULL: there is no memory. */
struct strand *strand_make(int pid, int tid, uint64_t slot, const struct bounds *bounds);

#endif
