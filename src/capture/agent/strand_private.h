/* SPDX-License-Identifier: Apache-2.0 */
/* strand_private.h - what only the files of strands know of them. */
#ifndef FC_CAPTURE_AGENT_STRAND_PRIVATE_H
#define FC_CAPTURE_AGENT_STRAND_PRIVATE_H

#include "capture/agent/strand.h"

enum {
	GROWTH = 16 * 1024, /* a stack pointer this near to a strand is the same stack's */
};

uint64_t page_of(uint64_t address);
bool open_memory(const void *at, uint64_t size);

/* This thread's ids; s: the strand found for it, or NULL. A tid of 0: not known, in quiet. */
int thread_tid(const struct strand *s, uint64_t slot);
int thread_pid(const struct strand *s);
/* Is there such a thread? Of one that is traced its tracer has been told before it is not. */
bool thread_is_there(int pid, int tid);

/* Claim a ring; false: none is free. Its words are all zero and its tail is 0. */
bool ring_claim(struct strand *s);
uint64_t *ring_at(uint64_t i);

/* Memory for a strand, of whose shadow stack the first open bytes may be written; NULL. */
struct strand *claim_strand(uint64_t open);
/* The same in quiet: it was mapped before. */
struct strand *claim_spare(void);
/* Has the shadow stack room for nr entries? */
bool open_shadow(struct strand *s, uint64_t nr);

uint32_t count_strands(void);
/* The thread's next strand, from *i on, that lives and is not its goroutines'. */
struct strand *strand_next_own(int tid, uint32_t *i);
/* A new strand for a thread's stack, or one whose thread has ended; NULL. */
struct strand *strand_make(int pid, int tid, uint64_t slot, const struct bounds *bounds);
bool strand_is_dead(const struct strand *s);
void strand_set_tid(struct strand *s, int tid);
void strand_find_mates(struct strand *s);
void strand_put_bounds(struct strand *s, const struct bounds *bounds);
/* From now on this thread's stubs go by it, if that takes no system call that must not be made. */
void strand_switch_to(struct strand *s);

/* A thread's goroutines': it goes where they are. */
static inline bool strand_is_go(const struct strand *s)
{
	return s->bounds.kind == FC_STRAND_GO;
}

/* Is slot of its stack, as far as that was seen? */
bool strand_holds(const struct strand *s, uint64_t slot);
bool strand_is_near(const struct strand *s, uint64_t slot);
/* The stack was seen to reach slot: its page is this strand's. */
void strand_grow(struct strand *s, uint64_t slot);
/* Of this strand's stack, as far as that was followed below what it records. */
bool strand_is_spilled(const struct strand *s, uint64_t slot);
void strand_spill(struct strand *s, uint64_t slot);

/* Stubs pass it by: nobody asked for its calls. */
void strand_pass_by(struct strand *s);

/* Only entries that are in place stay: others were left by longjmp, or are half made. */
void strand_keep_live(struct strand *s);
/* Tell a mark and what is open in a strand: of its entries those with slots above this one. */
void strand_tell_open(struct strand *s, const struct strand *of, uint64_t above,
		      enum fc_mark mark, uint64_t word);

#endif
