/* SPDX-License-Identifier: Apache-2.0 */
/* How a strand comes to a ring: it takes a free one of the arena's, without asking anybody. */
#include "capture/agent/strand_private.h"

/*
 * Rings and shadow stacks are not accessible until they are needed, so that mlockall() does not
 * fill them. In quiet they all are.
 */
uint64_t *ring_at(uint64_t i)
{
	return (uint64_t *)(agent_config.arena +
			    fca_ring_at(i, agent_config.ring_words, agent_config.nr_counters));
}

static bool open_ring(uint64_t i)
{
	return agent_config.is_quiet ||
	       open_memory(ring_at(i), (uint64_t)(ring_at(i + 1) - ring_at(i)) * 8);
}

static bool seize(struct fca_ring *ring)
{
	uint32_t state = FCA_RING_FREE;
	return ring->state == FCA_RING_FREE &&
	       __atomic_compare_exchange_n(&ring->state, &state, FCA_RING_CLAIMED, 0,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* A free ring, now claimed; where there is none: nr_rings. */
static uint64_t find_ring(struct fca_arena *arena)
{
	uint64_t nr = agent_config.nr_rings;
	uint64_t from = __atomic_load_n(&arena->free_ring, __ATOMIC_RELAXED);
	for (uint64_t n = 0; n < nr; n++) {
		uint64_t i = (from + n) % nr;
		if (!seize(&arena->rings[i]))
			continue;
		__atomic_store_n(&arena->free_ring, (uint32_t)i + 1, __ATOMIC_RELAXED);
		return i;
	}
	return nr;
}

/* The drain is to look for it among so many. */
static void tell_claim(struct fca_arena *arena, uint32_t i)
{
	uint32_t nr = arena->nr_rings;
	while (nr < i + 1 && !__atomic_compare_exchange_n(&arena->nr_rings, &nr, i + 1, 0,
							  __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	__atomic_store_n(&arena->rings[i].state, FCA_RING_USED, __ATOMIC_RELEASE);
	__atomic_fetch_add(&arena->nr_claims, 1, __ATOMIC_RELEASE);
}

static void begin_ring(struct strand *s, struct fca_ring *ring, uint64_t *words)
{
	ring->pid = s->pid;
	ring->tid = ring->first_tid = ring->told_tid = s->tid;
	ring->has_moved = 0;
	ring->number = agent_config.number;
	ring->kind = (uint32_t)s->bounds.kind;
	s->generation = ring->generation;
	s->hot_low = s->low; /* before room shows: a thread that inherits %gs stops */
	s->words = words;
	s->cursor = s->limit = s->words;
	s->counts = agent_config.nr_counters ? s->words + agent_config.ring_words : NULL;
	s->words_before = 0;
	s->on_limit = NULL;
	s->segment_end = s->words;
	s->nr_segments = s->nr_mark_words = 0;
	s->tail_stub = 0;
	s->ring = ring;
}

/*
 * Claim a ring; false: none is free, and it is no use to look again before one was freed. Its
 * words are all zero and its tail is 0.
 */
bool ring_claim(struct strand *s)
{
	struct fca_arena *arena = agent_arena();
	uint32_t nr_freed = __atomic_load_n(&arena->nr_freed, __ATOMIC_ACQUIRE) + 1;
	if (s->nr_freed == nr_freed)
		return false;
	uint64_t i = find_ring(arena);
	s->nr_freed = nr_freed;
	if (i == agent_config.nr_rings)
		return false;
	if (!open_ring(i)) {
		__atomic_store_n(&arena->rings[i].state, FCA_RING_FREE, __ATOMIC_RELEASE);
		return false;
	}
	s->nr_freed = 0;
	begin_ring(s, &arena->rings[i], ring_at(i));
	tell_claim(arena, (uint32_t)i);
	return true;
}
