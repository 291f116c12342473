/* SPDX-License-Identifier: Apache-2.0 */
/* --loss=ring: nothing is drained; what rings hold is copied when a dump is asked for. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "capture/drain/drain_private.h"
#include "capture/drain/dumper.h"
#include "capture/drain/flight.h"
#include "trace/clock.h"

enum { DUMP_PATIENCE_S = 1 }; /* a target waits no longer for a dump to begin */

struct fc_recorder {
	struct fc_flight *flight;
	struct fc_dumper *dumper;
	pthread_mutex_t lock; /* of what is asked for, which the tracer waits for */
	pthread_cond_t was_looked;
	char *why;	       /* NULL: no dump is asked for */
	uint64_t dumped_until; /* no record behind it: nothing new is to be dumped at the end */
};

static void flight_init(struct fc_drain *drain)
{
	struct fc_recorder *recorder = fc_alloc(sizeof(*recorder));
	recorder->flight = fc_flight_create();
	recorder->dumper = fc_dumper_create(recorder->flight, drain->tap);
	pthread_mutex_init(&recorder->lock, NULL);
	pthread_cond_init(&recorder->was_looked, NULL);
	drain->recorder = recorder;
}

static void flight_deinit(struct fc_drain *drain)
{
	struct fc_recorder *recorder = drain->recorder;
	fc_dumper_destroy(recorder->dumper);
	fc_flight_destroy(recorder->flight);
	pthread_mutex_destroy(&recorder->lock);
	pthread_cond_destroy(&recorder->was_looked);
	free(recorder);
}

/* ---- rings ---- */

static size_t flight_take(struct fc_drain *drain, struct fc_ring_view *view)
{
	return 0;
}

static bool read_words(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	memcpy(ret, (const uint64_t *)ctx + at, nr * sizeof(*ret));
	return true;
}

static struct fc_flight_ring flight_ring(struct fc_drain *drain,
					 const struct fc_ring_view *view)
{
	const struct fca_ring *ring = view->ring.shared;
	struct fc_strand_info strand = view->strand;
	struct fc_moves moves = fc_drain_moves(drain, ring);
	if (__atomic_load_n(&ring->has_moved, __ATOMIC_RELAXED)) {
		strand.tid = __atomic_load_n(&ring->told_tid, __ATOMIC_RELAXED);
		strand.kind = fc_ring_kind(ring);
		fc_ids_find(moves.ids, moves.number, &strand.pid, &strand.tid);
	}
	return (struct fc_flight_ring){
		.strand = strand,
		.moves = moves,
		.ring_words = view->ring.nr_words,
		.read = read_words,
		.ctx = view->ring.words,
		.lost = ring->lost - ring->lost_told,
	};
}

static void flight_end(struct fc_drain *drain, struct fc_ring_view *view)
{
	struct fc_flight_ring ring = flight_ring(drain, view);
	fc_flight_keep(drain->recorder->flight, &ring, drain->round_tsc);
}

static void flight_no_ring(struct fc_drain *drain, uint64_t lost)
{
	fc_flight_lost(drain->recorder->flight, lost);
}

static void look_at_all(struct fc_drain *drain)
{
	struct fc_arena *arena = __atomic_load_n(&drain->first, __ATOMIC_ACQUIRE);
	for (; arena; arena = arena->next) {
		for (uint32_t n = 0; n < arena->rings->nr_open; n++) {
			uint32_t i = arena->rings->open[n];
			struct fc_flight_ring ring = flight_ring(drain, &arena->rings->at[i]);
			fc_flight_look(drain->recorder->flight, &ring);
		}
		fc_flight_lost(drain->recorder->flight,
			       __atomic_exchange_n(&arena->at->no_ring, 0, __ATOMIC_RELAXED));
	}
}

/* ---- dumps ---- */

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
	bool is_busy = fc_dumper_is_busy(drain->recorder->dumper, is_patient, &err);
	if (err < 0 && !drain->error)
		drain->error = err;
	if (err > 0)
		end_dumps(drain);
	return is_busy;
}

/* What was looked at becomes a trace; at the end only if there is anything new in it. */
static void write_dump(struct fc_drain *drain, const char *why, bool is_end)
{
	uint64_t last = fc_flight_last_tsc(drain->recorder->flight);
	if (is_end && last <= drain->recorder->dumped_until && drain->recorder->dumped_until)
		return;
	drain->recorder->dumped_until = last ? last : 1;
	/* What was told until now is in the dump. */
	drain->tap->tick(drain->tap, fc_clock_tsc());
	fc_dumper_start(drain->recorder->dumper, why, is_end);
}

static void flight_look(struct fc_drain *drain)
{
	struct fc_recorder *recorder = drain->recorder;
	if (is_dumping(drain, false))
		return;
	pthread_mutex_lock(&recorder->lock);
	char *why = recorder->why;
	if (why) {
		drain->round_tsc = fc_clock_tsc();
		fc_drain_all(drain); /* who has ended, too */
		fc_drain_reap(drain);
		look_at_all(drain);
		recorder->why = NULL;
		pthread_cond_broadcast(&recorder->was_looked);
	}
	pthread_mutex_unlock(&recorder->lock);
	if (why)
		write_dump(drain, why, false);
	free(why);
}

/* What was asked for in the last moment is the reason of a dump before the last. */
static void flight_finish(struct fc_drain *drain)
{
	if (!drain->has_begun)
		return;
	is_dumping(drain, true);
	flight_look(drain);
	is_dumping(drain, true);
	drain->round_tsc = fc_clock_tsc();
	fc_drain_all(drain);
	look_at_all(drain);
	write_dump(drain, "the end", true);
	is_dumping(drain, true);
}

const struct fc_drain_mode fc_drain_flight = {
	.keeps_words = true,
	.init = flight_init,
	.take = flight_take,
	.end = flight_end,
	.no_ring = flight_no_ring,
	.sum_up = fc_drain_sum_funcs,
	.look = flight_look,
	.finish = flight_finish,
	.tell = fc_drain_tell_funcs,
	.deinit = flight_deinit,
};

void fc_drain_dump(struct fc_drain *drain, const char *why)
{
	struct fc_recorder *recorder = drain->recorder;
	if (!recorder)
		return;
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += DUMP_PATIENCE_S;
	pthread_mutex_lock(&recorder->lock);
	if (!recorder->why) /* else one that was asked for before is about to come */
		recorder->why = fc_strdup(why);
	fc_drain_ring_bell(drain);
	while (recorder->why && !pthread_cond_clockwait(&recorder->was_looked, &recorder->lock,
							CLOCK_MONOTONIC, &until))
		;
	pthread_mutex_unlock(&recorder->lock);
}
