/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the tree where a thread has several stacks: a signal's, a coroutine's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "calls/filter.h"
#include "calls/threads.h"
#include "show/lines/tree.h"
#include "trace/off_funcs.h"

enum { MAIN = 1, DOWN, HANDLER, STEP, ASLEEP };

#define OTHER 10 /* strands of another thread, 8, begin with this one */

static const char *const names[] = { "?", "main", "down", "handler", "step", "asleep" };

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return (struct fc_name){ names[func], "prog" };
}

/* One tick is a microsecond. */
static const struct fc_clock clock_us = { .tsc1 = 1000, .mono1_ns = 1000 * 1000 };

static char text[16 * 1024];

static void write_lines(void *ctx, const char *lines, size_t len)
{
	size_t nr = strlen(text);
	assert_true(nr + len < sizeof(text));
	memcpy(text + nr, lines, len);
	text[nr + len] = 0;
}

struct record {
	uint64_t tsc;
	uint32_t strand;
	enum fc_kind kind;
	uint32_t func;
};

static bool is_called(void *ctx, uint32_t func, const char *glob)
{
	return !strcmp(names[func], glob);
}

static void draw_with(const struct record *records, struct fc_tree_opts opts,
		      struct fc_filter_opts filter_opts)
{
	static const struct fc_func_info funcs[] = { { .id = ASLEEP } };
	static const struct fc_module_info module = { .path = FC_OFF_CPU_MODULE,
						      .funcs = funcs,
						      .nr_funcs = 1 };
	struct fc_off_funcs off_funcs = { 0 };
	fc_off_funcs_add(&off_funcs, &module);
	filter_opts.is_ordered = true;
	filter_opts.match = is_called;
	opts.lines.clock = &clock_us;
	opts.lines.namer = (struct fc_namer){ name_of, NULL };
	opts.write = write_lines;
	struct fc_tree *tree = fc_tree_create(&opts);
	struct fc_filter *filter = fc_filter_create(&filter_opts, fc_tree_sink(tree));
	struct fc_calls *calls = fc_calls_create(fc_filter_sink(filter));
	fc_calls_set_off_funcs(calls, &off_funcs);

	text[0] = 0;
	for (; records->kind; records++) {
		struct fc_event event = { .tsc = records->tsc,
					  .strand = records->strand,
					  .pid = 7,
					  .tid = records->strand < OTHER ? 7 : 8,
					  .func = records->func,
					  .kind = records->kind };
		fc_calls_feed(calls, &event);
	}
	fc_calls_finish(calls, 9000);
	fc_calls_destroy(calls);
	fc_filter_destroy(filter);
	fc_tree_destroy(tree);
	fc_off_funcs_deinit(&off_funcs);
}

static void draw_as(const struct record *records, struct fc_tree_opts opts, uint64_t min_ticks)
{
	draw_with(records, opts, (struct fc_filter_opts){ .min_ticks = min_ticks });
}

static void draw(const struct record *records, uint64_t min_ticks)
{
	draw_as(records, (struct fc_tree_opts){ 0 }, min_ticks);
}

#define LINE(duration, rest) duration " [     7] | " rest "\n"
#define NONE		     "             "

/* down() is interrupted in main() by a handler on strand 2, twice. */
static const struct record interrupted[] = {
	{ 100, 1, FC_ENTRY, MAIN },
	{ 110, 1, FC_ENTRY, DOWN },
	{ 120, 2, FC_ENTRY, HANDLER },
	{ 121, 2, FC_ENTRY, STEP },
	{ 122, 2, FC_EXIT, STEP },
	{ 150, 2, FC_EXIT, HANDLER },
	{ 160, 1, FC_EXIT, DOWN },
	{ 170, 2, FC_ENTRY, STEP },
	{ 171, 2, FC_EXIT, STEP },
	{ 180, 1, FC_EXIT, MAIN },
	{ 190, 1, FC_ENTRY, STEP },
	{ 191, 1, FC_EXIT, STEP },
	{ 0 },
};

static void a_handler_stands_below_what_it_interrupted(void **state)
{
	draw(interrupted, 0);
	assert_string_equal(
		text, LINE(NONE, "main() {") LINE(NONE, "  down() {") LINE(
			      NONE, "    handler() {") LINE("     1.000 us", "      step();")
			      LINE("    30.000 us", "    } /* handler */")
				      LINE("    50.000 us", "  } /* down */")
					      LINE("     1.000 us", "  step();")
						      LINE("    80.000 us", "} /* main */")
							      LINE("     1.000 us", "step();"));
}

static void so_it_does_when_short_calls_are_dropped(void **state)
{
	draw(interrupted, 30);
	assert_string_equal(text,
			    LINE(NONE, "main() {") LINE(NONE, "  down() {")
				    LINE("    30.000 us", "    handler();")
					    LINE("    50.000 us", "  } /* down */")
						    LINE("    80.000 us", "} /* main */"));
}

/* siglongjmp() out of the handler: its end is noticed when its stack is used again. */
static const struct record jumped[] = {
	{ 100, 1, FC_ENTRY, MAIN },
	{ 110, 1, FC_ENTRY, DOWN },
	{ 120, 2, FC_ENTRY, HANDLER },
	{ 130, 1, FC_POP, 1 },
	{ 140, 1, FC_ENTRY, STEP },
	{ 145, 2, FC_POP, 0 },
	{ 145, 2, FC_ENTRY, HANDLER },
	{ 150, 2, FC_EXIT, HANDLER },
	{ 160, 1, FC_EXIT, STEP },
	{ 170, 1, FC_EXIT, MAIN },
	{ 0 },
};

static void a_handler_that_was_left_leaves_no_trace_in_the_next_ones_place(void **state)
{
	draw(jumped, 0);
	assert_string_equal(
		text,
		LINE(NONE, "main() {") LINE(NONE, "  down() {") LINE(NONE, "    handler() {")
			LINE("    20.000 us", "  } /* down, left */") LINE(NONE, "  step() {")
				LINE("    25.000 us", "    } /* handler, left */")
					LINE("     5.000 us", "    handler();")
						LINE("    20.000 us", "  } /* step */")
							LINE("    70.000 us", "} /* main */"));
}

/* Two coroutines that each start anew while the other is within two calls, again and again. */
static void coroutines_do_not_drift_to_the_right(void **state)
{
	static const struct record round[] = {
		{ 0, 2, FC_ENTRY, DOWN }, { 0, 3, FC_EXIT, HANDLER },  { 0, 3, FC_EXIT, STEP },
		{ 0, 2, FC_ENTRY, DOWN }, { 0, 3, FC_ENTRY, STEP },    { 0, 2, FC_EXIT, DOWN },
		{ 0, 2, FC_EXIT, DOWN },  { 0, 3, FC_ENTRY, HANDLER },
	};
	struct record records[400] = { { 1, 1, FC_ENTRY, MAIN } };

	for (size_t i = 0; i < 320; i++) {
		records[i + 1] = round[i % 8];
		records[i + 1].tsc = 10 * i + 10;
	}
	draw(records, 0);
	assert_null(strstr(text, "|                 ")); /* eight levels */
}

static void calls_of_an_ended_program_end_from_the_inside(void **state)
{
	static const struct record cut[] = {
		{ 100, 1, FC_ENTRY, MAIN },
		{ 120, 2, FC_ENTRY, HANDLER },
		{ 0 },
	};

	draw(cut, 0);
	assert_string_equal(text, LINE(NONE, "main() {") LINE("     8.880 ms",
							      "  handler(); /* no return */")
					  LINE("     8.900 ms", "} /* main, no return */"));
}

static const struct record short_run[] = {
	{ 100, 1, FC_ENTRY, MAIN }, { 110, 1, FC_ENTRY, DOWN },
	{ 120, 1, FC_ENTRY, STEP }, { 125, 1, FC_EXIT, STEP },
	{ 130, 1, FC_EXIT, DOWN },  { 140, 1, FC_ENTRY_ONLY, STEP },
	{ 180, 1, FC_EXIT, MAIN },  { 0 },
};

static void a_flat_list_has_a_line_for_each_enter_and_leave(void **state)
{
	draw_as(short_run, (struct fc_tree_opts){ .is_flat = true }, 0);
	assert_string_equal(
		text,
		LINE(NONE, "enter main") LINE(NONE, "enter down") LINE(NONE, "enter step")
			LINE("     5.000 us", "leave step") LINE("    20.000 us", "leave down")
				LINE(NONE, "enter step /* entry only */")
					LINE("    80.000 us", "leave main"));
}

static void calls_that_made_none_are_two_lines_if_asked_for(void **state)
{
	draw_as(short_run, (struct fc_tree_opts){ .no_merge = true }, 0);
	assert_string_equal(
		text,
		LINE(NONE, "main() {") LINE(NONE, "  down() {") LINE(NONE, "    step() {")
			LINE("     5.000 us", "    } /* step */")
				LINE("    20.000 us", "  } /* down */") LINE(NONE, "  step();")
					LINE("    80.000 us", "} /* main */"));
}

static void a_part_tells_what_is_open_and_the_lines_of_the_whole(void **state)
{
	draw_as(short_run, (struct fc_tree_opts){ .from_tsc = 125, .to_tsc = 140 }, 0);
	assert_string_equal(text,
			    LINE(NONE, "main() { /* begun before */")
				    LINE(NONE, "  down() { /* begun before */")
					    LINE("     5.000 us", "    step();")
						    LINE("    20.000 us", "  } /* down */"));
}

static void skipped_lines_leave_what_is_open(void **state)
{
	draw_as(short_run, (struct fc_tree_opts){ .skip = 3, .max = 1 }, 0);
	assert_string_equal(text, LINE(NONE, "main() { /* begun before */")
					  LINE(NONE, "  down() { /* begun before */")
						  LINE("    20.000 us", "  } /* down */"));
}

/* With -t, a call is told when it has lasted that long: late, and after what began behind it. */
static void what_begins_behind_a_part_is_not_open_before_it(void **state)
{
	static const struct record two_threads[] = {
		{ 100, 1, FC_ENTRY, MAIN },
		{ 130, 1, FC_ENTRY, DOWN },
		{ 150, OTHER, FC_ENTRY, HANDLER },
		{ 151, OTHER, FC_ENTRY, STEP },
		{ 200, OTHER, FC_EXIT, STEP },
		{ 210, 1, FC_ENTRY, STEP },
		{ 211, 1, FC_EXIT, STEP },
		{ 212, 1, FC_EXIT, DOWN },
		{ 220, 1, FC_EXIT, MAIN },
		{ 230, OTHER, FC_EXIT, HANDLER },
		{ 0 },
	};

	draw_as(two_threads, (struct fc_tree_opts){ .from_tsc = 125, .to_tsc = 140 }, 30);
	assert_string_equal(text, LINE(NONE, "main() { /* begun before */")
					  LINE("    82.000 us", "  down();"));
}

/* The same of a call that began before the part, and is told when the part's first line is out. */
static void what_is_told_late_is_told_as_begun_before(void **state)
{
	static const struct record two_threads[] = {
		{ 60, 1, FC_ENTRY, MAIN },
		{ 70, 1, FC_ENTRY, DOWN },
		{ 115, OTHER, FC_ENTRY, HANDLER },
		{ 118, OTHER, FC_ENTRY, STEP },
		{ 150, 1, FC_EXIT, DOWN },
		{ 170, OTHER, FC_EXIT, STEP },
		{ 180, OTHER, FC_EXIT, HANDLER },
		{ 200, 1, FC_EXIT, MAIN },
		{ 0 },
	};

	draw_as(two_threads, (struct fc_tree_opts){ .from_tsc = 125, .to_tsc = 300 }, 50);
	assert_string_equal(text, LINE(NONE, "main() { /* begun before */")
					  LINE("    80.000 us", "  down();") NONE
			    " [     8] | handler() { /* begun before */\n"
			    "    52.000 us [     8] |   step();\n"
			    "    65.000 us [     8] | } /* handler */\n" LINE("   140.000 us",
									      "} /* main */"));
}

static void fields_stand_in_the_order_asked_for(void **state)
{
	struct fc_fields fields = {
		4, { FC_FIELD_ELAPSED, FC_FIELD_DELTA, FC_FIELD_MODULE, FC_FIELD_PID }
	};

	draw_as(short_run, (struct fc_tree_opts){ .lines.fields = &fields, .max = 2 }, 0);
	assert_string_equal(
		text,
		"    0.000100000 " NONE "  prog               [     7] | main() {\n"
		"    0.000110000     10.000 us  prog               [     7] |   down() {\n");
}

static void threads_are_found_again(void **state)
{
	struct fc_threads threads = { 0 };

	for (int tid = 0; tid < 5000; tid++)
		fc_threads_make(&threads, tid * 64)->current = (uint32_t)tid;
	for (int tid = 0; tid < 5000; tid++)
		assert_int_equal(fc_threads_make(&threads, tid * 64)->current, tid);
	assert_int_equal(threads.nr, 5000);
	fc_threads_deinit(&threads);
}

/* main { down { asleep 40; step; }; asleep 8; step { asleep 2; } }: 100 us */
static const struct record waiting[] = {
	{ 100, 1, FC_ENTRY, MAIN }, { 110, 1, FC_ENTRY, DOWN },	  { 120, 1, FC_ENTRY, ASLEEP },
	{ 160, 1, FC_EXIT, 0 },	    { 165, 1, FC_ENTRY, STEP },	  { 169, 1, FC_EXIT, 0 },
	{ 170, 1, FC_EXIT, 0 },	    { 175, 1, FC_ENTRY, ASLEEP }, { 183, 1, FC_EXIT, 0 },
	{ 185, 1, FC_ENTRY, STEP }, { 186, 1, FC_ENTRY, ASLEEP }, { 188, 1, FC_EXIT, 0 },
	{ 190, 1, FC_EXIT, 0 },	    { 200, 1, FC_EXIT, 0 },	  { 0 },
};

static void a_wait_that_has_a_line_is_no_note(void **state)
{
	draw(waiting, 0);
	assert_string_equal(
		text,
		LINE(NONE, "main() {") LINE(NONE, "  down() {") LINE(
			"    40.000 us", "    asleep();") LINE("     4.000 us", "    step();")
			LINE("    60.000 us", "  } /* down */")
				LINE("     8.000 us", "  asleep();") LINE(NONE, "  step() {")
					LINE("     2.000 us", "    asleep();")
						LINE("     5.000 us", "  } /* step */")
							LINE("   100.000 us", "} /* main */"));
}

/* Short ones beneath step(), and in main(), are told together where they are long enough. */
static void a_wait_that_is_left_out_is_a_note(void **state)
{
	char *except[] = { "asleep", NULL };

	draw_with(waiting, (struct fc_tree_opts){ 0 },
		  (struct fc_filter_opts){ .except = except });
	assert_string_equal(
		text, LINE(NONE, "main() {") LINE(NONE, "  down() {")
			      LINE("     4.000 us", "    step();")
				      LINE("    60.000 us", "  } /* down, waited 40.000 us */")
					      LINE("     5.000 us", "  step();")
						      LINE("   100.000 us",
							   "} /* main, waited 10.000 us */"));
}

static void so_is_one_that_is_too_deep(void **state)
{
	draw_with(waiting, (struct fc_tree_opts){ 0 }, (struct fc_filter_opts){ .depth = 2 });
	assert_string_equal(
		text,
		LINE(NONE, "main() {") LINE("    60.000 us", "  down(); /* waited 40.000 us */")
			LINE("     8.000 us", "  asleep();") LINE("     5.000 us", "  step();")
				LINE("   100.000 us", "} /* main */"));
}

static void so_is_one_that_is_too_short(void **state)
{
	draw(waiting, 50);
	assert_string_equal(
		text,
		LINE(NONE, "main() {") LINE("    60.000 us", "  down(); /* waited 40.000 us */")
			LINE("   100.000 us", "} /* main, waited 10.000 us */"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_stands_below_what_it_interrupted),
		cmocka_unit_test(so_it_does_when_short_calls_are_dropped),
		cmocka_unit_test(
			a_handler_that_was_left_leaves_no_trace_in_the_next_ones_place),
		cmocka_unit_test(coroutines_do_not_drift_to_the_right),
		cmocka_unit_test(calls_of_an_ended_program_end_from_the_inside),
		cmocka_unit_test(a_flat_list_has_a_line_for_each_enter_and_leave),
		cmocka_unit_test(calls_that_made_none_are_two_lines_if_asked_for),
		cmocka_unit_test(a_part_tells_what_is_open_and_the_lines_of_the_whole),
		cmocka_unit_test(skipped_lines_leave_what_is_open),
		cmocka_unit_test(what_begins_behind_a_part_is_not_open_before_it),
		cmocka_unit_test(what_is_told_late_is_told_as_begun_before),
		cmocka_unit_test(fields_stand_in_the_order_asked_for),
		cmocka_unit_test(threads_are_found_again),
		cmocka_unit_test(a_wait_that_has_a_line_is_no_note),
		cmocka_unit_test(a_wait_that_is_left_out_is_a_note),
		cmocka_unit_test(so_is_one_that_is_too_deep),
		cmocka_unit_test(so_is_one_that_is_too_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
