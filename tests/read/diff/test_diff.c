/* SPDX-License-Identifier: Apache-2.0 */
/* What goes with what in two traces: functions, processes, threads; and what is noise. */
#include "trace/test_trace.h"

#include "calls/play.h"
#include "read/diff/changes.h"
#include "read/diff/groups.h"
#include "read/diff/kin.h"
#include "read/diff/subtree.h"
#include "read/diff/timekinds.h"
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

static void tell_life(struct made *made, int kind, int pid, int tid, int other,
		      const char *text)
{
	static uint64_t tsc = BEGIN_TSC;
	struct fc_life_info life = { .life = kind,
				     .pid = pid,
				     .tid = tid,
				     .other = other,
				     .tsc = tsc += 1000,
				     .text = text };
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
	const struct fc_twins_side sides[2] = { { &a->reader, 1 }, { &b->reader, 1 } };
	return fc_twins_create(sides);
}

/* Do function i of module m in one trace and function k of module n in the other go together? */
static bool go_together(const struct fc_twins *twins, uint32_t m, uint32_t i, uint32_t n,
			uint32_t k)
{
	return fc_twins_number(twins, 0, 0, (m - 1) * NR_FUNCS + i + 1) ==
	       fc_twins_number(twins, 1, 0, (n - 1) * NR_FUNCS + k + 1);
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
	assert_string_equal(fc_twins_get(twins, fc_twins_number(twins, 0, 0, 4))->any,
			    "prog+?");
	assert_null(fc_twins_get(twins, fc_twins_number(twins, 0, 0, 8))->any);
	assert_int_equal(fc_twins_get(twins, fc_twins_number(twins, 0, 0, 2))->func[1], 0);

	/* An id that no module told, as in a damaged trace. */
	assert_int_equal(fc_twins_number(twins, 0, 0, 9999),
			 fc_twins_number(twins, 1, 0, 77777));
	assert_non_null(fc_twins_get(twins, fc_twins_number(twins, 0, 0, 9999)));
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

static void add_calls(struct fc_call_sink *sink, uint32_t func, int nr, uint64_t ns)
{
	for (int i = 0; i < nr; i++) {
		struct fc_call call = { .func = func, .strand = 1 };
		call.begin_tsc = 1000 + (uint64_t)i * 2000;
		call.end_tsc = call.begin_tsc + ns;
		call.self_ticks = ns;
		sink->leave(sink, &call);
	}
}

static uint32_t itself(void *ctx, uint32_t func)
{
	return func;
}

struct run {
	const struct fc_twins *twins;
	int side;
};

static uint32_t number_of(void *ctx, uint32_t func)
{
	const struct run *run = ctx;
	return fc_twins_number(run->twins, run->side, 0, func);
}

/* Calls of func of ns each. */
static struct fc_costs *costs_of(const int calls[NR_FUNCS], const uint64_t ns[NR_FUNCS])
{
	struct fc_costs *costs = fc_costs_create(&(struct fc_report_opts){ .has_hist = false });
	for (uint32_t i = 0; i < NR_FUNCS; i++)
		add_calls(fc_costs_sink(costs), i + 1, calls[i], ns[i]);
	return costs;
}

static void changes_are_told_from_noise_and_the_largest_is_first(void **state)
{
	static const int calls[2][NR_FUNCS] = { { 1000, 1000, 1000, 10 },
						{ 1000, 1000, 1000, 11 } };
	/* main as before, work and helper longer, one without a name called once more. */
	static const uint64_t ns[2][NR_FUNCS] = { { 100, 100, 300, 1 }, { 104, 250, 900, 1 } };
	struct made *made[2] = { begin("a"), begin("b") };
	struct fc_changes_run runs[2] = { 0 };
	for (int side = 0; side < 2; side++) {
		tell_module(made[side], 1, "/bin/prog", "aa", plain);
		call_all(made[side], 1);
		end(made[side]);
		runs[side].costs = costs_of(calls[side], ns[side]);
		runs[side].clock = &clock_ns;
		runs[side].namer = (struct fc_namer){ name_of, made[side]->reader };
	}
	struct fc_twins *twins = twins_of(made[0], made[1]);
	for (int side = 0; side < 2; side++)
		fc_costs_settle(runs[side].costs, &clock_ns, number_of,
				&(struct run){ twins, side });
	struct fc_changes_opts opts = { .twins = twins,
					.runs = { &runs[0], &runs[1] },
					.nr_runs = { 1, 1 } };
	struct fc_changes changes = { 0 };
	assert_int_equal(fc_changes_find(&opts, &changes), 0);
	assert_int_equal(changes.nr, 4);
	assert_string_equal(changes.at[0].name.name, "helper");
	assert_string_equal(changes.at[1].name.name, "work");
	assert_string_equal(changes.at[2].name.name, "main");
	assert_int_equal(changes.at[3].rows[1].calls, 11);
	assert_true(changes.at[3].matters);
	assert_false(changes.at[2].matters);
	assert_true(changes.at[0].change_ns > 599e3 && changes.at[0].change_ns < 601e3);
	fc_changes_deinit(&changes);

	opts.keys = "calls,nonsense";
	assert_int_equal(fc_changes_find(&opts, &changes), -EINVAL);
	fc_twins_destroy(twins);
	for (int side = 0; side < 2; side++) {
		fc_costs_destroy(runs[side].costs);
		drop(made[side]);
	}
}

/* What becomes of a sample of many calls must not depend on who was told of which. */
static void a_call_usually_takes_what_most_calls_do(void **state)
{
	static const int calls[NR_FUNCS] = { 5000, 0, 0, 0 };
	static const uint64_t ns[NR_FUNCS] = { 100 };
	struct fc_costs *costs = costs_of(calls, ns);
	struct fc_call_sink *sink = fc_costs_sink(costs);
	struct fc_call call = { .func = 1, .strand = 1, .begin_tsc = 7 };
	/* One that was interrupted, and one that ended with its thread. */
	call.end_tsc = call.begin_tsc + 1000000;
	call.self_ticks = 1000000;
	sink->leave(sink, &call);
	call.left = FC_LEFT_END;
	call.end_tsc = call.begin_tsc + 3000;
	call.self_ticks = 3000;
	sink->leave(sink, &call);

	fc_costs_settle(costs, &clock_ns, itself, NULL);
	size_t nr;
	const struct fc_cost *cost = fc_costs_settled(costs, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(cost->number, 1);
	assert_int_equal(cost->nr_timed, 5001);
	assert_true(cost->usual_ns > 99.9 && cost->usual_ns < 100.1);
	assert_true(cost->sum_ns > 1499e3 && cost->sum_ns < 1501e3);
	assert_true(cost->shortest_ns > 99.9 && cost->shortest_ns < 100.1);
	assert_true(cost->longest_ns > 999e3);
	assert_true(cost->cut_ns > 2999 && cost->cut_ns < 3001);
	assert_int_equal(cost->nr_parts, FC_COST_PARTS);
	fc_costs_destroy(costs);
}

static enum fc_kind_of_time kind_of(const char *name, const char *module)
{
	return fc_kind_of_time((struct fc_name){ name, module });
}

static void only_the_c_librarys_functions_are_known_to_wait(void **state)
{
	assert_int_equal(kind_of("pthread_join", "libc.so.6"), FC_TIME_JOIN);
	assert_int_equal(kind_of("__poll", "libc-2.31.so"), FC_TIME_WAIT);
	assert_int_equal(kind_of("sem_wait", "libpthread.so.0"), FC_TIME_WAIT);
	assert_int_equal(kind_of("accept", "libc.so.6"), FC_TIME_WAIT);
	assert_int_equal(kind_of("writev", "libc.so.6"), FC_TIME_WAIT);
	assert_int_equal(kind_of("nanosleep", "libc.so.6"), FC_TIME_SLEEP);
	assert_int_equal(kind_of("wait", "prog"), FC_TIME_WORK);
	assert_int_equal(kind_of("stat", "libcurl.so.4"), FC_TIME_WORK);
	assert_int_equal(kind_of("qsort", "libc.so.6"), FC_TIME_WORK);
	assert_int_equal(kind_of("rite", "libc.so.6"), FC_TIME_WORK);
	assert_int_equal(kind_of("_", "libc.so.6"), FC_TIME_WORK);
	assert_int_equal(kind_of("__tls_get_addr", "ld-linux-x86-64.so.2"), FC_TIME_LOADER);
}

/* ---- which traces ---- */

static void groups_are_two_words_patterns_or_what_vs_divides(void **state)
{
	static const struct {
		char *words[6];
		int nr;
		size_t a, b; /* 0: it is not clear */
	} cases[] = {
		{ { "a", "b" }, 2, 1, 1 },
		{ { "a", "vs", "b" }, 3, 1, 1 },
		{ { "a1", "a2", "a3", "vs", "b1", "b2" }, 6, 3, 2 },
		{ { "a", "b", "c" }, 3, 0, 0 },
		{ { "a", "vs" }, 2, 0, 0 },
		{ { "vs", "b" }, 2, 0, 0 },
		{ { "a", "vs", "b", "vs", "c" }, 5, 0, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fc_group_of_traces groups[2] = { 0 };
		int err = fc_groups_parse(cases[i].nr, (char **)cases[i].words, groups);
		assert_int_equal(err, cases[i].a ? 0 : -EINVAL);
		if (!err) {
			assert_int_equal(groups[0].nr, cases[i].a);
			assert_int_equal(groups[1].nr, cases[i].b);
		}
		fc_groups_deinit(groups);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_go_by_name_and_file),
		cmocka_unit_test(files_go_by_their_names_without_a_version),
		cmocka_unit_test(programs_go_together_whatever_they_are_called),
		cmocka_unit_test(threads_go_by_what_they_began_with_and_order),
		cmocka_unit_test(processes_go_by_program_under_their_parents),
		cmocka_unit_test(changes_are_told_from_noise_and_the_largest_is_first),
		cmocka_unit_test(a_call_usually_takes_what_most_calls_do),
		cmocka_unit_test(only_the_c_librarys_functions_are_known_to_wait),
		cmocka_unit_test(groups_are_two_words_patterns_or_what_vs_divides),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
