/* SPDX-License-Identifier: Apache-2.0 */
/* How long calls waited: what stands for time off the CPU beneath them, in whole traces and in damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "calls/cut.h"
#include "calls/test_feed.h"
#include "trace/mark.h"
#include "trace/off_funcs.h"

enum { MAIN = 1, READ = 2, ASLEEP = 8, RUNNABLE = 9 };

struct told {
	struct fc_call_sink sink;
	FC_VEC(struct fc_call) calls; /* in the order of their ends */
};

static void told_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	assert_true(call->wait_ticks <= fc_call_ticks(call));
	assert_true(call->self_wait_ticks <= call->wait_ticks);
	assert_int_equal(call->is_off_cpu, call->func == ASLEEP || call->func == RUNNABLE);
	if (call->is_off_cpu)
		assert_int_equal(call->wait_ticks, fc_call_ticks(call));
	fc_vec_push(&((struct told *)sink)->calls, *call);
}

struct test {
	struct told told;
	struct fc_off_funcs off_funcs;
	struct fc_calls *calls;
	uint64_t tsc;
};

static int setup(void **state)
{
	static struct test test;
	static const struct fc_func_info funcs[] = { { .id = ASLEEP }, { .id = RUNNABLE } };
	static const struct fc_module_info module = { .path = FC_OFF_CPU_MODULE,
						      .funcs = funcs,
						      .nr_funcs = 2 };
	static const struct fc_func_info own[] = { { .id = MAIN } };
	static const struct fc_module_info other = { .path = "/off CPU",
						     .funcs = own,
						     .nr_funcs = 1 };

	test = (struct test){ .told.sink = { fc_sink_skip_call, told_leave, fc_sink_skip_event,
					     fc_sink_skip_finish } };
	fc_off_funcs_add(&test.off_funcs, &other);
	fc_off_funcs_add(&test.off_funcs, &module);
	test.calls = fc_calls_create(&test.told.sink);
	fc_calls_set_off_funcs(test.calls, &test.off_funcs);
	*state = &test;
	return 0;
}

static int teardown(void **state)
{
	struct test *test = *state;
	fc_calls_destroy(test->calls);
	fc_off_funcs_deinit(&test->off_funcs);
	fc_vec_free(&test->told.calls);
	return 0;
}

static void feed(struct test *test, const char *what)
{
	feed_all(test->calls, 1, 7, &test->tsc, what);
}

static void finish(struct test *test)
{
	fc_calls_finish(test->calls, test->tsc);
}

static void assert_waits(const struct test *test, size_t i, uint32_t func, uint64_t wait,
			 uint64_t self_wait)
{
	assert_true(i < test->told.calls.nr);
	assert_int_equal(test->told.calls.at[i].func, func);
	assert_int_equal(test->told.calls.at[i].wait_ticks, wait);
	assert_int_equal(test->told.calls.at[i].self_wait_ticks, self_wait);
}

/* MAIN { ASLEEP; READ { ASLEEP; RUNNABLE; } } */
static void a_call_waits_as_long_as_what_is_beneath_it(void **state)
{
	struct test *test = *state;

	feed(test, "1 8 - 2 8 - 9 - - -");
	finish(test);
	assert_waits(test, 0, ASLEEP, 10, 0);
	assert_waits(test, 1, ASLEEP, 10, 0);
	assert_waits(test, 2, RUNNABLE, 10, 0);
	assert_waits(test, 3, READ, 20, 20);
	assert_waits(test, 4, MAIN, 30, 10);
	assert_int_equal(test->told.calls.at[4].self_ticks, 30);
}

static void nobody_waits_without_such_calls(void **state)
{
	struct test *test = *state;

	feed(test, "1 2 - -");
	finish(test);
	assert_waits(test, 0, READ, 0, 0);
	assert_waits(test, 1, MAIN, 0, 0);
}

/* A call of a function, and one off the CPU, beneath one that is off the CPU: it counts once. */
static void what_is_nested_wrongly_counts_once(void **state)
{
	struct test *test = *state;

	feed(test, "1 8 2 9 - - - -");
	finish(test);
	assert_waits(test, 0, RUNNABLE, 10, 0);
	assert_waits(test, 1, READ, 10, 10);
	assert_waits(test, 2, ASLEEP, 50, 0);
	assert_waits(test, 3, MAIN, 50, 50);
}

static void one_that_does_not_end_waits_to_the_end(void **state)
{
	struct test *test = *state;

	feed(test, "1 2 8");
	test->tsc += 70;
	finish(test);
	assert_waits(test, 0, ASLEEP, 70, 0);
	assert_waits(test, 1, READ, 70, 70);
	assert_waits(test, 2, MAIN, 70, 0);
}

/* Times that run backwards: a call ends before what it has called. */
static void no_call_waits_longer_than_it_takes(void **state)
{
	struct test *test = *state;

	feed_one(test->calls, 1, 7, 100, FC_ENTRY, MAIN);
	feed_one(test->calls, 1, 7, 110, FC_ENTRY, ASLEEP);
	feed_one(test->calls, 1, 7, 900, FC_EXIT, 0);
	feed_one(test->calls, 1, 7, 150, FC_EXIT, 0);
	finish(test);
	assert_waits(test, 0, ASLEEP, 790, 0);
	assert_waits(test, 1, MAIN, 50, 50);
}

/* One within a gap has no name, and waits for those around it. */
static void what_is_lost_between_does_not_hide_a_wait(void **state)
{
	struct test *test = *state;
	uint64_t lost[2] = { 1, 3 };
	struct fc_event gap = { .tsc = 20,
				.strand = 1,
				.pid = 7,
				.tid = 7,
				.kind = FC_MARK,
				.mark = FC_MARK_LOST,
				.words = lost,
				.nr_words = 2 };

	test->tsc = 0;
	feed(test, "1");
	fc_calls_feed(test->calls, &gap); /* one call is open, of which nothing is known */
	test->tsc = 20;
	feed(test, "8 - - -");
	finish(test);
	assert_waits(test, 0, ASLEEP, 10, 0);
	assert_waits(test, 1, MAIN, 10, 0);
}

static void on_open(void *ctx, const struct fc_call *call)
{
	struct told *told = ctx;
	fc_vec_push(&told->calls, *call);
}

static void open_calls_have_waited_until_now(void **state)
{
	struct test *test = *state;

	feed(test, "1 8 - 2 8 - 9");
	assert_int_equal(test->told.calls.nr, 2);
	fc_calls_each_open(test->calls, test->tsc + 5, on_open, &test->told);
	assert_waits(test, 2, MAIN, 25, 10);
	assert_waits(test, 3, READ, 15, 15);
	assert_waits(test, 4, RUNNABLE, 5, 0);
	finish(test);
}

/* MAIN 10 { ASLEEP 20..50; READ 60 { ASLEEP 70..90 } 100 } 110, from 30 to 80. */
static void a_part_waits_as_long_as_it_shows(void **state)
{
	struct test *test = *state;
	struct fc_range range = { 30, 80 };
	struct fc_cut *cut = fc_cut_create(&range, &test->told.sink);
	static const struct {
		uint64_t tsc;
		uint32_t func;
	} all[] = { { 10, MAIN },   { 20, ASLEEP }, { 50, 0 },	{ 60, READ },
		    { 70, ASLEEP }, { 90, 0 },	    { 100, 0 }, { 110, 0 } };

	fc_calls_set_sink(test->calls, fc_cut_sink(cut));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		feed_one(test->calls, 1, 7, all[i].tsc, all[i].func ? FC_ENTRY : FC_EXIT,
			 all[i].func);
	fc_calls_finish(test->calls, 110);
	assert_waits(test, 0, ASLEEP, 20, 0);
	assert_waits(test, 1, ASLEEP, 10, 0);
	assert_waits(test, 2, READ, 10, 10);
	assert_waits(test, 3, MAIN, 30, 20);
	fc_cut_destroy(cut);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_call_waits_as_long_as_what_is_beneath_it),
		TEST(nobody_waits_without_such_calls),
		TEST(what_is_nested_wrongly_counts_once),
		TEST(one_that_does_not_end_waits_to_the_end),
		TEST(no_call_waits_longer_than_it_takes),
		TEST(what_is_lost_between_does_not_hide_a_wait),
		TEST(open_calls_have_waited_until_now),
		TEST(a_part_waits_as_long_as_it_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
