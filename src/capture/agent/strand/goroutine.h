/* SPDX-License-Identifier: Apache-2.0 */
/* goroutine.h - the strands of Go's threads. */
#ifndef FC_CAPTURE_AGENT_STRAND_GOROUTINE_H
#define FC_CAPTURE_AGENT_STRAND_GOROUTINE_H

#include "capture/agent/strand/strand.h"

/*
 * As strand_of(), for a Go function. Goroutines have thousands of small stacks, and no call is kept
 * open on them: a thread has one strand for all that it runs.
 */
struct strand *strand_of_go(uint64_t slot);

#endif
