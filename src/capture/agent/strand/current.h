/* SPDX-License-Identifier: Apache-2.0 */
/* current.h - the strand that this thread used last: where its stubs and the agent look for it. */
#ifndef FC_CAPTURE_AGENT_STRAND_CURRENT_H
#define FC_CAPTURE_AGENT_STRAND_CURRENT_H

#include "capture/agent/strand/strand.h"

/* The strand that this thread's stubs find; the root: it has none yet. */
struct strand *strand_found(void);
/* The same, a forked child's made its own; NULL before the first hook. */
struct strand *strand_current(void);
/* The current strand if it records nothing, else NULL. */
struct strand *strand_muted(void);
/* The current strand, if slot is of its stack, but so far down that nothing is recorded. */
struct strand *strand_spilled(uint64_t slot);

/* From now on this thread's stubs go by it, if that takes no system call that must not be made. */
void strand_switch_to(struct strand *s);
/* Do stubs find this strand, the current? Else the agent does what they would. */
bool strand_is_at_hand(const struct strand *s);

/* This thread's ids; s: the strand found for it, or NULL. A tid of 0: not known, in quiet. */
int thread_tid(const struct strand *s, uint64_t slot);
int thread_pid(const struct strand *s);

#endif
