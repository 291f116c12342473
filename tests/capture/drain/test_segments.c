/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is recalled of a ring that nobody drains: a model writes it as the agent does, and a
 * record's function is the number of the record, so that what comes out can be counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after those it needs */
#include <cmocka.h>

#include "capture/agent/abi.h"
#include "capture/drain/segments.h"
#include "trace/record.h"

#define RING_WORDS 16384
#define NR	   16 /* segments */
#define WORDS	   (RING_WORDS / NR)
#define START	   (1ull << 45)
#define TURN	   (1ull << FC_RECORD_TICK_BITS)

static uint64_t ring[RING_WORDS];

/* The writer. */
static struct {
	uint64_t seq, before, tsc;
	uint64_t *next, *end;
	uint32_t open[2000];
	uint32_t depth;
	uint64_t step; /* ticks from a record to the next */
} w;

static void start(void)
{
	memset(ring, 0, sizeof(ring));
	memset(&w, 0, sizeof(w));
	w.tsc = START;
	w.step = 10;
}

static void begin_segment(void)
{
	uint64_t *words = ring + w.seq % NR * WORDS;
	struct fca_segment *segment = (struct fca_segment *)words;
	uint32_t max = fca_segment_told_max(WORDS);

	memset(words, 0, WORDS * sizeof(*words));
	segment->before = w.before;
	segment->tsc = w.tsc;
	segment->depth = w.depth;
	segment->nr_told = w.depth < max ? w.depth : max;
	for (uint32_t i = 0; i < segment->nr_told; i++)
		segment->func[i] = w.open[w.depth - 1 - i];
	segment->sum = fca_segment_sum(segment, ++w.seq);
	segment->seq = w.seq;
	w.next = words + fca_segment_head(segment->nr_told);
	w.end = words + WORDS;
}

static uint64_t *reserve(uint32_t nr)
{
	if (!w.next || w.next + nr > w.end)
		begin_segment();
	uint64_t *at = w.next;
	w.next += nr;
	w.before++;
	w.tsc += w.step;
	return at;
}

static void put(uint32_t func, enum fc_kind kind)
{
	uint64_t *at = reserve(1);

	*at = fc_record(w.tsc, func, kind);
	if (kind == FC_ENTRY)
		w.open[w.depth++] = func;
	else if (kind == FC_EXIT)
		w.depth--;
	else if (kind == FC_POP)
		w.depth = func;
}

static uint32_t number(void)
{
	return (uint32_t)w.before + 1;
}

/* Calls that return at once, until so many records are written. */
static void put_many(uint64_t until)
{
	while (w.before < until) {
		uint32_t func = number();
		put(func, FC_ENTRY);
		put(func, FC_EXIT);
	}
}

static struct fc_recall recall(void)
{
	struct fc_recall ret;
	fc_segments_recall(ring, RING_WORDS, w.tsc, &ret);
	return ret;
}

/* All batches are made of whole records, with times that do not go back. */
static void check_batches(const struct fc_recall *recall)
{
	size_t nr = 0;
	uint64_t last = 0;
	fc_vec_each (&recall->batches, batch) {
		size_t end = nr + batch->nr_words;
		assert_true(end <= recall->words.nr);
		while (nr < end) {
			uint64_t word = recall->words.at[nr];
			uint64_t tsc = fc_record_tsc(word, batch->now_tsc);
			assert_true(tsc >= last && tsc <= batch->now_tsc);
			last = tsc;
			nr += 1 + fc_record_words(word);
		}
		assert_int_equal(nr, end);
	}
	assert_int_equal(nr, recall->words.nr);
}

static void a_ring_that_is_not_full_is_told_from_the_first_record(void **state)
{
	start();
	put_many(100);
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.words.nr, 100);
	assert_int_equal(r.nr_records, 100);
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(fc_record_func(r.words.at[i]), i / 2 * 2 + 1);
	assert_int_equal(fc_record_tsc(r.words.at[0], w.tsc), START + 10);
	fc_recall_deinit(&r);
}

static void the_newest_records_are_there_and_the_others_counted(void **state)
{
	start();
	put(1, FC_ENTRY);
	put_many(200001);
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.nr_records, w.before);

	assert_int_equal(fc_record_mark(r.words.at[0]), FC_MARK_RESUME);
	uint64_t missing = r.words.at[1];
	assert_int_equal(r.words.at[2], 2); /* one call is open */
	assert_int_equal(r.words.at[3], 0);
	assert_int_equal(fc_record_kind(r.words.at[4]), FC_ENTRY);
	assert_int_equal(fc_record_func(r.words.at[4]), 1);
	assert_int_equal(missing + r.words.nr - 5, w.before);
	assert_true(r.words.nr > RING_WORDS - 2 * WORDS);
	for (size_t i = 5; i < r.words.nr; i++) {
		uint32_t nr = (uint32_t)(missing + i - 4); /* this record's number */
		assert_int_equal(fc_record_func(r.words.at[i]), nr / 2 * 2);
	}
	fc_recall_deinit(&r);
}

static void of_deep_calls_the_innermost_are_told_and_depths_count_from_there(void **state)
{
	uint32_t told = fca_segment_told_max(WORDS);
	start();
	for (uint32_t i = 0; i < 1000; i++)
		put(number(), FC_ENTRY);
	put_many(100000);
	put(990, FC_POP);
	put(400, FC_POP); /* further out than those told */
	put_many(100102);
	struct fc_recall r = recall();
	check_batches(&r);
	uint64_t hidden = r.words.at[3]; /* one more when the segment begins within a call */
	assert_int_equal(r.words.at[2], told + 1);
	assert_in_range(hidden, 1000 - told, 1001 - told);
	assert_int_equal(fc_record_func(r.words.at[4]), hidden + 1);
	uint32_t pops[2] = { 0 }, nr_pops = 0;
	for (size_t i = 4; i < r.words.nr; i++)
		if (fc_record_kind(r.words.at[i]) == FC_POP)
			pops[nr_pops++ % 2] = fc_record_func(r.words.at[i]);
	assert_int_equal(nr_pops, 2);
	assert_int_equal(pops[0], 990 - hidden);
	assert_int_equal(pops[1], 0);
	fc_recall_deinit(&r);
}

static void a_late_record_is_put_in_order(void **state)
{
	start();
	put_many(10);
	uint64_t *late = reserve(1);
	put_many(20);
	*late = fc_record(w.tsc + 5, 999, FC_ENTRY_ONLY);
	put_many(30);
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.words.nr, w.before);
	assert_int_equal(fc_record_func(r.words.at[20]), 999);
	fc_recall_deinit(&r);
}

static void a_record_of_an_earlier_round_is_lost(void **state)
{
	start();
	w.step = 1000;
	put_many(50000);
	uint64_t *late = reserve(1);
	put_many(50010);
	*late = fc_record(START + 5, 999, FC_ENTRY_ONLY);
	struct fc_recall r = recall();
	check_batches(&r);
	for (size_t i = 0; i + 1 < r.words.nr; i++)
		assert_int_not_equal(fc_record_func(r.words.at[i]), 999);
	assert_int_equal(fc_record_mark(r.words.at[r.words.nr - 2]), FC_MARK_LOST);
	assert_int_equal(r.words.at[r.words.nr - 1], 1);
	fc_recall_deinit(&r);
}

static void a_word_that_was_never_written_is_no_record(void **state)
{
	start();
	put_many(10);
	reserve(1);
	put_many(20);
	struct fc_recall r = recall();
	assert_int_equal(r.words.nr, 19 + 1);
	check_batches(&r);
	fc_recall_deinit(&r);
}

/* Whatever is there of it. Its values look like records. */
static void a_mark_that_was_never_whole_is_none_and_its_values_are_not(void **state)
{
	for (int there = 0; there < 15; there++) {
		start();
		put_many(10);
		uint64_t values[2] = { fc_record(w.tsc, 999, FC_ENTRY), 0 }, parts[4];
		uint64_t *mark = reserve(4);
		parts[0] = fc_record(w.tsc, fc_mark_func(FC_MARK_FORK, 2), FC_MARK);
		fc_mark_pack(values, 2, parts + 1);
		for (int i = 0; i < 4; i++)
			mark[i] = there >> i & 1 ? parts[i] : 0;
		put_many(20);
		struct fc_recall r = recall();
		check_batches(&r);
		assert_int_equal(r.words.nr, 19 + 1);
		fc_recall_deinit(&r);
	}
}

static void after_a_long_pause_the_full_time_is_told(void **state)
{
	start();
	put_many(10);
	w.tsc += 5 * TURN + 12345;
	uint64_t *sync = reserve(3);
	fc_mark_pack(&w.tsc, 1, sync + 1);
	sync[0] = fc_record(w.tsc, fc_mark_func(FC_MARK_SYNC, 1), FC_MARK);
	uint64_t then = w.tsc;
	put_many(21);
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.words.nr, w.before - 1);
	assert_int_equal(r.batches.nr, 2);
	assert_int_equal(r.batches.at[0].nr_words, 10);
	assert_int_equal(r.batches.at[0].now_tsc, START + 100);
	assert_int_equal(fc_record_tsc(r.words.at[10], r.batches.at[1].now_tsc), then + 10);
	fc_recall_deinit(&r);
}

static void slow_records_are_told_in_several_batches(void **state)
{
	start();
	w.step = TURN / 16 * 3;
	put_many(100);
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.words.nr, 100);
	assert_true(r.batches.nr > 30);
	assert_int_equal(r.last_tsc, w.tsc);
	fc_recall_deinit(&r);
}

static void without_a_segment_in_between_the_rest_is_resumed(void **state)
{
	start();
	put(7, FC_ENTRY);
	put_many(100001);
	uint64_t *words = ring + (w.seq - 5) % NR * WORDS;
	words[3] ^= 1; /* its head is not sound */
	struct fc_recall r = recall();
	check_batches(&r);
	assert_int_equal(r.nr_records, w.before);
	uint32_t nr_resumes = 0;
	uint64_t missing = 0, told = 0;
	for (size_t i = 0; i < r.words.nr; i += 1 + fc_record_words(r.words.at[i])) {
		told++;
		if (fc_record_kind(r.words.at[i]) != FC_MARK)
			continue;
		assert_int_equal(fc_record_mark(r.words.at[i]), FC_MARK_RESUME);
		nr_resumes++;
		missing += r.words.at[i + 1];
	}
	assert_int_equal(nr_resumes, 2);
	assert_int_equal(missing + told - 2 * 2, w.before); /* without marks and what is open */
	fc_recall_deinit(&r);
}

/* While it is copied the writer goes on. */
struct racer {
	uint64_t nr_words, go_on_at;
};

static bool read_while_it_writes(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	struct racer *racer = ctx;
	for (size_t i = 0; i < nr; i++) {
		if (++racer->nr_words == racer->go_on_at)
			put_many(w.before + 3 * WORDS / 2);
		ret[i] = ring[at + i];
	}
	return true;
}

static void what_is_overwritten_while_it_is_copied_is_left_out(void **state)
{
	enum { STEP = 101 };
	for (uint64_t go_on_at = 1; go_on_at < RING_WORDS; go_on_at += STEP) {
		static uint64_t copy[RING_WORDS];
		struct racer racer = { .go_on_at = go_on_at };
		struct fc_recall r;
		start();
		put_many(100000);
		assert_true(fc_segments_copy(RING_WORDS, read_while_it_writes, &racer, copy));
		fc_segments_recall(copy, RING_WORDS, w.tsc, &r);
		check_batches(&r);
		uint64_t missing = 0, told = 0, last = 0, nr_open = 0;
		for (size_t i = 0; i < r.words.nr; i += 1 + fc_record_words(r.words.at[i])) {
			uint64_t word = r.words.at[i];
			if (fc_record_kind(word) == FC_MARK) {
				missing += r.words.at[i + 1];
				nr_open = r.words.at[i + 2] - 1;
				continue;
			}
			if (nr_open && nr_open--)
				continue; /* was open: no record of the strand's */
			told++;
			assert_true(fc_record_func(word) >= last);
			last = fc_record_func(word);
			assert_int_equal(last, (missing + told - 1) / 2 * 2 + 1);
		}
		assert_true(told > (NR - 5) * (WORDS - 10));
		fc_recall_deinit(&r);
	}
}

static bool read_nothing(void *ctx, uint64_t at, uint64_t *ret, size_t nr)
{
	return false;
}

static void a_ring_that_cannot_be_read_is_said_to_be_so(void **state)
{
	static uint64_t copy[RING_WORDS];
	assert_false(fc_segments_copy(RING_WORDS, read_nothing, NULL, copy));
}

static void any_words_at_all_are_read_without_harm(void **state)
{
	srand(1);
	for (int round = 0; round < 300; round++) {
		start();
		put_many(30000 + (uint64_t)rand() % 3000);
		int nr = round % 3 ? 1 + rand() % 200 : RING_WORDS;
		for (int i = 0; i < nr; i++) {
			uint64_t word = (uint64_t)rand() << 40 ^ (uint64_t)rand() << 20 ^ rand();
			ring[rand() % RING_WORDS] = rand() % 4 ? word : word & 0xff;
		}
		/* Heads that fit but tell anything: what else is in a segment is not summed. */
		for (int i = 0; i < NR && round % 2; i++) {
			struct fca_segment *s = (struct fca_segment *)(ring + i * WORDS);
			s->nr_told %= fca_segment_told_max(WORDS) + 1;
			s->sum = fca_segment_sum(s, s->seq);
		}
		struct fc_recall r = recall();
		check_batches(&r);
		assert_true(r.words.nr < 3 * RING_WORDS);
		fc_recall_deinit(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ring_that_is_not_full_is_told_from_the_first_record),
		cmocka_unit_test(the_newest_records_are_there_and_the_others_counted),
		cmocka_unit_test(of_deep_calls_the_innermost_are_told_and_depths_count_from_there),
		cmocka_unit_test(a_late_record_is_put_in_order),
		cmocka_unit_test(a_record_of_an_earlier_round_is_lost),
		cmocka_unit_test(a_word_that_was_never_written_is_no_record),
		cmocka_unit_test(a_mark_that_was_never_whole_is_none_and_its_values_are_not),
		cmocka_unit_test(after_a_long_pause_the_full_time_is_told),
		cmocka_unit_test(slow_records_are_told_in_several_batches),
		cmocka_unit_test(without_a_segment_in_between_the_rest_is_resumed),
		cmocka_unit_test(what_is_overwritten_while_it_is_copied_is_left_out),
		cmocka_unit_test(a_ring_that_cannot_be_read_is_said_to_be_so),
		cmocka_unit_test(any_words_at_all_are_read_without_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
