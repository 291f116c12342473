/* SPDX-License-Identifier: Apache-2.0 */
/* The options of commands: what they take, where they end, and what is said of bad ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/options/cmd.c"
#include "cmd/options/kernel_options.c"
#include "cmd/options/option.c"
#include "cmd/options/options.c"
#include "cmd/options/parse.c"
#include "cmd/options/peers.c"
#include "cmd/options/pids.c"
#include "cmd/options/report_options.c"
#include "cmd/options/settings.c"
#include "cmd/options/shared_options.c"
#include "cmd/options/span.c"
#include "cmd/out/say.c"

static int set_sort(struct fc_settings *settings, const char *arg)
{
	settings->sort = arg;
	return fc_report_check_keys(arg);
}

static int put_columns(const struct fc_option *option, void *at, const char *arg)
{
	return fc_columns_parse(arg, "a column", at);
}

static const struct fc_option *const options[] = {
	FC_OPTION('o', NULL, "FILE", "write to FILE", FC_FILE(output)),
	FC_OPTION('c', NULL, NULL, "no lines: a table", FC_FLAG(summary)),
	FC_OPTION('s', NULL, "KEYS", "sort by these", set_sort),
	FC_OPTION('f', NULL, "COLUMNS", "show these",
		  FC_PUT(put_columns, struct fc_columns, report.columns)),
	FC_OPTION(0, "by", "WHAT", "a row for each", FC_WORD(report.by),
		  .words = "function|module|thread|process|file"),
	&fc_option_rows,
	&fc_option_json,
	FC_OPTIONS_TRACE,
	&fc_option_tid,
	&fc_option_dump_on,
	&fc_option_help,
	FC_OPTION('V', "version", NULL, "fctrace's version", FC_FLAG(version)),
	NULL,
};
static const struct fc_cmd runs = { .name = "test", .options = options, .runs_program = true };
static const struct fc_cmd reads = { .name = "test", .options = options };

static struct fc_settings settings;

static char *argv[16];

/* Parse these words; returns the index of the first that is no option. */
static int parse(const struct fc_cmd *cmd, const char *const *words)
{
	int argc = 1;

	memset(argv, 0, sizeof(argv));
	argv[0] = (char *)"test";
	for (; *words; words++)
		argv[argc++] = (char *)*words;
	fc_settings_deinit(&settings);
	settings = (struct fc_settings){ 0 };
	return fc_options_parse(cmd, argc, argv, &settings);
}

#define PARSE(...)	 parse(&runs, (const char *const[]){ __VA_ARGS__, NULL })
#define PARSE_READS(...) parse(&reads, (const char *const[]){ __VA_ARGS__, NULL })

static void options_end_at_the_program(void **state)
{
	assert_int_equal(PARSE("-D", "3", "ls", "-l", "-D", "x"), 3);
	assert_int_equal(settings.depth, 3);
	assert_int_equal(PARSE("--", "-c"), 2);
	assert_false(settings.summary);
	assert_int_equal(PARSE("-c", "--", "report"), 3);
	assert_true(settings.summary);
	assert_int_equal(
		PARSE("-cD2", "--libs=all", "--no-follow", "--no-cache", "--loss", "drop", "x"),
		7);
	assert_int_equal(settings.depth, 2);
	assert_int_equal(settings.libs, FC_LIBS_ALL);
	assert_int_equal(settings.loss, FC_LOSS_DROP);
	assert_true(settings.no_follow);
	assert_true(settings.no_cache);
}

static void options_of_a_reader_stand_anywhere(void **state)
{
	assert_int_equal(PARSE_READS("t.data", "-n", "5", "--json"), 4);
	assert_int_equal(settings.nr_rows, 5);
	assert_true(settings.json);
	assert_string_equal(argv[4], "t.data");
	assert_int_equal(PARSE_READS("-c", "t.data", "--", "--json"), 3);
	assert_false(settings.json);
	assert_string_equal(argv[3], "t.data");
	assert_string_equal(argv[4], "--json");
	assert_int_equal(PARSE_READS("t.data", "--nonsense"), -EINVAL);
	assert_string_equal(fc_fail_text(),
			    "--nonsense: unknown option; see fctrace test --help");
	assert_int_equal(PARSE_READS("t.data", "-n"), -EINVAL);
	assert_string_equal(fc_fail_text(), "-n wants an argument; see fctrace test --help");
}

static void a_command_may_have_any_number_of_options(void **state)
{
	enum { NR = 300 };
	static struct fc_option many[NR];
	static const struct fc_option *list[NR + 1];
	static char names[NR][16];
	const struct fc_cmd cmd = { .name = "test", .options = list };
	for (int i = 0; i < NR; i++) {
		snprintf(names[i], sizeof(names[i]), "option%d", i);
		many[i] = (struct fc_option){ 0, names[i], NULL, "", FC_FLAG(json) };
		list[i] = &many[i];
	}
	assert_int_equal(parse(&cmd, (const char *const[]){ "--option299", NULL }), 2);
	assert_true(settings.json);
	assert_int_equal(parse(&cmd, (const char *const[]){ "--option300", NULL }), -EINVAL);
}

static void globs_add_up(void **state)
{
	assert_int_equal(PARSE("-F", "a*", "-F", "m:[b-d]", "-N", "\\[", "-m", "libz*", "x"),
			 9);
	assert_string_equal(settings.only[0], "a*");
	assert_string_equal(settings.only[1], "m:[b-d]");
	assert_null(settings.only[2]);
	assert_string_equal(settings.except[0], "\\[");
	assert_string_equal(settings.modules[0], "libz*");
	assert_true(fc_settings_filter_anything(&settings));
}

static void times_have_a_unit(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "500ns", 500 },
		{ "10us", 10000 },
		{ "5ms", 5000000 },
		{ "1s", 1000000000 },
		{ "1.5us", 1500 },
		{ ".5ms", 500000 },
		{ "100000s", 100000000000000 },
	};
	static const char *const bad[] = { "3",
					   "3 parsecs",
					   "us",
					   "-1us",
					   "1 us",
					   "1e3us",
					   "nan",
					   "infs",
					   "0x1s",
					   "1.2.3s",
					   ".s",
					   "",
					   "99999999999999999999s",
					   "1us " };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(PARSE("-t", good[i].text, "x"), 3);
		assert_int_equal(settings.min_ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(PARSE("-t", bad[i], "x"), -EINVAL);
	PARSE("-t", "3 parsecs", "x");
	assert_string_equal(fc_fail_text(),
			    "-t 3 parsecs: not a time; say it as 10us, 5ms or 1s");
}

static void a_ring_is_said_in_bytes_or_with_a_unit(void **state)
{
	assert_int_equal(PARSE("--ring=64K"), 2);
	assert_int_equal(settings.ring_bytes, 64 << 10);
	assert_int_equal(PARSE("--ring", "1m"), 3);
	assert_int_equal(settings.ring_bytes, 1 << 20);
	assert_int_equal(PARSE("--ring=65536"), 2);
	assert_int_equal(settings.ring_bytes, 64 << 10);
}

static void what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *words[3];
		const char *text;
	} bad[] = {
		{ { "--nonsense" }, "--nonsense: unknown option; see fctrace test --help" },
		{ { "-cZ" }, "-Z: unknown option; see fctrace test --help" },
		{ { "-F" }, "-F wants an argument; see fctrace test --help" },
		{ { "--libs" }, "--libs wants an argument; see fctrace test --help" },
		{ { "--json=1" },
		  "--json=1: this option takes no argument; see fctrace test --help" },
		{ { "--dump-on", "f#0" }, "--dump-on f#0: calls are counted from 1 on" },
		{ { "--dump-on", "f#99999999999999999999" },
		  "--dump-on f#99999999999999999999: there are not so many calls" },
		{ { "--dump-on", "f#3>10ms" },
		  "--dump-on f#3>10ms: the number comes last, as in 'FUNCTION>10ms#3'" },
		{ { "--libs=some" }, "--libs some: unknown; say none, api or all" },
		{ { "--loss", "never" }, "--loss never: unknown; say block, drop or ring" },
		{ { "--ring=32K" }, "--ring 32K: too small; 64K is the least" },
		{ { "--ring=0" }, "--ring 0: too small; 64K is the least" },
		{ { "--ring=1T" }, "--ring 1T: not a size; say it as 64K, 1M or 16M" },
		{ { "--ring=1MB" }, "--ring 1MB: not a size; say it as 64K, 1M or 16M" },
		{ { "--ring=-1M" }, "--ring -1M: not a size; say it as 64K, 1M or 16M" },
		{ { "--ring=99999999999G" },
		  "--ring 99999999999G: not a size; say it as 64K, 1M or 16M" },
		{ { "--ring=3M" },
		  "--ring 3M: not a power of two; say 64K, 128K, 256K, ... 64M" },
		{ { "--ring=128M" }, "--ring 128M: too large; 64M is the most" },
		{ { "--ring=16777216T" },
		  "--ring 16777216T: not a size; say it as 64K, 1M or 16M" },
		{ { "-D", "0" }, "-D 0: not a depth; say a whole number from 1 to 2147483647" },
		{ { "-D", "-1" },
		  "-D -1: not a depth; say a whole number from 1 to 2147483647" },
		{ { "-D", "4x" },
		  "-D 4x: not a depth; say a whole number from 1 to 2147483647" },
		{ { "-F", "a[b" },
		  "-F a[b: a [ without its ]; write \\[ for the character itself" },
		{ { "-N", "" }, "-N an empty pattern matches nothing; say a name, or *" },
		{ { "-s", "size" },
		  "-s size: not a sort key; there are calls, counted, timed, total, self, cpu, "
		  "wait, self-wait, min, avg, max, stdev, p50, p90, p99, p99.9, func, module, "
		  "value, pid, tid" },
		{ { "-s", "self," },
		  "-s self,: not a sort key; there are calls, counted, timed, total, self, "
		  "cpu, wait, self-wait, min, avg, max, stdev, p50, p90, p99, p99.9, func, "
		  "module, value, pid, tid" },
		{ { "--by", "colour" },
		  "--by colour: unknown; say function, module, thread, process or file" },
		{ { "--jsno" },
		  "--jsno: unknown option; did you mean --json? See fctrace test --help" },
		{ { "--libs=al" },
		  "--libs al: unknown; did you mean all? Say none, api or all" },
		{ { "-s", "slef" },
		  "-s slef: not a sort key; did you mean self? There are calls, counted, "
		  "timed, total, self, cpu, wait, self-wait, min, avg, max, stdev, p50, p90, "
		  "p99, p99.9, func, "
		  "module, value, pid, tid" },
		{ { "-f", "calls,p98" },
		  "-f p98: not a column; did you mean p90 or p99? There are calls, counted, "
		  "timed, total, self, cpu, wait, self-wait, min, avg, max, stdev, p50, p90, "
		  "p99, p99.9" },
		{ { "-e", "trace=open,close", "ls" },
		  "-e: unknown option; to see chosen calls with their arguments: -a -F 'open' "
		  "-F "
		  "'close'; to see system calls: --syscalls" },
		{ { "-etrace=open", "ls" },
		  "-e: unknown option; to see chosen calls with their arguments: -a -F 'open'; "
		  "to see system calls: --syscalls" },
		{ { "-e", "trace=%file", "ls" },
		  "-e: unknown option; to see chosen calls with their arguments: -a -F "
		  "'open*'; "
		  "to see system calls: --syscalls" },
		{ { "-ce", "signal=none", "ls" },
		  "-e: unknown option; to see chosen calls with their arguments: -a -F "
		  "'open*'; "
		  "to see system calls: --syscalls" },
		{ { "-g", "ls" },
		  "-g: unknown option; callers are recorded with every call already: fctrace "
		  "record PROGRAM, then fctrace graph, or fctrace report --callers FUNCTION" },
		{ { "-tt", "ls" },
		  "-t t: not a time: calls shorter than TIME are left out; to see the time of "
		  "day: fctrace record PROGRAM, then fctrace replay -f +time" },
		{ { "--json", "-Zc" }, "-Z: unknown option; see fctrace test --help" },
		{ { "--l=all" }, "--l=all: unknown option; see fctrace test --help" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(&runs, bad[i].words), -EINVAL);
		assert_string_equal(fc_fail_text(), bad[i].text);
	}
}

static void a_time_in_ticks_is_never_too_short(void **state)
{
	/* 3 ticks are 2 ns: 5 ns take 8 ticks, as 7 are only 4.67 */
	struct fc_clock clock = { .tsc1 = 3000, .mono1_ns = 2000 };

	PARSE("-t", "5ns", "x");
	struct fc_filter_opts opts = fc_settings_filter(&settings, &clock, NULL);
	assert_int_equal(opts.min_ticks, 8);
	assert_true(fc_clock_duration_ns(&clock, 8) >= 5);
	assert_true(fc_clock_duration_ns(&clock, 7) < 5);
}

static void names_match_with_and_without_their_module(void **state)
{
	struct fc_name name = { "_ZN3foo3barEv", "libfoo.so.1" }, method = { "a::b", "x" };

	assert_true(fc_name_match(name, "_ZN3foo*"));
	assert_true(fc_name_match(name, "libfoo*:*bar*"));
	assert_false(fc_name_match(name, "libbar*:*bar*"));
	assert_false(fc_name_match(name, "libfoo*"));
	assert_true(fc_name_match(method, "a::b"));
	assert_true(fc_name_match(method, "x:a::*"));
}

static void names_match_mangled_and_demangled(void **state)
{
	struct fc_name push = { "std::vector::push_back", "prog",
				"_ZNSt6vectorIiSaIiEE9push_backEOi" };
	struct fc_name rust = { "x", "prog",
				"_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE" };

	assert_true(fc_name_match(push, "_ZNSt6vector*"));
	assert_true(fc_name_match(push, "std::vector::push_back"));
	assert_true(fc_name_match(push, "prog:std::*::push_back"));
	assert_true(fc_name_match(push, "std::vector<int,*push_back(int&&)"));
	assert_true(fc_name_match(push,
				  "std::vector<int, std::allocator<int> >::push_back(int&&)"));
	assert_false(fc_name_match(push, "push_back"));
	assert_false(fc_name_match(push, "std::vector<char,*"));
	assert_true(fc_name_match(rust, "core::fmt::*"));
	/* How it is shown is no name of its own. */
	assert_false(fc_name_match(rust, "x"));
	/* A name that holds what is special in a pattern matches itself. */
	assert_true(fc_name_match((struct fc_name){ "_Z1fPA3_i", "x" }, "f(int (*) [3])"));
}

static void parentheses_stand_behind_a_name_once(void **state)
{
	static const struct {
		const char *symbol, *name, *parens;
	} names[] = {
		{ "main", "main", "()" },
		{ "_Z1fi", "f(int)", "" },
		{ "_Z1fi", "f", "()" },
		{ "_Z1fi", "_Z1fi", "()" },
		{ "_ZNK1A1fEi", "A::f(int) const", "" },
		{ "_ZNKR1A1fEi", "A::f(int) const &", "" },
		{ "_Z1fi.cold", "f(int) [clone .cold]", "" },
		{ "_ZNK1AclEi", "A::operator()", "()" },
		{ "_ZNK1AclEi", "A::operator()(int) const", "" },
		{ "_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f", "()" },
		{ "_ZZ4mainENKUliE_clEi", "main::{lambda()#1}::operator()", "()" },
		{ "_RNvC1a1b", "a::b", "()" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fc_name name = { names[i].name, "x", names[i].symbol };
		assert_string_equal(fc_name_parens(name), names[i].parens);
	}
	/* Nothing but the name is known. */
	assert_string_equal(fc_name_parens((struct fc_name){ "f", "x" }), "()");
}

static void a_backend_is_known_by_its_word(void **state)
{
	PARSE("ls");
	assert_string_equal(fc_settings_backend(&settings)->name, "patch");
	PARSE("--backend", "patch", "ls");
	assert_string_equal(fc_settings_backend(&settings)->name, "patch");
	PARSE("--backend", "step", "ls");
	assert_string_equal(fc_settings_backend(&settings)->name, "step");
}

static void a_time_behind_a_function_is_told_from_its_name(void **state)
{
	PARSE("--dump-on", "f<int>(char)", "--dump-on", "a::operator->", "--dump-on",
	      "g<int>::h>5ms", "x");
	assert_int_equal(settings.dump_on.nr_funcs, 3);
	assert_string_equal(settings.dump_funcs[0].glob, "f<int>(char)");
	assert_string_equal(settings.dump_funcs[1].glob, "a::operator->");
	assert_string_equal(settings.dump_funcs[2].glob, "g<int>::h");
	assert_int_equal(settings.dump_funcs[2].min_ns, 5000000);
}

static void a_number_behind_a_function_is_told_from_its_name(void **state)
{
	PARSE("--dump-on", "main::{lambda()#1}", "--dump-on", "f*#3", "--dump-on",
	      "main::{lambda()#1}>5ms#20", "--dump-on", "f#", "x");
	assert_int_equal(settings.dump_on.nr_funcs, 4);
	assert_string_equal(settings.dump_funcs[0].glob, "main::{lambda()#1}");
	assert_int_equal(settings.dump_funcs[0].nth, 0);
	assert_string_equal(settings.dump_funcs[1].glob, "f*");
	assert_int_equal(settings.dump_funcs[1].nth, 3);
	assert_string_equal(settings.dump_funcs[2].glob, "main::{lambda()#1}");
	assert_int_equal(settings.dump_funcs[2].min_ns, 5000000);
	assert_int_equal(settings.dump_funcs[2].nth, 20);
	assert_string_equal(settings.dump_funcs[3].glob, "f#");
	assert_int_equal(settings.dump_funcs[3].nth, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_behind_a_function_is_told_from_its_name),
		cmocka_unit_test(options_end_at_the_program),
		cmocka_unit_test(options_of_a_reader_stand_anywhere),
		cmocka_unit_test(a_command_may_have_any_number_of_options),
		cmocka_unit_test(globs_add_up),
		cmocka_unit_test(times_have_a_unit),
		cmocka_unit_test(a_ring_is_said_in_bytes_or_with_a_unit),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(a_time_in_ticks_is_never_too_short),
		cmocka_unit_test(names_match_with_and_without_their_module),
		cmocka_unit_test(names_match_mangled_and_demangled),
		cmocka_unit_test(parentheses_stand_behind_a_name_once),
		cmocka_unit_test(a_backend_is_known_by_its_word),
		cmocka_unit_test(a_time_behind_a_function_is_told_from_its_name),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fc_settings_deinit(&settings);
	return failed;
}
