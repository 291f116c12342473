/* SPDX-License-Identifier: Apache-2.0 */
#include "user/ring.h"

#include <string.h>

#include "trace/record.h"

enum {
	AHEAD = 64,	/* how far to look for words behind a hole */
	MAX_MARK = 256, /* words of the longest record */
	SLACK = MAX_MARK + 4 * FC_RING_HELD,
	LINE_WORDS = 8, /* of a cache line */
};

#define LOW_BITS ((1ull << FC_RECORD_LOW_BITS) - 1) /* of a record, below its time */

void fc_ring_init(struct fc_ring *ring, struct fca_ring *shared, uint64_t *words,
		  uint64_t nr_words)
{
	*ring = (struct fc_ring){
		.shared = shared,
		.words = words,
		.nr_words = nr_words,
		.next = shared->tail,
	};
}

static uint64_t *word_at(const struct fc_ring *ring, uint64_t index)
{
	return &ring->words[index & (ring->nr_words - 1)];
}

static uint64_t look(const struct fc_ring *ring, uint64_t index)
{
	return __atomic_load_n(word_at(ring, index), __ATOMIC_ACQUIRE);
}

static bool is_filler(uint64_t word)
{
	return fc_record_kind(word) == FC_PAD;
}

/* The word at index, or behind the filler that stands there. */
static uint64_t look_behind_filler(const struct fc_ring *ring, uint64_t index)
{
	uint64_t word = look(ring, index);
	for (int n = 0; is_filler(word) && n < AHEAD; n++) {
		index += 1 + fc_record_func(word);
		word = look(ring, index);
	}
	return word;
}

/* Is a's time before b's? Both are of about the same time: less than half a turn apart. */
static bool is_before(uint64_t a, uint64_t b)
{
	return (int64_t)((a >> FC_RECORD_LOW_BITS << FC_RECORD_LOW_BITS) -
			 (b >> FC_RECORD_LOW_BITS << FC_RECORD_LOW_BITS)) < 0;
}

static void hold(struct fc_ring *ring, uint64_t word)
{
	uint32_t i = ring->nr_held++;
	for (; i && is_before(ring->held[i - 1], word); i--)
		ring->held[i] = ring->held[i - 1];
	ring->held[i] = word;
}

/* Give out the held records that are before word; all when word is 0. */
static size_t release(struct fc_ring *ring, uint64_t word, uint64_t *ret)
{
	size_t nr = 0;
	while (ring->nr_held && (!word || !is_before(word, ring->held[ring->nr_held - 1])))
		ret[nr++] = ring->held[--ring->nr_held];
	return nr;
}

static int depth_of(uint64_t word)
{
	return fc_record_kind(word) == FC_ENTRY ? 1 : fc_record_kind(word) == FC_EXIT ? -1 : 0;
}

/*
 * Where a late word belongs among what was taken: the handler that came between has returned,
 * so as many calls are open as when the word was reserved. Else, where its time says.
 */
static size_t place_of(const struct fc_hole *hole, const uint64_t *ret, size_t nr,
		       uint64_t late)
{
	int64_t depth = hole->depth;
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(ret[i])) {
		if (!depth && is_before(late, ret[i]))
			return i;
		depth += depth_of(ret[i]);
	}
	if (!depth)
		return nr;
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(ret[i]))
		if (is_before(late, ret[i]))
			return i;
	return nr;
}

static size_t tell_lost(struct fc_ring *ring, uint64_t *ret)
{
	uint64_t tick = fc_record_tick(ring->last);
	ret[0] = fc_record(tick, fc_mark_func(FC_MARK_LOST, 1), FC_MARK);
	ret[1] = ring->nr_lost;
	ring->nr_lost = 0;
	return 2;
}

/* What was taken, and whether that is all there was. */
struct batch {
	uint64_t *ret;
	size_t nr;
	bool is_all;
};

/* Has the hole been filled? Then its record is among what was taken, or waits for its turn. */
static bool is_filled(struct fc_ring *ring, const struct fc_hole *hole, struct batch *batch)
{
	uint64_t late = look(ring, hole->index);
	size_t at = late ? place_of(hole, batch->ret, batch->nr, late) : 0;
	if (!late || (at == batch->nr && !batch->is_all))
		return false;
	*word_at(ring, hole->index) = 0;
	if (is_filler(late)) /* an unwinder has undone it */
		return true;
	memmove(batch->ret + at + 1, batch->ret + at, (batch->nr++ - at) * sizeof(*batch->ret));
	batch->ret[at] = late;
	if (is_before(ring->last, late))
		ring->last = late;
	return true;
}

static void hold_word(struct fc_ring *ring, int i, uint32_t place)
{
	__atomic_store_n(&ring->shared->held[i], place, __ATOMIC_RELAXED);
}

/* The tail is to pass this hole: its writer steps over it from now on. */
static void keep(struct fc_ring *ring, const struct fc_hole *hole)
{
	int oldest = 0;
	for (int i = 0; i < FCA_NR_HELD; i++) {
		if (!ring->shared->held[i]) {
			oldest = i;
			break;
		}
		if (ring->kept[i].index < ring->kept[oldest].index)
			oldest = i;
	}
	if (ring->shared->held[oldest]) /* left by longjmp, most likely */
		ring->nr_lost++;
	ring->kept[oldest] = *hole;
	hold_word(ring, oldest, (uint32_t)(hole->index & (ring->nr_words - 1)) + 1);
}

static void visit_kept(struct fc_ring *ring, struct batch *batch)
{
	for (int i = 0; i < FCA_NR_HELD; i++)
		if (ring->shared->held[i] && is_filled(ring, &ring->kept[i], batch))
			hold_word(ring, i, 0);
}

/* Look again at words that were skipped; one that stays empty for long is kept aside. */
static void visit_holes(struct fc_ring *ring, struct batch *batch)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < ring->nr_holes; i++) {
		struct fc_hole *hole = &ring->hole[i];
		if (is_filled(ring, hole, batch))
			continue;
		if (ring->next - hole->index > ring->nr_words / 2)
			keep(ring, hole);
		else
			ring->hole[left++] = *hole;
	}
	ring->nr_holes = left;
}

/* How many calls are open at the end of what was taken, compared with each hole's beginning. */
static void count_depth(struct fc_ring *ring, const struct batch *batch)
{
	int64_t depth = 0;
	for (size_t i = 0; i < batch->nr; i += 1 + fc_record_words(batch->ret[i]))
		depth += depth_of(batch->ret[i]);
	for (uint32_t i = 0; i < ring->nr_holes; i++)
		ring->hole[i].depth += depth;
	for (int i = 0; i < FCA_NR_HELD; i++)
		ring->kept[i].depth += depth;
}

static bool has_holes(const struct fc_ring *ring)
{
	for (int i = 0; ring->had_hole && i < FCA_NR_HELD; i++)
		if (ring->shared->held[i])
			return true;
	return ring->nr_holes;
}

static size_t look_at_holes(struct fc_ring *ring, uint64_t *ret, size_t nr, bool is_all)
{
	struct batch batch = { ret, nr, is_all };
	visit_kept(ring, &batch);
	visit_holes(ring, &batch);
	count_depth(ring, &batch);
	return batch.nr;
}

/* The writer may use what was taken; not so a hole, in which an older writer may yet write. */
static void advance(struct fc_ring *ring)
{
	uint64_t tail = ring->nr_holes ? ring->hole[0].index : ring->next;
	if (tail != ring->shared->tail)
		__atomic_store_n(&ring->shared->tail, tail, __ATOMIC_RELEASE);
}

static bool is_ahead(const struct fc_ring *ring, uint64_t word, uint64_t next)
{
	return next && !fc_record_words(word) && ring->nr_held < FC_RING_HELD &&
	       is_before(next, word);
}

/* Two words, each read whole. */
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline pair look_at_two(const uint64_t *at)
{
	return *(const volatile pair *)at;
}

/* Below 8 for a record that is one word and has a time; more for all else. */
static inline pair oddness(pair words)
{
	pair kinds = words & ((1 << FC_RECORD_KIND_BITS) - 1);
	return (kinds - FC_ENTRY) | (kinds + (8 - FC_MARK));
}

/* The top bit is set if the time of the next word is before. */
static inline pair turn_back(pair words, pair next)
{
	return (next | LOW_BITS) - (words & ~LOW_BITS);
}

/*
 * Copy the words of a cache line. False: they are not all there, or not all short records in
 * order of time, as the one behind them is. They are looked at twice, but do not change once
 * they are there; in which order matters not, for one that is seen too late is seen as 0.
 */
static inline bool copy_line(const uint64_t *line, uint64_t *ret)
{
	pair odd = { 0 }, turn = { 0 };
	for (int i = 0; i < LINE_WORDS; i += 2) {
		pair words = look_at_two(line + i), next = look_at_two(line + i + 1);
		memcpy(ret + i, &words, sizeof(words));
		odd |= oddness(words);
		turn |= turn_back(words, next);
	}
	odd |= oddness(look_at_two(line + LINE_WORDS - 1));
	return ((odd[0] | odd[1]) & ~7ull) + ((turn[0] | turn[1]) >> 63) == 0;
}

/* What is common: whole lines of the ring but its last. Returns how many words. */
static size_t take_lines(struct fc_ring *ring, uint64_t *ret, size_t room)
{
	const uint64_t *last = ring->words + ring->nr_words - LINE_WORDS;
	uint64_t *line = word_at(ring, ring->next);
	size_t nr = 0;
	for (; nr + LINE_WORDS <= room && line < last; nr += LINE_WORDS, line += LINE_WORDS) {
		if (!copy_line(line, ret + nr))
			break;
		memset(line, 0, LINE_WORDS * sizeof(*line));
	}
	if (nr)
		ring->last = ret[nr - 1];
	ring->next += nr;
	return nr;
}

size_t fc_ring_take(struct fc_ring *ring, uint64_t *ret, size_t room)
{
	uint64_t word = look(ring, ring->next);
	size_t nr = 0;
	while (word && nr + SLACK < room) {
		if (!ring->nr_held && ring->next % LINE_WORDS == 0) {
			nr += take_lines(ring, ret + nr, room - SLACK - nr);
			word = look(ring, ring->next); /* there: a line needs it */
			if (nr + SLACK >= room)
				break;
		}
		uint32_t more = fc_record_words(word);
		*word_at(ring, ring->next++) = 0;
		if (is_filler(word)) {
			ring->next += fc_record_func(word);
			word = look(ring, ring->next);
			continue;
		}
		uint64_t next = look_behind_filler(ring, ring->next + more);
		if (is_ahead(ring, word, next)) {
			hold(ring, word);
		} else {
			nr += release(ring, word, ret + nr);
			ring->last = ret[nr++] = word;
		}
		for (; more; more--) {
			ret[nr++] = *word_at(ring, ring->next);
			*word_at(ring, ring->next++) = 0;
		}
		word = look(ring, ring->next);
	}
	if (!word) { /* what a held record waited for was written before it */
		if (ring->nr_held)
			ring->last = ring->held[0];
		nr += release(ring, 0, ret + nr);
	}
	if (has_holes(ring))
		nr = look_at_holes(ring, ret, nr, !word);
	if (ring->nr_lost)
		nr += tell_lost(ring, ret + nr);
	advance(ring);
	return nr;
}

static bool is_kept(const struct fc_ring *ring, uint64_t index)
{
	for (int i = 0; i < FCA_NR_HELD; i++)
		if (ring->shared->held[i] == (index & (ring->nr_words - 1)) + 1)
			return true;
	return false;
}

/* Is there anything behind the next word? What is written late of earlier rounds is not. */
static bool is_skipped(const struct fc_ring *ring)
{
	for (uint64_t n = 1; n < AHEAD; n++)
		if (look(ring, ring->next + n) && !is_kept(ring, ring->next + n))
			return true;
	return false;
}

bool fc_ring_skip_hole(struct fc_ring *ring)
{
	if (look(ring, ring->next) || !is_skipped(ring))
		return false;
	if (ring->nr_holes == FC_RING_HELD) {
		keep(ring, &ring->hole[0]);
		ring->nr_holes--;
		memmove(ring->hole, ring->hole + 1, ring->nr_holes * sizeof(*ring->hole));
	}
	ring->hole[ring->nr_holes++] = (struct fc_hole){ .index = ring->next++ };
	ring->had_hole = true;
	advance(ring);
	return true;
}

uint32_t fc_ring_clear(struct fc_ring *ring)
{
	uint32_t lost = ring->nr_holes + ring->nr_lost;
	for (int i = 0; i < FCA_NR_HELD; i++) {
		lost += ring->shared->held[i] != 0;
		hold_word(ring, i, 0);
	}
	if (ring->had_hole)
		memset(ring->words, 0, ring->nr_words * sizeof(*ring->words));
	fc_ring_init(ring, ring->shared, ring->words, ring->nr_words);
	return lost;
}
