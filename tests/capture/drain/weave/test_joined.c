/* SPDX-License-Identifier: Apache-2.0 */
/* What several wells tell comes in order of time, and no earlier than all have told up to then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "capture/drain/weave/joined.h"
#include "trace/record.h"

enum { BASE = 1000000 };

/* A well that tells what it is given. */
struct source {
	struct fc_well well;
	struct fc_tap *tap;
	struct {
		int tid;
		uint64_t tsc;
		uint32_t func;
	} at[8];
	size_t nr;
	uint64_t until;
	int nr_followed;
	bool is_refused, is_stopped;
};

static char text[512];

static int take_down(struct fc_tap *tap, const struct fc_strand_info *strand,
		     const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	size_t at = strlen(text);
	if (!nr)
		snprintf(text + at, sizeof(text) - at, "until %d; ", (int)(now_tsc - BASE));
	for (size_t i = 0; i < nr; i++) {
		at = strlen(text);
		snprintf(text + at, sizeof(text) - at, "%d:%u@%d; ", strand->tid,
			 fc_record_func(words[i]),
			 (int)(fc_record_tsc(words[i], now_tsc) - BASE));
	}
	return 0;
}

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct source *source = (struct source *)well;
	source->tap = tap;
	return source->is_refused ? -1 : 0;
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct source *source = (struct source *)well;
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE };
	size_t nr = source->nr;
	for (size_t i = 0; i < nr; i++) {
		uint64_t tsc = BASE + source->at[i].tsc;
		uint64_t word = fc_record(tsc, source->at[i].func, FC_ENTRY);
		strand.tid = source->at[i].tid;
		source->tap->records(source->tap, &strand, &word, 1, tsc);
	}
	strand.tid = 0;
	source->tap->records(source->tap, &strand, NULL, 0, BASE + source->until);
	source->nr = 0;
	return nr;
}

static void follow(struct fc_well *well, int tid)
{
	((struct source *)well)->nr_followed++;
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	((struct source *)well)->is_stopped = true;
	take(well, now_tsc);
}

static const struct fc_well ops = {
	.start = start, .take = take, .follow = follow, .stop = stop
};

static void add(struct source *source, int tid, uint64_t tsc, uint32_t func)
{
	source->at[source->nr].tid = tid;
	source->at[source->nr].tsc = tsc;
	source->at[source->nr++].func = func;
}

static void they_come_in_order_of_time(void **state)
{
	struct source one = { .well = ops }, other = { .well = ops };
	struct fc_well *const wells[] = { &one.well, &other.well, NULL };
	struct fc_tap tap = { .records = take_down };
	struct fc_numbers numbers = { 0 };
	struct fc_joined *joined = fc_joined_create(wells);
	struct fc_well *well = fc_joined_well(joined);
	assert_null(well->call);
	assert_int_equal(well->start(well, &numbers, &tap), 0);
	well->follow(well, 7);
	assert_int_equal(one.nr_followed + other.nr_followed, 2);

	/* One of them tells thread by thread, and is behind. */
	*text = '\0';
	add(&one, 7, 10, 1);
	add(&one, 8, 30, 2);
	add(&one, 7, 50, 3);
	one.until = 60;
	add(&other, 7, 20, 4);
	add(&other, 7, 41, 5);
	add(&other, 8, 15, 6);
	other.until = 40;
	assert_int_equal(well->take(well, 0), 6);
	assert_string_equal(text, "7:1@10; 8:6@15; 7:4@20; 8:2@30; until 40; ");

	/* Of one time the first that was told is the first. */
	*text = '\0';
	add(&one, 7, 70, 8);
	add(&one, 7, 70, 9);
	one.until = 100;
	add(&other, 8, 70, 10);
	other.until = 90;
	well->take(well, 0);
	assert_string_equal(text, "7:5@41; 7:3@50; 7:8@70; 7:9@70; 8:10@70; until 90; ");

	*text = '\0';
	add(&one, 7, 110, 11);
	add(&other, 7, 105, 12);
	well->stop(well, 0);
	assert_true(one.is_stopped && other.is_stopped);
	assert_memory_equal(text, "7:12@105; 7:11@110; until ", 25);
	fc_joined_destroy(joined);
}

static void if_one_cannot_start_none_has(void **state)
{
	struct source one = { .well = ops }, other = { .well = ops, .is_refused = true };
	struct fc_well *const wells[] = { &one.well, &other.well, NULL };
	struct fc_tap tap = { .records = take_down };
	struct fc_numbers numbers = { 0 };
	struct fc_joined *joined = fc_joined_create(wells);
	struct fc_well *well = fc_joined_well(joined);
	assert_int_equal(well->start(well, &numbers, &tap), -1);
	assert_true(one.is_stopped);
	assert_false(other.is_stopped);
	fc_joined_destroy(joined);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_come_in_order_of_time),
		cmocka_unit_test(if_one_cannot_start_none_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
