/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by stack: recursion as it was, tasks, gaps, limits, and that its sums are exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calls/tee.h"
#include "read/sums/stacks.h"
#include "calls/test_feed.h"
#include "trace/test_mark.h"
#include "read/sums/test_sums.h"

enum { MAIN = 1, A, B, C, D };

struct bed {
	struct fc_stacks *stacks;
	struct fc_calls *calls;
	uint64_t tsc;
};

static struct bed bed_of(uint32_t max_nodes, uint32_t max_levels, bool by_thread)
{
	struct fc_stacks_opts opts = { max_nodes, max_levels, by_thread };
	struct bed bed = { .stacks = fc_stacks_create(&opts) };
	bed.calls = fc_calls_create(fc_stacks_sink(bed.stacks));
	return bed;
}

static void bed_free(struct bed *bed)
{
	fc_calls_destroy(bed->calls);
	fc_stacks_destroy(bed->stacks);
}

/* Strand n is thread n. */
static void run(struct bed *bed, uint32_t strand, const char *what)
{
	feed_all(bed->calls, strand, (int)strand, &bed->tsc, what);
}

static void life(struct bed *bed, int what, int pid, int other, const char *text)
{
	struct fc_life_info info = { .life = what, .pid = pid, .tid = pid, .other = other,
				     .text = text };
	fc_stacks_life(bed->stacks, &info);
}

/* "prog/f01/[unknown]": by names. */
static uint32_t find(struct fc_stacks *stacks, const char *path)
{
	uint32_t at = 0;

	for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/') {
		size_t len = strcspn(p, "/");
		for (at = fc_stacks_first(stacks, at); at; at = fc_stacks_next(stacks, at)) {
			uint32_t func = fc_stacks_get(stacks, at).func;
			const char *name = fc_stacks_name(stacks, &namer, func).name;
			if (strlen(name) == len && !memcmp(name, p, len))
				break;
		}
		if (!at)
			return 0;
	}
	return at;
}

static void assert_sums(struct bed *bed, const char *path, uint64_t calls, uint64_t total,
			uint64_t self)
{
	uint32_t node = find(bed->stacks, path);

	if (!node)
		fail_msg("no node %s", path);
	struct fc_graph_sums sums = fc_stacks_get(bed->stacks, node).sums;
	assert_int_equal(sums.calls, calls);
	assert_int_equal(sums.total, total);
	assert_int_equal(sums.self, self);
}

static void recursion_is_shown_as_it_was(void **state)
{
	struct bed bed = bed_of(100, 100, false);

	run(&bed, 1, "1 2 2 3 - - - 2 - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "process", 0, 90, 0);
	assert_sums(&bed, "process/f01", 1, 90, 30);
	assert_sums(&bed, "process/f01/f02", 2, 60, 30);
	assert_sums(&bed, "process/f01/f02/f02", 1, 30, 20);
	assert_sums(&bed, "process/f01/f02/f02/f03", 1, 10, 10);
	assert_int_equal(fc_stacks_nr(bed.stacks), 5);
	bed_free(&bed);
}

static void a_root_is_what_the_process_runs(void **state)
{
	struct bed bed = bed_of(100, 100, false);

	life(&bed, FC_LIFE_EXEC, 7, 0, "/bin/one");
	run(&bed, 1, "1 -");
	life(&bed, FC_LIFE_EXEC, 7, 0, "/bin/two");
	run(&bed, 1, "1 - 1 -");
	run(&bed, 2, "1 -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_int_equal(fc_stacks_get(bed.stacks, find(bed.stacks, "one/f01")).sums.calls, 1);
	assert_int_equal(fc_stacks_get(bed.stacks, find(bed.stacks, "two/f01")).sums.calls, 3);
	bed_free(&bed);
}

static void a_fork_runs_what_its_parent_runs(void **state)
{
	struct bed bed = bed_of(100, 100, false);

	life(&bed, FC_LIFE_EXEC, 5, 0, "/bin/shell");
	life(&bed, FC_LIFE_START, 7, 5, "");
	run(&bed, 1, "1 -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "shell/f01", 1, 10, 10);
	bed_free(&bed);
}

static void threads_can_stand_apart(void **state)
{
	struct bed bed = bed_of(100, 100, true);

	run(&bed, 1, "1 -");
	run(&bed, 2, "1 2 - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "process [1]/f01", 1, 10, 10);
	assert_sums(&bed, "process [2]/f01", 1, 30, 20);
	assert_sums(&bed, "process [2]/f01/f02", 1, 10, 10);
	bed_free(&bed);
}

static void a_caller_in_a_gap_is_unknown(void **state)
{
	struct bed bed = bed_of(100, 100, false);
	struct fc_event lost = { .tsc = 55, .strand = 1, .pid = 7, .tid = 1, .kind = FC_MARK,
				 .mark = FC_MARK_LOST, WORDS(9, 2 + 1) };

	run(&bed, 1, "1 2 - 2 -");
	fc_calls_feed(bed.calls, &lost); /* two are open behind it: main and somebody */
	run(&bed, 1, "3 4 - - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "process/f01/[unknown]", 0, 30, 0);
	assert_sums(&bed, "process/f01/[unknown]/f03/f04", 1, 10, 10);
	bed_free(&bed);
}

static void what_is_deeper_counts_by_function(void **state)
{
	struct bed bed = bed_of(100, 2, false);

	run(&bed, 1, "1 2 3 4 3 - - - 4 - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "process/f01/f02", 1, 90, 30);
	assert_sums(&bed, "process/f01/f02/[deeper]", 0, 60, 0);
	assert_sums(&bed, "process/f01/f02/[deeper]/f03", 2, 30, 30);
	assert_sums(&bed, "process/f01/f02/[deeper]/f04", 2, 30, 30);
	assert_int_equal(fc_stacks_nr(bed.stacks), 6);
	bed_free(&bed);
}

static void stacks_beyond_the_limit_count_by_function(void **state)
{
	struct bed bed = bed_of(3, 100, false);

	run(&bed, 1, "1 2 3 - - 3 2 - - -");
	fc_calls_finish(bed.calls, bed.tsc);
	assert_sums(&bed, "process/f01", 1, 90, 30);
	assert_sums(&bed, "process/f01/f02", 1, 30, 20);
	assert_sums(&bed, "[other]", 0, 40, 0);
	assert_sums(&bed, "[other]/f03", 2, 30, 30);
	assert_sums(&bed, "[other]/f02", 1, 10, 10);
	assert_int_equal(fc_graph_nr_beyond(fc_stacks_graph(bed.stacks)), 3);
	bed_free(&bed);
}

/* ---- sums ---- */

static bool is_within_itself(const struct fc_stacks *stacks, uint32_t at)
{
	uint32_t func = fc_stacks_get(stacks, at).func;

	while ((at = fc_stacks_get(stacks, at).parent)) {
		if (fc_stacks_get(stacks, at).func == func)
			return true;
	}
	return false;
}

static void compare_sums(const struct fc_stacks *stacks, const struct fc_report *report,
			 bool has_totals)
{
	struct fc_graph_sums of[NR_FUNCS] = { 0 };
	struct fc_report_row *rows = NULL;
	size_t nr = 0;

	for (uint32_t i = 1; i <= fc_stacks_nr(stacks); i++) {
		struct fc_graph_node node = fc_stacks_get(stacks, i);
		assert_true(node.parent < i);
		if (fc_graph_is_pseudo(node.func))
			continue;
		of[node.func].calls += node.sums.calls;
		of[node.func].self += node.sums.self;
		if (!is_within_itself(stacks, i))
			of[node.func].total += node.sums.total;
	}
	assert_int_equal(fc_report_rows(report, "func", &clock_ns, &namer, &rows, &nr), 0);
	for (uint32_t func = 1; func < NR_FUNCS; func++) {
		const struct fc_report_row none = { 0 }, *row = row_of(rows, nr, func);
		row = row ? row : &none;
		assert_int_equal(of[func].calls, row->calls);
		assert_int_equal(of[func].self, row->self_ns);
		if (has_totals)
			assert_int_equal(of[func].total, row->total_ns);
	}
	free(rows);
}

static void sums_of_functions_are_those_of_the_report(void **state)
{
	/* With room for all stacks; for some; for few levels; for nothing. */
	static const struct fc_stacks_opts limits[] = {
		{ 1000000, 60000 }, { 300, 60000 }, { 1000000, 3 }, { 300, 5 }, { 0, 0 }
	};

	for (unsigned seed = 1; seed <= 60; seed++) {
		unsigned random = seed, nr_limits = sizeof(limits) / sizeof(limits[0]);
		uint64_t tsc = 0;
		struct fc_stacks *stacks = fc_stacks_create(&limits[seed % nr_limits]);
		struct fc_report *report = fc_report_create();
		struct fc_tee tee;
		fc_tee_init(&tee, fc_stacks_sink(stacks), fc_report_sink(report));
		struct fc_calls *calls = fc_calls_create(&tee.sink);

		for (int i = 0; i < 4000; i++) {
			struct fc_event event = random_event(&random, &tsc);
			fc_calls_feed(calls, &event);
		}
		fc_calls_finish(calls, tsc);
		compare_sums(stacks, report, seed % nr_limits == 0);
		fc_calls_destroy(calls);
		fc_report_destroy(report);
		fc_stacks_destroy(stacks);
	}
}

/* Each node and each root is reached once by going from child to child. */
static void all_nodes_are_found_from_the_roots(void **state)
{
	struct bed bed = bed_of(1000, 100, true);
	uint32_t nr = 0, at = 0;

	run(&bed, 1, "1 2 3 - 4 - - 2 - 3 4 - - -");
	run(&bed, 2, "1 5 - - 5 -");
	fc_calls_finish(bed.calls, bed.tsc);
	for (at = fc_stacks_first(bed.stacks, 0); at;) {
		uint32_t first = fc_stacks_first(bed.stacks, at);
		nr++;
		while (!first && at && !(first = fc_stacks_next(bed.stacks, at)))
			at = fc_stacks_get(bed.stacks, at).parent;
		at = first;
	}
	assert_int_equal(nr, fc_stacks_nr(bed.stacks));
	bed_free(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_is_shown_as_it_was),
		cmocka_unit_test(a_root_is_what_the_process_runs),
		cmocka_unit_test(a_fork_runs_what_its_parent_runs),
		cmocka_unit_test(threads_can_stand_apart),
		cmocka_unit_test(a_caller_in_a_gap_is_unknown),
		cmocka_unit_test(what_is_deeper_counts_by_function),
		cmocka_unit_test(stacks_beyond_the_limit_count_by_function),
		cmocka_unit_test(sums_of_functions_are_those_of_the_report),
		cmocka_unit_test(all_nodes_are_found_from_the_roots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
