/* SPDX-License-Identifier: Apache-2.0 */
/* A report of modules, threads and processes: what is one row, and what counts once in it. */
#include "read/sums/report.h"

#include "trace/test_trace.h"

enum { MAIN = 1, WORK, LIB, OTHER_LIB };

/* work and lib are of one file, main is of another, and of the other lib nothing is known. */
static struct fc_name name_of(void *ctx, uint32_t func)
{
	static const struct fc_source main_c = { "/src/main.c", 1, "main.c:1" };
	static const struct fc_source work_c = { "/src/work.c", 1, "work.c:1" };

	return (struct fc_name){ .name = "f",
				 .module = "m",
				 .source = func == MAIN	     ? &main_c
					   : func == OTHER_LIB ? NULL
							       : &work_c };
}

static const struct fc_namer namer = { name_of, NULL };
static const struct fc_clock ticks = { .tsc1 = 1000, .mono1_ns = 1000 };

static void tell_module(struct fc_tap *tap, uint32_t id, const char *path, uint32_t first,
			size_t nr)
{
	struct fc_func_info funcs[2] = {
		{ "one", 0x1000, 0x10, first, FC_HOW_HOOKED, "jmp5" },
		{ "two", 0x2000, 0x10, first + 1, FC_HOW_HOOKED, "jmp5" },
	};
	struct fc_module_info module = { id, path, "c0ffee", funcs, nr };
	tap->module(tap, &module);
}

/* main { work { lib } } each 100 ticks after the one before. */
static void run_strand(struct fc_tap *tap, uint32_t id, int pid, int tid)
{
	static const uint32_t funcs[] = { MAIN, WORK, LIB };
	struct stream s = stream_of(id, pid, tid);

	for (int i = 0; i < 3; i++) {
		s.tsc = BEGIN_TSC + 800u * (unsigned)i;
		stream_add(&s, FC_ENTRY, funcs[i]);
	}
	for (int i = 3; i < 6; i++) {
		s.tsc = BEGIN_TSC + 800u * (unsigned)i;
		stream_return(&s);
	}
	assert_int_equal(stream_send(&s, tap, 100), 0);
	stream_free(&s);
}

static struct fc_reader *made(void)
{
	struct fc_writer *writer = trace_create(in_dir("groups"));
	struct fc_tap *tap = fc_writer_tap(writer);
	struct fc_life_info lives[] = {
		{ FC_LIFE_START, 7, 7, 1, 0, BEGIN_TSC - 40, "" },
		{ FC_LIFE_EXEC, 7, 7, 0, 0, BEGIN_TSC - 30, "/bin/old" },
		{ FC_LIFE_EXEC, 7, 7, 0, 0, BEGIN_TSC - 20, "/bin/prog" },
		{ FC_LIFE_START, 9, 9, 7, 0, BEGIN_TSC - 10, "" },
	};

	tell_module(tap, 1, "/bin/prog", MAIN, 2);
	tell_module(tap, 2, "/lib/a/lib.so", LIB, 1);
	tell_module(tap, 3, "/lib/b/lib.so", OTHER_LIB, 1);
	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++)
		tap->life(tap, &lives[i]);
	run_strand(tap, 1, 7, 7);
	run_strand(tap, 2, 7, 8);
	run_strand(tap, 3, 7, 8); /* the same thread on a stack for signals */
	run_strand(tap, 4, 9, 9);
	assert_int_equal(trace_close(writer, 0), 0);
	return trace_open(in_dir("groups"));
}

struct grouped {
	struct fc_reader *reader;
	struct fc_grouping *grouping;
	struct fc_report *report;
	struct fc_report_row *rows;
	size_t nr;
};

static struct grouped group(enum fc_by by, const char *keys, int tid)
{
	struct grouped g = { .reader = made() };

	g.grouping = fc_grouping_create(g.reader, &namer, by);
	struct fc_report_opts opts = { .grouping = g.grouping };
	assert_int_equal(fc_report_crunch(g.reader, &opts, tid, &g.report), 0);
	assert_int_equal(fc_report_rows(g.report, keys, &ticks, &namer, &g.rows, &g.nr), 0);
	return g;
}

static void ungroup(struct grouped *g)
{
	free(g->rows);
	fc_report_destroy(g->report);
	fc_grouping_destroy(g->grouping);
	fc_reader_close(g->reader);
}

static void assert_row(const struct fc_report_row *row, uint64_t calls, uint64_t total,
		       uint64_t self)
{
	assert_int_equal(row->calls, calls);
	assert_int_equal(row->total_ns, total);
	assert_int_equal(row->self_ns, self);
}

static void a_module_is_one_row_whose_calls_in_itself_count_once(void **state)
{
	struct grouped g = group(FC_BY_MODULE, "module", 0);

	assert_int_equal(g.nr, 2);
	assert_string_equal(g.rows[0].name.module, "lib.so");
	assert_row(&g.rows[0], 4, 4 * 800, 4 * 800);
	assert_string_equal(g.rows[1].name.module, "prog");
	assert_row(&g.rows[1], 8, 4 * 4000, 4 * 3200); /* main's, not work's as well */
	ungroup(&g);
}

static void a_thread_is_one_row_whatever_its_stacks(void **state)
{
	struct grouped g = group(FC_BY_THREAD, "tid", 0);

	assert_int_equal(g.nr, 3);
	assert_int_equal(g.rows[1].tid, 8);
	assert_int_equal(g.rows[1].pid, 7);
	assert_row(&g.rows[0], 3, 4000, 4000);
	assert_row(&g.rows[1], 6, 8000, 8000);
	assert_row(&g.rows[2], 3, 4000, 4000);
	ungroup(&g);
}

static void a_process_is_one_row_with_its_program(void **state)
{
	struct grouped g = group(FC_BY_PROCESS, "pid", 0);

	assert_int_equal(g.nr, 2);
	assert_row(&g.rows[0], 9, 12000, 12000);
	assert_string_equal(g.rows[0].name.name, "/bin/prog");
	assert_row(&g.rows[1], 3, 4000, 4000);
	assert_string_equal(g.rows[1].name.name, "/bin/prog"); /* that of who forked it */
	assert_int_equal(g.rows[1].tid, 0);
	ungroup(&g);
}

static void a_file_of_the_source_is_one_row(void **state)
{
	struct grouped g = group(FC_BY_FILE, "func", 0);

	assert_int_equal(g.nr, 2);
	assert_string_equal(g.rows[0].name.name, "/src/main.c");
	assert_row(&g.rows[0], 4, 4 * 4000, 4 * 1600);
	assert_string_equal(g.rows[1].name.name, "/src/work.c");
	assert_row(&g.rows[1], 8, 4 * 2400, 4 * 2400); /* work's, not lib's as well */
	fc_report_add_counted(g.report, OTHER_LIB, 3);
	free(g.rows);
	assert_int_equal(fc_report_rows(g.report, "func", &ticks, &namer, &g.rows, &g.nr), 0);
	assert_int_equal(g.nr, 3);
	assert_string_equal(g.rows[2].name.name, "?");
	ungroup(&g);
}

static void one_thread_can_be_asked_for(void **state)
{
	struct grouped g = group(FC_BY_FUNCTION, "calls", 8);

	assert_int_equal(g.nr, 3);
	for (size_t i = 0; i < g.nr; i++)
		assert_int_equal(g.rows[i].calls, 2);
	ungroup(&g);
}

static void counted_calls_are_their_modules(void **state)
{
	struct grouped g = group(FC_BY_MODULE, "module", 0);

	fc_report_add_counted(g.report, OTHER_LIB, 5);
	fc_report_add_counted(g.report, LIB, 2);
	free(g.rows);
	assert_int_equal(fc_report_rows(g.report, "calls", &ticks, &namer, &g.rows, &g.nr), 0);
	assert_int_equal(g.nr, 3); /* two files of one name are two modules */
	assert_int_equal(g.rows[1].calls, 6);
	assert_int_equal(g.rows[1].counted, 2);
	assert_int_equal(g.rows[2].calls, 5);
	ungroup(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_one_row_whose_calls_in_itself_count_once),
		cmocka_unit_test(a_thread_is_one_row_whatever_its_stacks),
		cmocka_unit_test(a_process_is_one_row_with_its_program),
		cmocka_unit_test(a_file_of_the_source_is_one_row),
		cmocka_unit_test(one_thread_can_be_asked_for),
		cmocka_unit_test(counted_calls_are_their_modules),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
