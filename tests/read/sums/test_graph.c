/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of paths: recursion, gaps, its limit, turned round, and that its sums are exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calls/filter.h"
#include "read/sums/graph.h"
#include "read/sums/graph_lines.h"
#include "read/sums/reverse.h"
#include "base/memory.h"
#include "calls/tee.h"
#include "calls/test_feed.h"
#include "trace/test_mark.h"
#include "read/sums/test_sums.h"

enum { MAIN = 1, A, B, C, D };

/* A graph, what feeds it, and the time; each event takes 10 ticks. */
struct bed {
	struct fc_graph *graph;
	struct fc_calls *calls;
	uint64_t tsc;
};

static struct bed bed_of(uint32_t max_nodes)
{
	struct bed bed = { .graph = fc_graph_create(max_nodes) };
	bed.calls = fc_calls_create(fc_graph_sink(bed.graph));
	return bed;
}

static void bed_free(struct bed *bed)
{
	fc_calls_destroy(bed->calls);
	fc_graph_destroy(bed->graph);
}

static void run(struct bed *bed, uint32_t strand, const char *what)
{
	feed_all(bed->calls, strand, 7, &bed->tsc, what);
}

/* "1/2/3!": the node of 3, below 2, below 1; with ! its echo. */
static uint32_t find(const struct fc_graph *graph, const char *path)
{
	uint32_t at = 0;

	for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/') {
		uint32_t func = (uint32_t)strtoul(p, NULL, 10), found = 0;
		bool is_echo = p[strcspn(p, "/!")] == '!';
		for (uint32_t i = 1; i <= fc_graph_nr(graph); i++) {
			struct fc_graph_node node = fc_graph_get(graph, i);
			if (node.parent == at && node.func == func && node.is_echo == is_echo)
				found = i;
		}
		if (!found)
			return 0;
		at = found;
	}
	return at;
}

static struct fc_graph_sums sums_at(const struct fc_graph *graph, const char *path)
{
	uint32_t node = find(graph, path);
	if (!node)
		fail_msg("no node %s", path);
	return fc_graph_get(graph, node).sums;
}

#define assert_sums(graph, path, c, a, t, s)                                                   \
	do {                                                                                   \
		struct fc_graph_sums sums_ = sums_at(graph, path);                             \
		assert_int_equal(sums_.calls, c);                                              \
		assert_int_equal(sums_.again, a);                                              \
		assert_int_equal(sums_.total, t);                                              \
		assert_int_equal(sums_.self, s);                                               \
	} while (0)

static void each_path_has_its_own_sums(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, 1, "1 2 3 - - 3 - 3 - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_graph_nr(bed.graph), 4);
	assert_sums(bed.graph, "1", 1, 0, 90, 40);
	assert_sums(bed.graph, "1/2", 1, 0, 30, 20);
	assert_sums(bed.graph, "1/2/3", 1, 0, 10, 10);
	assert_sums(bed.graph, "1/3", 2, 0, 20, 20);
	bed_free(&bed);
}

static void strands_share_their_paths(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, 1, "1 2");
	run(&bed, 2, "1 2 3");
	run(&bed, 1, "- -");
	run(&bed, 2, "- - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_graph_nr(bed.graph), 3);
	assert_int_equal(sums_at(bed.graph, "1").calls, 2);
	assert_int_equal(sums_at(bed.graph, "1/2").calls, 2);
	assert_int_equal(sums_at(bed.graph, "1/2/3").calls, 1);
	bed_free(&bed);
}

static void direct_recursion_is_one_node_and_an_echo(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, 1, "1 2 2 2 - - 2 3 - - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_graph_nr(bed.graph), 4);
	assert_sums(bed.graph, "1/2", 4, 3, 90, 80);
	/* 2 2 - - and 2 3 - -: the inner ones are within them. */
	assert_sums(bed.graph, "1/2/2!", 3, 3, 60, 0);
	assert_sums(bed.graph, "1/2/3", 1, 0, 10, 10);
	bed_free(&bed);
}

static void indirect_recursion_goes_back_to_its_path(void **state)
{
	struct bed bed = bed_of(100);

	/* a b a b a, and what the innermost one calls */
	run(&bed, 1, "1 2 3 2 3 2 4 - - - - - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_graph_nr(bed.graph), 5);
	assert_sums(bed.graph, "1/2", 3, 2, 110, 60);
	assert_sums(bed.graph, "1/2/3", 2, 1, 90, 40);
	assert_sums(bed.graph, "1/2/3/2!", 2, 2, 70, 0);
	assert_sums(bed.graph, "1/2/4", 1, 0, 10, 10);
	bed_free(&bed);
}

/* It is open at 1/2/3/4: there it counts, though the path that leads here is 1/2/4. */
static void a_function_counts_where_it_is_open(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, 1, "1 2 3 4 2 4 5 - - - - - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(bed.graph, "1/2/3/4", 2, 1, 70, 40);
	assert_sums(bed.graph, "1/2/4!", 1, 1, 30, 0);
	assert_sums(bed.graph, "1/2/3/4/2!", 1, 1, 50, 0);
	assert_sums(bed.graph, "1/2/3/4/5", 1, 0, 10, 10);
	assert_int_equal(find(bed.graph, "1/2/4"), 0);
	bed_free(&bed);
}

static void a_caller_in_a_gap_is_unknown(void **state)
{
	struct bed bed = bed_of(100);
	struct fc_event lost = { .tsc = 55, .strand = 1, .pid = 7, .tid = 7, .kind = FC_MARK,
				 .mark = FC_MARK_LOST, WORDS(9, 2 + 1) };

	run(&bed, 1, "1 2 - 2 -");
	fc_calls_feed(bed.calls, &lost); /* two are open behind it: main and somebody */
	run(&bed, 1, "3 4 - - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(sums_at(bed.graph, "1/0/3").calls, 1);
	assert_int_equal(sums_at(bed.graph, "1/0/3/4").calls, 1);
	/* What it called is all that is known of its time. */
	assert_sums(bed.graph, "1/0", 0, 0, 30, 0);
	bed_free(&bed);
}

static void an_inherited_call_is_no_call_of_the_child(void **state)
{
	struct bed bed = bed_of(100);
	struct fc_event fork = { .tsc = 5, .strand = 1, .pid = 7, .tid = 7, .kind = FC_MARK,
				 .mark = FC_MARK_FORK, WORDS(6, 1 + 1) };

	fc_calls_feed(bed.calls, &fork);
	run(&bed, 1, "1 2 - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(bed.graph, "1", 0, 0, 30, 20);
	assert_sums(bed.graph, "1/2", 1, 0, 10, 10);
	bed_free(&bed);
}

static void what_was_only_counted_stands_by_itself(void **state)
{
	struct bed bed = bed_of(100);
	char path[32];

	run(&bed, 1, "1 -");
	fc_calls_finish(bed.calls, bed.tsc);
	fc_graph_add_counted(bed.graph, MAIN, 5);
	fc_graph_add_counted(bed.graph, A, 0);
	snprintf(path, sizeof(path), "%d/1", FC_GRAPH_COUNTED);
	assert_sums(bed.graph, path, 5, 0, 0, 0);
	assert_sums(bed.graph, "1", 1, 0, 10, 10);
	assert_int_equal(fc_graph_nr(bed.graph), 3);
	bed_free(&bed);
}

static void paths_beyond_the_limit_are_summed_by_function(void **state)
{
	struct bed bed = bed_of(2);
	char path[32];

	run(&bed, 1, "1 2 3 - - 3 2 - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(bed.graph, "1", 1, 0, 90, 30);
	assert_sums(bed.graph, "1/2", 1, 0, 30, 20);
	snprintf(path, sizeof(path), "%d/3", FC_GRAPH_BEYOND);
	assert_sums(bed.graph, path, 2, 0, 40, 30);
	snprintf(path, sizeof(path), "%d/2", FC_GRAPH_BEYOND);
	assert_sums(bed.graph, path, 1, 0, 10, 10);
	assert_int_equal(fc_graph_nr_beyond(bed.graph), 3);
	bed_free(&bed);
}

static bool is_func(void *ctx, uint32_t func)
{
	return func == *(uint32_t *)ctx;
}

static void a_reversed_graph_tells_who_leads_there(void **state)
{
	struct bed bed = bed_of(100);
	uint32_t c = C;
	char path[32];

	run(&bed, 1, "1 2 4 - 4 - - 3 4 - - 4 - -");
	run(&bed, 2, "2 4 - -"); /* a thread that begins with a */
	fc_calls_finish(bed.calls, bed.tsc);
	struct fc_graph *reversed = fc_graph_reverse(bed.graph, is_func, &c);
	assert_sums(reversed, "4", 5, 0, 50, 50);
	assert_sums(reversed, "4/1", 1, 0, 10, 10);
	assert_sums(reversed, "4/2", 3, 0, 30, 30);
	assert_sums(reversed, "4/2/1", 2, 0, 20, 20);
	assert_sums(reversed, "4/3/1", 1, 0, 10, 10);
	snprintf(path, sizeof(path), "4/2/%d", FC_GRAPH_OUTERMOST);
	assert_sums(reversed, path, 1, 0, 10, 10);
	assert_int_equal(find(reversed, "4/1/1"), 0);
	fc_graph_destroy(reversed);
	bed_free(&bed);
}

/* ---- sums ---- */

static void compare_sums(const struct fc_graph *graph, const struct fc_report *report)
{
	struct fc_graph_sums of[NR_FUNCS] = { 0 };
	struct fc_report_row *rows = NULL;
	size_t nr = 0;

	for (uint32_t i = 1; i <= fc_graph_nr(graph); i++) {
		struct fc_graph_node node = fc_graph_get(graph, i);
		assert_true(node.parent < i);
		if (node.is_echo || node.func >= NR_FUNCS)
			continue;
		of[node.func].calls += node.sums.calls;
		of[node.func].total += node.sums.total;
		of[node.func].self += node.sums.self;
	}
	assert_int_equal(fc_report_rows(report, "func", &clock_ns, &namer, &rows, &nr), 0);
	for (uint32_t func = 1; func < NR_FUNCS; func++) {
		const struct fc_report_row none = { 0 }, *row = row_of(rows, nr, func);
		row = row ? row : &none;
		assert_int_equal(of[func].calls, row->calls);
		assert_int_equal(of[func].total, row->total_ns);
		assert_int_equal(of[func].self, row->self_ns);
	}
	free(rows);
	assert_int_equal(fc_graph_waited(graph), fc_report_waited(report));
}

static void sums_of_functions_are_those_of_the_report(void **state)
{
	for (unsigned seed = 1; seed <= 60; seed++) {
		unsigned random = seed;
		uint64_t tsc = 0;
		/* With room for all paths, for some, for none. */
		struct fc_graph *graph = fc_graph_create(seed % 3 ? seed % 3 * 500 - 500 : 100000);
		struct fc_report *report = fc_report_create();
		struct fc_tee tee;
		fc_tee_init(&tee, fc_graph_sink(graph), fc_report_sink(report));
		struct fc_calls *calls = fc_calls_create(&tee.sink);

		for (int i = 0; i < 4000; i++) {
			struct fc_event event = random_event(&random, &tsc);
			fc_calls_feed(calls, &event);
		}
		fc_calls_finish(calls, tsc);
		compare_sums(graph, report);
		fc_calls_destroy(calls);
		fc_report_destroy(report);
		fc_graph_destroy(graph);
	}
}

static bool is_named(void *ctx, uint32_t func, const char *glob)
{
	return fc_namer_match((void *)&namer, func, glob);
}

static void sums_agree_behind_filters_too(void **state)
{
	char *some[] = { "f03", "f1*", NULL }, *other[] = { "f05", "f2*", NULL };
	const struct fc_filter_opts filters[] = {
		{ .only = some },
		{ .except = other },
		{ .depth = 4 },
		{ .min_ticks = 200 },
		{ .only = some, .except = other, .depth = 6, .min_ticks = 90 },
	};

	for (unsigned seed = 1; seed <= 50; seed++) {
		unsigned random = seed;
		uint64_t tsc = 0;
		struct fc_graph *graph = fc_graph_create(100000);
		struct fc_report *report = fc_report_create();
		struct fc_tee tee;
		fc_tee_init(&tee, fc_graph_sink(graph), fc_report_sink(report));
		struct fc_filter_opts opts = filters[seed % 5];
		opts.is_ordered = true;
		opts.match = is_named;
		struct fc_filter *filter = fc_filter_create(&opts, &tee.sink);
		struct fc_calls *calls = fc_calls_create(fc_filter_sink(filter));

		for (int i = 0; i < 4000; i++) {
			struct fc_event event = random_event(&random, &tsc);
			fc_calls_feed(calls, &event);
		}
		fc_calls_finish(calls, tsc);
		compare_sums(graph, report);
		fc_calls_destroy(calls);
		fc_filter_destroy(filter);
		fc_report_destroy(report);
		fc_graph_destroy(graph);
	}
}

/* ---- lines ---- */

/* "0 1 9|1 2 8|1 +2 1": level, function or the number of nodes summed, calls. */
static char *lines_of(const struct fc_graph *graph, const struct fc_graph_view_opts *opts)
{
	struct fc_graph_view_opts with_names = *opts;
	struct fc_graph_line line;
	char *text = fc_strdup("");

	with_names.namer = namer;
	struct fc_graph_view *view = fc_graph_view_create(graph, &with_names);
	while (fc_graph_view_next(view, &line)) {
		bool is_node = line.kind == FC_GRAPH_LINE_NODE;
		char *longer = fc_asprintf(
			"%s%s%u %s%u%s %u", text, *text ? "|" : "", line.level,
			is_node ? "" : "+", is_node ? line.node.func : (unsigned)line.nr,
			line.node.is_echo ? "!" : "", (unsigned)line.node.sums.calls);
		free(text);
		text = longer;
	}
	fc_graph_view_destroy(view);
	return text;
}

static void assert_lines(const struct fc_graph *graph, const struct fc_graph_view_opts *opts,
			 const char *expected)
{
	char *text = lines_of(graph, opts);
	assert_string_equal(text, expected);
	free(text);
}

static void lines_come_weightiest_first(void **state)
{
	struct bed bed = bed_of(100);

	/* 1: 90 below 3, 10 below 2 twice, 2 is called more often */
	run(&bed, 1, "1 2 - 2 - 3 4 - 4 - 4 - 4 - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ 0 }, "0 1 1|1 3 1|2 4 4|1 2 2");
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .by_calls = true },
		     "0 1 1|1 3 1|2 4 4|1 2 2");
	run(&bed, 1, "1 2 - 2 - 2 - 2 - -");
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .by_calls = true },
		     "0 1 2|1 2 6|1 3 1|2 4 4");
	bed_free(&bed);
}

static void what_is_not_shown_is_summed(void **state)
{
	struct bed bed = bed_of(100);

	run(&bed, 1, "1 2 4 - 5 - 2 - - 3 - 1 - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ 0 },
		     "0 1 2|1 2 2|2 2! 1|2 4 1|2 5 1|1 1! 1|1 3 1");
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .levels = 2 },
		     "0 1 2|1 2 2|2 +2 2|2 +1! 1|1 1! 1|1 3 1");
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .levels = 1 },
		     "0 1 2|1 +4 5|1 +1! 1");
	/* 130 ticks: 3 and the echo of 1 have 10 each */
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .min = 0.2 },
		     "0 1 2|1 2 2|2 +2 2|2 +1! 1|1 +1 1|1 +1! 1");
	assert_lines(bed.graph, &(struct fc_graph_view_opts){ .min = 1.1 }, "0 +5 7");
	bed_free(&bed);
}

static void all_lines_add_up_to_the_whole(void **state)
{
	unsigned seed = 5;
	uint64_t tsc = 0;
	struct bed bed = bed_of(100000);

	for (int i = 0; i < 5000; i++) {
		struct fc_event event = random_event(&seed, &tsc);
		fc_calls_feed(bed.calls, &event);
	}
	fc_calls_finish(bed.calls, tsc);
	for (unsigned i = 0; i < 12; i++) {
		struct fc_graph_view_opts opts = { .levels = i % 4,
						   .min = i / 4 * 0.01,
						   .by_calls = i % 2,
						   .namer = namer };
		struct fc_graph_view *view = fc_graph_view_create(bed.graph, &opts);
		struct fc_graph_sums whole = fc_graph_view_whole(view), sum = { 0 };
		struct fc_graph_line line;
		uint64_t roots = 0;
		while (fc_graph_view_next(view, &line)) {
			if (line.node.is_echo)
				continue;
			sum.calls += line.node.sums.calls;
			sum.self += line.node.sums.self;
			sum.total += line.level ? 0 : line.node.sums.total;
			roots += line.level ? 0 : line.weight;
		}
		assert_int_equal(sum.calls, whole.calls);
		assert_int_equal(sum.self, whole.self);
		assert_int_equal(sum.total, whole.total);
		assert_int_equal(roots, fc_graph_view_weight(view));
		fc_graph_view_destroy(view);
	}
	bed_free(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_has_its_own_sums),
		cmocka_unit_test(strands_share_their_paths),
		cmocka_unit_test(direct_recursion_is_one_node_and_an_echo),
		cmocka_unit_test(indirect_recursion_goes_back_to_its_path),
		cmocka_unit_test(a_function_counts_where_it_is_open),
		cmocka_unit_test(a_caller_in_a_gap_is_unknown),
		cmocka_unit_test(an_inherited_call_is_no_call_of_the_child),
		cmocka_unit_test(what_was_only_counted_stands_by_itself),
		cmocka_unit_test(paths_beyond_the_limit_are_summed_by_function),
		cmocka_unit_test(a_reversed_graph_tells_who_leads_there),
		cmocka_unit_test(sums_of_functions_are_those_of_the_report),
		cmocka_unit_test(sums_agree_behind_filters_too),
		cmocka_unit_test(lines_come_weightiest_first),
		cmocka_unit_test(what_is_not_shown_is_summed),
		cmocka_unit_test(all_lines_add_up_to_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
