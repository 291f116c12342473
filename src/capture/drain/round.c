/* SPDX-License-Identifier: Apache-2.0 */
/* round.c - the rings of all arenas, each looked at once: opened, drained, closed. */
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/drain/drain_private.h"
#include "capture/drain/ids.h"
#include "trace/clock.h"

enum {
	CROWD = 64,	 /* of more rings than that those that are idle have their turn... */
	TURNS = 16,	 /* ...once in so many rounds, while others are busy */
	WARM_RINGS = 64, /* keep their memory for the next strand when they become free */
};

size_t fc_drain_arena_size(const struct fc_drain *drain)
{
	uint64_t nr = fca_nr_rings(drain->ring_words, drain->nr_counters);
	return fca_ring_at(nr, drain->ring_words, drain->nr_counters);
}

size_t fc_drain_ring_size(const struct fc_drain *drain)
{
	return (size_t)(drain->ring_words + drain->nr_counters) * sizeof(uint64_t);
}

uint64_t *fc_drain_words(const struct fc_drain *drain, const struct fc_arena *arena, uint32_t i)
{
	return (uint64_t *)((char *)arena->at +
			    fca_ring_at(i, drain->ring_words, drain->nr_counters));
}

/* Whose it is, as its agent says. */
void fc_drain_find_ids(struct fc_drain *drain, const struct fca_ring *ring, int *pid, int *tid)
{
	*pid = __atomic_load_n(&ring->pid, __ATOMIC_RELAXED);
	*tid = __atomic_load_n(&ring->tid, __ATOMIC_RELAXED);
	fc_ids_find(drain->ids, __atomic_load_n(&ring->number, __ATOMIC_RELAXED), pid, tid);
}

struct fc_moves fc_drain_moves(struct fc_drain *drain, const struct fca_ring *ring)
{
	return (struct fc_moves){ drain->ids,
				  __atomic_load_n(&ring->number, __ATOMIC_RELAXED) };
}

static void open_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	struct fc_ring_view *view = &arena->rings->at[i];
	view->strand = (struct fc_strand_info){
		.id = fc_numbers_strand(drain->numbers),
		.kind = fc_ring_kind(&arena->at->rings[i]),
	};
	struct fc_moves moves = fc_drain_moves(drain, &arena->at->rings[i]);
	view->strand.pid = __atomic_load_n(&arena->at->rings[i].pid, __ATOMIC_RELAXED);
	view->strand.tid = __atomic_load_n(&arena->at->rings[i].first_tid, __ATOMIC_RELAXED);
	fc_ids_find(moves.ids, moves.number, &view->strand.pid, &view->strand.tid);
	view->first_tid = view->strand.tid;
	fc_ring_init(&view->ring, &arena->at->rings[i], fc_drain_words(drain, arena, i),
		     drain->ring_words);
	view->woken = 0;
	view->seen_tsc = 0;
	view->is_open = true;
	arena->rings->open[arena->rings->nr_open++] = i;
}

/* Rings that are in use now, of all that ever were. */
uint32_t fc_drain_count_rings(const struct fc_drain *drain, const struct fc_arena *arena)
{
	uint64_t most = fca_nr_rings(drain->ring_words, drain->nr_counters);
	uint32_t nr = __atomic_load_n(&arena->at->nr_rings, __ATOMIC_ACQUIRE);
	return nr < most ? nr : (uint32_t)most;
}

/* Rings come into use seldom, and there may be many: a round is for those that are. */
static void open_rings(struct fc_drain *drain, struct fc_arena *arena, bool is_last)
{
	uint32_t nr_claims = __atomic_load_n(&arena->at->nr_claims, __ATOMIC_ACQUIRE);
	if (nr_claims == arena->rings->nr_claims && !is_last)
		return;
	arena->rings->nr_claims = nr_claims;
	uint32_t nr = fc_drain_count_rings(drain, arena);
	for (uint32_t i = 0; i < nr; i++)
		if (!arena->rings->at[i].is_open &&
		    __atomic_load_n(&arena->at->rings[i].state, __ATOMIC_ACQUIRE) ==
			    FCA_RING_USED)
			open_ring(drain, arena, i);
}

/* Its counters go into the sum, and are made zero for the next. */
static void sum_up(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	uint64_t *counters = fc_drain_words(drain, arena, i) + drain->ring_words;
	if (!drain->nr_counters)
		return;
	pthread_mutex_lock(&drain->counting);
	drain->mode->sum_up(drain, arena, counters);
	size_t size = (size_t)drain->nr_counters * 8;
	if (madvise(counters, size, MADV_REMOVE)) /* else they would count again */
		memset(counters, 0, size);
	pthread_mutex_unlock(&drain->counting);
}

void fc_drain_free_ring(struct fca_arena *at, uint32_t i, struct fc_ring_view *view)
{
	struct fca_ring *ring = &at->rings[i];
	view->is_open = false;
	view->is_closing = false;
	ring->tail = ring->lost = ring->lost_told = 0;
	ring->waiting = 0;
	__atomic_fetch_add(&ring->generation, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&ring->state, FCA_RING_FREE, __ATOMIC_RELEASE);
	if (i < __atomic_load_n(&at->free_ring, __ATOMIC_RELAXED))
		__atomic_store_n(&at->free_ring, i, __ATOMIC_RELAXED);
	__atomic_fetch_add(&at->nr_freed, 1, __ATOMIC_RELEASE);
}

/* It is over here, not in the target: the strand may live, and goes on with its ring. */
static bool is_left(const struct fc_arena *arena, const struct fc_ring_view *view)
{
	return __atomic_load_n(&arena->is_left, __ATOMIC_ACQUIRE) && !view->is_closing;
}

/* Its memory is given back, and reads as zeros from now on. */
static void clear_ring(const struct fc_ring *ring)
{
	size_t size = ring->nr_words * sizeof(*ring->words);
	if (madvise(ring->words, size, MADV_REMOVE))
		memset(ring->words, 0, size);
}

/* Its strand's thread has ended, or all that its arena is of. */
static void close_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	struct fc_ring_view *view = &arena->rings->at[i];
	drain->mode->end(drain, view);
	sum_up(drain, arena, i);
	__atomic_store_n(&drain->nr_lost, drain->nr_lost + view->ring.shared->lost,
			 __ATOMIC_RELAXED);
	if (is_left(arena, view)) {
		view->is_open = false;
		return;
	}
	if (drain->mode->keeps_words || i >= WARM_RINGS)
		clear_ring(&view->ring);
	fc_drain_free_ring(arena->at, i, view);
}

void fc_drain_ring_bell(struct fc_drain *drain)
{
	pthread_mutex_lock(&drain->list);
	struct fc_arena *arena = drain->first;
	if (arena) {
		__atomic_fetch_add(&arena->at->bell, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &arena->at->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	pthread_mutex_unlock(&drain->list);
}

/* The many that sleep must not slow the few down. */
static bool may_wait(const struct fc_drain *drain, const struct fc_arena *arena, uint32_t i)
{
	return arena->rings->nr_open > CROWD && arena->rings->at[i].was_idle &&
	       !drain->is_whole && (drain->nr_rounds + i) % TURNS;
}

static size_t drain_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i,
			 bool is_last)
{
	struct fc_ring_view *view = &arena->rings->at[i];
	bool is_closing = is_last || __atomic_load_n(&view->is_closing, __ATOMIC_ACQUIRE);
	if (!is_closing && may_wait(drain, arena, i))
		return 0;
	size_t nr = drain->mode->take(drain, view);
	if (is_closing)
		close_ring(drain, arena, i);
	return nr;
}

static size_t drain_arena(struct fc_drain *drain, struct fc_arena *arena, bool is_last)
{
	struct fc_arena_rings *rings = arena->rings;
	size_t nr = 0;
	uint32_t left = 0;
	open_rings(drain, arena, is_last);
	for (uint32_t n = 0; n < rings->nr_open; n++) {
		uint32_t i = rings->open[n];
		nr += drain_ring(drain, arena, i, is_last);
		if (rings->at[i].is_open)
			rings->open[left++] = i;
	}
	rings->nr_open = left;
	return nr;
}

static void destroy_arena(struct fc_drain *drain, struct fc_arena *arena)
{
	uint64_t lost = arena->at->no_ring;
	if (lost)
		drain->mode->no_ring(drain, lost);
	for (int why = 0; why < FCA_NR_LOST; why++)
		drain->lost_by[why] += arena->at->lost_by[why];
	free(arena->rings);
	fc_arena_destroy(arena);
}

static void unlink_arena(struct fc_drain *drain, const struct fc_arena *arena)
{
	pthread_mutex_lock(&drain->list);
	struct fc_arena **at = &drain->first;
	while (*at != arena)
		at = &(*at)->next;
	*at = arena->next;
	pthread_mutex_unlock(&drain->list);
}

/*
 * Only this thread unlinks: its own walks need no lock. The rings are closed first: who sums up
 * counters meanwhile finds each once, there or in what was counted.
 */
void fc_drain_reap(struct fc_drain *drain)
{
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE), *next;
	for (; arena; arena = next) {
		next = arena->next;
		if (!__atomic_load_n(&arena->is_released, __ATOMIC_ACQUIRE))
			continue;
		drain_arena(drain, arena, true);
		unlink_arena(drain, arena);
		destroy_arena(drain, arena);
	}
}

size_t fc_drain_all(struct fc_drain *drain)
{
	size_t nr = 0;
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next)
		nr += drain_arena(drain, arena, false);
	return nr;
}

void fc_drain_link(struct fc_drain *drain, struct fc_arena *arena)
{
	pthread_mutex_lock(&drain->list);
	drain->has_begun = true;
	arena->next = drain->first;
	__atomic_store_n(&drain->first, arena, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&drain->list);
}

void fc_drain_sum_funcs(struct fc_drain *drain, struct fc_arena *arena,
			const uint64_t *counters)
{
	for (uint32_t func = 0; func < drain->nr_funcs; func++)
		drain->counted[func] += counters[func];
}

void fc_drain_tell_funcs(struct fc_drain *drain)
{
	struct fc_tap *tap = drain->tap;
	if (drain->nr_counters && tap->counts)
		tap->counts(tap, fc_clock_tsc(), drain->counted, drain->nr_funcs);
}
