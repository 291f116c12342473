/* SPDX-License-Identifier: Apache-2.0 */
/* claim.h - what strands claim of the program's memory: rings, shadow stacks; and what is given back. */
#ifndef FC_CAPTURE_AGENT_STRAND_CLAIM_H
#define FC_CAPTURE_AGENT_STRAND_CLAIM_H

#include "capture/agent/strand/strand.h"

/* So many bytes may be read and written from now on. False: the kernel has refused. */
bool open_memory(const void *at, uint64_t size);

/*
 * Claim a ring; false: none is free, and it is no use to look again before one was freed. Its
 * words are all zero and its tail is 0.
 */
bool ring_claim(struct strand *s);
/* The first word of ring i, of those that the arena has room for. */
uint64_t *ring_at(uint64_t i);
/* What is mapped of the arena. */
uint64_t arena_bytes(void);

/* Memory for a strand, of whose shadow stack the first open bytes may be written; NULL. */
struct strand *claim_strand(uint64_t open);
/* The same in quiet: it was mapped before. */
struct strand *claim_spare(void);
/* Has the shadow stack room for nr entries? It is made, if need be and if it can be. */
bool open_shadow(struct strand *s, uint64_t nr);

/* The program limits its memory to so many bytes: what tracing has reserved must not be what is missing. */
void claim_less(uint64_t limit);
/* The same, if the controller has seen that another process does. */
void claim_as_told(void);
/* May it lock what tracing has mapped? Whoever has CAP_IPC_LOCK may: its limit is none. */
bool claim_may_lock_all(void);
/* The program is about to lock what is mapped: what tracing has mapped is let out of that afterwards. */
void claim_unlock_later(void);
/* It has been at that before. */
bool claim_has_locked(void);
/* It may have done so by now. */
void claim_unlocked(void);

#endif
