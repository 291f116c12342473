/* SPDX-License-Identifier: Apache-2.0 */
/* roll.h - all strands that there are: whose they are, and which of them live. */
#ifndef FC_CAPTURE_AGENT_STRAND_ROLL_H
#define FC_CAPTURE_AGENT_STRAND_ROLL_H

#include "capture/agent/strand/strand.h"

/* All that were ever made; NULL: one is being made. */
extern __attribute__((visibility("hidden"))) struct strand *strands[FCA_MAX_STRANDS];
/* Each one's ->tid, side by side: to look through all strands of a large program takes long. */
extern __attribute__((visibility("hidden"))) int32_t strand_tids[FCA_MAX_STRANDS];
extern __attribute__((visibility("hidden")))
uint32_t nr_strands; /* or more than there is room */
/* FCA_BY_THREAD: the strand that each thread used last, by fca_thread_index(). Never 0. */
extern __attribute__((visibility("hidden"))) uint64_t agent_threads[FCA_NR_THREADS];
/*
 * A thread's strand before its first hook. Its limit of 0 sends every hook here. The
 * controller fills in thread (no %fs), shadow (an entry in its unused bytes, above all slots)
 * and self.
 */
extern __attribute__((visibility("hidden"))) struct strand agent_root;

/* Of these strands[] has room. */
uint32_t count_strands(void);
/* The thread's next strand, from *i on, which is moved behind it; NULL: no more. */
struct strand *strand_next(int tid, uint32_t *i);
/* The same of those that live and are not its goroutines'. */
struct strand *strand_next_own(int tid, uint32_t *i);
void strand_set_tid(struct strand *s, int tid);

/* One of this thread's strands other than s, from *i on, if there may be any; NULL: no more. */
struct strand *strand_mate(const struct strand *s, uint32_t *i);
/* A strand that its thread has now: are there others? */
void strand_find_mates(struct strand *s);

/* Has its thread ended, or has it none? May make a system call. */
bool strand_is_dead(const struct strand *s);

/* The strand in whose ring the word at an address is; NULL. */
struct strand *strand_of_word(uint64_t address);
/* The thread's strand that an address of a stack is of, as far as that was seen; NULL. */
struct strand *strand_holding(int tid, uint64_t address);

#endif
