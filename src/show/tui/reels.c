/* SPDX-License-Identifier: Apache-2.0 */
/* reels.c - decodes packets into arrays, and keeps the last few. */
#include "show/tui/reels.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "capture/agent/fetch.h"
#include "trace/effect.h"
#include "trace/pending.h"
#include "trace/peek.h"

#define DEEPEST	     (16u << 20) /* as a decoder takes it: only a forged file goes on */
#define MOST_RECORDS (1u << 20)	 /* the same: sixteen times what a full packet has */
#define MOST_WORDS   (8u << 20)	 /* the same */

struct slot {
	struct fc_reel reel;
	uint64_t used; /* the later, the greater; 0: empty */
	size_t lost_room;
	bool has_unknown; /* marks of a later version */
};

struct fc_reels {
	struct fc_reader *reader;
	struct fc_decoder dec;
	struct fc_opens opens;
	struct slot *slots;
	size_t nr_slots;
	uint64_t clock;
	unsigned shift;
	bool has_values;
	struct fc_pending pending; /* values whose records have not come */
	uint32_t **least; /* by strand, by packet: 1 + the least depth in it; 0: not known */
};

struct fc_reels *fc_reels_create(struct fc_reader *reader, size_t max)
{
	struct fc_reels *reels = fc_alloc(sizeof(*reels));
	reels->reader = reader;
	reels->nr_slots = max;
	reels->slots = fc_alloc(max * sizeof(*reels->slots));
	reels->shift = fc_reader_time_shift(reader);
	reels->least = fc_alloc(fc_reader_nr_strands(reader) * sizeof(uint32_t *));
	fc_decoder_init(&reels->dec);
	return reels;
}

struct fc_reels *fc_reels_create_with_values(struct fc_reader *reader, size_t max)
{
	struct fc_reels *reels = fc_reels_create(reader, max);
	reels->has_values = true;
	return reels;
}

void fc_reels_destroy(struct fc_reels *reels)
{
	if (!reels)
		return;
	for (size_t i = 0; i < reels->nr_slots; i++) {
		free(reels->slots[i].reel.at);
		free(reels->slots[i].reel.lost);
		fc_vec_free(&reels->slots[i].reel.values);
		fc_vec_free(&reels->slots[i].reel.words);
	}
	for (size_t i = 0; i < fc_reader_nr_strands(reels->reader); i++)
		free(reels->least[i]);
	fc_decoder_deinit(&reels->dec);
	fc_pending_deinit(&reels->pending);
	fc_vec_free(&reels->opens.calls);
	free(reels->least);
	free(reels->slots);
	free(reels);
}

/* ---- records ---- */

static void add(struct fc_reel *reel, struct fc_reel_record record, uint32_t after)
{
	if (reel->nr == reel->room) {
		reel->room = reel->room ? 2 * reel->room : 256;
		reel->at = fc_realloc(reel->at, reel->room * sizeof(*reel->at));
	}
	record.depth = reel->depth_after;
	reel->at[reel->nr++] = record;
	reel->depth_after = after > DEEPEST ? DEEPEST : after;
}

static void add_lost(struct slot *slot, uint64_t tsc, uint64_t lost, uint64_t after)
{
	struct fc_reel *reel = &slot->reel;
	if (reel->nr_lost == slot->lost_room) {
		slot->lost_room = slot->lost_room ? 2 * slot->lost_room : 8;
		reel->lost = fc_realloc(reel->lost, slot->lost_room * sizeof(*reel->lost));
	}
	uint32_t depth = after > DEEPEST ? DEEPEST : (uint32_t)after;
	reel->lost[reel->nr_lost] = (struct fc_reel_lost){ lost, depth };
	add(reel,
	    (struct fc_reel_record){ .tsc = tsc, .func = reel->nr_lost++, .kind = FC_MARK },
	    depth);
}

static void add_event(struct slot *slot, const struct fc_event *event, uint64_t tsc)
{
	struct fc_reel *reel = &slot->reel;
	struct fc_effect effect = fc_effect_of(event, reel->depth_after);
	uint64_t after = fc_effect_depth(&effect);
	struct fc_reel_record record = {
		.tsc = tsc,
		.func = event->func <= FC_FUNC_MAX ? event->func : 0,
		.kind = event->kind & 7,
	};

	if (event->kind != FC_MARK)
		add(reel, record, (uint32_t)after);
	else if (event->mark == FC_MARK_LOST || event->mark == FC_MARK_RESUME)
		add_lost(slot, tsc, fc_event_word(event, 0), after);
}

/* ---- values ---- */

static void keep_values(struct fc_reel *reel, const uint64_t *words, uint32_t nr)
{
	const struct fc_reel_values values = { reel->nr, nr, reel->words.nr };
	if (!nr || reel->words.nr + nr > MOST_WORDS)
		return;
	fc_vec_reserve(&reel->words, nr);
	memcpy(reel->words.at + reel->words.nr, words, nr * sizeof(*words));
	reel->words.nr += nr;
	fc_vec_push(&reel->values, values);
}

/* They stand before the record that they belong to. */
static void take_values(struct fc_reels *reels, struct fc_reel *reel,
			const struct fc_event *event)
{
	if (event->kind == FC_MARK && event->mark == FC_MARK_VALUES)
		fc_pending_add(&reels->pending, event, reel->depth_after);
	else if (event->kind == FC_MARK && event->mark == FC_MARK_MORE)
		fc_pending_more(&reels->pending, event, reel->depth_after);
	if (event->kind == FC_MARK || !reels->pending.values.nr)
		return;
	struct fc_pending_values values = fc_pending_take(
		&reels->pending, event->func, event->kind == FC_EXIT, reel->depth_after);
	keep_values(reel, values.words, values.nr);
	free(values.words);
}

/* Their records are in the next packet. */
static void keep_pending(struct fc_reels *reels, struct fc_reel *reel)
{
	fc_vec_each (&reels->pending.values, values)
		keep_values(reel, values->words, values->nr);
	fc_pending_deinit(&reels->pending);
}

static const uint64_t *find_values(const struct fc_reel *reel, uint32_t record, uint32_t key,
				   uint32_t *nr)
{
	size_t i = fc_bisect(reel->values.at, reel->values.nr, at, at->record < record);
	for (; i < reel->values.nr && reel->values.at[i].record == record; i++) {
		const struct fc_reel_values *values = &reel->values.at[i];
		*nr = values->nr;
		if (reel->words.at[values->at] == key)
			return reel->words.at + values->at;
	}
	*nr = 0;
	return NULL;
}

const uint64_t *fc_reels_values(struct fc_reels *reels, size_t i, size_t k, uint32_t record,
				uint32_t func, bool is_result, uint32_t *nr)
{
	uint32_t key = fca_format(func, is_result);
	const uint64_t *ret = find_values(fc_reels_get(reels, i, k), record, key, nr);
	if (ret || record || !k)
		return ret;
	const struct fc_reel *before = fc_reels_get(reels, i, k - 1);
	return find_values(before, before->nr, key, nr);
}

/* ---- gaps ---- */

/*
 * The calls in reels->opens are open where head begins, behind a gap that began at since: those
 * that had been entered before then were open all the time.
 */
static void add_gap(struct fc_reels *reels, struct slot *slot,
		    const struct fc_events_head *head, uint64_t since, uint64_t lost)
{
	const struct fc_opens *opens = &reels->opens;
	uint64_t around = head->depth > opens->calls.nr ? head->depth - opens->calls.nr : 0;
	uint64_t tsc = slot->reel.nr ? slot->reel.at[slot->reel.nr - 1].tsc
				     : head->begin << reels->shift;
	size_t i = 0;

	while (i < opens->calls.nr && opens->calls.at[i].begin <= since)
		i++;
	slot->reel.depth_after =
		slot->reel.nr ? slot->reel.depth_after : (uint32_t)(around + i);
	add_lost(slot, tsc, lost, around + i);
	for (; i < opens->calls.nr; i++) {
		const struct fc_open *open = &opens->calls.at[i];
		struct fc_reel_record record = {
			.tsc = open->begin << reels->shift,
			.func = open->func <= FC_FUNC_MAX ? open->func : 0,
			.kind = FC_ENTRY,
			.is_reopened = true,
		};
		add(&slot->reel, record, slot->reel.depth_after + 1);
	}
}

/* ---- packets ---- */

/* So many records are missing before this packet, as the index tells. */
static uint64_t missing_before(const struct fc_reader *reader, size_t i, size_t k)
{
	const struct fc_events_head *head = fc_reader_packet(reader, i, k);
	if (!k)
		return head->ordinal + head->lost_before;
	const struct fc_events_head *before = fc_reader_packet(reader, i, k - 1);
	return head->ordinal + head->lost_before - before->ordinal - before->nr_records -
	       before->lost_before - before->lost;
}

static bool has_gap(const struct fc_reader *reader, size_t i, size_t k)
{
	const struct fc_events_head *head = fc_reader_packet(reader, i, k);
	return k ? fc_reader_has_gap(reader, i, k) : head->ordinal || head->lost_before;
}

/* Load a packet and what is open at its begin. */
static bool load(struct fc_reels *reels, size_t i, size_t k)
{
	return !fc_decoder_load_packet(&reels->dec, reels->reader, i, k) &&
	       !fc_decoder_opens(&reels->dec, &reels->opens);
}

/* The rest of packet k cannot be read: how it goes on is told by the next one that can. */
static void add_damage(struct fc_reels *reels, struct slot *slot, size_t i, size_t k,
		       uint64_t since, uint64_t lost)
{
	const struct fc_reader *reader = reels->reader;

	slot->reel.is_damaged = true;
	if (k + 1 < fc_reader_nr_packets(reader, i) && load(reels, i, k + 1))
		add_gap(reels, slot, fc_reader_packet(reader, i, k + 1), since, lost);
	else
		add_lost(slot, since << reels->shift, lost, 0);
}

/* A cursor that passes it tells the reader. */
static void tell_reader(struct fc_reels *reels, size_t i, size_t k)
{
	struct fc_cursor *cursor = fc_cursor_create_strand(reels->reader, i, k);
	struct fc_event event;

	while (fc_cursor_next(cursor, &event) == 1 && fc_cursor_place(cursor).packets <= k + 1)
		;
	fc_cursor_destroy(cursor);
}

static void fill(struct fc_reels *reels, struct slot *slot, size_t i, size_t k)
{
	const struct fc_reader *reader = reels->reader;
	const struct fc_events_head *head = fc_reader_packet(reader, i, k);
	struct fc_reel *reel = &slot->reel;
	struct fc_event event = { 0 };
	uint64_t at = head->begin;
	int ret;

	reel->strand = i;
	reel->packet = k;
	reel->nr = reel->nr_lost = 0;
	reel->values.nr = reel->words.nr = 0;
	reel->is_damaged = slot->has_unknown = false;
	reel->depth_after = head->depth > DEEPEST ? DEEPEST : (uint32_t)head->depth;
	if (!load(reels, i, k)) {
		add_damage(reels, slot, i, k, head->begin, head->nr_records + head->lost);
		return;
	}
	if (has_gap(reader, i, k))
		add_gap(reels, slot, head, k ? fc_reader_packet(reader, i, k - 1)->end : 0,
			missing_before(reader, i, k));
	while ((ret = fc_decoder_next(&reels->dec, &reels->opens, &event, &at)) == 1 &&
	       reel->nr < MOST_RECORDS) {
		if (reels->has_values)
			take_values(reels, reel, &event);
		add_event(slot, &event, at << reels->shift);
	}
	keep_pending(reels, reel);
	slot->has_unknown = reels->dec.unknown.nr;
	if (ret)
		add_damage(reels, slot, i, k, at,
			   head->nr_records - reels->dec.next + 1 + head->lost);
	fc_reader_packet_used(reader, i, k);
}

static void keep_least(struct fc_reels *reels, const struct fc_reel *reel)
{
	size_t i = reel->strand;
	uint32_t least = reel->depth_after;

	if (!reels->least[i])
		reels->least[i] =
			fc_alloc(fc_reader_nr_packets(reels->reader, i) * sizeof(uint32_t));
	for (uint32_t r = 0; r < reel->nr; r++)
		least = reel->at[r].depth < least ? reel->at[r].depth : least;
	reels->least[i][reel->packet] = least + 1;
}

bool fc_reels_is_deeper(const struct fc_reels *reels, size_t i, size_t k, uint32_t depth)
{
	return reels->least[i] && reels->least[i][k] > depth + 1;
}

const struct fc_reel *fc_reels_get(struct fc_reels *reels, size_t i, size_t k)
{
	struct slot *oldest = reels->slots;

	for (size_t s = 0; s < reels->nr_slots; s++) {
		struct slot *slot = &reels->slots[s];
		if (slot->used && slot->reel.strand == i && slot->reel.packet == k) {
			slot->used = ++reels->clock;
			return &slot->reel;
		}
		if (slot->used < oldest->used)
			oldest = slot;
	}
	fill(reels, oldest, i, k);
	if (oldest->reel.is_damaged || oldest->has_unknown)
		tell_reader(reels, i, k);
	oldest->used = ++reels->clock;
	keep_least(reels, &oldest->reel);
	return &oldest->reel;
}
