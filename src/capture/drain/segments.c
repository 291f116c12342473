/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/segments.h"

#include <stdlib.h>

#include "base/sort.h"
#include "capture/agent/abi.h"
#include "trace/effect.h"

#define TURN	    (1ull << FC_RECORD_TICK_BITS)
#define REACH	    (TURN / 2)	 /* times of a batch are less than so far apart */
#define MARGIN	    (1ull << 22) /* ticks by which CPUs' clocks may differ */
#define MAX_ENTRIES (1u << 20)	 /* calls that a shadow stack can hold */

/* ---- the copy ---- */

enum { CHUNK = 256 }; /* words that are read at once */

/*
 * Its thread may write on meanwhile. Words are read upwards, so some may be missing in front of
 * others that are there: these are read once more. What still is missing was left out.
 */
static bool copy_chunk(fc_ring_read *read, void *ctx, uint64_t at, uint64_t nr, uint64_t *copy)
{
	uint64_t again[CHUNK];
	if (!read(ctx, at, copy, nr))
		return false;
	while (nr && !copy[nr - 1])
		nr--;
	uint64_t first = 0;
	while (first < nr && copy[first])
		first++;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (first < nr && !read(ctx, at + first, again, nr - first))
		return false;
	for (uint64_t i = first; i < nr; i++)
		copy[i] = copy[i] ? copy[i] : again[i - first];
	return true;
}

/*
 * From the end to the beginning, as its thread writes the other way. So what is missing is at the
 * end, and not in the middle.
 */
static bool copy_backwards(fc_ring_read *read, void *ctx, uint64_t at, uint64_t nr,
			   uint64_t *copy)
{
	while (nr) {
		uint64_t size = nr < CHUNK ? nr : CHUNK;
		nr -= size;
		if (!copy_chunk(read, ctx, at + nr, size, copy + nr))
			return false;
	}
	return true;
}

static bool copy_segment(fc_ring_read *read, void *ctx, uint64_t at, uint64_t nr,
			 uint64_t *copy)
{
	uint64_t before, after;
	if (!read(ctx, at, &before, 1))
		return false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	copy[0] = 0;
	if (!before)
		return true;
	if (!copy_backwards(read, ctx, at, nr, copy))
		return false;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!read(ctx, at, &after, 1))
		return false;
	copy[0] = before == after ? before : 0;
	return true;
}

bool fc_segments_copy(uint64_t ring_words, fc_ring_read *read, void *ctx, uint64_t *copy)
{
	uint64_t nr = fca_segment_words(ring_words);
	for (uint64_t at = 0; at + nr <= ring_words; at += nr)
		if (!copy_segment(read, ctx, at, nr, copy + at))
			return false;
	return true;
}

/* ---- segments in order ---- */

struct ordered {
	uint64_t seq;
	const struct fca_segment *segment;
};

struct reader {
	uint64_t segment_words, now_tsc;
	struct fc_recall *recall;
	FC_VEC(struct ordered) segments;

	/* Of segments that follow each other: */
	FC_VEC(struct item) items;
	uint64_t base; /* the last full time known */
	uint64_t nr_lost;
	uint64_t nr_taken; /* records, lost ones too */
	bool is_sorted;

	/* For what is given out: */
	bool has_begun;
	size_t batch_begin;
	uint64_t batch_tsc;
	uint64_t depth, hidden; /* calls open; of these, the outermost that were not told */
};

struct item {
	uint64_t tsc;
	size_t nr; /* in the order of writing */
	const uint64_t *word;
};

static bool is_sound(const struct fca_segment *segment, uint64_t i, uint64_t nr_segments,
		     uint64_t segment_words)
{
	uint64_t seq = segment->seq;
	return seq && (seq - 1) % nr_segments == i &&
	       segment->nr_told <= fca_segment_told_max(segment_words) &&
	       segment->nr_told <= segment->depth && segment->depth <= MAX_ENTRIES &&
	       segment->sum == fca_segment_sum(segment, seq);
}

static void find_segments(struct reader *r, const uint64_t *copy, uint64_t ring_words)
{
	uint64_t nr = ring_words / r->segment_words;
	for (uint64_t i = 0; i < nr; i++) {
		const struct fca_segment *segment =
			(const struct fca_segment *)(copy + i * r->segment_words);
		if (is_sound(segment, i, nr, r->segment_words) &&
		    segment->tsc <= r->now_tsc + MARGIN)
			fc_vec_push(&r->segments, (struct ordered){ .seq = segment->seq,
								    .segment = segment });
	}
	fc_sort_by(r->segments.at, r->segments.nr, seq);
}

/* ---- records of a segment ---- */

/* Of the times with this tick the one nearest to base. */
static uint64_t time_near(uint64_t word, uint64_t base)
{
	uint64_t ahead = (fc_record_tick(word) - base) & (TURN - 1);
	return ahead < REACH ? base + ahead : base + ahead - TURN;
}

static void take(struct reader *r, const struct fca_segment *segment, const uint64_t *word)
{
	uint64_t tsc = time_near(*word, r->base);
	bool is_sync =
		fc_record_kind(*word) == FC_MARK && fc_record_mark(*word) == FC_MARK_SYNC;
	if (is_sync && fc_record_words(*word))
		tsc = fc_mark_value(word + 1, fc_record_words(*word), 0);
	/* A stub that was interrupted for a whole round has written into what is another's now. */
	if (tsc + MARGIN < segment->tsc || tsc > r->now_tsc + MARGIN) {
		r->nr_lost++;
		return;
	}
	r->base = tsc;
	if (is_sync) {
		r->recall->nr_records++;
		return;
	}
	if (r->items.nr && r->items.at[r->items.nr - 1].tsc > tsc)
		r->is_sorted = false;
	fc_vec_push(&r->items, (struct item){ .tsc = tsc, .nr = r->items.nr, .word = word });
}

/* A mark is copied from its end on: of one that was just being written values may be missing. */
static bool has_values(const uint64_t *parts, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (!fc_is_part(parts[i]))
			return false;
	return true;
}

/*
 * A word that is not written was reserved by a stub that was interrupted then, or left for good:
 * the call has not begun, or its return not ended. Values without a head are of such a mark. Nothing
 * is lost by them.
 */
static void take_segment(struct reader *r, const struct fca_segment *segment)
{
	const uint64_t *word = (const uint64_t *)segment;
	const uint64_t *end = word + r->segment_words;
	uint64_t nr_holes = 0;
	r->base = segment->tsc;
	for (word += fca_segment_head(segment->nr_told); word < end; word++) {
		uint32_t more = fc_mark_parts(fc_record_words(*word));
		if (!*word || fc_is_part(*word)) {
			nr_holes++;
			continue;
		}
		if ((ptrdiff_t)more < end - word && !has_values(word + 1, more)) {
			nr_holes++;
			continue;
		}
		r->nr_taken += nr_holes + 1;
		nr_holes = 0;
		if (*word == FC_PAD)
			continue;
		if (fc_record_kind(*word) == FC_PAD || (ptrdiff_t)more >= end - word) {
			r->nr_lost++;
			continue;
		}
		take(r, segment, word);
		word += more;
	}
}

/* ---- what is given out ---- */

static void batch_end(struct reader *r)
{
	struct fc_recall *recall = r->recall;
	size_t nr = recall->words.nr - r->batch_begin;
	r->batch_begin = recall->words.nr;
	if (nr)
		fc_vec_push(&recall->batches,
			    (struct fc_recall_batch){ .nr_words = nr,
						      .now_tsc = recall->last_tsc });
}

static void give_head(struct reader *r, uint64_t tsc, uint32_t func, enum fc_kind kind)
{
	struct fc_recall *recall = r->recall;
	if (tsc < recall->last_tsc)
		tsc = recall->last_tsc;
	if (recall->words.nr && tsc - r->batch_tsc >= REACH)
		batch_end(r);
	if (!recall->words.nr || tsc - r->batch_tsc >= REACH)
		r->batch_tsc = tsc;
	recall->last_tsc = tsc;
	fc_vec_push(&recall->words, fc_record(tsc, func, kind));
}

static void give_word(struct reader *r, uint64_t word)
{
	fc_vec_push(&r->recall->words, word);
}

static void give_lost(struct reader *r)
{
	if (!r->nr_lost)
		return;
	give_head(r, r->recall->last_tsc, fc_mark_func(FC_MARK_LOST, 1), FC_MARK);
	give_word(r, r->nr_lost);
	r->recall->nr_records += r->nr_lost;
	r->nr_lost = 0;
}

/* What was open when the segment was begun takes the place of what is known. */
static void give_resume(struct reader *r, const struct fca_segment *segment)
{
	struct fc_recall *recall = r->recall;
	uint64_t known = recall->nr_records;
	give_head(r, segment->tsc, fc_mark_func(FC_MARK_RESUME, 3), FC_MARK);
	give_word(r, segment->before > known ? segment->before - known : 0);
	give_word(r, segment->nr_told + 1ull);
	give_word(r, segment->depth - segment->nr_told);
	for (uint32_t i = segment->nr_told; i-- > 0;)
		give_head(r, segment->tsc, segment->func[i] & FC_FUNC_MAX, FC_ENTRY);
	recall->nr_gaps += r->has_begun;
	recall->nr_records = segment->before;
	r->depth = segment->depth;
	r->hidden = segment->depth - segment->nr_told;
}

/* Of so many calls, the outermost, those that are told. */
static uint64_t told_of(const struct reader *r, uint64_t nr)
{
	return nr > r->hidden ? nr - r->hidden : 0;
}

static struct fc_event event_of(const uint64_t *word, uint64_t words[FC_MARK_MAX_VALUES])
{
	struct fc_event event = {
		.kind = (uint8_t)fc_record_kind(*word),
		.func = fc_record_func(*word),
		.mark = (uint8_t)fc_record_mark(*word),
		.nr_words = (uint8_t)fc_record_words(*word),
		.words = words,
	};

	for (unsigned i = 0; i < event.nr_words; i++)
		words[i] = fc_mark_value(word + 1, event.nr_words, i);
	return event;
}

static void give(struct reader *r, const struct item *item)
{
	uint64_t words[FC_MARK_MAX_VALUES];
	struct fc_event event = event_of(item->word, words);
	struct fc_effect effect = fc_effect_of(&event, r->depth);
	bool is_mark = event.kind == FC_MARK;

	r->recall->nr_records++;
	r->depth = fc_effect_depth(&effect);
	if (r->hidden > effect.stay)
		r->hidden = effect.stay;
	if (event.kind == FC_POP)
		event.func = (uint32_t)told_of(r, event.func);
	if (is_mark && event.mark == FC_MARK_LOST && fc_event_word(&event, 1))
		words[1] = told_of(r, words[1] - 1) + 1;
	give_head(r, item->tsc, event.func, event.kind);
	for (unsigned i = 0; is_mark && i < event.nr_words; i++)
		give_word(r, words[i]);
}

/* Of the same tick: as they were written. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	if (x->tsc != y->tsc)
		return x->tsc < y->tsc ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

/*
 * Of two segments the earlier one may have been copied when it was not full yet: then they do
 * not follow each other.
 */
static bool follows(const struct reader *r, size_t first, size_t i)
{
	const struct ordered *segments = r->segments.at;
	return i < r->segments.nr && segments[i].seq == segments[i - 1].seq + 1 &&
	       segments[i].segment->before <= segments[first].segment->before + r->nr_taken;
}

/* Segments that follow each other without a gap. Returns the first one behind them. */
static size_t give_run(struct reader *r, size_t first)
{
	const struct fca_segment *segment = r->segments.at[first].segment;
	size_t i = first;
	r->items.nr = 0;
	r->nr_taken = 0;
	r->is_sorted = true;
	do
		take_segment(r, r->segments.at[i++].segment);
	while (follows(r, first, i));
	if (!r->is_sorted)
		qsort(r->items.at, r->items.nr, sizeof(*r->items.at), compare_items);
	/* A strand's very first segment: what is open is told by its records. */
	if (segment->before || first)
		give_resume(r, segment);
	fc_vec_each (&r->items, item)
		give(r, item);
	give_lost(r);
	r->has_begun = true;
	return i;
}

void fc_segments_recall(const uint64_t *copy, uint64_t ring_words, uint64_t now_tsc,
			struct fc_recall *ret)
{
	struct reader r = { .segment_words = fca_segment_words(ring_words),
			    .now_tsc = now_tsc,
			    .recall = ret };
	*ret = (struct fc_recall){ 0 };
	find_segments(&r, copy, ring_words);
	for (size_t i = 0; i < r.segments.nr;)
		i = give_run(&r, i);
	batch_end(&r);
	fc_vec_free(&r.segments);
	fc_vec_free(&r.items);
}

void fc_recall_deinit(struct fc_recall *recall)
{
	fc_vec_free(&recall->words);
	fc_vec_free(&recall->batches);
}
