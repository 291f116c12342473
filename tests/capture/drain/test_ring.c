/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reading end of a ring, against writers whose stubs are interrupted. A record's function
 * id is a hash of its time here, so that a record which comes out can be known to be one that
 * went in.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "base/memory.h"
#include "capture/drain/ring.h"
#include "trace/record.h"

#define ROOM	   16384
#define RING_WORDS (128 * 1024)

static struct fca_ring shared;
static struct fc_ring ring;
static uint64_t ring_words = RING_WORDS;
static uint64_t words[RING_WORDS];
static uint64_t taken[ROOM];

static void start_at(uint64_t index)
{
	shared = (struct fca_ring){ .tail = index };
	memset(words, 0, sizeof(words));
	fc_ring_init(&ring, &shared, words, ring_words);
}

static uint64_t *at(uint64_t index)
{
	return &words[index % ring_words];
}

static uint32_t hash(uint64_t time)
{
	time &= (1ull << FC_RECORD_TICK_BITS) - 1;
	return (uint32_t)(time * 0x9e3779b97f4a7c15ull >> 50);
}

static uint64_t entry(uint64_t time)
{
	return fc_record(time, hash(time), FC_ENTRY);
}

static void put(uint64_t index, uint64_t time)
{
	*at(index) = entry(time);
}

static uint64_t mark_head(uint64_t time, uint32_t nr_values)
{
	return fc_record(time, fc_mark_func(FC_MARK_LOST, nr_values), FC_MARK);
}

/* Of two values: four words. */
static void put_mark(uint64_t index, uint64_t time, uint64_t a, uint64_t b)
{
	const uint64_t values[] = { a, b };
	uint64_t parts[3];
	fc_mark_pack(values, 2, parts);
	for (int i = 0; i < 3; i++)
		*at(index + 1 + i) = parts[i];
	*at(index) = mark_head(time, 2);
}

static void expect_taken(const uint64_t *expected, size_t nr)
{
	assert_int_equal(fc_ring_take(&ring, taken, ROOM), nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(taken[i], expected[i]);
}

#define EXPECT(...)                                                                            \
	do {                                                                                   \
		const uint64_t expected_[] = { __VA_ARGS__ };                                  \
		expect_taken(expected_, sizeof(expected_) / sizeof(expected_[0]));             \
	} while (0)

static void expect_nothing(void)
{
	expect_taken(NULL, 0);
}

static void expect_empty_ring(void)
{
	for (size_t i = 0; i < RING_WORDS; i++)
		assert_int_equal(words[i], 0);
}

static void an_empty_ring_gives_nothing(void **state)
{
	start_at(0);
	expect_nothing();
	assert_int_equal(shared.tail, 0);
}

static void words_are_taken_as_they_become_non_zero(void **state)
{
	start_at(0);
	put(0, 10);
	put(2, 30);
	EXPECT(entry(10));
	expect_nothing();
	put(1, 20);
	EXPECT(entry(20), entry(30));
	assert_int_equal(shared.tail, 3);
	expect_empty_ring();
}

static void it_goes_round(void **state)
{
	start_at(5ull * RING_WORDS - 2);
	for (int i = 0; i < 4; i++)
		put(5ull * RING_WORDS - 2 + i, 10 + i);
	EXPECT(entry(10), entry(11), entry(12), entry(13));
	assert_int_equal(shared.tail, 5ull * RING_WORDS + 2);
}

/* As the agent does it: filler up to the end, then the mark at the ring's start. */
static void a_mark_that_does_not_fit_stands_behind_filler(void **state)
{
	start_at(RING_WORDS - 3);
	put(RING_WORDS - 3, 10);
	*at(RING_WORDS - 2) = *at(RING_WORDS - 1) = FC_PAD;
	put_mark(0, 20, 7, 3);
	words[4] = entry(30);
	EXPECT(entry(10), mark_head(20, 2), 7, 3, entry(30));
	expect_empty_ring();
}

static void a_mark_may_lie_across_the_end(void **state)
{
	start_at(RING_WORDS - 1);
	put_mark(RING_WORDS - 1, 20, 7, 3);
	EXPECT(mark_head(20, 2), 7, 3);
}

/* The picture in ring.h. */
static void a_record_waits_for_those_of_the_handler_that_interrupted_it(void **state)
{
	start_at(0);
	put(0, 50);
	put(1, 20);
	put(2, 30);
	put(3, 60);
	EXPECT(entry(20), entry(30), entry(50), entry(60));
}

/* They stand before it, but what its handler wrote is told in order of time, as if they were not there. */
static void values_have_no_time_of_their_own(void **state)
{
	enum { NR = 1, WORDS = 3 };
	const uint32_t func = fc_mark_func(FC_MARK_VALUES, NR);
	const uint64_t value = 77;
	start_at(0);
	put(0, 10);
	fc_mark_pack(&value, NR, at(2));
	*at(1) = fc_record(50, func, FC_MARK);
	put(1 + WORDS, 50);
	put(2 + WORDS, 20);
	put(3 + WORDS, 30);
	EXPECT(entry(10), fc_record(10, func, FC_MARK), value, entry(20), entry(30), entry(50));
	expect_empty_ring();
}

/*
 * Whole cache lines of the ring are taken at a time: values of a handler that interrupted the first
 * record behind one are as late as the line's last.
 */
static void values_behind_a_line_have_the_time_of_its_last_record(void **state)
{
	enum { LINE = 8, NR = 1, WORDS = 3 };
	const uint32_t func = fc_mark_func(FC_MARK_VALUES, NR);
	const uint64_t value = 77;
	start_at(0);
	for (int i = 0; i < LINE; i++)
		put(i, 10 + i);
	put(LINE, 50);
	fc_mark_pack(&value, NR, at(LINE + 2));
	*at(LINE + 1) = fc_record(20, func, FC_MARK);
	put(LINE + 1 + WORDS, 20);
	put(LINE + 2 + WORDS, 60);
	EXPECT(entry(10), entry(11), entry(12), entry(13), entry(14), entry(15), entry(16),
	       entry(17), fc_record(17, func, FC_MARK), value, entry(20), entry(50), entry(60));
}

static void two_interrupted_writers_wait_in_turn(void **state)
{
	start_at(0);
	put(0, 100); /* interrupted by the one below */
	put(1, 60);  /* interrupted by the two below */
	put(2, 30);
	put(3, 40);
	put(4, 65);
	put(5, 110);
	EXPECT(entry(30), entry(40), entry(60), entry(65), entry(100), entry(110));
}

/* Filler has no time: it is neither before nor after. */
static void waits_behind_filler(uint64_t base)
{
	start_at(RING_WORDS - 2);
	*at(RING_WORDS - 2) = entry(base + 50);
	*at(RING_WORDS - 1) = FC_PAD;
	put_mark(0, base + 20, 5, 1);
	words[4] = entry(base + 30);
	words[5] = entry(base + 60);
	EXPECT(mark_head(base + 20, 2), 5, 1, entry(base + 30), entry(base + 50),
	       entry(base + 60));
}

static void a_record_waits_for_those_behind_filler(void **state)
{
	waits_behind_filler(0);
	waits_behind_filler(3ull << (FC_RECORD_TICK_BITS - 2));
}

static void filler_holds_nothing_up(void **state)
{
	start_at(RING_WORDS - 2);
	*at(RING_WORDS - 2) = entry(50);
	*at(RING_WORDS - 1) = FC_PAD;
	EXPECT(entry(50));
	put_mark(0, 60, 5, 1);
	EXPECT(mark_head(60, 2), 5, 1);
}

static void the_clock_may_wrap_between_records(void **state)
{
	uint64_t end = 1ull << FC_RECORD_TICK_BITS;
	start_at(0);
	put(0, end - 5);
	put(1, end + 5);
	put(2, end + 20); /* interrupted by the two below */
	put(3, end + 8);
	put(4, end + 9);
	put(5, end + 30);
	EXPECT(entry(end - 5), entry(end + 5), entry(end + 8), entry(end + 9), entry(end + 20),
	       entry(end + 30));

	start_at(0);
	put(0, end + 5); /* interrupted before the wrap */
	put(1, end - 5);
	put(2, end - 4);
	put(3, end + 6);
	EXPECT(entry(end - 5), entry(end - 4), entry(end + 5), entry(end + 6));
}

static void what_does_not_fit_is_left_for_the_next_time(void **state)
{
	enum { NR = 5000, SMALL = FC_RING_ROOM };
	start_at(0);
	for (int i = 0; i < NR; i++)
		put(i, 10 + i);
	size_t nr, sum = 0;
	while ((nr = fc_ring_take(&ring, taken, SMALL))) {
		assert_in_range(nr, 1, SMALL);
		for (size_t i = 0; i < nr; i++)
			assert_int_equal(taken[i], entry(10 + sum + i));
		sum += nr;
	}
	assert_int_equal(sum, NR);
}

static void a_held_record_outlasts_a_full_buffer(void **state)
{
	enum { NR = 3000, SMALL = FC_RING_ROOM };
	start_at(0);
	put(0, 10 + NR);
	for (int i = 1; i < NR; i++)
		put(i, 10 + i);
	uint64_t last = 0;
	size_t nr, sum = 0;
	while ((nr = fc_ring_take(&ring, taken, SMALL))) {
		for (size_t i = 0; i < nr; i++) {
			assert_true(fc_record_tick(taken[i]) > last);
			last = fc_record_tick(taken[i]);
		}
		sum += nr;
	}
	assert_int_equal(sum, NR);
	assert_int_equal(last, 10 + NR);
}

static void only_a_hole_with_words_behind_it_is_skipped(void **state)
{
	start_at(0);
	assert_false(fc_ring_skip_hole(&ring));
	put(0, 10);
	assert_false(fc_ring_skip_hole(&ring));
	EXPECT(entry(10));
	assert_false(fc_ring_skip_hole(&ring));
	put(2, 30);
	assert_true(fc_ring_skip_hole(&ring));
	assert_false(fc_ring_skip_hole(&ring));
	EXPECT(entry(30));
}

/* Three calls within each other, again and again. */
static uint64_t nested(uint64_t time)
{
	return fc_record(time, hash(time), time % 6 < 3 ? FC_ENTRY : FC_EXIT);
}

static void *write_nested(void *last)
{
	for (uint64_t i = 0; i < *(uint64_t *)last; i++) {
		while (i - __atomic_load_n(&shared.tail, __ATOMIC_ACQUIRE) >= ring_words - 1)
			;
		if (i % 64 == 0) /* the reader comes to where nothing is */
			for (volatile int n = 0; n < 200; n++)
				;
		__atomic_store_n(at(i), nested(i), __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Words that are written while it is looked for a hole are none, and stay in their order. */
static void what_is_written_meanwhile_is_no_hole(void **state)
{
	uint64_t last = 2000000, next = 0;
	pthread_t writer;
	start_at(0);
	assert_int_equal(pthread_create(&writer, NULL, write_nested, &last), 0);
	while (next < last) {
		size_t nr = fc_ring_take(&ring, taken, ROOM);
		for (size_t i = 0; i < nr; i++)
			assert_int_equal(taken[i], nested(next++));
		if (!nr)
			assert_false(fc_ring_skip_hole(&ring));
	}
	pthread_join(writer, NULL);
}

static void holes_may_lie_side_by_side(void **state)
{
	start_at(0);
	put(2, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	put(1, 30);
	put(0, 40);
	put(3, 50);
	EXPECT(entry(30), entry(40), entry(50));
	assert_int_equal(shared.tail, 4);
}

static void a_hole_filled_late_takes_its_place(void **state)
{
	start_at(0);
	put(1, 20);
	put(2, 30);
	expect_nothing();
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20), entry(30));
	put(0, 50);
	put(3, 40);
	put(4, 60);
	EXPECT(entry(40), entry(50), entry(60));
	assert_int_equal(shared.tail, 5);
	assert_int_equal(fc_ring_clear(&ring), 0);
}

/* Else the writer, in its next round, and the interrupted one would write the same word. */
static void a_hole_is_not_given_back_to_the_writer(void **state)
{
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	assert_int_equal(shared.tail, 0);
	put(2, 30);
	EXPECT(entry(30));
	assert_int_equal(shared.tail, 0);
	put(0, 40);
	EXPECT(entry(40));
	assert_int_equal(shared.tail, 3);
}

/* Write and take words with times from time on; returns what was taken that is lost. */
static uint64_t pass_words(uint64_t index, size_t nr, uint64_t time)
{
	uint64_t lost = 0;
	for (size_t done = 0; done < nr;) {
		size_t now = nr - done < 1000 ? nr - done : 1000;
		for (size_t i = 0; i < now; i++)
			put(index + done + i, time + done + i);
		size_t got = fc_ring_take(&ring, taken, ROOM), records = 0;
		for (size_t i = 0; i < got; i += 1 + fc_record_words(taken[i])) {
			if (fc_record_kind(taken[i]) != FC_MARK) {
				records++;
				continue;
			}
			assert_int_equal(fc_record_mark(taken[i]), FC_MARK_LOST);
			assert_int_equal(fc_record_tick(taken[i]), time + done + now - 1);
			lost += taken[i + 1];
		}
		assert_int_equal(records, now);
		done += now;
	}
	return lost;
}

/* The writer goes on in front of it and behind it; it may be written rounds later. */
static void a_hole_is_kept_aside_after_half_a_round(void **state)
{
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	assert_int_equal(pass_words(2, RING_WORDS / 2 - 2, 30), 0);
	assert_int_equal(shared.tail, 0);
	assert_int_equal(shared.held[0], 0);
	assert_int_equal(pass_words(RING_WORDS / 2, RING_WORDS / 2 - 1, 100000), 0);
	assert_int_equal(shared.tail, RING_WORDS - 1);
	assert_int_equal(shared.held[0], fca_held(0, 1));
	*at(RING_WORDS - 1) = fc_record(0, 1, FC_PAD); /* itself, and one more */
	assert_int_equal(pass_words(RING_WORDS + 1, 100, 400000), 0);
	put(0, 500000);
	EXPECT(entry(500000));
	assert_int_equal(shared.held[0], 0);
	assert_int_equal(fc_ring_clear(&ring), 0);
	expect_empty_ring();
}

static void what_is_written_late_is_no_word_behind_a_hole(void **state)
{
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	assert_int_equal(pass_words(2, RING_WORDS - 12, 30), 0);
	put(0, 500000);
	assert_false(fc_ring_skip_hole(&ring)); /* the next ten words are nobody's yet */
	EXPECT(entry(500000));
}

static void a_hole_never_filled_is_no_lost_record(void **state)
{
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	assert_int_equal(pass_words(2, RING_WORDS * 3 / 4, 30), 0);
	assert_int_equal(fc_ring_clear(&ring), 0);
	assert_int_equal(shared.held[0], 0);
	expect_empty_ring();
}

enum { MANY_HOLES = FC_RING_HOLES + FCA_NR_HELD };

static void with_many_holes_the_oldest_is_given_up(void **state)
{
	start_at(0);
	for (int i = 0; i < MANY_HOLES + 3; i++) {
		put(2 * i + 1, 10 + i);
		expect_nothing();
		assert_true(fc_ring_skip_hole(&ring));
		if (i < MANY_HOLES)
			EXPECT(entry(10 + i));
		else
			EXPECT(entry(10 + i), mark_head(10 + i, 1), 1);
	}
	assert_int_equal(shared.tail, 2 * (FCA_NR_HELD + 3));
	assert_int_equal(fc_ring_clear(&ring), 0);
}

static void
the_loss_of_a_hole_has_the_time_of_the_last_record_not_of_a_marks_words(void **state)
{
	start_at(0);
	for (int i = 0; i < MANY_HOLES; i++) {
		put(2 * i + 1, 10 + i);
		assert_true(fc_ring_skip_hole(&ring));
		EXPECT(entry(10 + i));
	}
	uint64_t end = 2 * MANY_HOLES + 1;
	put_mark(end, 500000, ~0ull, ~0ull);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(mark_head(500000, 2), ~0ull, ~0ull, mark_head(500000, 1), 1);
}

/* Its time was taken before a handler's calls, which were given out long ago. */
static void a_late_record_never_stands_within_the_handlers_calls(void **state)
{
	uint64_t in = fc_record(20, 7, FC_ENTRY), out = fc_record(55, 7, FC_EXIT);
	uint64_t in2 = fc_record(40, 8, FC_ENTRY), out2 = fc_record(50, 8, FC_EXIT);
	start_at(0);
	*at(1) = in;
	*at(2) = in2;
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(in, in2);
	*at(3) = out2;
	*at(4) = out;
	put(0, 10);
	put(5, 60);
	EXPECT(out2, out, entry(10), entry(60));
}

static void a_late_record_waits_for_what_was_written_before_it(void **state)
{
	enum { NR = 2000, SMALL = FC_RING_ROOM };
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	for (int i = 0; i < NR; i++)
		put(2 + i, 30 + i);
	put(0, 30 + NR);
	put(2 + NR, 31 + NR);
	size_t nr, sum = 0;
	while ((nr = fc_ring_take(&ring, taken, SMALL))) {
		for (size_t i = 0; i < nr; i++)
			assert_int_equal(taken[i], entry(30 + sum + i));
		sum += nr;
	}
	assert_int_equal(sum, NR + 2);
}

static void a_record_that_an_unwinder_undid_is_none(void **state)
{
	start_at(0);
	put(1, 20);
	assert_true(fc_ring_skip_hole(&ring));
	EXPECT(entry(20));
	*at(0) = FC_PAD;
	put(2, 30);
	EXPECT(entry(30));
	assert_int_equal(fc_ring_clear(&ring), 0);
	expect_empty_ring();
}

/*
 * The model: a strand that runs stubs, which signal handlers interrupt between any two
 * steps, and the agent's marks, which none interrupts; the drain looks at any moment.
 */
struct model {
	uint64_t seed;
	uint64_t cursor, time;
	uint64_t nr_put, sum_put;     /* records, and the sum of their times */
	uint64_t nr_taken, sum_taken; /* the same */
	uint64_t nr_lost, last;
	uint64_t nr_valued;	 /* records with values so far */
	uint64_t values[1 << 8]; /* that were taken, and whose records were not */
	uint32_t nr_values;
	uint64_t nr_over; /* times that what is held was stepped over */
	int depth;
	bool is_late;	 /* a record may come behind later ones */
	bool may_skip;	 /* holes are skipped at random */
	bool late_clock; /* interrupted after the time was taken, too */
	size_t room;
	uint32_t longest; /* calls of a handler, at most; 0: 20 */
};

static uint32_t dice(struct model *m, uint32_t sides)
{
	m->seed ^= m->seed << 13;
	m->seed ^= m->seed >> 7;
	m->seed ^= m->seed << 17;
	return (uint32_t)(m->seed >> 11) % sides;
}

enum { MANY_VALUED = 1 << 20 };

/* Values stand before their record; between them are at most a handler's, with values of their own. */
static void model_take_values(struct model *m, uint64_t value)
{
	assert_in_range(m->nr_values, 0, sizeof(m->values) / sizeof(*m->values) - 1);
	m->values[m->nr_values++] = value;
}

static void model_take_valued(struct model *m, uint32_t func)
{
	if (m->may_skip ||
	    m->is_late) /* it makes no returns: where a late one belongs cannot be told */
		return;
	assert_in_range(m->nr_values, 1, sizeof(m->values) / sizeof(*m->values));
	assert_int_equal(m->values[--m->nr_values] % MANY_VALUED, func);
}

static void model_take(struct model *m)
{
	size_t nr = fc_ring_take(&ring, taken, m->room);
	assert_in_range(nr, 0, m->room);
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(taken[i])) {
		uint64_t time = fc_record_tsc(taken[i], m->time);
		bool is_loss = fc_record_kind(taken[i]) == FC_MARK;
		if (is_loss && fc_record_mark(taken[i]) == FC_MARK_VALUES) {
			if (!m->may_skip && !m->is_late)
				model_take_values(m, taken[i + 1]);
			continue;
		}
		if (!m->is_late)
			assert_true(is_loss ? time >= m->last : time > m->last);
		if (time > m->last)
			m->last = time;
		if (is_loss && fc_record_words(taken[i]) == 1) {
			m->nr_lost += taken[i + 1];
			continue;
		}
		m->nr_taken++;
		m->sum_taken += time;
		if (is_loss)
			assert_int_equal(taken[i + 1], time);
		else if (fc_record_kind(taken[i]) == FC_ENTRY_ONLY)
			model_take_valued(m, fc_record_func(taken[i]));
		else
			assert_int_equal(fc_record_func(taken[i]), hash(time));
	}
}

static void model_drain(struct model *m)
{
	if (dice(m, 4))
		model_take(m);
	else if (m->may_skip)
		fc_ring_skip_hole(&ring);
}

static void model_free(struct model *m, uint64_t nr)
{
	while (m->cursor + nr > shared.tail + ring_words - 1) {
		uint64_t tail = ring.next;
		model_take(m);
		if (ring.next == tail && !fc_ring_skip_hole(&ring))
			assert_int_equal(m->cursor, tail);
	}
}

static bool model_is_held(uint64_t index)
{
	for (int i = 0; i < FCA_NR_HELD; i++)
		if ((index - fca_held_place(shared.held[i])) % ring_words <
		    fca_held_nr(shared.held[i]))
			return true;
	return false;
}

/* As the agent does it: nr words in a row, none of them held, with one left in front. */
static void model_room(struct model *m, uint64_t nr)
{
	for (;;) {
		uint64_t row = 0, to_end = ring_words - m->cursor % ring_words;
		model_free(m, nr);
		assert_false(model_is_held(m->cursor));
		while (row < to_end && row < nr && !model_is_held(m->cursor + row + 1))
			row++;
		if (row == nr)
			return;
		uint64_t over = row < to_end ? row + 1 : row;
		while (model_is_held(m->cursor + over))
			over++;
		if (m->cursor + over + nr > shared.tail + ring_words - 1) {
			model_free(m, over + nr);
			continue; /* others may be held now */
		}
		*at(m->cursor) = fc_record(0, over - 1, FC_PAD);
		m->cursor += over;
		m->nr_over += row < to_end;
	}
}

/* Written whole, by the agent. */
static void model_mark(struct model *m)
{
	model_room(m, 4);
	uint64_t time = m->time++;
	put_mark(m->cursor, time, time, 1);
	m->cursor += 4;
	m->nr_put++;
	m->sum_put += time;
}

static void model_run(struct model *m, int nr);

static void model_interrupt(struct model *m)
{
	if (!dice(m, 50))
		model_drain(m);
	if (m->depth >= 7 || dice(m, m->longest ? m->longest * 3 / 2 : 30))
		return;
	m->depth++;
	model_run(m, dice(m, m->longest ? m->longest : 20));
	m->depth--;
}

static void model_stub(struct model *m)
{
	model_room(m, 1);
	uint64_t index = m->cursor++;
	model_interrupt(m);
	uint64_t time = m->time++;
	if (m->late_clock)
		model_interrupt(m);
	put(index, time);
	m->nr_put++;
	m->sum_put += time;
}

enum { VALUES_WORDS = 3 }; /* of one value */

static void put_values(uint64_t index, uint64_t tick, uint64_t value)
{
	uint64_t parts[2];
	fc_mark_pack(&value, 1, parts);
	*at(index + 1) = parts[0];
	*at(index + 2) = parts[1];
	*at(index) = fc_record(tick, fc_mark_func(FC_MARK_VALUES, 1), FC_MARK);
}

/* By the agent, which asks for no time, and then a stub; or all by the stub. */
static void model_valued(struct model *m)
{
	bool by_agent = dice(m, 2);
	uint64_t number = m->nr_valued++, index;
	model_room(m, VALUES_WORDS + 1);
	index = m->cursor;
	m->cursor += by_agent ? VALUES_WORDS : VALUES_WORDS + 1;
	if (by_agent) {
		put_values(index, 0, number);
		model_interrupt(m);
		model_room(m, 1);
		index = m->cursor++;
	}
	model_interrupt(m);
	uint64_t time = m->time++;
	if (!by_agent) {
		put_values(index, time, number);
		index += VALUES_WORDS;
	}
	*at(index) = fc_record(time, (uint32_t)(number % MANY_VALUED), FC_ENTRY_ONLY);
	m->nr_put++;
	m->sum_put += time;
}

static void model_run(struct model *m, int nr)
{
	while (nr-- > 0) {
		if (!dice(m, 10))
			model_valued(m);
		else if (dice(m, 40))
			model_stub(m);
		else
			model_mark(m);
		model_interrupt(m);
	}
}

static void play(struct model m)
{
	enum { RUNS = 200000 };
	m.seed = 88172645463325252ull + m.room;
	m.time = (1ull << FC_RECORD_TICK_BITS) - 1000;
	start_at(0);
	for (int i = 0; i < RUNS; i++)
		model_run(&m, 1 + dice(&m, 4));
	uint64_t tail;
	do {
		tail = ring.next;
		model_take(&m);
	} while (ring.next != tail);
	assert_int_equal(ring.next, m.cursor);
	assert_int_equal(m.nr_lost, 0);
	assert_int_equal(m.nr_taken, m.nr_put);
	assert_int_equal(m.sum_taken, m.sum_put);
	assert_int_equal(fc_ring_clear(&ring), 0);
	expect_empty_ring();
	assert_true(m.nr_put > 3 * ring_words);
	assert_true(!m.longest || m.nr_over > 100);
}

static void every_record_comes_out_once_in_order_of_time(void **state)
{
	play((struct model){ .room = ROOM });
	play((struct model){ .room = FC_RING_ROOM });
}

static void holes_that_are_skipped_keep_the_order(void **state)
{
	play((struct model){ .room = ROOM, .may_skip = true });
}

/* Interrupted between clock and write, and skipped: its place is already taken by others. */
static void every_record_comes_out_once_even_if_it_comes_late(void **state)
{
	play((struct model){ .room = ROOM, .late_clock = true });
	play((struct model){
		.room = ROOM, .late_clock = true, .may_skip = true, .is_late = true });
}

/* Handlers that make more calls than half a ring holds, and are interrupted themselves. */
static void nothing_is_lost_in_a_small_ring(void **state)
{
	ring_words = 1024;
	play((struct model){
		.room = ROOM, .longest = 400, .late_clock = true, .is_late = true });
	play((struct model){ .room = FC_RING_ROOM,
			     .longest = 400,
			     .late_clock = true,
			     .may_skip = true,
			     .is_late = true });
	ring_words = RING_WORDS;
}

/* A handler that calls more than a ring holds: the record that it interrupted comes after. */
static void a_handler_may_fill_the_ring_many_times(void **state)
{
	struct model m = {
		.room = ROOM, .seed = 7, .time = 1000, .depth = 7, .may_skip = true
	};
	start_at(0);
	uint64_t hole = m.cursor++;
	model_run(&m, 3 * RING_WORDS);
	model_take(&m);
	assert_int_equal(m.nr_lost, 0);
	assert_int_equal(m.nr_taken, m.nr_put);
	assert_int_equal(m.sum_taken, m.sum_put);
	uint64_t time = m.time++;
	put(hole, time);
	EXPECT(entry(time));
	assert_int_equal(fc_ring_clear(&ring), 0);
}

/*
 * What a strand may leave in a ring: mostly records in order, now and then one that was
 * overtaken, a mark, filler, a word not written yet (few: those given up are told when taking
 * ends).
 */
static size_t make_words(uint64_t *to, size_t room, unsigned seed)
{
	struct model m = { .seed = 88172645463325252ull + seed };
	uint64_t time = (1ull << FC_RECORD_TICK_BITS) - 2000;
	size_t nr = 0, nr_holes = 0;
	while (nr + 16 < room) {
		uint32_t what = dice(&m, seed % 3 ? 200 : 12);
		time += dice(&m, 3); /* equal times, too */
		if (what == 0) {
			to[nr++] = entry(time + 1 + dice(&m, 4));
		} else if (what == 1) {
			const uint64_t values[] = { dice(&m, 2) ? 0 : entry(time - 50),
						    dice(&m, 9) };
			fc_mark_pack(values, 2, to + nr + 1);
			to[nr] = mark_head(time, 2);
			nr += 4;
		} else if (what == 2) {
			to[nr++] = FC_PAD;
		} else if (what == 3 && nr_holes < FC_RING_HELD) {
			nr_holes++;
			to[nr++] = 0;
			to[nr++] = entry(time);
		} else {
			to[nr++] = fc_record(time, hash(time), (enum fc_kind)(1 + dice(&m, 5)));
		}
	}
	return nr;
}

/* All that comes out when room is given each time; holes are passed over. */
static size_t take_all(const uint64_t *in, size_t nr, uint64_t index, size_t room,
		       uint64_t *ret)
{
	size_t sum = 0;
	start_at(index);
	for (size_t i = 0; i < nr; i++)
		*at(index + i) = in[i];
	while (ring.next < index + nr) {
		size_t got = fc_ring_take(&ring, taken, room);
		memcpy(ret + sum, taken, got * sizeof(*taken));
		sum += got;
		if (!got)
			fc_ring_skip_hole(&ring);
	}
	fc_ring_clear(&ring);
	expect_empty_ring();
	return sum;
}

/* With room for less than a line they are taken one by one. */
static void lines_taken_at_once_are_as_words_taken_one_by_one(void **state)
{
	enum { NR = 4000, BARE = FC_RING_ROOM - 8 };
	static uint64_t in[NR], one_by_one[2 * NR], at_once[2 * NR];
	for (unsigned seed = 1; seed < 120; seed++) {
		size_t nr = make_words(in, NR, seed);
		uint64_t index = RING_WORDS - 2000 + seed % 8;
		size_t expected = take_all(in, nr, index, BARE, one_by_one);
		assert_int_equal(take_all(in, nr, index, ROOM, at_once), expected);
		assert_memory_equal(at_once, one_by_one, expected * sizeof(*at_once));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_ring_gives_nothing),
		cmocka_unit_test(words_are_taken_as_they_become_non_zero),
		cmocka_unit_test(it_goes_round),
		cmocka_unit_test(a_mark_that_does_not_fit_stands_behind_filler),
		cmocka_unit_test(a_mark_may_lie_across_the_end),
		cmocka_unit_test(a_record_waits_for_those_of_the_handler_that_interrupted_it),
		cmocka_unit_test(values_have_no_time_of_their_own),
		cmocka_unit_test(values_behind_a_line_have_the_time_of_its_last_record),
		cmocka_unit_test(two_interrupted_writers_wait_in_turn),
		cmocka_unit_test(a_record_waits_for_those_behind_filler),
		cmocka_unit_test(filler_holds_nothing_up),
		cmocka_unit_test(the_clock_may_wrap_between_records),
		cmocka_unit_test(what_does_not_fit_is_left_for_the_next_time),
		cmocka_unit_test(a_held_record_outlasts_a_full_buffer),
		cmocka_unit_test(only_a_hole_with_words_behind_it_is_skipped),
		cmocka_unit_test(what_is_written_meanwhile_is_no_hole),
		cmocka_unit_test(holes_may_lie_side_by_side),
		cmocka_unit_test(a_hole_filled_late_takes_its_place),
		cmocka_unit_test(a_hole_is_not_given_back_to_the_writer),
		cmocka_unit_test(a_hole_is_kept_aside_after_half_a_round),
		cmocka_unit_test(what_is_written_late_is_no_word_behind_a_hole),
		cmocka_unit_test(a_hole_never_filled_is_no_lost_record),
		cmocka_unit_test(a_late_record_never_stands_within_the_handlers_calls),
		cmocka_unit_test(a_late_record_waits_for_what_was_written_before_it),
		cmocka_unit_test(a_record_that_an_unwinder_undid_is_none),
		cmocka_unit_test(nothing_is_lost_in_a_small_ring),
		cmocka_unit_test(
			the_loss_of_a_hole_has_the_time_of_the_last_record_not_of_a_marks_words),
		cmocka_unit_test(with_many_holes_the_oldest_is_given_up),
		cmocka_unit_test(every_record_comes_out_once_in_order_of_time),
		cmocka_unit_test(holes_that_are_skipped_keep_the_order),
		cmocka_unit_test(every_record_comes_out_once_even_if_it_comes_late),
		cmocka_unit_test(a_handler_may_fill_the_ring_many_times),
		cmocka_unit_test(lines_taken_at_once_are_as_words_taken_one_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
