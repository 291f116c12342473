/* SPDX-License-Identifier: Apache-2.0 */
/* All strands that there are. None is ever taken off: one whose thread has ended is another's later (life.c). */
#include "capture/agent/strand/roll.h"

#include "capture/agent/base/thread.h"

#define TREATY(field, offset)                                                                  \
	_Static_assert(offsetof(struct strand, field) == FCA_PAGE + (offset), "treaty")

TREATY(thread, FCA_STRAND_THREAD);
TREATY(room, FCA_STRAND_ROOM);
TREATY(high, FCA_STRAND_HIGH);
TREATY(shadow, FCA_STRAND_SHADOW);
TREATY(self, FCA_STRAND_SELF);
TREATY(cursor, FCA_STRAND_CURSOR);
TREATY(limit, FCA_STRAND_LIMIT);
TREATY(hot_low, FCA_STRAND_LOW);
TREATY(counts, FCA_STRAND_COUNTS);
TREATY(is_off, FCA_STRAND_OFF);
TREATY(nr_mark_words, FCA_STRAND_MARKED);
_Static_assert(sizeof(struct strand) == FCA_STRAND_HEAD, "treaty");

#define PUBLIC(field, public)                                                                  \
	_Static_assert(offsetof(struct strand, field) == offsetof(struct fca_strand, public),  \
		       "treaty")

PUBLIC(shadow_base, shadow_base);
PUBLIC(shadow_end, shadow_end);
PUBLIC(attic, attic);
PUBLIC(low, low);
PUBLIC(high, high);
PUBLIC(ring, ring);
PUBLIC(generation, generation);
PUBLIC(tid, tid);

__attribute__((aligned(FCA_PAGE))) struct strand agent_root;

struct strand *strands[FCA_MAX_STRANDS];
int32_t strand_tids[FCA_MAX_STRANDS];
uint32_t nr_strands;
uint64_t agent_threads[FCA_NR_THREADS];

uint32_t count_strands(void)
{
	uint32_t nr = __atomic_load_n(&nr_strands, __ATOMIC_RELAXED);
	return nr < FCA_MAX_STRANDS ? nr : FCA_MAX_STRANDS;
}

struct strand *strand_next(int tid, uint32_t *i)
{
	for (uint32_t nr = count_strands(); *i < nr; ++*i) {
		if (strand_tids[*i] != tid)
			continue;
		struct strand *s = strands[*i];
		if (s && s->tid == tid) {
			++*i;
			return s;
		}
	}
	return NULL;
}

void strand_set_tid(struct strand *s, int tid)
{
	__atomic_store_n(&s->tid, tid, __ATOMIC_RELEASE);
	if (s->index < FCA_MAX_STRANDS)
		strand_tids[s->index] = tid;
}

struct strand *strand_of_word(uint64_t address)
{
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *s = strands[i];
		if (s && s->words && address - (uint64_t)s->words < agent_config.ring_words * 8)
			return s;
	}
	return NULL;
}

struct strand *strand_holding(int tid, uint64_t address)
{
	struct strand *s;
	for (uint32_t i = 0; tid && (s = strand_next(tid, &i));)
		if (address >= s->low && address < s->high)
			return s;
	return NULL;
}

/*
 * A strand whose thread has ended: the controller has freed its ring. Of those that never
 * had one the kernel tells.
 */
bool strand_is_dead(const struct strand *s)
{
	if (!s->tid)
		return true;
	if (s->ring)
		return s->ring->generation != s->generation;
	if (agent_config.is_quiet)
		return false;
	return !thread_is_there(s->pid, s->tid);
}

struct strand *strand_mate(const struct strand *s, uint32_t *i)
{
	struct strand *mate = s->has_mates ? strand_next(s->tid, i) : NULL;
	return mate == s ? strand_next(s->tid, i) : mate;
}

void strand_find_mates(struct strand *s)
{
	struct strand *mate;
	s->has_mates = true;
	for (uint32_t i = 0; (mate = strand_mate(s, &i));) {
		mate->has_mates = true;
		s->is_told_off =
			mate->is_told_off; /* of its thread's stacks all are, or none */
	}
	s->has_mates = strand_mate(s, &(uint32_t){ 0 }) != NULL;
}

/* The thread's next strand that lives and is not its goroutines'. */
struct strand *strand_next_own(int tid, uint32_t *i)
{
	struct strand *s = strand_next(tid, i);
	while (s && (strand_is_go(s) || strand_is_dead(s)))
		s = strand_next(tid, i);
	return s;
}
