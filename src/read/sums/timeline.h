/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h - a sink that keeps who was called when, in as much detail as there is room for.
 *
 *	strand 1, depth 0   |main                                     |
 *	          depth 1     |parse      |  |serve       |serve |..|        .. many short calls
 *	          depth 2       |lex| |..|     |..|  |..|
 *
 * Calls that last a step or longer are kept by themselves. Those that are shorter and begin in
 * the same step of time, in one strand and depth, are one span. A step is short at first, and
 * twice as long whenever there are too many spans. So what a span says is always true: spans of
 * one strand and depth never overlap, and all calls are in one of them.
 */
#ifndef FC_READ_SUMS_TIMELINE_H
#define FC_READ_SUMS_TIMELINE_H

#include "base/vec.h"
#include "calls/call.h"

struct fc_timeline_span {
	uint64_t begin_tsc, end_tsc; /* of the first and of the last call */
	uint64_t longest;	     /* ticks, of one of its calls... */
	uint64_t calls;
	uint32_t func; /* ...which was of this function */
	uint32_t track;
	uint32_t depth;
	struct fc_call_values *values; /* of the longest; NULL: none, or they are not kept */
};

/* A strand. */
struct fc_timeline_track {
	uint32_t strand;
	int pid, tid;
	uint64_t calls;	     /* all, also those that are too deep to be kept */
	uint64_t begin_tsc;  /* of the first thing told of it */
	FC_VEC(size_t) last; /* by depth: its last span + 1 */
};

struct fc_timeline_opts {
	size_t max_spans;
	uint32_t max_tracks; /* of further strands only the number of calls is known */
	uint32_t max_levels; /* of deeper calls as well */
	bool has_values;     /* keep what the longest call of each span was given */
};

struct fc_timeline;
struct fc_timeline *fc_timeline_create(const struct fc_timeline_opts *opts);
void fc_timeline_destroy(struct fc_timeline *timeline);
/* Its finish() puts the spans in order: by track, depth and time. */
struct fc_call_sink *fc_timeline_sink(struct fc_timeline *timeline);

size_t fc_timeline_nr(const struct fc_timeline *timeline);
const struct fc_timeline_span *fc_timeline_span(const struct fc_timeline *timeline, size_t i);
size_t fc_timeline_nr_tracks(const struct fc_timeline *timeline);
const struct fc_timeline_track *fc_timeline_track(const struct fc_timeline *timeline, size_t i);

/* Ticks; calls that are shorter may be one span with others. */
uint64_t fc_timeline_step(const struct fc_timeline *timeline);
/* So many levels were kept in the end. */
uint32_t fc_timeline_levels(const struct fc_timeline *timeline);
/* Calls that are in no span. */
uint64_t fc_timeline_nr_deeper(const struct fc_timeline *timeline);
uint64_t fc_timeline_nr_elsewhere(const struct fc_timeline *timeline);

#endif
