/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/drain_private.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "capture/drain/ids.h"
#include "capture/opts.h"
#include "trace/clock.h"

enum {
	NAP_NS = 10 * 1000 * 1000,
	MAX_BELLS = 127,
};

uint64_t fc_drain_ring_words(const struct fc_drain *drain)
{
	return drain->ring_words;
}

void fc_drain_catch_up(struct fc_drain *drain, int ms)
{
	uint32_t before = __atomic_load_n(&drain->nr_rounds, __ATOMIC_ACQUIRE);
	fc_drain_ring_bell(drain);
	/* One round may have begun before. */
	while (ms-- > 0 && __atomic_load_n(&drain->nr_rounds, __ATOMIC_ACQUIRE) - before < 2)
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
}

/* Has any process written a letter that the tracer has not looked for? */
static bool has_letters(struct fc_drain *drain)
{
	bool any = false;
	pthread_mutex_lock(&drain->list);
	for (struct fc_arena *arena = drain->first; arena && !any; arena = arena->next)
		any = !__atomic_load_n(&arena->is_released, __ATOMIC_ACQUIRE) &&
		      fc_arena_has_letters(arena);
	pthread_mutex_unlock(&drain->list);
	return any;
}

static void set_asleep(struct fc_drain *drain, uint32_t value)
{
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next)
		__atomic_store_n(&arena->at->asleep, value, __ATOMIC_SEQ_CST);
}

/* The bells' values, to be taken before the rings are looked at. */
static unsigned int read_bells(struct fc_drain *drain, struct futex_waitv *bells)
{
	unsigned int nr = 0;
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena && nr < MAX_BELLS; arena = arena->next)
		bells[nr++] = (struct futex_waitv){
			.uaddr = (uint64_t)&arena->at->bell,
			.val = __atomic_load_n(&arena->at->bell, __ATOMIC_SEQ_CST),
			.flags = FUTEX_32,
		};
	return nr;
}

static void nap(struct futex_waitv *bells, unsigned int nr)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += NAP_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	if (nr && (!syscall(SYS_futex_waitv, bells, nr, 0, &until, CLOCK_MONOTONIC) ||
		   errno != ENOSYS))
		return;
	/* No arena yet, or a kernel before 5.16: look again soon. */
	nanosleep(&(struct timespec){ .tv_nsec = NAP_NS / 10 }, NULL);
}

static void *drain_thread(void *ctx)
{
	struct fc_drain *drain = ctx;
	struct futex_waitv bells[MAX_BELLS];
	uint64_t last_tick = 0, tick_every = NAP_NS * 2;
	bool is_idle = false; /* agents ring the bell only then */
	while (!__atomic_load_n(&drain->is_stopping, __ATOMIC_ACQUIRE)) {
		set_asleep(drain, is_idle);
		unsigned int nr_bells = read_bells(drain, bells);
		drain->round_tsc = fc_clock_tsc();
		/* Between two ticks each ring is looked at. */
		bool is_due = drain->round_tsc - last_tick > tick_every;
		drain->is_whole = is_due || is_idle;
		pthread_mutex_lock(&drain->round);
		size_t nr = fc_drain_all(drain);
		__atomic_fetch_add(&drain->nr_rounds, 1, __ATOMIC_RELEASE);
		fc_drain_reap(drain);
		drain->mode->look(drain);
		pthread_mutex_unlock(&drain->round);
		nr += fc_wells_take(drain->wells);
		if (has_letters(drain))
			syscall(SYS_tgkill, getpid(), drain->tracer, SIGUSR1);
		uint64_t now = fc_clock_tsc();
		if (drain->is_whole && (!nr || is_due)) {
			drain->tap->tick(drain->tap, now);
			last_tick = now;
		}
		drain->was_napping = !nr && is_idle;
		if (drain->was_napping)
			nap(bells, nr_bells);
		is_idle = !nr;
	}
	drain->mode->finish(drain);
	while (drain->first) {
		drain->first->is_released = true;
		fc_drain_reap(drain);
	}
	fc_wells_stop(drain->wells);
	return NULL;
}

static void destroy(struct fc_drain *drain)
{
	drain->mode->deinit(drain);
	fc_keeper_destroy(drain->keeper);
	fc_ids_destroy(drain->ids);
	free(drain->counted);
	pthread_mutex_destroy(&drain->counting);
	pthread_mutex_destroy(&drain->list);
	pthread_mutex_destroy(&drain->round);
	free(drain);
}

static int start_thread(struct fc_drain *drain)
{
	int err = fc_wells_start(drain->wells, drain->numbers, drain->tap);
	if (err)
		return err;
	err = pthread_create(&drain->thread, NULL, drain_thread, drain);
	if (!err)
		return 0;
	fc_wells_stop(drain->wells);
	return fc_fail(err, "cannot start a thread: %s", strerror(err));
}

int fc_drain_start(struct fc_tap *tap, struct fc_numbers *numbers, uint64_t ring_bytes,
		   uint32_t nr_counters, struct fc_well *const *wells, struct fc_drain **ret)
{
	struct fc_keeper *keeper;
	int err = fc_keeper_create(&keeper);
	if (err)
		return err;
	struct fc_drain *drain = fc_alloc(sizeof(*drain));
	drain->keeper = keeper;
	drain->tap = tap;
	drain->numbers = numbers;
	drain->wells = wells;
	drain->ids = fc_ids_create();
	drain->ring_words = (ring_bytes ? ring_bytes : FC_RING_DEFAULT) / 8;
	drain->tracer = gettid();
	drain->nr_counters = drain->max_funcs = nr_counters;
	drain->counted = fc_alloc((size_t)nr_counters * sizeof(*drain->counted));
	pthread_mutex_init(&drain->counting, NULL);
	pthread_mutex_init(&drain->list, NULL);
	pthread_mutex_init(&drain->round, NULL);
	drain->mode = tap->dump			       ? &fc_drain_flight
		      : nr_counters == FCA_EDGES_WORDS ? &fc_drain_edges
						       : &fc_drain_records;
	drain->mode->init(drain);
	err = start_thread(drain);
	if (err) {
		destroy(drain);
		return err;
	}
	*ret = drain;
	return 0;
}

int fc_drain_add(struct fc_drain *drain, int fd, bool is_drop, int only_pid,
		 struct fc_arena **ret)
{
	struct fc_arena *arena;
	int err = fc_arena_create(drain->keeper, fd, fc_drain_arena_size(drain), &arena);
	if (err)
		return err;
	arena->rings = fc_alloc(sizeof(*arena->rings));
	arena->at->is_drop = is_drop;
	arena->at->only_pid = only_pid;
	fc_drain_link(drain, arena);
	*ret = arena;
	return 0;
}

void fc_drain_born(struct fc_drain *drain, uint32_t number, int own_tid, int pid, int tid)
{
	fc_ids_add(drain->ids, number, own_tid, pid, tid);
}

/* As it is told: which thread it began in. */
static bool is_told_of(const struct fc_ring_view *view, int tid)
{
	return __atomic_load_n(&view->is_open, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&view->first_tid, __ATOMIC_RELAXED) == tid;
}

bool fc_drain_gone(struct fc_drain *drain, struct fc_arena *arena, int pid, int tid)
{
	bool ret = false;
	uint32_t nr = fc_drain_count_rings(drain, arena);
	for (uint32_t i = 0; i < nr; i++) {
		const struct fca_ring *ring = &arena->at->rings[i];
		int ring_pid, ring_tid;
		if (__atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) != FCA_RING_USED)
			continue;
		fc_drain_find_ids(drain, ring, &ring_pid, &ring_tid);
		if (ring_pid != pid)
			continue;
		if (!tid || ring_tid == tid)
			__atomic_store_n(&arena->rings->at[i].is_closing, true,
					 __ATOMIC_RELEASE);
		else
			ret |= is_told_of(&arena->rings->at[i], tid);
	}
	return ret;
}

void fc_drain_leave(struct fc_arena *arena)
{
	__atomic_store_n(&arena->is_left, true, __ATOMIC_RELEASE);
}

void fc_drain_release(struct fc_drain *drain, struct fc_arena *arena)
{
	if (!arena || --arena->refs)
		return;
	fc_arena_let_go(drain->keeper, arena);
	__atomic_store_n(&arena->is_released, true, __ATOMIC_RELEASE);
}

void fc_drain_place(struct fc_drain *drain, struct fc_arena *arena,
		    const struct fc_mapped *place)
{
	if (!drain->edges)
		return;
	pthread_mutex_lock(&drain->counting);
	fc_places_add(&arena->places, place);
	pthread_mutex_unlock(&drain->counting);
}

void fc_drain_set_funcs(struct fc_drain *drain, uint32_t nr_funcs)
{
	if (nr_funcs > drain->max_funcs)
		nr_funcs = drain->max_funcs;
	__atomic_store_n(&drain->nr_funcs, nr_funcs, __ATOMIC_RELEASE);
}

/* Every ring that may be in use, or have been. */
static void add_counters(struct fc_drain *drain, struct fc_arena *arena, uint64_t *ret,
			 uint32_t nr)
{
	uint32_t nr_rings = fc_drain_count_rings(drain, arena);
	for (uint32_t i = 0; i < nr_rings; i++) {
		if (__atomic_load_n(&arena->at->rings[i].state, __ATOMIC_ACQUIRE) !=
		    FCA_RING_USED)
			continue;
		const uint64_t *counters = fc_drain_words(drain, arena, i) + drain->ring_words;
		for (uint32_t func = 0; func < nr; func++)
			ret[func] += counters[func];
	}
}

uint32_t fc_drain_counts(struct fc_drain *drain, uint64_t *ret)
{
	uint32_t nr = drain->nr_funcs;
	pthread_mutex_lock(&drain->list);
	pthread_mutex_lock(&drain->counting);
	memcpy(ret, drain->counted, nr * sizeof(*ret));
	for (struct fc_arena *arena = drain->first; arena; arena = arena->next)
		add_counters(drain, arena, ret, nr);
	pthread_mutex_unlock(&drain->counting);
	pthread_mutex_unlock(&drain->list);
	return nr;
}

struct fc_drain_sums fc_drain_sums(struct fc_drain *drain)
{
	struct fc_drain_sums sums = {
		.nr_words = __atomic_load_n(&drain->nr_words, __ATOMIC_RELAXED),
		.nr_lost = __atomic_load_n(&drain->nr_lost, __ATOMIC_RELAXED),
	};
	pthread_mutex_lock(&drain->list);
	for (struct fc_arena *arena = drain->first; arena; arena = arena->next) {
		uint32_t nr = fc_drain_count_rings(drain, arena);
		sums.nr_lost += __atomic_load_n(&arena->at->no_ring, __ATOMIC_RELAXED);
		for (uint32_t i = 0; i < nr; i++)
			sums.nr_lost +=
				__atomic_load_n(&arena->at->rings[i].lost, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&drain->list);
	return sums;
}

int fc_drain_stop(struct fc_drain *drain, uint64_t lost_by[FCA_NR_LOST])
{
	pthread_mutex_lock(&drain->list);
	for (struct fc_arena *arena = drain->first; arena; arena = arena->next)
		fc_arena_let_go(drain->keeper, arena);
	pthread_mutex_unlock(&drain->list);
	__atomic_store_n(&drain->is_stopping, true, __ATOMIC_RELEASE);
	pthread_join(drain->thread, NULL);
	int error = drain->error;
	memcpy(lost_by, drain->lost_by, sizeof(drain->lost_by));
	drain->mode->tell(drain);
	destroy(drain);
	return error;
}
