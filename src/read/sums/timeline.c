/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.c - keeps spans of calls, and merges short ones when there are too many. */
#include "read/sums/timeline.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "calls/strands.h"
#include "trace/mark.h"

#define FIRST_SHIFT 6  /* a step of 64 ticks: no call is shorter than that and worth a look */
#define LAST_SHIFT  63 /* all is in one step, in whatever order it comes */

struct fc_timeline {
	struct fc_call_sink sink;
	struct fc_timeline_opts opts;
	unsigned shift;		   /* a step is 1 << shift ticks */
	struct fc_strands strands; /* uint32_t: the track + 1 */
	uint32_t last_strand, last_track;
	FC_VEC(struct fc_timeline_track) tracks;
	/* In order of ends; those of one track and depth are in order of time, too. */
	FC_VEC(struct fc_timeline_span) spans;
	uint64_t nr_deeper, nr_elsewhere;
};

static struct fc_timeline *timeline_of(struct fc_call_sink *sink)
{
	return (struct fc_timeline *)((char *)sink - offsetof(struct fc_timeline, sink));
}

/* ---- tracks ---- */

static uint32_t add_track(struct fc_timeline *timeline, const struct fc_timeline_track *track)
{
	if (timeline->tracks.nr >= timeline->opts.max_tracks)
		return 0;
	fc_vec_push(&timeline->tracks, *track);
	return (uint32_t)timeline->tracks.nr;
}

/* Its number + 1; 0: there are too many. */
static uint32_t track_of(struct fc_timeline *timeline, const struct fc_timeline_track *track)
{
	if (timeline->last_track && timeline->last_strand == track->strand)
		return timeline->last_track;
	uint32_t *number = fc_strands_make(&timeline->strands, track->strand);
	if (!number)
		return 0;
	if (!*number)
		*number = add_track(timeline, track);
	timeline->last_strand = track->strand;
	timeline->last_track = *number;
	return *number;
}

/* ---- spans ---- */

static uint64_t step_of(const struct fc_timeline *timeline)
{
	return 1ull << timeline->shift;
}

/* A span of one call that may not be one with others. */
static bool is_long(const struct fc_timeline *timeline, const struct fc_timeline_span *span)
{
	return span->calls == 1 && span->longest >= step_of(timeline) &&
	       timeline->shift < LAST_SHIFT;
}

static bool is_same_step(const struct fc_timeline *timeline, const struct fc_timeline_span *a,
			 const struct fc_timeline_span *b)
{
	return timeline->shift == LAST_SHIFT ||
	       a->begin_tsc >> timeline->shift == b->begin_tsc >> timeline->shift;
}

/* Is span the longer one? */
static bool add_to(struct fc_timeline_span *into, const struct fc_timeline_span *span)
{
	into->calls += span->calls;
	if (span->end_tsc > into->end_tsc)
		into->end_tsc = span->end_tsc;
	if (span->longest <= into->longest)
		return false;
	into->longest = span->longest;
	into->func = span->func;
	return true;
}

static size_t *last_of(struct fc_timeline *timeline, const struct fc_timeline_span *span)
{
	return fc_vec_make(&timeline->tracks.at[span->track].last, span->depth);
}

/*
 * Between two short calls that begin in the same step there is no long one: it would end, and the
 * second begin, in a later step. Returns the span whose longest call it is, NULL: it is of none.
 */
static struct fc_timeline_span *add_span(struct fc_timeline *timeline,
					 const struct fc_timeline_span *span)
{
	size_t *last = last_of(timeline, span);
	struct fc_timeline_span *before = *last ? &timeline->spans.at[*last - 1] : NULL;

	if (before && is_same_step(timeline, before, span) && !is_long(timeline, before) &&
	    !is_long(timeline, span))
		return add_to(before, span) ? before : NULL;
	fc_vec_push(&timeline->spans, *span);
	*last = timeline->spans.nr;
	timeline->spans.at[*last - 1].values = NULL;
	return &timeline->spans.at[*last - 1];
}

/* Its values become those of the span that it is the longest call of. */
static void move_values(struct fc_timeline_span *to, struct fc_call_values *values)
{
	if (!to) {
		free(values);
		return;
	}
	free(to->values);
	to->values = values;
}

/* Put all again, by the step and the levels that there are now. */
static void put_again(struct fc_timeline *timeline)
{
	size_t nr = timeline->spans.nr;

	fc_vec_each (&timeline->tracks, track)
		track->last.nr = 0;
	timeline->spans.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		struct fc_timeline_span span = timeline->spans.at[i];
		bool is_kept = span.depth < timeline->opts.max_levels;
		move_values(is_kept ? add_span(timeline, &span) : NULL, span.values);
		if (!is_kept)
			timeline->nr_deeper += span.calls;
	}
}

static void make_room(struct fc_timeline *timeline)
{
	size_t enough = timeline->opts.max_spans / 4 * 3;

	while (timeline->spans.nr > enough &&
	       (timeline->shift < LAST_SHIFT || timeline->opts.max_levels > 1)) {
		if (timeline->shift < LAST_SHIFT)
			timeline->shift++;
		else
			timeline->opts.max_levels /= 2;
		put_again(timeline);
	}
}

/* ---- the sink ---- */

static void timeline_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_timeline *timeline = timeline_of(sink);
	struct fc_timeline_track told = { .strand = call->strand,
					  .pid = call->pid,
					  .tid = call->tid,
					  .begin_tsc = call->begin_tsc };
	uint32_t number = track_of(timeline, &told);
	bool is_counted = !call->is_inherited && !call->is_resumed;

	if (!number) {
		timeline->nr_elsewhere += is_counted;
		return;
	}
	struct fc_timeline_track *track = &timeline->tracks.at[number - 1];
	track->calls += is_counted;
	if (call->depth >= timeline->opts.max_levels) {
		timeline->nr_deeper += is_counted;
		return;
	}
	/* Of what was open before the strand began only what is in it is shown. */
	uint64_t begin_tsc = call->begin_tsc;
	if (!is_counted && begin_tsc < track->begin_tsc)
		begin_tsc = track->begin_tsc;
	uint64_t end_tsc = call->end_tsc > begin_tsc ? call->end_tsc : begin_tsc;
	struct fc_timeline_span span = { .begin_tsc = begin_tsc,
					 .end_tsc = end_tsc,
					 .longest = end_tsc - begin_tsc,
					 .calls = 1,
					 .func = call->func,
					 .track = number - 1,
					 .depth = call->depth };
	struct fc_timeline_span *longest = add_span(timeline, &span);
	if (longest && timeline->opts.has_values)
		move_values(longest, fc_call_values_copy(call->values));
	if (timeline->spans.nr > timeline->opts.max_spans)
		make_room(timeline);
}

static void timeline_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_timeline_track told = { .strand = event->strand,
					  .pid = event->pid,
					  .tid = event->tid,
					  .begin_tsc = event->tsc };

	/* The first that is told of a strand with calls from before it. */
	if (fc_mark_announces(event->mark))
		track_of(timeline_of(sink), &told);
}

static int compare(const void *a, const void *b)
{
	const struct fc_timeline_span *x = a, *y = b;

	return fc_order(x->track, y->track) ?:
	       fc_order(x->depth, y->depth) ?:
	       fc_order(x->begin_tsc, y->begin_tsc) ?:
	       fc_order(x->end_tsc, y->end_tsc);
}

static void timeline_finish(struct fc_call_sink *sink)
{
	fc_vec_sort(&timeline_of(sink)->spans, compare);
}

/* ---- */

struct fc_timeline *fc_timeline_create(const struct fc_timeline_opts *opts)
{
	struct fc_timeline *timeline = fc_alloc(sizeof(*timeline));

	timeline->sink = (struct fc_call_sink){
		.enter = fc_sink_skip_call,
		.leave = timeline_leave,
		.event = timeline_event,
		.finish = timeline_finish,
	};
	timeline->opts = *opts;
	timeline->shift = FIRST_SHIFT;
	timeline->strands.size = sizeof(uint32_t);
	return timeline;
}

void fc_timeline_destroy(struct fc_timeline *timeline)
{
	if (!timeline)
		return;
	fc_vec_each (&timeline->tracks, track)
		fc_vec_free(&track->last);
	fc_vec_free(&timeline->tracks);
	fc_vec_each (&timeline->spans, span)
		free(span->values);
	fc_vec_free(&timeline->spans);
	fc_strands_deinit(&timeline->strands);
	free(timeline);
}

struct fc_call_sink *fc_timeline_sink(struct fc_timeline *timeline)
{
	return &timeline->sink;
}

size_t fc_timeline_nr(const struct fc_timeline *timeline)
{
	return timeline->spans.nr;
}

const struct fc_timeline_span *fc_timeline_span(const struct fc_timeline *timeline, size_t i)
{
	return &timeline->spans.at[i];
}

size_t fc_timeline_nr_tracks(const struct fc_timeline *timeline)
{
	return timeline->tracks.nr;
}

const struct fc_timeline_track *fc_timeline_track(const struct fc_timeline *timeline, size_t i)
{
	return &timeline->tracks.at[i];
}

uint64_t fc_timeline_step(const struct fc_timeline *timeline)
{
	return step_of(timeline);
}

uint32_t fc_timeline_levels(const struct fc_timeline *timeline)
{
	return timeline->opts.max_levels;
}

uint64_t fc_timeline_nr_deeper(const struct fc_timeline *timeline)
{
	return timeline->nr_deeper;
}

uint64_t fc_timeline_nr_elsewhere(const struct fc_timeline *timeline)
{
	return timeline->nr_elsewhere;
}
