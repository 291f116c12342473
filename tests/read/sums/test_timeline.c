/* SPDX-License-Identifier: Apache-2.0 */
/* The time line: bounded, whatever is told, and true in all that it keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "read/sums/timeline.h"

enum { MAIN = 1, A, B };

static void leave(struct fc_timeline *timeline, uint32_t strand, uint32_t func, uint32_t depth,
		  uint64_t begin, uint64_t end)
{
	struct fc_call_sink *sink = fc_timeline_sink(timeline);
	struct fc_call call = { .func = func, .strand = strand, .pid = 7, .tid = (int)strand,
				.depth = depth, .begin_tsc = begin, .end_tsc = end };
	sink->leave(sink, &call);
}

static void finish(struct fc_timeline *timeline)
{
	struct fc_call_sink *sink = fc_timeline_sink(timeline);
	sink->finish(sink);
}

static struct fc_timeline *create(size_t spans, uint32_t tracks, uint32_t levels)
{
	struct fc_timeline_opts opts = { spans, tracks, levels };
	return fc_timeline_create(&opts);
}

static uint64_t calls_in(const struct fc_timeline *timeline)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < fc_timeline_nr(timeline); i++)
		calls += fc_timeline_span(timeline, i)->calls;
	return calls;
}

/* In order, and none over another of its track and depth. */
static void assert_apart(const struct fc_timeline *timeline)
{
	for (size_t i = 1; i < fc_timeline_nr(timeline); i++) {
		const struct fc_timeline_span *a = fc_timeline_span(timeline, i - 1), *b = a + 1;
		if (a->track == b->track && a->depth == b->depth)
			assert_true(a->end_tsc <= b->begin_tsc);
		else
			assert_true(a->track < b->track ||
				    (a->track == b->track && a->depth < b->depth));
	}
}

static void calls_are_kept_by_themselves_while_there_is_room(void **state)
{
	struct fc_timeline *timeline = create(100, 10, 10);

	leave(timeline, 1, A, 1, 1100, 1300);
	leave(timeline, 1, B, 1, 1300, 1500);
	leave(timeline, 1, MAIN, 0, 1000, 2000);
	finish(timeline);
	assert_int_equal(fc_timeline_nr(timeline), 3);
	assert_int_equal(fc_timeline_span(timeline, 0)->func, MAIN);
	assert_int_equal(fc_timeline_span(timeline, 1)->func, A);
	assert_int_equal(fc_timeline_span(timeline, 2)->begin_tsc, 1300);
	assert_int_equal(fc_timeline_span(timeline, 2)->end_tsc, 1500);
	fc_timeline_destroy(timeline);
}

static void short_calls_of_one_step_are_one_span_named_after_the_longest(void **state)
{
	struct fc_timeline *timeline = create(100, 10, 10);

	leave(timeline, 1, A, 0, 6400, 6410);
	leave(timeline, 1, B, 0, 6411, 6440);
	leave(timeline, 1, A, 0, 6441, 6460);
	finish(timeline);
	const struct fc_timeline_span *span = fc_timeline_span(timeline, 0);
	assert_int_equal(fc_timeline_nr(timeline), 1);
	assert_int_equal(span->calls, 3);
	assert_int_equal(span->func, B);
	assert_int_equal(span->longest, 29);
	assert_int_equal(span->begin_tsc, 6400);
	assert_int_equal(span->end_tsc, 6460);
	fc_timeline_destroy(timeline);
}

static void leave_with(struct fc_timeline *timeline, uint64_t begin, uint64_t end, uint64_t word)
{
	struct fc_call_sink *sink = fc_timeline_sink(timeline);
	struct fc_call_values values = { .args = &word, .nr_args = 1 };
	struct fc_call call = { .func = A, .strand = 1, .begin_tsc = begin, .end_tsc = end,
				.values = &values };
	sink->leave(sink, &call);
}

static void a_span_has_the_values_of_its_longest_call(void **state)
{
	struct fc_timeline *timeline = fc_timeline_create(
		&(struct fc_timeline_opts){ 16, 10, 10, .has_values = true });

	leave_with(timeline, 6400, 6410, 1);
	leave_with(timeline, 6411, 6440, 2);
	leave_with(timeline, 6441, 6460, 3);
	leave(timeline, 1, B, 0, 7000, 8000);
	for (uint64_t i = 0; i < 1000; i++)
		leave_with(timeline, 10000 + 100 * i, 10090 + 100 * i + i % 8, i);
	finish(timeline);
	assert_true(fc_timeline_nr(timeline) <= 16);
	for (size_t i = 0; i < fc_timeline_nr(timeline); i++) {
		const struct fc_timeline_span *span = fc_timeline_span(timeline, i);
		bool is_of_b = span->begin_tsc <= 7000 && span->end_tsc >= 8000;
		assert_int_equal(!span->values, is_of_b);
		if (span->values && span->begin_tsc > 8000)
			assert_int_equal(90 + span->values->args[0] % 8, span->longest);
	}
	fc_timeline_destroy(timeline);
}

/* Random calls beside and in one another; the end of what was written. */
static uint64_t tell(struct fc_timeline *timeline, uint32_t depth, uint64_t at, uint64_t *nr)
{
	uint64_t begin = at;

	at += (uint64_t)rand() % 40;
	if (depth < 12 && rand() % 100 < 60)
		for (int children = rand() % 5; children > 0; children--)
			at = tell(timeline, depth + 1, at + (uint64_t)rand() % 300, nr);
	at += rand() % 50 ? 5 : (uint64_t)rand() % 20000;
	leave(timeline, (uint32_t)(1 + *nr / 5000 % 3), (uint32_t)(1 + rand() % 20), depth, begin,
	      at);
	++*nr;
	return at;
}

static void spans_stay_few_and_hold_all_calls(void **state)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fc_timeline *timeline = create(500, 10, 64);
		uint64_t nr = 0, at = 1000000;
		srand(seed);
		for (int i = 0; i < 3000; i++)
			at = tell(timeline, 0, at + 10, &nr);
		finish(timeline);
		assert_in_range(fc_timeline_nr(timeline), 50, 500);
		assert_int_equal(calls_in(timeline), nr);
		fc_timeline_destroy(timeline);
	}
}

/* A strand's own calls, as a stack machine tells them, never overlap; nor do spans. */
static void spans_do_not_overlap(void **state)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fc_timeline *timeline = create(300, 1, 64);
		uint64_t at = 1000000;
		srand(seed);
		for (int i = 0; i < 2000; i++) {
			uint64_t nr = 0; /* below 5000: all on one strand */
			at = tell(timeline, 0, at + 10, &nr);
		}
		finish(timeline);
		assert_apart(timeline);
		fc_timeline_destroy(timeline);
	}
}

static void long_calls_outlast_short_ones(void **state)
{
	struct fc_timeline *timeline = create(64, 1, 4);
	size_t nr_long = 0;

	for (uint64_t i = 0; i < 100000; i++) {
		bool is_long = i % 10000 == 5000;
		uint64_t begin = i * 1000;
		leave(timeline, 1, is_long ? B : A, 0, begin, begin + (is_long ? 900 : 10));
	}
	leave(timeline, 1, MAIN, 1, 5, 50000000);
	finish(timeline);
	for (size_t i = 0; i < fc_timeline_nr(timeline); i++) {
		const struct fc_timeline_span *span = fc_timeline_span(timeline, i);
		nr_long += span->func == B;
		if (span->depth == 1) {
			assert_int_equal(span->calls, 1);
			assert_int_equal(span->func, MAIN);
		}
	}
	/* Each names the span that it went into. */
	assert_int_equal(nr_long, 10);
	fc_timeline_destroy(timeline);
}

static void what_is_not_kept_is_counted(void **state)
{
	struct fc_timeline *timeline = create(100, 2, 3);

	for (uint32_t depth = 6; depth > 0; depth--)
		leave(timeline, 1, A, depth - 1, 1000 - depth, 1000 + depth);
	for (uint32_t strand = 2; strand < 6; strand++)
		leave(timeline, strand, B, 0, 2000, 3000);
	finish(timeline);
	assert_int_equal(fc_timeline_nr_tracks(timeline), 2);
	assert_int_equal(fc_timeline_track(timeline, 0)->calls, 6);
	assert_int_equal(fc_timeline_nr_deeper(timeline), 3);
	assert_int_equal(fc_timeline_nr_elsewhere(timeline), 3);
	assert_int_equal(calls_in(timeline), 4);
	fc_timeline_destroy(timeline);
}

/* Room for fewer spans than there are tracks and levels: levels are given up. */
static void levels_are_given_up_when_nothing_else_helps(void **state)
{
	struct fc_timeline *timeline = create(100, 40, 32);

	for (uint32_t strand = 1; strand <= 40; strand++)
		for (uint32_t depth = 32; depth > 0; depth--)
			leave(timeline, strand, A, depth - 1, 1000 - depth, 1000 + depth);
	finish(timeline);
	assert_true(fc_timeline_nr(timeline) <= 100);
	assert_true(fc_timeline_nr(timeline) >= 40);
	assert_true(fc_timeline_levels(timeline) < 32);
	assert_int_equal(calls_in(timeline) + fc_timeline_nr_deeper(timeline), 40 * 32);
	fc_timeline_destroy(timeline);
}

static void forged_times_do_no_harm(void **state)
{
	struct fc_timeline *timeline = create(16, 2, 4);

	for (uint64_t i = 0; i < 1000; i++)
		leave(timeline, 1, A, (uint32_t)(i % 9), UINT64_MAX / 7 * (i % 8), i % 3 * UINT64_MAX / 2);
	finish(timeline);
	assert_true(fc_timeline_nr(timeline) <= 16);
	assert_int_equal(calls_in(timeline) + fc_timeline_nr_deeper(timeline), 1000);
	fc_timeline_destroy(timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_kept_by_themselves_while_there_is_room),
		cmocka_unit_test(short_calls_of_one_step_are_one_span_named_after_the_longest),
		cmocka_unit_test(a_span_has_the_values_of_its_longest_call),
		cmocka_unit_test(spans_stay_few_and_hold_all_calls),
		cmocka_unit_test(spans_do_not_overlap),
		cmocka_unit_test(long_calls_outlast_short_ones),
		cmocka_unit_test(what_is_not_kept_is_counted),
		cmocka_unit_test(levels_are_given_up_when_nothing_else_helps),
		cmocka_unit_test(forged_times_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
