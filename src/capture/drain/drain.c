/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/drain_private.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "capture/drain/dumper.h"
#include "capture/drain/flight.h"
#include "capture/drain/ids.h"
#include "capture/opts.h"
#include "trace/clock.h"
#include "trace/record.h"

enum {
	NAP_NS = 10 * 1000 * 1000,
	PATIENCE = 3, /* naps before an unwritten word with others behind it is passed over */
	CROWD = 64,   /* of more rings than that those that are idle have their turn... */
	TURNS = 16,   /* ...once in so many rounds, while others are busy */
	MAX_BELLS = 127,
	DUMP_PATIENCE_S = 1, /* a target waits no longer for a dump to begin */
	WARM_RINGS = 64,     /* keep their memory for the next strand when they become free */
};

uint64_t fc_drain_ring_words(const struct fc_drain *drain)
{
	return drain->ring_words;
}

size_t fc_drain_arena_size(const struct fc_drain *drain)
{
	uint64_t nr = fca_nr_rings(drain->ring_words, drain->nr_counters);
	return fca_ring_at(nr, drain->ring_words, drain->nr_counters);
}

/*
 * By when the words just taken were written. A record's tick turns over every minute or two:
 * after a longer pause of this thread (a terminal that was held), the words are those that
 * filled the ring soon after its beginning.
 */
static uint64_t now_of(const struct fc_ring_view *view)
{
	const uint64_t turn = 1ull << FC_RECORD_TICK_BITS, margin = turn / 256;
	uint64_t now = fc_clock_tsc(), latest = view->seen_tsc + turn - margin;
	return view->seen_tsc && now > latest ? latest : now;
}

/* The records' sink may fail (disk full): the target is drained all the same. */
static void pour(struct fc_drain *drain, const struct fc_ring_view *view, const uint64_t *words,
		 size_t nr)
{
	if (!nr)
		return;
	int ret = drain->tap->records(drain->tap, &view->strand, words, nr, now_of(view));
	if (ret && !drain->error)
		drain->error = ret;
}

/* A target that waits for room goes on when half the ring is free. */
static void wake(struct fc_ring_view *view, bool is_empty)
{
	struct fca_ring *ring = view->ring.shared;
	if (!__atomic_load_n(&ring->waiting, __ATOMIC_SEQ_CST) ||
	    (!is_empty && ring->tail - view->woken < view->ring.nr_words / 2))
		return;
	view->woken = ring->tail;
	__atomic_store_n(&ring->waiting, 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&ring->gate, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &ring->gate, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static size_t drain_some(struct fc_drain *drain, struct fc_ring_view *view)
{
	uint64_t look_tsc = fc_clock_tsc();
	size_t nr = fc_ring_take(&view->ring, drain->buffer, FC_BATCH_WORDS);
	view->was_idle = !nr;
	if (nr) {
		view->nr_idle = 0;
		__atomic_store_n(&drain->nr_words, drain->nr_words + nr, __ATOMIC_RELAXED);
		pour(drain, view, drain->buffer, nr);
	} else if (drain->was_napping || view->ring.shared->waiting) {
		/* A handler that waits for room may have interrupted the writer of a word. */
		if (view->ring.shared->waiting || ++view->nr_idle > PATIENCE)
			fc_ring_skip_hole(&view->ring);
	}
	view->seen_tsc = look_tsc;
	wake(view, !nr);
	return nr;
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

static void open_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	struct fc_ring_view *view = &arena->rings->at[i];
	view->strand = (struct fc_strand_info){
		.id = ++drain->nr_strands,
	};
	fc_drain_find_ids(drain, &arena->at->rings[i], &view->strand.pid, &view->strand.tid);
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
	if (drain->edges)
		fc_edges_take(drain->edges, &arena->places, (struct fca_edges *)counters);
	for (uint32_t func = 0; func < drain->nr_funcs; func++)
		drain->counted[func] += counters[func];
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

/* The strand's thread has ended: the rest of its records, what it lost, and its end. */
static void close_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	struct fca_ring *ring = &arena->at->rings[i];
	struct fc_ring_view *view = &arena->rings->at[i];
	do {
		while (drain_some(drain, view))
			;
	} while (fc_ring_skip_hole(&view->ring));
	uint64_t tsc = fc_clock_tsc();
	uint64_t lost = ring->lost - ring->lost_told + fc_ring_clear(&view->ring);
	if (drain->edges) {
		fc_edges_lose(drain->edges, lost);
	} else if (lost) {
		uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 2), FC_MARK),
				     lost, 1 };
		pour(drain, view, words, 3);
	}
	drain->tap->strand_end(drain->tap, &view->strand, tsc);
	sum_up(drain, arena, i);
	__atomic_store_n(&drain->nr_lost, drain->nr_lost + ring->lost, __ATOMIC_RELAXED);
	if (is_left(arena, view)) {
		view->is_open = false;
		return;
	}
	if (i >= WARM_RINGS)
		clear_ring(&view->ring);
	fc_drain_free_ring(arena->at, i, view);
}

/* ---- --loss=ring: nothing is drained but what is asked for ---- */

static bool read_words(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	memcpy(ret, (const uint64_t *)ctx + at, nr * sizeof(*ret));
	return true;
}

static struct fc_flight_ring flight_ring(const struct fc_ring_view *view)
{
	const struct fca_ring *ring = view->ring.shared;
	return (struct fc_flight_ring){
		.strand = view->strand,
		.ring_words = view->ring.nr_words,
		.read = read_words,
		.ctx = view->ring.words,
		.lost = ring->lost - ring->lost_told,
	};
}

static void keep_ring(struct fc_drain *drain, struct fc_arena *arena, uint32_t i)
{
	struct fc_ring_view *view = &arena->rings->at[i];
	struct fc_flight_ring ring = flight_ring(view);
	fc_flight_keep(drain->flight, &ring, drain->round_tsc);
	sum_up(drain, arena, i);
	if (is_left(arena, view)) {
		view->is_open = false;
		return;
	}
	clear_ring(&view->ring);
	fc_drain_free_ring(arena->at, i, view);
}

static void look_at_all(struct fc_drain *drain)
{
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next) {
		for (uint32_t n = 0; n < arena->rings->nr_open; n++) {
			uint32_t i = arena->rings->open[n];
			struct fc_flight_ring ring = flight_ring(&arena->rings->at[i]);
			fc_flight_look(drain->flight, &ring);
		}
		fc_flight_lost(drain->flight,
			       __atomic_exchange_n(&arena->at->no_ring, 0, __ATOMIC_RELAXED));
	}
}

static void end_dumps(struct fc_drain *drain)
{
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next)
		arena->at->no_dumps = 1;
}

/* A dump is being written, and the next has to wait. */
static bool is_dumping(struct fc_drain *drain, bool is_patient)
{
	int err;
	bool is_busy = fc_dumper_is_busy(drain->dumper, is_patient, &err);
	if (err < 0 && !drain->error)
		drain->error = err;
	if (err > 0)
		end_dumps(drain);
	return is_busy;
}

/* What was looked at becomes a trace; at the end only if there is anything new in it. */
static void write_dump(struct fc_drain *drain, const char *why, bool is_end)
{
	uint64_t last = fc_flight_last_tsc(drain->flight);
	if (is_end && last <= drain->dumped_until && drain->dumped_until)
		return;
	drain->dumped_until = last ? last : 1;
	fc_dumper_start(drain->dumper, why, is_end);
}

static size_t drain_all(struct fc_drain *drain);
static void reap(struct fc_drain *drain);

static void dump_if_asked(struct fc_drain *drain)
{
	if (!drain->flight || is_dumping(drain, false))
		return;
	pthread_mutex_lock(&drain->dump);
	char *why = drain->why;
	if (why) {
		drain->round_tsc = fc_clock_tsc();
		drain_all(drain); /* who has ended, too */
		reap(drain);
		look_at_all(drain);
		drain->why = NULL;
		pthread_cond_broadcast(&drain->was_looked);
	}
	pthread_mutex_unlock(&drain->dump);
	if (why)
		write_dump(drain, why, false);
	free(why);
}

/* What was asked for in the last moment is the reason of a dump before the last. */
static void dump_at_end(struct fc_drain *drain)
{
	is_dumping(drain, true);
	dump_if_asked(drain);
	is_dumping(drain, true);
	drain->round_tsc = fc_clock_tsc();
	drain_all(drain);
	look_at_all(drain);
	write_dump(drain, "the end", true);
	is_dumping(drain, true);
}

static void ring_bell(struct fc_drain *drain)
{
	pthread_mutex_lock(&drain->list);
	struct fc_arena *arena = drain->first;
	if (arena) {
		__atomic_fetch_add(&arena->at->bell, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &arena->at->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	pthread_mutex_unlock(&drain->list);
}

void fc_drain_dump(struct fc_drain *drain, const char *why)
{
	if (!drain->flight)
		return;
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += DUMP_PATIENCE_S;
	pthread_mutex_lock(&drain->dump);
	if (!drain->why) /* else one that was asked for before is about to come */
		drain->why = fc_strdup(why);
	ring_bell(drain);
	while (drain->why && !pthread_cond_clockwait(&drain->was_looked, &drain->dump,
						     CLOCK_MONOTONIC, &until))
		;
	pthread_mutex_unlock(&drain->dump);
}

void fc_drain_catch_up(struct fc_drain *drain, int ms)
{
	uint32_t before = __atomic_load_n(&drain->nr_rounds, __ATOMIC_ACQUIRE);
	ring_bell(drain);
	/* One round may have begun before. */
	while (ms-- > 0 && __atomic_load_n(&drain->nr_rounds, __ATOMIC_ACQUIRE) - before < 2)
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
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
	size_t nr = drain->flight ? 0 : drain_some(drain, view);
	if (is_closing && drain->flight)
		keep_ring(drain, arena, i);
	else if (is_closing)
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

/* Records for which no ring was free: said on a strand of their own. */
static void tell_no_ring(struct fc_drain *drain, struct fc_arena *arena)
{
	uint64_t lost = arena->at->no_ring, tsc = fc_clock_tsc();
	if (drain->flight)
		fc_flight_lost(drain->flight, lost);
	if (drain->edges)
		fc_edges_lose(drain->edges, lost);
	if (!lost || drain->flight || drain->edges)
		return;
	struct fc_ring_view view = { .strand = { .id = ++drain->nr_strands } };
	uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 2), FC_MARK), lost, 1 };
	pour(drain, &view, words, 3);
	drain->tap->strand_end(drain->tap, &view.strand, tsc);
}

static void destroy_arena(struct fc_drain *drain, struct fc_arena *arena)
{
	tell_no_ring(drain, arena);
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
static void reap(struct fc_drain *drain)
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

static size_t drain_all(struct fc_drain *drain)
{
	size_t nr = 0;
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next)
		nr += drain_arena(drain, arena, false);
	return nr;
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
		size_t nr = drain_all(drain);
		__atomic_fetch_add(&drain->nr_rounds, 1, __ATOMIC_RELEASE);
		reap(drain);
		dump_if_asked(drain);
		pthread_mutex_unlock(&drain->round);
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
	if (drain->flight && drain->has_begun)
		dump_at_end(drain);
	while (drain->first) {
		drain->first->is_released = true;
		reap(drain);
	}
	return NULL;
}

int fc_drain_start(struct fc_tap *tap, uint64_t ring_bytes, uint32_t nr_counters,
		   struct fc_drain **ret)
{
	struct fc_drain *drain = fc_alloc(sizeof(*drain));
	int err = fc_keeper_create(&drain->keeper);
	if (err) {
		free(drain);
		return err;
	}
	drain->tap = tap;
	drain->ids = fc_ids_create();
	drain->ring_words = (ring_bytes ? ring_bytes : FC_RING_DEFAULT) / 8;
	drain->tracer = gettid();
	drain->nr_counters = nr_counters;
	drain->counted = fc_alloc((size_t)nr_counters * sizeof(*drain->counted));
	drain->edges = nr_counters == FCA_EDGES_WORDS ? fc_edges_create() : NULL;
	pthread_mutex_init(&drain->counting, NULL);
	pthread_mutex_init(&drain->list, NULL);
	pthread_mutex_init(&drain->round, NULL);
	pthread_mutex_init(&drain->dump, NULL);
	pthread_cond_init(&drain->was_looked, NULL);
	if (tap->dump) {
		drain->flight = fc_flight_create();
		drain->dumper = fc_dumper_create(drain->flight, tap);
	}
	err = pthread_create(&drain->thread, NULL, drain_thread, drain);
	if (err) {
		fc_keeper_destroy(drain->keeper);
		fc_ids_destroy(drain->ids);
		fc_edges_destroy(drain->edges);
		free(drain->counted);
		free(drain);
		return fc_fail(err, "cannot start a thread: %s", strerror(err));
	}
	*ret = drain;
	return 0;
}

void fc_drain_link(struct fc_drain *drain, struct fc_arena *arena)
{
	pthread_mutex_lock(&drain->list);
	drain->has_begun = true;
	arena->next = drain->first;
	__atomic_store_n(&drain->first, arena, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&drain->list);
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

void fc_drain_gone(struct fc_drain *drain, struct fc_arena *arena, int pid, int tid)
{
	uint32_t nr = __atomic_load_n(&arena->at->nr_rings, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < nr && i < FCA_MAX_RINGS; i++) {
		const struct fca_ring *ring = &arena->at->rings[i];
		int ring_pid, ring_tid;
		if (__atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) != FCA_RING_USED)
			continue;
		fc_drain_find_ids(drain, ring, &ring_pid, &ring_tid);
		if (ring_pid == pid && (!tid || ring_tid == tid))
			__atomic_store_n(&arena->rings->at[i].is_closing, true,
					 __ATOMIC_RELEASE);
	}
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
	fc_places_add(&arena->places, place->start, place->end, place->bias, place->module,
		      place->path);
	pthread_mutex_unlock(&drain->counting);
}

void fc_drain_set_funcs(struct fc_drain *drain, uint32_t nr_funcs)
{
	if (drain->edges)
		return;
	if (nr_funcs > drain->nr_counters)
		nr_funcs = drain->nr_counters;
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
		uint32_t nr = __atomic_load_n(&arena->at->nr_rings, __ATOMIC_ACQUIRE);
		sums.nr_lost += __atomic_load_n(&arena->at->no_ring, __ATOMIC_RELAXED);
		for (uint32_t i = 0; i < nr && i < FCA_MAX_RINGS; i++)
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
	if (drain->edges && drain->tap->edges)
		fc_edges_tell(drain->edges, drain->tap);
	else if (drain->nr_counters && drain->tap->counts)
		drain->tap->counts(drain->tap, fc_clock_tsc(), drain->counted, drain->nr_funcs);
	fc_keeper_destroy(drain->keeper);
	fc_ids_destroy(drain->ids);
	fc_edges_destroy(drain->edges);
	free(drain->counted);
	fc_dumper_destroy(drain->dumper);
	fc_flight_destroy(drain->flight);
	pthread_mutex_destroy(&drain->list);
	pthread_mutex_destroy(&drain->round);
	pthread_mutex_destroy(&drain->dump);
	pthread_cond_destroy(&drain->was_looked);
	free(drain);
	return error;
}
