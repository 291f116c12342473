/* SPDX-License-Identifier: Apache-2.0 */
/* perf_switches.c - rings of the traced threads, emptied by turns: what they hold becomes words. */
#include "capture/switch/perf_switches.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/numbered.h"
#include "base/vec.h"
#include "capture/switch/off_calls.h"
#include "capture/switch/raw_clock.h"
#include "capture/switch/switch_ring.h"
#include "capture/target/status.h"
#include "trace/clock.h"
#include "trace/record.h"

enum {
	/*
	 * A record is in its ring some time after the moment that it tells of, as the kernel is not
	 * interrupted between the two.
	 */
	LATE_NS = 200 * 1000,
};

/* Where a thread is. */
struct place {
	int tid;
	bool is_out, was_preempted; /* off the CPU since out_tsc; nothing is told of it yet */
	bool is_own;		    /* ...nor will be: it stands still for fctrace */
	uint64_t out_tsc;
	uint64_t left_tsc; /* it is not traced any more since; 0: it is */
	uint32_t func;	   /* what is open for it */
};

/* It stood still for fctrace, and goes on. */
struct resumed {
	int tid;
	uint64_t tsc;
};

struct watched {
	int tid; /* when its ring was made */
	struct fc_switch_ring ring;
};

struct fc_switches {
	struct fc_well well;
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
	bool has_failed;   /* to open a ring, and has said so */
	size_t nr_threads; /* so far */
	struct fc_off_calls *calls;
	struct fc_tap *tap;
	struct fc_raw_pair pair; /* of the last time */
	uint64_t lost;
	size_t nr_words;	   /* of this time */
	pthread_mutex_t lock;	   /* of what is behind it: */
	struct fc_numbered places; /* struct place */
	bool is_on;
	FC_VEC(struct watched) watched;
	FC_VEC(struct resumed) resumed; /* since the last time */
	FC_VEC(struct resumed) left;	/* who is not traced any more */
};

static struct fc_switches *switches_of(struct fc_well *well)
{
	return (struct fc_switches *)well;
}

/* Valid until the next call. */
static struct place *place_of(struct fc_switches *switches, int tid)
{
	return fc_numbered_get(&switches->places, tid);
}

/* ---- on the tracer's thread ---- */

static void say_once(struct fc_switches *switches)
{
	if (switches->has_failed)
		return;
	switches->has_failed = true;
	fc_auto_free char *sentence =
		fc_asprintf("of some threads it is not shown when they are off the CPU: %s",
			    fc_fail_text());
	switches->say(switches->ctx, sentence);
}

static void follow(struct fc_well *well, int tid)
{
	struct fc_switches *switches = switches_of(well);
	struct watched watched = { .tid = tid };
	if (fc_switch_ring_open(tid, switches->nr_threads, &watched.ring)) {
		say_once(switches);
		return;
	}
	switches->nr_threads++;
	pthread_mutex_lock(&switches->lock);
	fc_vec_push(&switches->watched, watched);
	place_of(switches, tid)->left_tsc = 0;
	pthread_mutex_unlock(&switches->lock);
}

static void resumed(struct fc_well *well, int tid)
{
	struct fc_switches *switches = switches_of(well);
	pthread_mutex_lock(&switches->lock);
	fc_vec_push(&switches->resumed, (struct resumed){ tid, fc_clock_tsc() });
	pthread_mutex_unlock(&switches->lock);
}

static void leave(struct fc_well *well, int tid)
{
	struct fc_switches *switches = switches_of(well);
	pthread_mutex_lock(&switches->lock);
	fc_vec_push(&switches->left, (struct resumed){ tid, fc_clock_tsc() });
	pthread_mutex_unlock(&switches->lock);
}

static void turn_on(struct fc_well *well, bool is_on)
{
	struct fc_switches *switches = switches_of(well);
	pthread_mutex_lock(&switches->lock);
	switches->is_on = is_on;
	pthread_mutex_unlock(&switches->lock);
}

/* ---- on the thread that takes records ---- */

static void tell(struct fc_switches *switches, int tid, uint64_t tsc, const uint64_t *words,
		 size_t nr)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE, .tid = tid };
	switches->tap->records(switches->tap, &strand, words, nr, tsc);
	switches->nr_words += nr;
}

static void open_call(struct fc_switches *switches, struct place *place, enum fc_off which)
{
	uint64_t words[FC_OFF_WORDS];
	size_t nr =
		fc_off_calls_enter(switches->calls, place->out_tsc, which, &place->func, words);
	tell(switches, place->tid, place->out_tsc, words, nr);
	place->is_out = false;
}

static void close_call(struct fc_switches *switches, struct place *place, uint64_t tsc)
{
	uint64_t words[FC_OFF_WORDS];
	if (place->func)
		tell(switches, place->tid, tsc, words,
		     fc_off_calls_leave(tsc, "", &place->func, words));
	place->is_out = place->is_own = false;
}

/* Nobody knows when it ended. */
static void drop_call(struct fc_switches *switches, struct place *place, uint64_t tsc)
{
	uint64_t word = fc_record(tsc, 0, FC_POP);
	if (place->func)
		tell(switches, place->tid, tsc, &word, 1);
	place->func = 0;
	place->is_out = place->is_own = false;
}

/* Between the two it stood still for fctrace, which let it go on. */
static bool is_own(const struct fc_switches *switches, const struct place *place,
		   uint64_t in_tsc)
{
	fc_vec_each (&switches->resumed, at)
		if (at->tid == place->tid && at->tsc > place->out_tsc && at->tsc < in_tsc)
			return true;
	return false;
}

static enum fc_off guess(const struct place *place)
{
	return place->was_preempted ? FC_OFF_RUNNABLE : FC_OFF_ASLEEP;
}

static void come_in(struct fc_switches *switches, struct place *place, uint64_t tsc)
{
	bool is_whole = place->is_out && !place->is_own;
	if (is_whole && !is_own(switches, place, tsc))
		open_call(switches, place, guess(place));
	close_call(switches, place, tsc);
}

static void go_out(struct fc_switches *switches, struct place *place, uint64_t tsc,
		   bool is_preempted)
{
	drop_call(switches, place, tsc);
	if (!switches->is_on || (place->left_tsc && place->left_tsc < tsc))
		return;
	place->is_out = true;
	place->was_preempted = is_preempted;
	place->out_tsc = tsc;
}

/* False: the thread has ended. */
static bool take_switch(struct fc_switches *switches, const struct fc_switch *at, uint64_t tsc)
{
	struct place *place = place_of(switches, at->tid);
	switch (at->kind) {
	case FC_SWITCH_OUT:
	case FC_SWITCH_PREEMPTED:
		go_out(switches, place, tsc, at->kind == FC_SWITCH_PREEMPTED);
		return true;
	case FC_SWITCH_IN:
		come_in(switches, place, tsc);
		return true;
	case FC_SWITCH_LOST:
		switches->lost += at->nr;
		drop_call(switches, place, tsc);
		return true;
	default:
		drop_call(switches, place, tsc);
		return false;
	}
}

/*
 * It is off the CPU: what is told of it? Who is let go on by the tracer waits for the lock before, and is
 * among the resumed behind it.
 */
static void look_at(struct fc_switches *switches, struct place *place,
		    const struct fc_switch_ring *ring)
{
	struct fc_status status;
	bool is_there = place->was_preempted || fc_status_read(place->tid, &status);
	if (!fc_switch_ring_is_empty(ring))
		return; /* it has run since, and what was read is of later */
	if (place->was_preempted)
		open_call(switches, place, FC_OFF_RUNNABLE);
	else if (!is_there || status.state == 't' || is_own(switches, place, UINT64_MAX))
		place->is_own = true;
	else
		open_call(switches, place,
			  status.state == 'T' ? FC_OFF_STOPPED : FC_OFF_ASLEEP);
}

/* False: there is nothing more to come of its thread. */
static bool take_ring(struct fc_switches *switches, const struct fc_raw_pair *now,
		      struct watched *watched)
{
	struct fc_switch at;
	while (fc_switch_ring_next(&watched->ring, &at)) {
		if (!take_switch(switches, &at, fc_raw_clock_tsc(&switches->pair, now, at.ns)))
			return false;
		struct place *place = place_of(switches, at.tid);
		if (fc_switch_ring_is_empty(&watched->ring) && place->is_out && !place->is_own)
			look_at(switches, place, &watched->ring);
	}
	fc_vec_each (&switches->left, left)
		if (left->tid == watched->tid)
			return false;
	return true;
}

static void take_rings(struct fc_switches *switches, const struct fc_raw_pair *now)
{
	size_t left = 0;
	fc_vec_each (&switches->watched, watched) {
		if (take_ring(switches, now, watched))
			switches->watched.at[left++] = *watched;
		else
			fc_switch_ring_close(&watched->ring);
	}
	switches->watched.nr = left;
}

/* What was told so far is closed for those that are not traced any more. */
static void take_left(struct fc_switches *switches)
{
	fc_vec_each (&switches->left, at) {
		struct place *place = place_of(switches, at->tid);
		place->left_tsc = at->tsc;
		drop_call(switches, place, at->tsc);
	}
	switches->left.nr = 0;
}

static uint64_t late_ticks(const struct fc_raw_pair *from, const struct fc_raw_pair *to)
{
	return fc_raw_clock_tsc(from, to, to->ns) -
	       fc_raw_clock_tsc(from, to, to->ns - LATE_NS);
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_switches *switches = switches_of(well);
	struct fc_strand_info nobody = { .id = FC_STRAND_BESIDE };
	struct fc_raw_pair now = fc_raw_clock_now();
	if (now.ns <= switches->pair.ns)
		return 0;
	switches->nr_words = 0;
	pthread_mutex_lock(&switches->lock);
	take_rings(switches, &now);
	take_left(switches);
	switches->resumed.nr = 0;
	pthread_mutex_unlock(&switches->lock);
	switches->tap->records(switches->tap, &nobody, NULL, 0,
			       now.tsc - late_ticks(&switches->pair, &now));
	switches->pair = now;
	return switches->nr_words;
}

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_switches *switches = switches_of(well);
	switches->tap = tap;
	switches->pair = fc_raw_clock_now();
	switches->calls = fc_off_calls_create(numbers, "perf_event_open");
	return tap->module(tap, fc_off_calls_module(switches->calls));
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_switches *switches = switches_of(well);
	take(well, now_tsc);
	fc_numbered_each (&switches->places, struct place, place)
		drop_call(switches, place, fc_clock_tsc());
	if (!switches->lost)
		return;
	fc_auto_free char *sentence = fc_asprintf(
		"%llu switches of threads were lost: they came faster than they were read",
		(unsigned long long)switches->lost);
	switches->say(switches->ctx, sentence);
}

/* ---- its life ---- */

int fc_switches_open(void (*say)(void *ctx, const char *sentence), void *ctx,
		     struct fc_switches **ret)
{
	struct fc_switch_ring ring;
	int err = fc_switch_ring_open(gettid(), 0, &ring);
	if (err)
		return err;
	fc_switch_ring_close(&ring);
	struct fc_switches *switches = fc_alloc(sizeof(*switches));
	switches->well = (struct fc_well){ .start = start,
					   .follow = follow,
					   .born = follow,
					   .resumed = resumed,
					   .leave = leave,
					   .turn_on = turn_on,
					   .take = take,
					   .stop = stop };
	switches->say = say;
	switches->ctx = ctx;
	switches->is_on = true;
	switches->places.size = sizeof(struct place);
	pthread_mutex_init(&switches->lock, NULL);
	*ret = switches;
	return 0;
}

void fc_switches_close(struct fc_switches *switches)
{
	if (!switches)
		return;
	fc_vec_each (&switches->watched, watched)
		fc_switch_ring_close(&watched->ring);
	fc_vec_free(&switches->watched);
	fc_vec_free(&switches->resumed);
	fc_vec_free(&switches->left);
	fc_numbered_deinit(&switches->places);
	fc_off_calls_destroy(switches->calls);
	pthread_mutex_destroy(&switches->lock);
	free(switches);
}

struct fc_well *fc_switches_well(struct fc_switches *switches)
{
	return &switches->well;
}
