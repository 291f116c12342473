/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c - merges the outermost calls of all strands by their begin. */
#include "show/tui/lanes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "trace/packets.h"

enum direction { NEXT, BACK };

/* One way along a strand. */
struct way {
	struct fc_walk_place at;
	struct fc_step step; /* what comes next */
	bool has_step, is_done;
};

struct lane {
	uint32_t strand;
	bool is_laid;
	uint64_t first_tsc, last_tsc;
	struct way ways[2]; /* by direction */
};

struct fc_lanes {
	struct fc_reader *reader;
	struct fc_walk *walk;
	struct lane *at;
	size_t nr;
	uint64_t then_tsc; /* where lanes are laid... */
	bool is_around;	   /* ...and what lasts into that is before it */
	bool is_end;	   /* at what begins then */
};

static bool is_asked(const struct fc_reader *reader, size_t i, int tid)
{
	return !tid || fc_reader_strand_may_be(reader, i, tid);
}

struct fc_lanes *fc_lanes_create(struct fc_reader *reader, struct fc_walk *walk, int tid,
				 uint64_t from_tsc)
{
	struct fc_lanes *lanes = fc_alloc(sizeof(*lanes));
	unsigned shift = fc_reader_time_shift(reader);
	size_t nr = fc_reader_nr_strands(reader);

	lanes->reader = reader;
	lanes->walk = walk;
	lanes->then_tsc = from_tsc;
	lanes->at = fc_alloc(nr * sizeof(*lanes->at));
	for (size_t i = 0; i < nr; i++) {
		size_t nr_packets = fc_reader_nr_packets(reader, i);
		if (!is_asked(reader, i, tid) || !nr_packets)
			continue;
		struct lane *lane = &lanes->at[lanes->nr++];
		lane->strand = (uint32_t)i;
		lane->first_tsc = fc_reader_packet(reader, i, 0)->begin << shift;
		lane->last_tsc = fc_reader_packet(reader, i, nr_packets - 1)->end << shift;
	}
	return lanes;
}

void fc_lanes_destroy(struct fc_lanes *lanes)
{
	if (!lanes)
		return;
	free(lanes->at);
	free(lanes);
}

static void restart(struct fc_lanes *lanes)
{
	for (size_t i = 0; i < lanes->nr; i++) {
		lanes->at[i].is_laid = false;
		lanes->at[i].ways[NEXT] = lanes->at[i].ways[BACK] = (struct way){ 0 };
	}
}

void fc_lanes_set(struct fc_lanes *lanes, const struct fc_step *step)
{
	restart(lanes);
	lanes->then_tsc = step->begin_tsc;
	lanes->is_around = true;
	lanes->is_end = false;
	for (size_t i = 0; i < lanes->nr; i++) {
		struct lane *lane = &lanes->at[i];
		if (lane->strand != step->strand)
			continue;
		lane->is_laid = true;
		lane->ways[NEXT].at = step->behind;
		lane->ways[BACK].at = step->place;
	}
}

void fc_lanes_to_end(struct fc_lanes *lanes, uint64_t to_tsc)
{
	restart(lanes);
	lanes->then_tsc = to_tsc ? to_tsc : UINT64_MAX;
	lanes->is_around = true;
	lanes->is_end = true;
}

/* ---- one lane ---- */

static int lay(struct fc_lanes *lanes, struct lane *lane)
{
	struct fc_walk_place at = { 0 };
	struct fc_step step;

	if (lane->is_laid)
		return 0;
	if (lanes->then_tsc > lane->last_tsc && (lanes->is_around || lanes->is_end))
		at = fc_walk_end(lanes->walk, lane->strand);
	else if (lanes->then_tsc > lane->first_tsc)
		at = fc_walk_at(lanes->walk, lane->strand, lanes->then_tsc);
	lane->ways[NEXT].at = lane->ways[BACK].at = at;
	if (!lanes->is_end && fc_walk_depth(lanes->walk, lane->strand, at)) {
		int found = fc_walk_back(lanes->walk, lane->strand, 0, &at, &step);
		if (found < 0)
			return found;
		if (found)
			lane->ways[NEXT].at = lane->ways[BACK].at =
				lanes->is_around ? step.behind : step.place;
	}
	lane->is_laid = true;
	return 0;
}

static int look(struct fc_lanes *lanes, struct lane *lane, enum direction to)
{
	struct way *way = &lane->ways[to];
	int found = lay(lanes, lane);

	if (found)
		return found;
	found = (to == NEXT ? fc_walk_next : fc_walk_back)(lanes->walk, lane->strand, 0,
							   &way->at, &way->step);
	way->has_step = found > 0;
	way->is_done = !found;
	return found < 0 ? found : 0;
}

/* When its next step begins; if that is not known yet, the first or last time it may do so. */
static uint64_t time_of(const struct lane *lane, enum direction to)
{
	if (lane->ways[to].has_step)
		return lane->ways[to].step.begin_tsc;
	return to == NEXT ? lane->first_tsc : lane->last_tsc;
}

/* ---- all of them ---- */

/* The earliest one; or, going back, the latest. */
static struct lane *find_lane(const struct fc_lanes *lanes, enum direction to)
{
	struct lane *best = NULL;

	for (size_t i = 0; i < lanes->nr; i++) {
		struct lane *lane = &lanes->at[i];
		if (lane->ways[to].is_done)
			continue;
		bool is_before = best && time_of(lane, to) < time_of(best, to);
		if (!best || is_before == (to == NEXT))
			best = lane;
	}
	return best;
}

static int go(struct fc_lanes *lanes, enum direction to, struct fc_step *ret)
{
	struct lane *lane;

	while ((lane = find_lane(lanes, to))) {
		if (lane->ways[to].has_step) {
			*ret = lane->ways[to].step;
			lane->ways[to].has_step = false;
			return 1;
		}
		int err = look(lanes, lane, to);
		if (err)
			return err;
	}
	return 0;
}

int fc_lanes_next(struct fc_lanes *lanes, struct fc_step *ret)
{
	return go(lanes, NEXT, ret);
}

int fc_lanes_back(struct fc_lanes *lanes, struct fc_step *ret)
{
	return go(lanes, BACK, ret);
}

void fc_lanes_unread(struct fc_lanes *lanes, const struct fc_step *step, bool is_last)
{
	for (size_t i = 0; i < lanes->nr; i++) {
		struct lane *lane = &lanes->at[i];
		if (lane->strand == step->strand && is_last)
			lane->ways[NEXT] = (struct way){ .at = step->place };
		else if (lane->strand == step->strand)
			lane->ways[BACK] = (struct way){ .at = step->behind };
	}
}
