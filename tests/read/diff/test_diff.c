/* SPDX-License-Identifier: Apache-2.0 */
/* What goes with what in two traces: functions, processes, threads; and what is noise. */
#include "trace/test_trace.h"

#include "calls/play.h"
#include "read/diff/changes.h"
#include "read/diff/kin.h"
#include "read/diff/subtree.h"
#include "read/diff/twins.h"

#define NR_FUNCS 4

/* A trace in the making. */
struct made {
	char path[64];
	struct fc_writer *writer;
	struct fc_reader *reader;
};

static void tell_module(struct made *made, uint32_t id, const char *path, const char *build,
			const char *const *names)
{
	struct fc_func_info *funcs = fc_alloc(NR_FUNCS * sizeof(*funcs));
	for (uint32_t i = 0; i < NR_FUNCS; i++)
		funcs[i] = (struct fc_func_info){ .name = names[i],
						  .vaddr = 0x1000 + 16 * i,
						  .size = 16,
						  .id = (id - 1) * NR_FUNCS + i + 1,
						  .how = FC_HOW_HOOKED,
						  .why = "jmp5" };
	struct fc_module_info info = { id, path, build, funcs, NR_FUNCS };
	struct fc_tap *tap = fc_writer_tap(made->writer);
	assert_int_equal(tap->module(tap, &info), 0);
	free(funcs);
}

static void tell_life(struct made *made, int kind, int pid, int tid, int other, const char *text)
{
	static uint64_t tsc = BEGIN_TSC;
	struct fc_life_info life = { .life = kind, .pid = pid, .tid = tid, .other = other,
				     .tsc = tsc += 1000, .text = text };
	struct fc_tap *tap = fc_writer_tap(made->writer);
	assert_int_equal(tap->life(tap, &life), 0);
}

/* A strand with one call of func. */
static void tell_strand(struct made *made, uint32_t id, int pid, int tid, uint32_t func)
{
	struct stream s = stream_of(id, pid, tid);
	struct fc_tap *tap = fc_writer_tap(made->writer);
	stream_add(&s, FC_ENTRY, func);
	s.tsc += 100;
	stream_add(&s, FC_EXIT, func);
	assert_int_equal(tap->records(tap, &s.info, s.words.at, s.words.nr, s.tsc + 1), 0);
	assert_int_equal(tap->strand_end(tap, &s.info, s.tsc + 2), 0);
	stream_free(&s);
}

static struct made *begin(const char *name)
{
	struct made *made = fc_alloc(sizeof(*made));
	snprintf(made->path, sizeof(made->path), "%s", in_dir(name));
	made->writer = trace_create(made->path);
	return made;
}

/* A function's name is told when it is called: call all. */
static void call_all(struct made *made, uint32_t nr_modules)
{
	for (uint32_t func = 1; func <= nr_modules * NR_FUNCS; func++)
		tell_strand(made, func, 5, 5, func);
}

static void end(struct made *made)
{
	assert_int_equal(trace_close(made->writer, 0), 0);
	made->reader = trace_open(made->path);
}

static void drop(struct made *made)
{
	fc_reader_close(made->reader);
	free(made);
}

static struct fc_twins *twins_of(struct made *a, struct made *b)
{
	return fc_twins_create((struct fc_reader *[2]){ a->reader, b->reader });
}

/* Do function i of module m in one trace and function k of module n in the other go together? */
static bool go_together(const struct fc_twins *twins, uint32_t m, uint32_t i, uint32_t n,
			uint32_t k)
{
	return fc_twins_number(twins, 0, (m - 1) * NR_FUNCS + i + 1) ==
	       fc_twins_number(twins, 1, (n - 1) * NR_FUNCS + k + 1);
}

static const char *const plain[NR_FUNCS] = { "main", "work", "helper", NULL };
static const char *const moved[NR_FUNCS] = { "helper", "main", NULL, "extra" };

static void functions_go_by_name_and_file(void **state)
{
	struct made *a = begin("a"), *b = begin("b");
	tell_module(a, 1, "/old/prog", "aa", plain);
	tell_module(a, 2, "/lib/libx.so.1", "bb", plain);
	tell_module(b, 1, "/lib/libx.so.1", "bb", plain);
	tell_module(b, 2, "/new/prog", "cc", moved);
	call_all(a, 2);
	call_all(b, 2);
	end(a);
	end(b);
	struct fc_twins *twins = twins_of(a, b);

	assert_true(go_together(twins, 1, 0, 2, 1));  /* main */
	assert_true(go_together(twins, 1, 2, 2, 0));  /* helper */
	assert_false(go_together(twins, 1, 0, 1, 0)); /* main of another file */
	assert_true(go_together(twins, 2, 1, 1, 1));
	assert_true(go_together(twins, 2, 3, 1, 3)); /* no name, the same place of one build */
	assert_true(go_together(twins, 1, 3, 2, 2)); /* no name, another build: any */
	assert_string_equal(fc_twins_get(twins, fc_twins_number(twins, 0, 4))->any, "prog+?");
	assert_null(fc_twins_get(twins, fc_twins_number(twins, 0, 8))->any);
	assert_int_equal(fc_twins_get(twins, fc_twins_number(twins, 0, 2))->func[1], 0);

	/* An id that no module told, as in a damaged trace. */
	assert_int_equal(fc_twins_number(twins, 0, 9999), fc_twins_number(twins, 1, 77777));
	assert_non_null(fc_twins_get(twins, fc_twins_number(twins, 0, 9999)));
	fc_twins_destroy(twins);
	drop(a);
	drop(b);
}

static void files_go_by_their_names_without_a_version(void **state)
{
	assert_true(fc_twins_is_version("lua5.3", "lua5.4"));
	assert_true(fc_twins_is_version("libssl.so.1.1", "libssl.so.3"));
	assert_true(fc_twins_is_version("", "12"));
	assert_false(fc_twins_is_version("lua5.3", "luac5.3"));
	assert_false(fc_twins_is_version("liba.so", "libab.so"));
	assert_false(fc_twins_is_version("libab.so", "liba.so"));

	struct made *a = begin("a"), *b = begin("b");
	tell_module(a, 1, "/bin/lua5.3", "aa", plain);
	tell_module(a, 2, "/lib/libx-1.so", "bb", plain);
	tell_module(a, 3, "/lib/liby.so.1", "cc", plain);
	tell_module(b, 1, "/bin/lua5.4", "dd", plain);
	tell_module(b, 2, "/lib/libx-1.so", "bb", plain);
	tell_module(b, 3, "/lib/libx-2.so", "ee", plain);
	call_all(a, 3);
	call_all(b, 3);
	end(a);
	end(b);
	struct fc_twins *twins = twins_of(a, b);
	assert_true(go_together(twins, 1, 0, 1, 0));
	assert_true(go_together(twins, 2, 0, 2, 0));
	assert_false(go_together(twins, 2, 0, 3, 0)); /* that name is there as it is */
	assert_false(go_together(twins, 3, 0, 3, 0));
	fc_twins_destroy(twins);
	drop(a);
	drop(b);
}

static void programs_go_together_whatever_they_are_called(void **state)
{
	struct made *a = begin("a"), *b = begin("b");
	tell_life(a, FC_LIFE_EXEC, 5, 5, 0, "/tmp/before");
	tell_life(b, FC_LIFE_EXEC, 6, 6, 0, "/tmp/patched");
	tell_module(a, 1, "/tmp/before", "aa", plain);
	tell_module(b, 1, "/tmp/patched", "bb", plain);
	call_all(a, 1);
	call_all(b, 1);
	end(a);
	end(b);
	struct fc_twins *twins = twins_of(a, b);
	assert_true(go_together(twins, 1, 0, 1, 0));
	fc_twins_destroy(twins);
	drop(a);
	drop(b);
}

/* ---- threads ---- */

/* What each strand began with. */
struct begins {
	uint32_t of[2][16];
};

static uint32_t begin_of(void *ctx, int side, uint32_t strand)
{
	struct begins *begins = ctx;
	return strand < 16 ? begins->of[side][strand] : 0;
}

static struct fc_kins kins_of(struct made *a, struct made *b, struct begins *begins)
{
	struct fc_kin_opts opts = { .readers = { a->reader, b->reader },
				    .begin_of = begin_of,
				    .ctx = begins };
	struct fc_kins kins = { 0 };
	fc_kin_find(&opts, &kins);
	return kins;
}

static void assert_kin(const struct fc_kins *kins, size_t i, uint32_t a, uint32_t b)
{
	assert_true(i < kins->nr);
	assert_int_equal(kins->at[i].strand[0], a);
	assert_int_equal(kins->at[i].strand[1], b);
}

static void threads_go_by_what_they_began_with_and_order(void **state)
{
	struct made *a = begin("a"), *b = begin("b");
	struct begins begins = { .of = { { 0, 1, 2, 3, 3, 9 }, { 0, 1, 3, 2, 3, 8, 4 } } };
	for (int side = 0; side < 2; side++) {
		struct made *made = side ? b : a;
		int pid = side ? 70 : 50;
		tell_life(made, FC_LIFE_START, pid, pid, 0, "");
		tell_life(made, FC_LIFE_EXEC, pid, pid, 0, "/bin/prog");
		for (int i = 1; i < (side ? 6 : 5); i++)
			tell_life(made, FC_LIFE_THREAD_START, pid, pid + i, 0, "");
		tell_module(made, 1, "/bin/prog", "aa", plain);
		for (uint32_t i = 1; i < (side ? 7 : 6); i++)
			tell_strand(made, i, pid, pid + (int)i - 1, 1);
		end(made);
	}
	struct fc_kins kins = kins_of(a, b, &begins);
	assert_int_equal(kins.nr, 6);
	assert_kin(&kins, 0, 1, 1);
	assert_kin(&kins, 1, 2, 3);
	assert_kin(&kins, 2, 3, 2);
	assert_kin(&kins, 3, 4, 4);
	assert_kin(&kins, 4, 5, 5); /* of those that remain, the first */
	assert_kin(&kins, 5, 0, 6);
	assert_int_equal(kins.at[1].tid[0], 51);
	assert_int_equal(kins.at[1].tid[1], 72);
	fc_vec_free(&kins);
	drop(a);
	drop(b);
}

static void processes_go_by_program_under_their_parents(void **state)
{
	static const char *const runs[2][3] = { { "/bin/ls", "/bin/wc", "/bin/ls" },
						{ "/bin/wc", "/bin/ls", "/bin/cat" } };
	struct made *a = begin("a"), *b = begin("b");
	struct begins begins = { .of = { { 0, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1 } } };
	for (int side = 0; side < 2; side++) {
		struct made *made = side ? b : a;
		tell_life(made, FC_LIFE_START, 10, 10, 0, "");
		tell_life(made, FC_LIFE_EXEC, 10, 10, 0, side ? "/bin/dash" : "/bin/sh");
		for (int i = 0; i < 3; i++) {
			tell_life(made, FC_LIFE_START, 20 + i, 20 + i, 10, "");
			tell_life(made, FC_LIFE_EXEC, 20 + i, 20 + i, 0, runs[side][i]);
		}
		tell_module(made, 1, "/bin/prog", "aa", plain);
		for (uint32_t i = 1; i < 5; i++)
			tell_strand(made, i, i == 1 ? 10 : 18 + (int)i,
				    i == 1 ? 10 : 18 + (int)i, 1);
		end(made);
	}
	struct fc_kins kins = kins_of(a, b, &begins);
	assert_int_equal(kins.nr, 5);
	assert_kin(&kins, 0, 1, 1);
	assert_kin(&kins, 1, 2, 3); /* ls */
	assert_kin(&kins, 2, 3, 2); /* wc */
	assert_kin(&kins, 3, 4, 0); /* a second ls */
	assert_kin(&kins, 4, 0, 4); /* cat */
	assert_string_equal(kins.at[4].program[1], "/bin/cat");
	fc_vec_free(&kins);
	drop(a);
	drop(b);
}

/* ---- what matters ---- */

static const struct fc_clock clock_ns = { .tsc1 = 1000, .mono1_ns = 1000 };

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct fc_func_ref ref = fc_reader_func(ctx, func);
	return (struct fc_name){ ref.name, ref.module };
}

/* So many calls of func of ns each, of which the last takes more. */
static void add_calls(struct fc_report *report, uint32_t func, int nr, uint64_t ns, uint64_t more)
{
	struct fc_call_sink *sink = fc_report_sink(report);
	for (int i = 0; i < nr; i++) {
		struct fc_call call = { .func = func, .strand = 1, .begin_tsc = 1000 };
		call.end_tsc = 1000 + ns + (i == nr - 1 ? more : 0);
		call.self_ticks = call.end_tsc - call.begin_tsc;
		sink->leave(sink, &call);
	}
}

static void noise_does_not_matter_but_calls_do(void **state)
{
	struct made *a = begin("a"), *b = begin("b");
	tell_module(a, 1, "/bin/prog", "aa", plain);
	tell_module(b, 1, "/bin/prog", "aa", plain);
	call_all(a, 1);
	call_all(b, 1);
	end(a);
	end(b);
	struct fc_report *reports[2] = { fc_report_create(), fc_report_create() };
	add_calls(reports[0], 1, 1000, 100, 0); /* main: nothing but noise */
	add_calls(reports[1], 1, 1000, 104, 0);
	add_calls(reports[0], 2, 1000, 100, 0); /* work: twice as long */
	add_calls(reports[1], 2, 1000, 200, 0);
	add_calls(reports[0], 3, 1000, 300, 0); /* helper: one call was interrupted */
	add_calls(reports[1], 3, 1000, 300, 500000);
	add_calls(reports[0], 4, 10, 1, 0); /* no name: once more */
	add_calls(reports[1], 4, 11, 1, 0);

	struct fc_twins *twins = twins_of(a, b);
	struct fc_changes_opts opts = {
		.twins = twins,
		.reports = { reports[0], reports[1] },
		.clocks = { &clock_ns, &clock_ns },
		.namers = { { name_of, a->reader }, { name_of, b->reader } },
		.keys = "total",
	};
	struct fc_changes changes = { 0 };
	assert_int_equal(fc_changes_find(&opts, &changes), 0);
	assert_int_equal(changes.nr, 4);
	assert_string_equal(changes.at[0].name.name, "helper");
	assert_false(changes.at[0].matters);
	assert_string_equal(changes.at[1].name.name, "work");
	assert_true(changes.at[1].matters);
	assert_string_equal(changes.at[2].name.name, "main");
	assert_false(changes.at[2].matters);
	assert_true(changes.at[3].matters);
	assert_int_equal(changes.at[3].rows[1].calls, 11);
	fc_changes_deinit(&changes);

	opts.keys = "calls,nonsense";
	assert_int_equal(fc_changes_find(&opts, &changes), -EINVAL);
	fc_twins_destroy(twins);
	fc_report_destroy(reports[0]);
	fc_report_destroy(reports[1]);
	drop(a);
	drop(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_go_by_name_and_file),
		cmocka_unit_test(files_go_by_their_names_without_a_version),
		cmocka_unit_test(programs_go_together_whatever_they_are_called),
		cmocka_unit_test(threads_go_by_what_they_began_with_and_order),
		cmocka_unit_test(processes_go_by_program_under_their_parents),
		cmocka_unit_test(noise_does_not_matter_but_calls_do),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
