/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c - finds the next, previous, inner and outer call of a call. */
#include "show/tui/walk.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "calls/ends.h"
#include "show/tui/reels.h"
#include "trace/peek.h"

#define KEPT_REELS   48
#define LEAST_OF_RUN 4 /* fewer calls are lines of their own */

struct fc_walk {
	struct fc_reader *reader;
	struct fc_reels *reels;
	struct fc_peek *peek;
	struct fc_ends *ends;
	unsigned shift;
	uint64_t last_tsc; /* of all that is known */
	uint64_t deadline_ns;
	bool is_single;
};

static uint64_t last_tsc(const struct fc_walk *walk)
{
	uint64_t last = fc_ends_last(walk->ends);

	for (size_t i = 0; i < fc_reader_nr_strands(walk->reader); i++) {
		size_t nr = fc_reader_nr_packets(walk->reader, i);
		uint64_t end = fc_reader_packet(walk->reader, i, nr - 1)->end << walk->shift;
		last = end > last ? end : last;
	}
	return last;
}

struct fc_walk *fc_walk_create(struct fc_reader *reader)
{
	struct fc_walk *walk = fc_alloc(sizeof(*walk));
	walk->reader = reader;
	walk->reels = fc_reels_create(reader, KEPT_REELS);
	walk->peek = fc_peek_create(reader);
	walk->ends = fc_ends_create(reader);
	walk->shift = fc_reader_time_shift(reader);
	walk->deadline_ns = UINT64_MAX;
	walk->last_tsc = last_tsc(walk);
	return walk;
}

void fc_walk_destroy(struct fc_walk *walk)
{
	if (!walk)
		return;
	fc_reels_destroy(walk->reels);
	fc_peek_destroy(walk->peek);
	fc_ends_destroy(walk->ends);
	free(walk);
}

void fc_walk_set_deadline(struct fc_walk *walk, uint64_t mono_ns)
{
	walk->deadline_ns = mono_ns;
}

void fc_walk_set_single(struct fc_walk *walk, bool is_single)
{
	walk->is_single = is_single;
}

static bool is_late(const struct fc_walk *walk)
{
	return walk->deadline_ns != UINT64_MAX && fc_clock_mono_ns() > walk->deadline_ns;
}

struct fc_walk_place fc_walk_end(const struct fc_walk *walk, uint32_t strand)
{
	return (struct fc_walk_place){ fc_reader_nr_packets(walk->reader, strand), 0 };
}

/* ---- what a record says ---- */

/* Does something of this depth begin at the record? */
static bool begins_at(const struct fc_reel *reel, uint32_t r, uint32_t depth)
{
	const struct fc_reel_record *record = &reel->at[r];

	switch (record->kind) {
	case FC_ENTRY:
	case FC_ENTRY_ONLY:
		return record->depth == depth;
	case FC_TAIL:
		return record->depth == depth + 1 || (!record->depth && !depth);
	case FC_MARK: {
		uint32_t after = reel->lost[record->func].after;
		uint32_t least = record->depth < after ? record->depth : after;
		return depth == least || (depth > least && depth < after);
	}
	default:
		return false;
	}
}

static uint32_t depth_after(const struct fc_reel *reel, uint32_t r)
{
	return r + 1 < reel->nr ? reel->at[r + 1].depth : reel->depth_after;
}

/* Does the call of this depth that was open before record r end at it, or was it over then? */
static bool ends_at(const struct fc_reel *reel, uint32_t r, uint32_t depth)
{
	const struct fc_reel_record *record = &reel->at[r];
	return record->depth <= depth || depth_after(reel, r) <= depth ||
	       (record->kind == FC_TAIL && record->depth == depth + 1);
}

static enum fc_left how_left(const struct fc_reel *reel, uint32_t r)
{
	uint8_t kind = reel->at[r].kind;
	bool is_told = kind == FC_EXIT || kind == FC_TAIL || kind == FC_POP;

	return is_told ? fc_left_by(kind) : FC_LEFT_LOST;
}

/* ---- where a call ends ---- */

enum { IS_OPEN, IS_OVER, IS_UNKNOWN };

/* Is this call open where packet k begins? */
static int state_at(struct fc_walk *walk, const struct fc_step *step, size_t k)
{
	const struct fc_events_head *head = fc_reader_packet(walk->reader, step->strand, k);
	const struct fc_opens *opens = NULL;

	if (head->depth <= step->depth)
		return IS_OVER;
	if (!step->func || fc_peek_at(walk->peek, step->strand, k) ||
	    fc_peek_opens(walk->peek, &opens) || !opens->calls.nr)
		return IS_UNKNOWN;
	uint64_t around = head->depth - opens->calls.nr;
	if (step->depth < around)
		return IS_UNKNOWN;
	const struct fc_open *open = &opens->calls.at[step->depth - around];
	return open->func == step->func && open->begin << walk->shift == step->begin_tsc
		       ? IS_OPEN
		       : IS_OVER;
}

/* Ends in packet k, from record r on? */
static bool end_in(struct fc_walk *walk, struct fc_step *step, size_t k, uint32_t r)
{
	const struct fc_reel *reel = fc_reels_get(walk->reels, step->strand, k);

	for (; r < reel->nr; r++) {
		if (!ends_at(reel, r, step->depth))
			continue;
		bool is_own = reel->at[r].kind == FC_TAIL || reel->at[r].kind == FC_MARK ||
			      reel->at[r].depth <= step->depth;
		step->end_tsc = reel->at[r].tsc;
		step->left = how_left(reel, r);
		step->behind = (struct fc_walk_place){ k, is_own ? r : r + 1 };
		step->is_end_known = true;
		return true;
	}
	return false;
}

/*
 * The last packet at whose begin the call is open, from first on, where it is. Among packets that
 * do not tell, the first of them.
 */
static size_t last_open(struct fc_walk *walk, const struct fc_step *step, size_t first,
			bool *is_sure)
{
	size_t low = first, high = fc_reader_nr_packets(walk->reader, step->strand), by = 1;

	*is_sure = true;
	while (high - low > 1) {
		size_t k = by < high - low ? low + by : low + (high - low) / 2;
		int state = state_at(walk, step, k);
		if (state == IS_UNKNOWN) {
			*is_sure = false;
			return low;
		}
		if (state == IS_OPEN)
			low = k;
		else
			high = k;
		by = state == IS_OPEN && by < high - first ? 2 * by : high - low;
	}
	return low;
}

/* It is still open when no more comes. */
static void end_with_strand(struct fc_walk *walk, struct fc_step *step)
{
	size_t nr = fc_reader_nr_packets(walk->reader, step->strand);
	const struct fc_events_head *last =
		fc_reader_packet(walk->reader, step->strand, nr - 1);

	step->end_tsc = last->has_ended ? last->end << walk->shift : walk->last_tsc;
	step->left = FC_LEFT_END;
	step->behind = fc_walk_end(walk, step->strand);
	step->is_end_known = true;
}

/* -EAGAIN: not found in time. What was looked at is remembered. */
static int find_end(struct fc_walk *walk, struct fc_step *step)
{
	size_t nr = fc_reader_nr_packets(walk->reader, step->strand), k = step->place.packet;
	bool is_sure = true;

	if (end_in(walk, step, k, step->place.record + 1))
		return 0;
	/* It is open where the next packet begins. */
	for (k++; k < nr; k++) {
		k = last_open(walk, step, k, &is_sure);
		if (!fc_reels_is_deeper(walk->reels, step->strand, k, step->depth) &&
		    end_in(walk, step, k, 0))
			return 0;
		if (is_late(walk))
			return -EAGAIN;
	}
	end_with_strand(walk, step);
	return 0;
}

/* A thread, or the program that it ran, may end with calls open. */
static void cut_by_ends(struct fc_walk *walk, struct fc_step *step)
{
	const struct fc_strand_info *info = fc_reader_strand(walk->reader, step->strand);
	uint64_t end = fc_ends_next(walk->ends, info, step->begin_tsc);

	if (end < step->end_tsc) {
		step->end_tsc = end;
		step->left = FC_LEFT_END;
	}
	if (step->end_tsc < step->begin_tsc)
		step->end_tsc = step->begin_tsc;
}

/* Time spent in the calls it made, if it ends within its packet. */
static void find_self(struct fc_walk *walk, struct fc_step *step)
{
	uint64_t inside = 0, since = 0;
	bool is_in = false;

	step->ticks = step->end_tsc - step->begin_tsc;
	if (step->behind.packet != step->place.packet)
		return;
	const struct fc_reel *reel =
		fc_reels_get(walk->reels, step->strand, step->place.packet);
	step->is_leaf = true;
	for (uint32_t r = step->place.record + 1; r < step->behind.record && r < reel->nr;
	     r++) {
		uint32_t after = depth_after(reel, r);
		step->is_leaf &= !begins_at(reel, r, step->depth + 1);
		if (is_in && ends_at(reel, r, step->depth + 1)) {
			inside += reel->at[r].tsc - since;
			is_in = false;
		}
		if (!is_in && after > step->depth + 1) {
			since = reel->at[r].tsc;
			is_in = true;
		}
	}
	if (is_in)
		inside += step->end_tsc - since;
	step->self_ticks = step->ticks > inside ? step->ticks - inside : 0;
	step->has_self = step->func && !step->is_reopened;
}

/* ---- runs ---- */

/* So many records are a call from r on that made none; 0: there is none. */
static uint32_t leaf_len(const struct fc_reel *reel, uint32_t r, uint32_t depth, uint32_t func)
{
	if (r >= reel->nr || reel->at[r].depth != depth || reel->at[r].func != func ||
	    reel->at[r].is_reopened)
		return 0;
	if (reel->at[r].kind == FC_ENTRY_ONLY)
		return 1;
	bool is_leaf = reel->at[r].kind == FC_ENTRY && r + 1 < reel->nr &&
		       reel->at[r + 1].kind == FC_EXIT;
	return is_leaf ? 2 : 0;
}

/* All of the run that the leaf at the step's place is part of. */
static bool find_run(struct fc_walk *walk, struct fc_step *step)
{
	const struct fc_reel *reel =
		fc_reels_get(walk->reels, step->strand, step->place.packet);
	uint32_t depth = step->depth, func = step->func;
	uint32_t first = step->place.record, end = first,
		 len = leaf_len(reel, first, depth, func);

	if (!len)
		return false;
	while (first >= len && leaf_len(reel, first - len, depth, func) == len)
		first -= len;
	while (leaf_len(reel, end, depth, func) == len)
		end += len;
	uint32_t nr = (end - first) / len;
	if (nr < LEAST_OF_RUN)
		return false;
	step->kind = FC_STEP_RUN;
	step->place.record = first;
	step->behind = (struct fc_walk_place){ step->place.packet, end };
	step->nr = nr;
	step->ticks = 0;
	for (uint32_t r = first; r < end; r += len)
		step->ticks += reel->at[r + len - 1].tsc - reel->at[r].tsc;
	step->begin_tsc = reel->at[first].tsc;
	step->end_tsc = reel->at[end - 1].tsc;
	step->left = len == 1 ? FC_LEFT_UNSEEN : FC_LEFT_RETURN;
	step->self_ticks = step->ticks;
	step->is_end_known = step->has_self = true;
	step->is_leaf = false;
	return true;
}

/* ---- steps ---- */

static void fill_lost(struct fc_walk *walk, const struct fc_reel *reel, uint32_t r,
		      struct fc_step *step)
{
	const struct fc_reel_lost *lost = &reel->lost[reel->at[r].func];
	uint32_t least = reel->at[r].depth < lost->after ? reel->at[r].depth : lost->after;

	step->kind = step->depth == least ? FC_STEP_LOST : FC_STEP_CALL;
	step->nr = lost->lost;
	step->is_leaf = step->depth >= lost->after;
}

int fc_walk_here(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place place, struct fc_step *ret)
{
	const struct fc_reel *reel = fc_reels_get(walk->reels, strand, place.packet);

	if (place.record >= reel->nr || !begins_at(reel, place.record, depth))
		return 0;
	const struct fc_reel_record *record = &reel->at[place.record];
	*ret = (struct fc_step){
		.strand = strand,
		.func = record->kind == FC_MARK ? 0 : record->func,
		.depth = depth,
		.place = place,
		.behind = { place.packet, place.record + 1 },
		.begin_tsc = record->tsc,
		.end_tsc = record->tsc,
		.is_reopened = record->is_reopened,
		.is_leaf = true,
	};
	if (record->kind == FC_MARK) {
		fill_lost(walk, reel, place.record, ret);
		if (ret->is_leaf)
			return ret->is_end_known = true;
	} else if (!walk->is_single && find_run(walk, ret)) {
		return 1;
	} else if (record->kind == FC_ENTRY_ONLY) {
		ret->left = FC_LEFT_UNSEEN;
		return ret->is_end_known = ret->has_self = true;
	}
	ret->is_leaf = false;
	int err = find_end(walk, ret);
	if (err)
		return err;
	cut_by_ends(walk, ret);
	find_self(walk, ret);
	return 1;
}

int fc_walk_next(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place *at, struct fc_step *ret)
{
	size_t nr = fc_reader_nr_packets(walk->reader, strand);
	const struct fc_walk_place first = *at;

	for (; at->packet < nr; *at = (struct fc_walk_place){ at->packet + 1, 0 }) {
		if (is_late(walk))
			return -EAGAIN;
		if (!at->record && fc_reels_is_deeper(walk->reels, strand, at->packet, depth))
			continue;
		const struct fc_reel *reel = fc_reels_get(walk->reels, strand, at->packet);
		for (; at->record < reel->nr; at->record++) {
			const struct fc_reel_record *record = &reel->at[at->record];
			bool is_out =
				record->depth < depth ||
				(record->kind == FC_TAIL && depth && record->depth == depth);
			/* A call entered within a gap may begin with its first inner call. */
			if (is_out && (fc_place_compare(*at, first) || record->kind != FC_MARK))
				return 0;
			if (!begins_at(reel, at->record, depth))
				continue;
			int found = fc_walk_here(walk, strand, depth, *at, ret);
			if (found > 0)
				*at = ret->behind;
			return found;
		}
		if (depth && reel->depth_after < depth)
			return 0;
	}
	return 0;
}

/* Where the call of this depth was entered that is open at the begin of packet k, at most. */
static size_t packet_of_open(struct fc_walk *walk, uint32_t strand, uint32_t depth, size_t k)
{
	const struct fc_events_head *head = fc_reader_packet(walk->reader, strand, k);
	const struct fc_opens *opens = NULL;

	if (head->depth <= depth || fc_peek_at(walk->peek, strand, k) ||
	    fc_peek_opens(walk->peek, &opens) || !opens->calls.nr)
		return k - 1;
	uint64_t around = head->depth - opens->calls.nr;
	/* Not told: not before what is told as the outermost was entered. */
	size_t low = 0, high = k;
	uint64_t begin = opens->calls.at[depth < around ? 0 : depth - around].begin;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (fc_reader_packet(walk->reader, strand, mid)->begin <= begin)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Is there a gap between the two, where calls are told anew? */
static bool has_gap_between(const struct fc_walk *walk, uint32_t strand, size_t low, size_t k)
{
	const struct fc_events_head *a = fc_reader_packet(walk->reader, strand, low);
	const struct fc_events_head *b = fc_reader_packet(walk->reader, strand, k);
	return a->lost_before != b->lost_before;
}

int fc_walk_back(struct fc_walk *walk, uint32_t strand, uint32_t depth,
		 struct fc_walk_place *at, struct fc_step *ret)
{
	size_t nr = fc_reader_nr_packets(walk->reader, strand);

	if (at->packet >= nr)
		*at = (struct fc_walk_place){ nr - 1, UINT32_MAX };
	for (;;) {
		if (is_late(walk))
			return -EAGAIN;
		const struct fc_reel *reel = fc_reels_get(walk->reels, strand, at->packet);
		uint32_t r = at->record < reel->nr ? at->record : reel->nr;
		if (r == reel->nr && depth && reel->depth_after < depth && at->record > r)
			return 0;
		while (r--) {
			const struct fc_reel_record *record = &reel->at[r];
			at->record = r;
			if (begins_at(reel, r, depth)) {
				int found = fc_walk_here(walk, strand, depth, *at, ret);
				if (found > 0)
					*at = ret->place;
				else
					at->record++;
				return found;
			}
			if (record->depth < depth ||
			    (record->kind == FC_TAIL && depth && record->depth == depth))
				return 0;
		}
		if (!at->packet)
			return 0;
		size_t k = packet_of_open(walk, strand, depth, at->packet);
		if (k + 1 < at->packet && has_gap_between(walk, strand, k, at->packet))
			k = at->packet - 1;
		*at = (struct fc_walk_place){ k, UINT32_MAX };
	}
}

/* ---- times ---- */

struct fc_walk_place fc_walk_at(struct fc_walk *walk, uint32_t strand, uint64_t tsc)
{
	size_t low = 0, high = fc_reader_nr_packets(walk->reader, strand);
	uint64_t then = tsc >> walk->shift;

	/* The last packet that begins before then: what is at that very time may be in it. */
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (fc_reader_packet(walk->reader, strand, mid)->begin < then)
			low = mid;
		else
			high = mid;
	}
	const struct fc_reel *reel = fc_reels_get(walk->reels, strand, low);
	uint32_t r = 0;
	while (r < reel->nr && (reel->at[r].tsc < tsc || reel->at[r].is_reopened))
		r++;
	return (struct fc_walk_place){ low, r };
}

bool fc_walk_find(struct fc_walk *walk, uint32_t strand, uint64_t tsc, uint32_t func,
		  struct fc_walk_place *ret, uint32_t *depth)
{
	size_t nr = fc_reader_nr_packets(walk->reader, strand);
	struct fc_walk_place at = fc_walk_at(walk, strand, tsc);

	for (; at.packet < nr; at = (struct fc_walk_place){ at.packet + 1, 0 }) {
		const struct fc_reel *reel = fc_reels_get(walk->reels, strand, at.packet);
		for (; at.record < reel->nr; at.record++) {
			const struct fc_reel_record *record = &reel->at[at.record];
			bool is_tail = record->kind == FC_TAIL && record->depth;
			if (record->tsc > tsc && !record->is_reopened)
				return false;
			if (record->tsc != tsc || record->func != func ||
			    !begins_at(reel, at.record, record->depth - is_tail))
				continue;
			*ret = at;
			*depth = record->depth - is_tail;
			return true;
		}
	}
	return false;
}

uint32_t fc_walk_depth(struct fc_walk *walk, uint32_t strand, struct fc_walk_place place)
{
	if (place.packet >= fc_reader_nr_packets(walk->reader, strand))
		return 0;
	const struct fc_reel *reel = fc_reels_get(walk->reels, strand, place.packet);
	return place.record < reel->nr ? reel->at[place.record].depth : reel->depth_after;
}
