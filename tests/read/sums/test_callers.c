/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of callers and callees: what counts where, and that the sums are exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calls/tee.h"
#include "read/sums/callers.h"
#include "calls/test_feed.h"
#include "trace/test_mark.h"
#include "read/sums/test_sums.h"

/* What feeds it; each event takes 10 ticks. */
struct bed {
	struct fc_callers *callers;
	struct fc_calls *calls;
	uint64_t tsc;
};

static struct bed bed_of(size_t max_pairs)
{
	struct bed bed = { .callers = fc_callers_create(max_pairs) };
	bed.calls = fc_calls_create(fc_callers_sink(bed.callers));
	return bed;
}

static void bed_free(struct bed *bed)
{
	fc_calls_destroy(bed->calls);
	fc_callers_destroy(bed->callers);
}

static void feed(struct bed *bed, enum fc_kind kind, uint32_t func)
{
	feed_one(bed->calls, 1, 7, bed->tsc += 10, kind, func);
}

/* Functions that are entered, 0: the innermost returns; -1 ends the list. */
static void run(struct bed *bed, const int *what)
{
	for (; *what >= 0; what++)
		feed(bed, *what ? FC_ENTRY : FC_EXIT, (uint32_t)*what);
}

static struct fc_callers_row row_at(const struct fc_callers *callers, uint32_t caller,
				    uint32_t callee)
{
	for (size_t i = 0; i < fc_callers_nr(callers); i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		if (row.caller == caller && row.callee == callee)
			return row;
	}
	fail_msg("nobody like %u calls %u", caller, callee);
	return (struct fc_callers_row){ 0 };
}

#define assert_row(bed, caller, callee, c, t, s)                                               \
	do {                                                                                   \
		struct fc_callers_row row_ = row_at((bed)->callers, caller, callee);           \
		assert_int_equal(row_.calls, c);                                               \
		assert_int_equal(row_.total, t);                                               \
		assert_int_equal(row_.self, s);                                                \
	} while (0)

static void each_caller_has_its_own_row(void **state)
{
	struct bed bed = bed_of(100);

	/* main() { a() { c(); } b() { c(); c(); } } */
	run(&bed, (int[]){ 1, 2, 4, 0, 0, 3, 4, 0, 4, 0, 0, 0, -1 });
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_callers_nr(bed.callers), 5);
	assert_row(&bed, FC_CALLERS_OUTERMOST, 1, 1, 110, 30);
	assert_row(&bed, 1, 2, 1, 30, 20);
	assert_row(&bed, 1, 3, 1, 50, 30);
	assert_row(&bed, 2, 4, 1, 10, 10);
	assert_row(&bed, 3, 4, 2, 20, 20);
	bed_free(&bed);
}

static void a_call_within_one_of_the_same_pair_counts_once(void **state)
{
	struct bed bed = bed_of(100);

	/* main() { a() { a() { a(); } b() { a(); } } } */
	run(&bed, (int[]){ 1, 2, 2, 2, 0, 0, 3, 2, 0, 0, 0, 0, -1 });
	fc_calls_finish(bed.calls, bed.tsc);
	assert_row(&bed, 1, 2, 1, 90, 30);
	assert_row(&bed, 2, 2, 2, 30, 30);
	assert_row(&bed, 2, 3, 1, 30, 20);
	assert_row(&bed, 3, 2, 1, 10, 10);
	bed_free(&bed);
}

/* 1 calls 2, which calls 1, which calls 2 and 3. */
static void a_call_within_one_of_the_same_function_adds_nothing(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, (int[]){ 1, 2, 1, 2, 0, 3, 0, 0, 0, 0, -1 });
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(row_at(bed.callers, FC_CALLERS_OUTERMOST, 1).once_total, 90);
	assert_int_equal(row_at(bed.callers, FC_CALLERS_OUTERMOST, 1).once_calls, 5);
	assert_int_equal(row_at(bed.callers, 1, 2).calls, 2);
	assert_int_equal(row_at(bed.callers, 1, 2).once_total, 70);
	assert_int_equal(row_at(bed.callers, 1, 2).once_calls, 4);
	assert_int_equal(row_at(bed.callers, 2, 1).calls, 1);
	assert_int_equal(row_at(bed.callers, 2, 1).once_total, 0);
	assert_int_equal(row_at(bed.callers, 2, 1).once_calls, 0);
	assert_int_equal(row_at(bed.callers, 1, 3).once_calls, 1);
	bed_free(&bed);
}

static void callers_that_are_not_known_are_told_apart(void **state)
{
	struct bed bed = bed_of(3);
	struct fc_event lost = { .tsc = 5, .strand = 1, .pid = 7, .tid = 7, .kind = FC_MARK,
				 .mark = FC_MARK_LOST, WORDS(9, 1 + 1) };

	fc_calls_feed(bed.calls, &lost);
	run(&bed, (int[]){ 2, 0, 0, 2, 0, -1 });
	fc_callers_add_counted(bed.callers, 2, 7);
	fc_callers_add_counted(bed.callers, 3, 0);
	run(&bed, (int[]){ 1, 2, 0, 3, 0, 0, -1 }); /* no room */
	fc_calls_finish(bed.calls, bed.tsc);
	assert_row(&bed, FC_CALLERS_UNKNOWN, 2, 1, 10, 10);
	assert_row(&bed, FC_CALLERS_OUTERMOST, 2, 1, 10, 10);
	assert_row(&bed, FC_CALLERS_COUNTED, 2, 7, 0, 0);
	assert_row(&bed, FC_CALLERS_BEYOND, 1, 1, 50, 30);
	assert_row(&bed, FC_CALLERS_BEYOND, 2, 1, 10, 10);
	assert_row(&bed, FC_CALLERS_BEYOND, 3, 1, 10, 10);
	assert_int_equal(fc_callers_nr(bed.callers), 6);
	bed_free(&bed);
}

static void compare_sums(const struct fc_callers *callers, const struct fc_report *report)
{
	struct fc_callers_row of[NR_FUNCS] = { 0 };
	struct fc_report_row *rows = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < fc_callers_nr(callers); i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		of[row.callee].calls += row.calls;
		of[row.callee].total += row.total;
		of[row.callee].self += row.self;
		of[row.callee].once_total += row.once_total;
	}
	assert_int_equal(fc_report_rows(report, "func", &clock_ns, &namer, &rows, &nr), 0);
	for (uint32_t func = 1; func < NR_FUNCS; func++) {
		const struct fc_report_row none = { 0 }, *row = row_of(rows, nr, func);
		row = row ? row : &none;
		assert_int_equal(of[func].calls, row->calls);
		assert_int_equal(of[func].self, row->self_ns);
		assert_int_equal(of[func].once_total, row->total_ns);
		assert_true(of[func].total >= row->total_ns); /* recursion by several callers */
	}
	free(rows);
	assert_int_equal(fc_callers_waited(callers), fc_report_waited(report));
}

static void sums_of_functions_are_those_of_the_report(void **state)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		unsigned random = seed;
		uint64_t tsc = 0;
		struct fc_callers *callers = fc_callers_create(seed % 2 ? 100 : 100000);
		struct fc_report *report = fc_report_create();
		struct fc_tee tee;
		fc_tee_init(&tee, fc_callers_sink(callers), fc_report_sink(report));
		struct fc_calls *calls = fc_calls_create(&tee.sink);

		for (int i = 0; i < 4000; i++) {
			struct fc_event event = random_event(&random, &tsc);
			fc_calls_feed(calls, &event);
		}
		fc_calls_finish(calls, tsc);
		compare_sums(callers, report);
		fc_calls_destroy(calls);
		fc_report_destroy(report);
		fc_callers_destroy(callers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_caller_has_its_own_row),
		cmocka_unit_test(a_call_within_one_of_the_same_pair_counts_once),
		cmocka_unit_test(a_call_within_one_of_the_same_function_adds_nothing),
		cmocka_unit_test(callers_that_are_not_known_are_told_apart),
		cmocka_unit_test(sums_of_functions_are_those_of_the_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
