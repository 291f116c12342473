/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of a report: what counts, what does not, and the order of rows. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "read/sums/report.h"
#include "calls/test_feed.h"
#include "trace/test_mark.h"

static const char *const names[] = { "?", "alpha", "beta", "gamma" };
enum { ALPHA = 1, BETA, GAMMA };

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return (struct fc_name){ names[func], func == GAMMA ? "lib" : "prog" };
}

static const struct fc_namer namer = { name_of, NULL };
static const struct fc_clock clock_ns = { .tsc1 = 1000, .mono1_ns = 1000 };

static void feed(struct fc_calls *calls, uint64_t tsc, enum fc_kind kind, uint32_t func)
{
	feed_one(calls, 1, 7, tsc, kind, func);
}

static struct fc_report_row *rows_of(struct fc_report *report, const char *keys, size_t *nr)
{
	struct fc_report_row *rows = NULL;
	assert_int_equal(fc_report_rows(report, keys, &clock_ns, &namer, &rows, nr), 0);
	return rows;
}

static void recursive_calls_count_once_in_total(void **state)
{
	struct fc_report *report = fc_report_create();
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));
	size_t nr = 0;

	feed(calls, 100, FC_ENTRY, ALPHA);
	feed(calls, 110, FC_ENTRY, BETA);
	feed(calls, 120, FC_ENTRY, ALPHA);
	feed(calls, 130, FC_EXIT, ALPHA);
	feed(calls, 150, FC_EXIT, BETA);
	feed(calls, 200, FC_EXIT, ALPHA);
	fc_calls_finish(calls, 200);

	struct fc_report_row *rows = rows_of(report, "total", &nr);
	assert_int_equal(nr, 2);
	assert_string_equal(rows[0].name.name, "alpha");
	assert_int_equal(rows[0].calls, 2);
	assert_int_equal(rows[0].total_ns, 100);
	assert_int_equal(rows[0].self_ns, 70);
	assert_int_equal(rows[0].min_ns, 10);
	assert_int_equal(rows[0].avg_ns, 55);
	assert_int_equal(rows[0].max_ns, 100);
	assert_int_equal(rows[1].total_ns, 40);
	assert_int_equal(rows[1].self_ns, 30);
	free(rows);
	fc_calls_destroy(calls);
	fc_report_destroy(report);
}

static void calls_without_an_end_are_counted_but_not_timed(void **state)
{
	struct fc_report *report = fc_report_create();
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));
	size_t nr = 0;

	feed(calls, 100, FC_ENTRY_ONLY, ALPHA);
	feed(calls, 110, FC_ENTRY_ONLY, ALPHA);
	fc_calls_finish(calls, 200);

	struct fc_report_row *rows = rows_of(report, "calls", &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(rows[0].calls, 2);
	assert_int_equal(rows[0].nr_timed, 0);
	assert_int_equal(rows[0].total_ns + rows[0].min_ns + rows[0].max_ns, 0);
	free(rows);
	fc_calls_destroy(calls);
	fc_report_destroy(report);
}

static void an_inherited_call_is_not_a_call_of_the_child(void **state)
{
	struct fc_report *report = fc_report_create();
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));
	struct fc_event fork = { .tsc = 100,
				 .strand = 1,
				 .pid = 7,
				 .tid = 7,
				 .kind = FC_MARK,
				 .mark = FC_MARK_FORK,
				 WORDS(6, 1 + 1) };
	size_t nr = 0;

	fc_calls_feed(calls, &fork);
	feed(calls, 101, FC_ENTRY, ALPHA);
	feed(calls, 110, FC_ENTRY, BETA);
	feed(calls, 120, FC_EXIT, BETA);
	feed(calls, 131, FC_EXIT, ALPHA);
	fc_calls_finish(calls, 200);

	struct fc_report_row *rows = rows_of(report, "func", &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(rows[0].calls, 0);
	assert_int_equal(rows[0].self_ns, 20); /* its time is real */
	assert_int_equal(rows[1].calls, 1);
	free(rows);
	fc_calls_destroy(calls);
	fc_report_destroy(report);
}

static void rows_are_sorted_by_all_keys(void **state)
{
	struct fc_report *report = fc_report_create();
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));
	size_t nr = 0;

	for (uint32_t func = ALPHA; func <= GAMMA; func++) {
		feed(calls, 100, FC_ENTRY, func);
		feed(calls, 100 + func, FC_EXIT, func);
	}
	fc_calls_finish(calls, 200);

	struct fc_report_row *rows = rows_of(report, "calls,self", &nr);
	assert_int_equal(rows[0].func, GAMMA);
	assert_int_equal(rows[2].func, ALPHA);
	free(rows);
	rows = rows_of(report, "module,func", &nr);
	assert_int_equal(rows[0].func, GAMMA);
	assert_int_equal(rows[1].func, ALPHA);
	free(rows);
	assert_int_equal(fc_report_check_keys("total,bogus"), -EINVAL);
	assert_int_equal(fc_report_check_keys(""), -EINVAL);
	assert_int_equal(fc_report_check_keys("calls,self,calls,calls,calls,calls,calls,calls,"
					      "calls,calls,calls,calls"),
			 0);
	fc_calls_destroy(calls);
	fc_report_destroy(report);
}

static void what_the_program_waited_is_summed(void **state)
{
	struct fc_report *report = fc_report_create();
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));
	struct fc_event wait = { .tsc = 115,
				 .strand = 1,
				 .pid = 7,
				 .tid = 7,
				 .kind = FC_MARK,
				 .mark = FC_MARK_WAITED,
				 WORDS(5) };
	size_t nr = 0;

	feed(calls, 100, FC_ENTRY, ALPHA);
	fc_calls_feed(calls, &wait);
	wait.words = (const uint64_t[]){ 7 };
	fc_calls_feed(calls, &wait);
	feed(calls, 130, FC_EXIT, ALPHA);
	fc_calls_finish(calls, 200);
	assert_int_equal(fc_report_waited(report), 12);
	struct fc_report_row *rows = rows_of(report, "func", &nr);
	assert_int_equal(rows[0].total_ns, 30); /* the waits are inside */
	free(rows);
	fc_calls_destroy(calls);
	fc_report_destroy(report);
}

/* Calls of alpha that take so long each, one after the other from now on. */
static struct fc_report *report_from(uint64_t now, const uint64_t *ticks, size_t nr)
{
	static const struct fc_report_opts opts = { .has_hist = true };
	struct fc_report *report = fc_report_create_as(&opts);
	struct fc_calls *calls = fc_calls_create(fc_report_sink(report));

	for (size_t i = 0; i < nr; i++) {
		feed(calls, now, FC_ENTRY, ALPHA);
		now += ticks[i];
		feed(calls, now, FC_EXIT, ALPHA);
	}
	fc_calls_finish(calls, now);
	fc_calls_destroy(calls);
	return report;
}

static struct fc_report *report_of_calls(const uint64_t *ticks, size_t nr)
{
	return report_from(100, ticks, nr);
}

static void spread_is_told_of_all_timed_calls(void **state)
{
	const uint64_t ticks[] = { 2, 4, 4, 4, 5, 5, 7, 9 }; /* mean 5, deviation 2 */
	struct fc_report *report = report_of_calls(ticks, 8);
	size_t nr = 0;
	struct fc_report_row *rows = rows_of(report, "p99.9", &nr);

	assert_int_equal(nr, 1);
	assert_int_equal(rows[0].stdev_ns, 2);
	assert_int_equal(rows[0].p50_ns, 4);
	assert_int_equal(rows[0].p90_ns, 9);
	assert_int_equal(rows[0].p99_9_ns, 9);
	assert_true(fc_report_keys_need_hist("calls,p50"));
	assert_false(fc_report_keys_need_hist("calls,stdev"));
	free(rows);
	fc_report_destroy(report);
}

static void a_large_mean_does_not_hide_a_small_deviation(void **state)
{
	uint64_t ticks[1000];

	for (size_t i = 0; i < 1000; i++)
		ticks[i] = 1000000000 + (i % 2 ? 100 : 0);
	struct fc_report *report = report_of_calls(ticks, 1000);
	size_t nr = 0;
	struct fc_report_row *rows = rows_of(report, "stdev", &nr);
	assert_in_range(rows[0].stdev_ns, 49, 50);
	free(rows);
	fc_report_destroy(report);
}

static void merged_reports_are_as_one(void **state)
{
	const uint64_t ticks[] = { 20, 3, 40, 1, 500, 6, 70, 8 };
	struct fc_report *whole = report_of_calls(ticks, 8), *parts = report_of_calls(ticks, 3);
	struct fc_report *rest = report_from(100 + 20 + 3 + 40, ticks + 3, 5);
	size_t nr = 0;

	fc_report_add_counted(whole, BETA, 5);
	fc_report_add_counted(rest, BETA, 5);
	fc_report_merge(parts, rest);
	struct fc_report_row *a = rows_of(whole, "func", &nr), *b = rows_of(parts, "func", &nr);
	assert_int_equal(nr, 2);
	for (size_t i = 0; i < nr; i++) {
		a[i].hist = b[i].hist = NULL;
		assert_memory_equal(&a[i], &b[i], sizeof(a[i]));
	}
	assert_int_equal(a[0].p50_ns, 8);
	assert_int_equal(a[1].counted, 5);
	free(a);
	free(b);
	fc_report_destroy(whole);
	fc_report_destroy(parts);
	fc_report_destroy(rest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursive_calls_count_once_in_total),
		cmocka_unit_test(calls_without_an_end_are_counted_but_not_timed),
		cmocka_unit_test(an_inherited_call_is_not_a_call_of_the_child),
		cmocka_unit_test(what_the_program_waited_is_summed),
		cmocka_unit_test(rows_are_sorted_by_all_keys),
		cmocka_unit_test(spread_is_told_of_all_timed_calls),
		cmocka_unit_test(a_large_mean_does_not_hide_a_small_deviation),
		cmocka_unit_test(merged_reports_are_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
