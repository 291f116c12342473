/* SPDX-License-Identifier: Apache-2.0 */
/* Strands that come one after the other are told in order of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calls/merge.h"

static char text[1024];
static uint64_t last_tsc, nr_events;

__attribute__((format(printf, 1, 2))) static void note(const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, ap);
	va_end(ap);
}

static void on_event(void *ctx, const struct fc_event *event)
{
	assert_true(event->tsc >= last_tsc);
	last_tsc = event->tsc;
	nr_events++;
	note("%u@%u ", event->strand, (unsigned int)event->tsc);
}

static void on_end(void *ctx, const struct fc_strand_info *strand, uint64_t tsc)
{
	note("end%u@%u ", strand->id, (unsigned int)tsc);
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	note("%s@%u ", life->text, (unsigned int)life->tsc);
}

static const struct fc_merge_out out = { on_event, on_end, on_life, NULL };

static int setup(void **state)
{
	text[0] = 0;
	last_tsc = nr_events = 0;
	*state = fc_merge_create(&out);
	return 0;
}

static int teardown(void **state)
{
	fc_merge_destroy(*state);
	return 0;
}

static void give(struct fc_merge *merge, uint32_t strand, uint64_t first, uint64_t second)
{
	struct fc_strand_info info = { .id = strand, .pid = 7, .tid = 7 };
	uint64_t words[] = { fc_record(first, 1, FC_ENTRY),
			     fc_record(first + 1, fc_mark_func(FC_MARK_SYNC, 1), FC_MARK),
			     first, fc_record(second, 1, FC_EXIT) };
	fc_merge_records(merge, &info, words, 4, 1000);
}

static void strands_are_told_in_order_of_time(void **state)
{
	give(*state, 1, 10, 40);
	give(*state, 2, 20, 30);
	fc_merge_until(*state, UINT64_MAX);
	assert_string_equal(text, "1@10 1@11 2@20 2@21 2@30 1@40 ");
}

static int tids[16];

static void note_tid(void *ctx, const struct fc_event *event)
{
	assert_int_not_equal(event->kind, FC_MARK);
	tids[nr_events++] = event->tid;
}

/* Words of several threads wait at the same time. */
static void each_record_is_told_with_the_thread_that_was_on_its_strand(void **state)
{
	static const struct fc_merge_out tell_tids = { note_tid, on_end, on_life, NULL };
	static const int turns[] = { 7, 8, 9, 8, 8, 7 };
	struct fc_merge *merge = fc_merge_create(&tell_tids);
	nr_events = 0;
	for (uint64_t i = 0; i < 6; i++) {
		struct fc_strand_info info = { .id = 1, .pid = 7, .tid = turns[i] };
		uint64_t word = fc_record(10 * i + 10, 1, FC_ENTRY_ONLY);
		fc_merge_records(merge, &info, &word, 1, 1000);
		if (i == 3)
			fc_merge_until(merge, 25);
	}
	fc_merge_until(merge, UINT64_MAX);
	assert_int_equal(nr_events, 6);
	assert_memory_equal(tids, turns, sizeof(turns));
	fc_merge_destroy(merge);
}

static void what_is_too_young_waits(void **state)
{
	give(*state, 1, 10, 40);
	fc_merge_until(*state, 30);
	assert_string_equal(text, "1@10 1@11 ");
	give(*state, 2, 20, 35);
	fc_merge_until(*state, 36);
	fc_merge_until(*state, UINT64_MAX);
	assert_string_equal(text, "1@10 1@11 2@20 2@21 2@35 1@40 ");
}

static void lives_and_ends_stand_where_they_happened(void **state)
{
	struct fc_strand_info strand = { .id = 1, .pid = 7, .tid = 7 };
	struct fc_life_info begins = { .tsc = 5, .text = "begins" };
	struct fc_life_info ends = { .tsc = 40, .text = "ends" };

	give(*state, 1, 10, 40);
	fc_merge_strand_end(*state, &strand, 50);
	fc_merge_life(*state, &begins);
	fc_merge_life(*state, &ends);
	fc_merge_until(*state, UINT64_MAX);
	assert_string_equal(text, "begins@5 1@10 1@11 1@40 ends@40 end1@50 ");
}

static void many_strands_in_many_rounds_stay_in_order(void **state)
{
	srand(1);
	for (uint64_t round = 1; round <= 20; round++) {
		for (uint32_t strand = 1; strand <= 40; strand++) {
			uint64_t first = round * 40 + (uint64_t)rand() % 20;
			if (rand() % 3)
				give(*state, strand, first, first + 2 + (uint64_t)rand() % 18);
		}
		fc_merge_until(*state, round * 40);
	}
	uint64_t before = nr_events;
	fc_merge_until(*state, UINT64_MAX);
	assert_true(nr_events > before);
	fc_merge_until(*state, UINT64_MAX);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(strands_are_told_in_order_of_time),
		TEST(each_record_is_told_with_the_thread_that_was_on_its_strand),
		TEST(what_is_too_young_waits),
		TEST(lives_and_ends_stand_where_they_happened),
		TEST(many_strands_in_many_rounds_stay_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
