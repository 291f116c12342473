/* SPDX-License-Identifier: Apache-2.0 */
/* An arena becomes two: some of its processes have another one, with their rings, from now on. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/vec.h"
#include "capture/drain/drain_private.h"

/*
 * A thread may be in the middle of claiming it: whose it is to be is not known then, nor is it
 * among those that are counted.
 */
static bool is_claimed(const struct fca_ring *ring)
{
	return __atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) == FCA_RING_CLAIMED;
}

static bool is_ring_of(struct fc_drain *drain, const struct fca_ring *ring,
		       bool (*is_own)(void *ctx, int pid), void *ctx)
{
	int pid, tid;
	if (__atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) != FCA_RING_USED)
		return false;
	fc_drain_find_ids(drain, ring, &pid, &tid);
	return is_own(ctx, pid);
}

/* What is all zero needs no memory. */
static void copy_words(uint64_t *to, const uint64_t *from, size_t size)
{
	enum { PART = FCA_PAGE };
	static const uint64_t zeros[PART / sizeof(uint64_t)];
	for (size_t at = 0; at < size / sizeof(*to); at += PART / sizeof(*to))
		if (memcmp(from + at, zeros, PART) != 0)
			memcpy(to + at, from + at, PART);
}

static void copy_head(struct fc_arena *to, const struct fc_arena *from)
{
	const size_t begin = sizeof(to->at->keeper), end = offsetof(struct fca_arena, rings);
	memcpy((char *)to->at + begin, (const char *)from->at + begin, end - begin);
	to->at->is_shared = 0;
	to->at->no_ring = 0; /* what was lost before is told by the other */
	memset(to->at->lost_by, 0, sizeof(to->at->lost_by));
	to->heard = from->heard;
	to->rings->nr_claims = to->at->nr_claims - 1; /* look for rings that are not open yet */
	fc_vec_each (&from->places.list, place)
		fc_places_add(&to->places, place);
}

int fc_drain_split(struct fc_drain *drain, struct fc_arena *arena, int fd,
		   bool (*is_own)(void *ctx, int pid), void *ctx, struct fc_arena **ret,
		   uint32_t *nr_rings)
{
	int err = fc_arena_create(drain->keeper, fd, fc_drain_arena_size(drain), ret);
	if (err)
		return err;
	(*ret)->rings = fc_alloc(sizeof(*(*ret)->rings));
	pthread_mutex_lock(&drain->round);
	copy_head(*ret, arena);
	*nr_rings = 0;
	for (uint32_t i = 0; i < fca_nr_rings(drain->ring_words, drain->nr_counters); i++) {
		const struct fca_ring *ring = &arena->at->rings[i];
		bool is_of = is_ring_of(drain, ring, is_own, ctx);
		if (!is_of && !is_claimed(ring))
			continue;
		(*ret)->at->rings[i] = *ring;
		*nr_rings = i + 1;
		if (is_of)
			copy_words(fc_drain_words(drain, *ret, i),
				   fc_drain_words(drain, arena, i), fc_drain_ring_size(drain));
	}
	return 0;
}

static void add_open(struct fc_arena_rings *rings, uint32_t i)
{
	rings->open[rings->nr_open++] = i;
}

static void remove_open(struct fc_arena_rings *rings, uint32_t i)
{
	uint32_t nr = 0;
	for (uint32_t n = 0; n < rings->nr_open; n++)
		if (rings->open[n] != i)
			rings->open[nr++] = rings->open[n];
	rings->nr_open = nr;
}

static void move_ring(struct fc_drain *drain, struct fc_arena *old, struct fc_arena *new,
		      uint32_t i)
{
	struct fc_ring_view *from = &old->rings->at[i], *to = &new->rings->at[i];
	*to = *from;
	if (from->is_open) {
		add_open(new->rings, i);
		remove_open(old->rings, i);
	}
	to->ring.shared = &new->at->rings[i];
	to->ring.words = fc_drain_words(drain, new, i);
	uint64_t *words = fc_drain_words(drain, old, i);
	if (madvise(words, fc_drain_ring_size(drain), MADV_REMOVE))
		memset(words, 0, fc_drain_ring_size(drain));
	fc_drain_free_ring(old->at, i, from);
}

void fc_drain_end_split(struct fc_drain *drain, struct fc_arena *old, struct fc_arena *new,
			bool (*is_own)(void *ctx, int pid), void *ctx, bool is_done)
{
	for (uint32_t i = 0; is_done && i < fc_drain_count_rings(drain, old); i++)
		if (is_ring_of(drain, &old->at->rings[i], is_own, ctx))
			move_ring(drain, old, new, i);
	if (is_done)
		fc_drain_link(drain, new);
	pthread_mutex_unlock(&drain->round);
	if (is_done)
		return;
	fc_arena_let_go(drain->keeper, new);
	free(new->rings);
	fc_arena_destroy(new);
}
