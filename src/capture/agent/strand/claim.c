/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What strands claim of the program's memory, and what is given back. A ring is a free one of the arena's, taken
 * without asking anybody; a shadow stack is mapped.
 *
 *   arena    head | ring 0 | ring 1 | ...                        | last ring
 *                 [ in use, or kept for threads to come ][ given back     ]
 *   strand   words of truth        | head | shadow stack
 *            [ given back ][ open  ]      [ open  ][ given back           ]
 *
 * Address space that is only reserved costs nothing, but it counts: where a program limits its own, or what it may
 * lock, tracing must have no more than it needs. What is given back may be the program's from then on.
 */
#include "capture/agent/strand/claim.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/roll.h"

enum { PROT_NONE = 0, MADV_DONTDUMP = 16, MADV_WIPEONFORK = 18 };

bool open_memory(const void *at, uint64_t size)
{
	return !syscall3(NR_mprotect, at, size, PROT_READ_WRITE);
}

/* ---- rings ---- */

/*
 * Rings and shadow stacks are not accessible until they are needed, so that mlockall() does not
 * fill them. In quiet they all are.
 */
uint64_t *ring_at(uint64_t i)
{
	return (uint64_t *)(agent_config.arena +
			    fca_ring_at(i, agent_config.ring_words, agent_config.nr_counters));
}

uint64_t arena_bytes(void)
{
	return (uint64_t)ring_at(agent_config.nr_rings) - agent_config.arena;
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

/* ---- strands ---- */

/* Entries of the shadow stack, and as many words of truth: both are whole pages. */
static bool open_entries(struct strand *s, struct fca_shadow *from, uint64_t nr)
{
	return open_memory(from, nr * sizeof(*from)) &&
	       open_memory(shadow_truth(s, from + nr - 1), nr * sizeof(uint64_t));
}

static bool grow_shadow(struct strand *s, uint64_t nr)
{
	struct fca_shadow *end = shadow_floor(s) + nr;
	if (end <= s->shadow_open)
		return true;
	uint64_t by = s->shadow_open - shadow_floor(s);
	if (end > s->shadow_end || agent_config.is_quiet)
		return false;
	while (s->shadow_open + by < end)
		by *= 2;
	if (by > (uint64_t)(s->shadow_end - s->shadow_open))
		by = s->shadow_end - s->shadow_open;
	if (!open_entries(s, s->shadow_open, by))
		return false;
	s->shadow_open += by;
	return true;
}

/* Who gives back what is not open, and who opens it, leave each other alone. */
static bool seize_shadow(struct strand *s)
{
	return !__atomic_exchange_n(&s->is_resized, 1, __ATOMIC_ACQUIRE);
}

static void release_shadow(struct strand *s)
{
	__atomic_store_n(&s->is_resized, 0, __ATOMIC_RELEASE);
}

bool open_shadow(struct strand *s, uint64_t nr)
{
	if (shadow_floor(s) + nr <= s->shadow_open)
		return true;
	if (agent_config.is_quiet)
		return false;
	uint64_t mask = signals_block(); /* a handler may need the same */
	bool is_open = seize_shadow(s);
	if (is_open) {
		is_open = grow_shadow(s, nr);
		release_shadow(s);
	}
	signals_restore(mask);
	return is_open;
}

/* Memory for a strand, of which the first open bytes of its shadow stack may be written. */
static struct strand *set_up(uint64_t at, uint64_t size, uint64_t open)
{
	struct strand *s = (struct strand *)at;
	s->shadow_base = (struct fca_shadow *)s->end;
	s->shadow_end = s->shadow_base + size / sizeof(struct fca_shadow);
	s->shadow_open = s->shadow_base + open / sizeof(struct fca_shadow);
	return s;
}

/* After mlockall() what is mapped is of what the program may lock: less may fit. */
static long map_strand(uint64_t *shadow_size)
{
	long at;
	do
		at = syscall6(NR_mmap, 0, FCA_STRAND_BYTES(*shadow_size), PROT_NONE,
			      MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
	while (at < 0 && *shadow_size > FCA_SHADOW_BEGIN && (*shadow_size /= 2));
	return at;
}

struct strand *claim_strand(uint64_t open)
{
	uint64_t shadow_size = agent_config.new_shadow_size;
	long at = map_strand(&shadow_size);
	uint64_t size = FCA_STRAND_BYTES(shadow_size);
	if (at < 0)
		return NULL;
	open = open < shadow_size ? open : shadow_size;
	struct strand *s = (struct strand *)(at + FCA_STRAND_BELOW(shadow_size));
	/* After mlockall() all of it would be of what the program may lock. */
	syscall2(NR_munlock, at, size);
	syscall3(NR_madvise, at, size, MADV_DONTDUMP);
	syscall3(NR_madvise, &s->cursor, FCA_PAGE, MADV_WIPEONFORK);
	if (!open_memory(s, FCA_STRAND_HEAD) ||
	    !open_entries(set_up((uint64_t)s, shadow_size, open), (struct fca_shadow *)s->end,
			  open / sizeof(struct fca_shadow))) {
		syscall2(NR_munmap, at, size);
		return NULL;
	}
	return s;
}

struct strand *claim_spare(void)
{
	for (int i = 0; i < FCA_NR_SPARES; i++) {
		uint64_t at = __atomic_exchange_n(&agent_config.spares[i], 0, __ATOMIC_ACQUIRE);
		if (!at)
			continue;
		struct strand *s = (struct strand *)at;
		return s->shadow_base ? s
				      : set_up(at, agent_config.shadow_size, shadow_at_once());
	}
	return NULL;
}

/* ---- what is given back ---- */

static uint64_t after_used(void)
{
	const struct fca_arena *arena = agent_arena();
	uint64_t nr = 1;
	for (uint32_t i = 0; i < count_strands(); i++)
		if (strands[i] && strands[i]->ring &&
		    (uint64_t)(strands[i]->ring - arena->rings) >= nr)
			nr = strands[i]->ring - arena->rings + 1;
	return nr;
}

/* From the last one down, to one that is in use after all. While they are held nobody else takes them. */
static void give_back_rings(uint64_t keep)
{
	struct fca_arena *arena = agent_arena();
	uint64_t end = agent_config.nr_rings, nr = end;
	keep = keep < end ? keep : end;
	__atomic_store_n(&agent_config.nr_rings, keep, __ATOMIC_SEQ_CST);
	while (nr > keep && seize(&arena->rings[nr - 1]))
		nr--;
	__atomic_store_n(&agent_config.nr_rings, nr, __ATOMIC_SEQ_CST);
	if (nr < end)
		syscall2(NR_munmap, ring_at(nr), (uint64_t)(ring_at(end) - ring_at(nr)) * 8);
	for (uint64_t i = nr; i < end; i++)
		__atomic_store_n(&arena->rings[i].state, FCA_RING_FREE, __ATOMIC_RELEASE);
	__atomic_fetch_add(&arena->nr_freed, 1, __ATOMIC_RELEASE);
}

static uint64_t bytes_between(const struct fca_shadow *from, const struct fca_shadow *to)
{
	return (uint64_t)(to - from) * sizeof(*from);
}

static void give_back_shadow(struct strand *s, uint64_t keep)
{
	if (!seize_shadow(s))
		return;
	struct fca_shadow *end = s->shadow_end, *to = s->shadow_base + keep / sizeof(*to);
	to = to > s->shadow_open ? to : s->shadow_open;
	if (to < end) {
		uint64_t size = bytes_between(to, end);
		s->shadow_end = to;
		syscall2(NR_munmap, to, size);
		syscall2(NR_munmap, shadow_truth(s, end - 1), size / 2);
	}
	release_shadow(s);
}

/*
 * A vfork child's limit is none of its parent's, whose memory this is; it will execute another program.
 * Of a forked child's copies of strands the second page was wiped.
 */
static bool is_lent(int pid)
{
	for (uint32_t i = 0; i < count_strands(); i++) {
		const struct strand *s = strands[i];
		if (s && s->cursor && s->pid != pid && s->tid > 0 && !strand_is_dead(s))
			return true;
	}
	return false;
}

void claim_less(uint64_t limit)
{
	enum { SHARE = 16, STRANDS = 1024 };
	uint64_t ring_bytes = (uint64_t)(ring_at(1) - ring_at(0)) * 8;
	uint64_t keep = limit / SHARE / ring_bytes, used = after_used();
	uint64_t size = shadow_at_once(), mask;
	if (agent_config.is_quiet || is_lent((int)syscall1(NR_getpid, 0)))
		return;
	while (size > FCA_SHADOW_BEGIN && size > limit / STRANDS)
		size /= 2;
	mask = signals_block();
	give_back_rings(keep > used ? keep : used);
	if (size < agent_config.new_shadow_size)
		agent_config.new_shadow_size = size;
	for (uint32_t i = 0; i < count_strands(); i++)
		if (strands[i])
			give_back_shadow(strands[i], size);
	signals_restore(mask);
}

void claim_as_told(void)
{
	uint64_t *told = &agent_config.told_limit;
	uint64_t limit = __atomic_load_n(told, __ATOMIC_RELAXED);
	if (limit && __atomic_exchange_n(told, 0, __ATOMIC_RELAXED))
		claim_less(limit);
}

/* ---- mlockall() ---- */

static uint32_t is_to_unlock, has_locked;

void claim_unlock_later(void)
{
	__atomic_store_n(&has_locked, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&is_to_unlock, 1, __ATOMIC_RELAXED);
}

bool claim_has_locked(void)
{
	return __atomic_load_n(&has_locked, __ATOMIC_RELAXED);
}

static void unlock(uint64_t at, uint64_t size)
{
	syscall2(NR_munlock, at, size);
}

/* Who may lock all of the arena may lock the rest; no page of it is filled by that. */
bool claim_may_lock_all(void)
{
	enum { MLOCK_ONFAULT = 1 };
	if (agent_config.is_quiet ||
	    syscall3(NR_mlock2, agent_config.arena, arena_bytes(), MLOCK_ONFAULT))
		return false;
	unlock(agent_config.arena, arena_bytes());
	return true;
}

static void unlock_strand(const struct strand *s)
{
	uint64_t size = bytes_between(s->shadow_base, s->shadow_end);
	unlock((uint64_t)s - FCA_STRAND_BELOW(size), FCA_STRAND_BYTES(size));
}

void claim_unlocked(void)
{
	if (!is_to_unlock || agent_config.is_quiet ||
	    !__atomic_exchange_n(&is_to_unlock, 0, __ATOMIC_RELAXED))
		return;
	uint64_t mask = signals_block();
	unlock(agent_config.arena, arena_bytes());
	unlock((uint64_t)&agent_head, agent_head.size);
	for (uint32_t i = 0; i < agent_config.nr_pools; i++)
		unlock(agent_config.pools[i].lo,
		       agent_config.pools[i].hi - agent_config.pools[i].lo);
	for (uint32_t i = 0; i < count_strands(); i++)
		if (strands[i])
			unlock_strand(strands[i]);
	signals_restore(mask);
}
