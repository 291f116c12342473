/* SPDX-License-Identifier: Apache-2.0 */
/* The stack machine: records in, calls out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calls/call.h"
#include "trace/test_mark.h"

/* A sink that writes what it is told as a short text: "+f0" enter f at depth 0, "-f10r"
 * leave f after 10 ticks by return. */
struct notes {
	struct fc_call_sink sink;
	char text[4096];
	size_t len;
};

static void note(struct notes *notes, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	notes->len += (size_t)vsnprintf(notes->text + notes->len,
					sizeof(notes->text) - notes->len, fmt, ap);
	va_end(ap);
}

static char letter(uint32_t func)
{
	return func ? (char)('a' + func - 1) : '0';
}

static void on_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	note((struct notes *)sink, "+%c%u%s%s ", letter(call->func), call->depth,
	     call->is_recursive ? "R" : "", call->is_inherited ? "I" : "");
}

static void on_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	note((struct notes *)sink, "-%c%u/%u%c ", letter(call->func),
	     (unsigned int)fc_call_ticks(call), (unsigned int)call->self_ticks,
	     "rtplex"[call->left]);
}

static void on_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	note((struct notes *)sink, "!%u ", event->mark);
}

static void on_finish(struct fc_call_sink *sink)
{
	note((struct notes *)sink, ".");
}

struct test {
	struct notes notes;
	struct fc_calls *calls;
};

static int setup(void **state)
{
	static struct test test;
	memset(&test, 0, sizeof(test));
	test.notes.sink = (struct fc_call_sink){ on_enter, on_leave, on_event, on_finish };
	test.calls = fc_calls_create(&test.notes.sink);
	*state = &test;
	return 0;
}

static int teardown(void **state)
{
	struct test *test = *state;
	fc_calls_destroy(test->calls);
	return 0;
}

static void feed(struct test *test, uint64_t tsc, enum fc_kind kind, uint32_t func)
{
	struct fc_event event = {
		.tsc = tsc, .strand = 1, .pid = 7, .tid = 7, .func = func, .kind = kind
	};
	fc_calls_feed(test->calls, &event);
}

static void feed_mark(struct test *test, uint64_t tsc, enum fc_mark mark, uint64_t a,
		      uint64_t b)
{
	struct fc_event event = { .tsc = tsc,
				  .strand = 1,
				  .pid = 7,
				  .tid = 7,
				  .kind = FC_MARK,
				  .mark = mark,
				  WORDS(a, b) };
	fc_calls_feed(test->calls, &event);
}

enum { A = 1, B, C, D };

static void self_time_is_what_callees_leave(void **state)
{
	struct test *test = *state;

	feed(test, 100, FC_ENTRY, A);
	feed(test, 110, FC_ENTRY, B);
	feed(test, 115, FC_EXIT, B);
	feed(test, 120, FC_ENTRY, C);
	feed(test, 140, FC_EXIT, C);
	feed(test, 150, FC_EXIT, A);
	fc_calls_finish(test->calls, 200);
	assert_string_equal(test->notes.text, "+a0 +b1 -b5/5r +c1 -c20/20r -a50/25r .");
}

static void recursion_is_seen_through_other_calls(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed(test, 2, FC_ENTRY, B);
	feed(test, 3, FC_ENTRY, A);
	feed(test, 4, FC_EXIT, A);
	feed(test, 5, FC_EXIT, B);
	feed(test, 6, FC_EXIT, A);
	feed(test, 7, FC_ENTRY, A);
	fc_calls_finish(test->calls, 8);
	assert_string_equal(test->notes.text, "+a0 +b1 +a2R -a1/1r -b3/2r -a5/2r +a0 -a1/1e .");
}

static void a_tail_call_replaces_its_caller_and_returns_for_it(void **state)
{
	struct test *test = *state;

	feed(test, 10, FC_ENTRY, A);
	feed(test, 20, FC_ENTRY, B);
	feed(test, 30, FC_TAIL, C);
	feed(test, 40, FC_TAIL, B);
	feed(test, 50, FC_EXIT, B); /* by the stub of the first of the chain */
	feed(test, 60, FC_EXIT, A);
	fc_calls_finish(test->calls, 60);
	assert_string_equal(test->notes.text,
			    "+a0 +b1 -b10/10t +c1 -c10/10t +b1 -b10/10r -a50/20r .");
}

static void an_exit_without_its_entry_is_passed_over(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_EXIT, A);
	feed(test, 2, FC_POP, 3);
	feed(test, 3, FC_TAIL, B);
	feed(test, 4, FC_EXIT, A);
	feed(test, 5, FC_EXIT, C);
	fc_calls_finish(test->calls, 6);
	assert_string_equal(test->notes.text, "+b0 -b1/1r .");
}

static void entry_only_opens_nothing(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed(test, 2, FC_ENTRY_ONLY, B);
	feed(test, 3, FC_EXIT, A);
	fc_calls_finish(test->calls, 3);
	assert_string_equal(test->notes.text, "+a0 +b1 -b0/0x -a2/2r .");
}

static void pop_leaves_the_innermost_calls(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed(test, 2, FC_ENTRY, B);
	feed(test, 3, FC_ENTRY, C);
	feed(test, 9, FC_POP, 1);
	feed(test, 10, FC_EXIT, A);
	fc_calls_finish(test->calls, 10);
	assert_string_equal(test->notes.text, "+a0 +b1 +c2 -c6/6p -b7/1p -a9/2r .");
}

static void a_gap_cuts_the_stack_to_what_is_still_open(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed(test, 2, FC_ENTRY, B);
	feed(test, 3, FC_ENTRY, C);
	feed_mark(test, 10, FC_MARK_LOST, 42, 1 + 1);
	feed(test, 11, FC_EXIT, A);
	fc_calls_finish(test->calls, 11);
	assert_string_equal(test->notes.text, "+a0 +b1 +c2 -c7/7l -b8/1l !1 -a10/2r .");
}

static void calls_entered_in_a_gap_count_in_the_depth_but_are_not_told(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed_mark(test, 5, FC_MARK_LOST, 2, 3 + 1);
	feed(test, 6, FC_ENTRY, D);
	feed(test, 7, FC_EXIT, D);
	feed(test, 8, FC_EXIT, C);
	feed(test, 9, FC_EXIT, B);
	feed(test, 10, FC_EXIT, A);
	fc_calls_finish(test->calls, 10);
	assert_string_equal(test->notes.text, "+a0 !1 +d3 -d1/1r -a9/5r .");
}

static void a_forked_child_inherits_as_many_calls_as_its_mark_says(void **state)
{
	struct test *test = *state;

	feed_mark(test, 1, FC_MARK_FORK, 6, 2 + 1);
	feed(test, 2, FC_ENTRY, A);
	feed(test, 3, FC_ENTRY, B);
	feed(test, 4, FC_ENTRY, C);
	feed(test, 5, FC_EXIT, C);
	fc_calls_finish(test->calls, 6);
	assert_string_equal(test->notes.text, "!2 +a0I +b1I +c2 -c1/1r -b3/2e -a4/1e .");
}

static void without_a_count_the_entries_behind_a_fork_are_inherited(void **state)
{
	struct test *test = *state;

	feed_mark(test, 1, FC_MARK_FORK, 6, 0);
	feed(test, 2, FC_ENTRY, A);
	feed(test, 3, FC_ENTRY, B);
	feed(test, 4, FC_EXIT, B);
	feed(test, 5, FC_ENTRY, C);
	fc_calls_finish(test->calls, 6);
	assert_string_equal(test->notes.text, "!2 +a0I +b1I -b1/1r +c1 -c1/1e -a4/2e .");
}

static void the_end_of_a_strand_ends_its_calls(void **state)
{
	struct test *test = *state;

	feed(test, 1, FC_ENTRY, A);
	feed_mark(test, 5, FC_MARK_END, 0, 0);
	feed(test, 6, FC_EXIT, A);
	fc_calls_finish(test->calls, 9);
	assert_string_equal(test->notes.text, "+a0 -a4/4e .");
}

static void the_end_of_a_process_ends_its_calls_only(void **state)
{
	struct test *test = *state;
	struct fc_event other = {
		.tsc = 2, .strand = 9, .pid = 8, .tid = 8, .func = B, .kind = FC_ENTRY
	};

	feed(test, 1, FC_ENTRY, A);
	fc_calls_feed(test->calls, &other);
	fc_calls_task_end(test->calls, 7, 0, 4);
	fc_calls_finish(test->calls, 9);
	assert_string_equal(test->notes.text, "+a0 +b0 -a3/3e -b7/7e .");
}

/* It may go on in another, or has: whoever knows tells its end. */
static void a_context_does_not_end_with_its_thread(void **state)
{
	struct test *test = *state;
	struct fc_event context = { .tsc = 2, .strand = 2, .pid = 7, .tid = 7, .func = B,
				    .kind = FC_ENTRY, .strand_kind = FC_STRAND_CONTEXT };

	feed(test, 1, FC_ENTRY, A);
	fc_calls_feed(test->calls, &context);
	fc_calls_task_end(test->calls, 7, 7, 4);
	fc_calls_task_end(test->calls, 7, 0, 6);
	fc_calls_finish(test->calls, 9);
	assert_string_equal(test->notes.text, "+a0 +b0 -a3/3e -b4/4e .");
}

static void time_that_runs_backwards_makes_no_negative_times(void **state)
{
	struct test *test = *state;

	feed(test, 100, FC_ENTRY, A);
	feed(test, 90, FC_ENTRY, B);
	feed(test, 120, FC_EXIT, B);
	feed(test, 80, FC_EXIT, A);
	fc_calls_finish(test->calls, 0);
	assert_string_equal(test->notes.text, "+a0 +b1 -b30/30r -a0/0r .");
}

static void nonsense_does_no_harm(void **state)
{
	struct test *test = *state;
	struct fc_event event = { .strand = UINT32_MAX, .kind = FC_ENTRY, .func = UINT32_MAX };

	fc_calls_feed(test->calls, &event);
	event.strand = 3;
	fc_calls_feed(test->calls, &event);
	event.kind = 77;
	fc_calls_feed(test->calls, &event);
	event.kind = FC_MARK;
	event.mark = FC_MARK_LOST;
	event.words = (const uint64_t[]){ 0, UINT64_MAX };
	event.nr_words = 2;
	fc_calls_feed(test->calls, &event);
	event.kind = FC_POP;
	fc_calls_feed(test->calls, &event);
	fc_calls_finish(test->calls, 0);
	assert_string_equal(test->notes.text, "!1 .");
}

static void a_child_that_waits_goes_on_with_what_it_inherited(void **state)
{
	struct test *test = *state;

	feed_mark(test, 1, FC_MARK_FORK, 6, 2 + 1);
	feed(test, 2, FC_ENTRY, A);
	feed_mark(test, 3, FC_MARK_WAITED, 1, 0);
	feed(test, 3, FC_ENTRY, B);
	feed(test, 4, FC_ENTRY, C);
	fc_calls_finish(test->calls, 6);
	assert_string_equal(test->notes.text, "!2 +a0I !6 +b1I +c2 -c2/2e -b3/1e -a4/1e .");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(self_time_is_what_callees_leave),
		TEST(recursion_is_seen_through_other_calls),
		TEST(a_tail_call_replaces_its_caller_and_returns_for_it),
		TEST(an_exit_without_its_entry_is_passed_over),
		TEST(entry_only_opens_nothing),
		TEST(pop_leaves_the_innermost_calls),
		TEST(a_gap_cuts_the_stack_to_what_is_still_open),
		TEST(calls_entered_in_a_gap_count_in_the_depth_but_are_not_told),
		TEST(a_forked_child_inherits_as_many_calls_as_its_mark_says),
		TEST(without_a_count_the_entries_behind_a_fork_are_inherited),
		TEST(a_child_that_waits_goes_on_with_what_it_inherited),
		TEST(the_end_of_a_strand_ends_its_calls),
		TEST(the_end_of_a_process_ends_its_calls_only),
		TEST(a_context_does_not_end_with_its_thread),
		TEST(time_that_runs_backwards_makes_no_negative_times),
		TEST(nonsense_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
