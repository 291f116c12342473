/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/ring.h"

#include <string.h>

#include "trace/clock.h"
#include "trace/record.h"

enum {
	AHEAD = 64, /* words that are not written, when a record behind a hole is looked for */
	MAX_MARK = 1 + FC_MARK_MAX_VALUES, /* the longest record, as it is given out */
	/* The last one, those that were held for it, a loss; and a record that comes late. */
	SLACK = MAX_MARK + FC_RING_HELD + 2 + MAX_MARK,
	LINE_WORDS = 8, /* of a cache line */
};

_Static_assert(SLACK + LINE_WORDS < FC_RING_ROOM, "there is room for something");

#define LOW_BITS ((1ull << FC_RECORD_LOW_BITS) - 1) /* of a record, below its time */

/* It may say anything: a kernel thread's it is not. */
uint8_t fc_ring_kind(const struct fca_ring *shared)
{
	uint32_t kind = __atomic_load_n(&shared->kind, __ATOMIC_RELAXED);
	return kind < FC_STRAND_KERNEL ? (uint8_t)kind : FC_STRAND_THREAD;
}

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

/*
 * The first word of a record or filler, or 0: it is not written. Values that stand there have a
 * head in front of them that is not.
 */
static uint64_t look_for_head(const struct fc_ring *ring, uint64_t index)
{
	uint64_t word = look(ring, index);
	return fc_is_part(word) ? 0 : word;
}

/*
 * Values belong to the record behind them: they have no time, or its. That may be later than those of a signal's
 * handler, which come before it. So they get the time of the record in front of them, or of the one behind; or it is
 * now.
 */
static uint64_t timed(uint64_t values, uint64_t before, uint64_t behind)
{
	uint64_t other = before ? before : behind;
	uint64_t tick = other ? fc_record_tick(other) : fc_clock_tsc();
	return fc_record(tick, fc_record_func(values), FC_MARK);
}

/* Words of a record or filler in the ring. */
static uint64_t size_of(uint64_t head)
{
	return 1 +
	       (is_filler(head) ? fc_record_func(head) : fc_mark_parts(fc_record_words(head)));
}

/* The head at index, or behind what stands there and has no time: filler, and values. */
static uint64_t look_for_time(const struct fc_ring *ring, uint64_t index)
{
	uint64_t word = look_for_head(ring, index);
	for (int n = 0; (is_filler(word) || fc_record_is_values(word)) && n < AHEAD; n++) {
		index += size_of(word);
		word = look_for_head(ring, index);
	}
	return fc_record_is_values(word) ? 0 : word;
}

/* A record as it is given out, of which the head is known. Returns how many words. */
static size_t read_record(const struct fc_ring *ring, uint64_t index, uint64_t head,
			  uint64_t *ret)
{
	uint32_t nr = fc_record_words(head);
	uint64_t parts[FC_MARK_MAX_PARTS];
	for (uint32_t i = 0; i < fc_mark_parts(nr); i++)
		parts[i] = *word_at(ring, index + 1 + i);
	ret[0] = head;
	fc_mark_unpack(parts, nr, ret + 1);
	return 1 + nr;
}

static inline void fill(struct fc_ring *ring, uint64_t index, uint64_t nr, uint64_t word)
{
	for (; nr; nr--)
		*word_at(ring, index++) = word;
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
 * so as many calls are open as when the word was reserved. Else, where its time says. Values may be
 * in front of the handler's calls.
 */
static size_t place_of(const struct fc_hole *hole, const uint64_t *ret, size_t nr,
		       uint64_t late)
{
	int64_t depth = hole->depth;
	bool is_first = fc_record_is_values(late);
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(ret[i])) {
		if (!depth && (is_first || is_before(late, ret[i])))
			return i;
		depth += depth_of(ret[i]);
	}
	if (!depth || is_first)
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
	size_t nr, room;
	bool is_all;
};

/* A record that came late is put among what was taken. False: it waits for its turn. */
static bool take_late(struct fc_ring *ring, const struct fc_hole *hole, uint64_t index,
		      uint64_t head, struct batch *batch)
{
	size_t at = place_of(hole, batch->ret, batch->nr, head), nr = 1 + fc_record_words(head);
	if ((at == batch->nr && !batch->is_all) || batch->nr + nr > batch->room)
		return false;
	if (fc_record_is_values(head))
		head = timed(head, at < batch->nr ? batch->ret[at] : ring->last, 0);
	memmove(batch->ret + at + nr, batch->ret + at, (batch->nr - at) * sizeof(*batch->ret));
	batch->nr += read_record(ring, index, head, batch->ret + at);
	if (is_before(ring->last, head))
		ring->last = head;
	return true;
}

/*
 * Has the hole been filled? What is taken of it becomes filler; what is filler already was
 * undone by an unwinder, or taken before.
 */
static bool is_filled(struct fc_ring *ring, const struct fc_hole *hole, struct batch *batch)
{
	uint64_t at = hole->index, end = at + hole->nr;
	bool is_whole = true;
	while (at < end) {
		uint64_t head = look_for_head(ring, at), nr = head ? size_of(head) : 1;
		if (nr > end - at) /* nobody writes such a thing */
			fill(ring, at, nr = end - at, FC_PAD);
		else if (head && !is_filler(head) && take_late(ring, hole, at, head, batch))
			fill(ring, at, nr, FC_PAD);
		else if (!is_filler(head))
			is_whole = false;
		at += nr;
	}
	if (is_whole)
		fill(ring, hole->index, hole->nr, 0);
	return is_whole;
}

static void hold_words(struct fc_ring *ring, int i, uint64_t held)
{
	__atomic_store_n(&ring->shared->held[i], held, __ATOMIC_RELAXED);
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
	hold_words(ring, oldest, fca_held(hole->index & (ring->nr_words - 1), hole->nr));
}

static void visit_kept(struct fc_ring *ring, struct batch *batch)
{
	for (int i = 0; i < FCA_NR_HELD; i++)
		if (ring->shared->held[i] && is_filled(ring, &ring->kept[i], batch))
			hold_words(ring, i, 0);
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

static size_t look_at_holes(struct fc_ring *ring, uint64_t *ret, size_t nr, size_t room,
			    bool is_all)
{
	struct batch batch = { ret, nr, room, is_all };
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
	uint64_t word = look_for_head(ring, ring->next);
	size_t nr = 0;
	while (word && nr + SLACK < room) {
		if (!ring->nr_held && ring->next % LINE_WORDS == 0) {
			nr += take_lines(ring, ret + nr, room - SLACK - nr);
			word = look(ring, ring->next); /* there: a line needs it */
			if (nr + SLACK >= room)
				break;
		}
		uint64_t size = size_of(word);
		if (is_filler(word)) {
			*word_at(ring, ring->next) = 0;
			ring->next += size;
			word = look_for_head(ring, ring->next);
			continue;
		}
		uint64_t next = look_for_time(ring, ring->next + size);
		uint64_t time = fc_record_is_values(word) ? next : word;
		if (!time &&
		    ring->nr_held) { /* is it of the handler's, or behind what is held? */
			word = 0;
			break;
		}
		if (is_ahead(ring, word, next)) {
			hold(ring, word);
		} else {
			nr += release(ring, time, ret + nr);
			if (fc_record_is_values(word))
				word = timed(word, ring->last, next);
			ring->last = ret[nr] = word;
			nr += size == 1 ? 1 : read_record(ring, ring->next, word, ret + nr);
		}
		fill(ring, ring->next, size, 0);
		ring->next += size;
		word = look_for_head(ring, ring->next);
	}
	if (!word) { /* what a held record waited for was written before it */
		if (ring->nr_held)
			ring->last = ring->held[0];
		nr += release(ring, 0, ret + nr);
	}
	if (has_holes(ring))
		nr = look_at_holes(ring, ret, nr, room - 2, !word);
	if (ring->nr_lost)
		nr += tell_lost(ring, ret + nr);
	advance(ring);
	return nr;
}

static bool is_kept(const struct fc_ring *ring, uint64_t index)
{
	for (int i = 0; i < FCA_NR_HELD; i++) {
		uint64_t held = ring->shared->held[i];
		if (((index - fca_held_place(held)) & (ring->nr_words - 1)) < fca_held_nr(held))
			return true;
	}
	return false;
}

/*
 * How many words from the next on are not written, or values without a head. 0: there is no
 * record behind them. What is written late of earlier rounds is none: the writer comes over that
 * with filler in front, which is one.
 */
static uint64_t count_unwritten(const struct fc_ring *ring)
{
	uint64_t ahead = ring->shared->waiting ? ring->nr_words : AHEAD;
	uint64_t nr = 0;
	for (uint64_t last = 0; nr - last < ahead && nr < ring->nr_words; nr++) {
		if (is_kept(ring, ring->next + nr))
			return 0;
		uint64_t word = look(ring, ring->next + nr);
		if (fc_is_part(word))
			last = nr;
		else if (word)
			return nr;
	}
	return 0;
}

/*
 * The writer may run: it writes words that were looked at, and then the record that is found. So
 * they are counted once more when that is there. What still is not written has been passed by.
 */
static uint64_t count_skipped(const struct fc_ring *ring)
{
	return count_unwritten(ring) ? count_unwritten(ring) : 0;
}

bool fc_ring_is_empty(const struct fc_ring *ring)
{
	return !ring->nr_held && !look(ring, ring->next) && !count_unwritten(ring);
}

bool fc_ring_skip_hole(struct fc_ring *ring)
{
	uint64_t nr = count_skipped(ring);
	if (!nr)
		return false;
	if (ring->nr_holes == FC_RING_HOLES) {
		keep(ring, &ring->hole[0]);
		ring->nr_holes--;
		memmove(ring->hole, ring->hole + 1, ring->nr_holes * sizeof(*ring->hole));
	}
	ring->hole[ring->nr_holes++] = (struct fc_hole){ .index = ring->next, .nr = nr };
	ring->next += nr;
	ring->had_hole = true;
	advance(ring);
	return true;
}

uint32_t fc_ring_clear(struct fc_ring *ring)
{
	uint32_t lost = ring->nr_lost;
	for (int i = 0; i < FCA_NR_HELD; i++)
		hold_words(ring, i, 0);
	if (ring->had_hole)
		memset(ring->words, 0, ring->nr_words * sizeof(*ring->words));
	/* It may have died before it wrote the head of its last mark. */
	for (uint64_t i = 0; i <= FC_MARK_MAX_PARTS; i++)
		if (look(ring, ring->next + i))
			*word_at(ring, ring->next + i) = 0;
	fc_ring_init(ring, ring->shared, ring->words, ring->nr_words);
	return lost;
}
