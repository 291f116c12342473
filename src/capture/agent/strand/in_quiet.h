/* SPDX-License-Identifier: Apache-2.0 */
/* in_quiet.h - processes that forbid themselves system calls, or the clock. */
#ifndef FC_CAPTURE_AGENT_STRAND_IN_QUIET_H
#define FC_CAPTURE_AGENT_STRAND_IN_QUIET_H

#include "capture/agent/strand/strand.h"

/*
 * In place of blocked signals, when no system call may be made: a handler that interrupts
 * the agent finds the strand busy, and its calls are let through unrecorded. False: so it is.
 * *guard is for quiet_end().
 */
bool quiet_begin(uint64_t slot, struct strand **guard);
void quiet_end(struct strand *guard);
/*
 * This process is about to forbid itself system calls: make none from now on, unless the
 * controller tells that this was refused.
 */
void quiet_start(void);
/* If the filter that made it quiet was refused, that one counts no more. */
void quiet_forget_refused(void);
/* It is about to forbid itself the clock: nothing is recorded any more. */
void blind_start(void);

#endif
