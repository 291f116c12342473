/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions cannot be called under those that -F asks for, of programs made for it. */
#include "arch/test_arch.h"

#include "capture/module/under.h"
#include "capture/patch/plan.h"

#define FN "__attribute__((noinline, noclone)) static "
/* f calls g; main calls f, and a, which calls b. */
#define PROGRAM                                                                                \
	"volatile int n;\n" FN "void g(void) { n++; }\n" FN "void f(void) { g(); n++; }\n" FN   \
	"void b(void) { n += 2; }\n" FN "void a(void) { b(); n++; }\n"
#define MAIN "int main(void) { a(); f(); return n; }\n"

struct made {
	struct fc_elf *elf;
	struct fc_plan *plan;
	size_t nr_left_out;
};

static void needs_compiler(void)
{
	if (!has_assembler())
		skip();
}

static struct made make(const char *text, const char *flags, char **only)
{
	static const struct fc_plan_opts all = { 0 };
	struct made ret;
	char command[256];
	snprintf(command, sizeof(command),
		 "gcc -w -O1 %s reach.c -o reach 2>gcc.err || { cat gcc.err >&2; false; }",
		 flags);
	write_text("reach.c", text);
	run("%s", command);
	ret.elf = open_elf("reach");
	assert_int_equal(fc_plan_create(ret.elf, &all, &ret.plan), 0);
	ret.nr_left_out = fc_under_prune(ret.plan, "reach", only);
	return ret;
}

static void unmake(struct made *made)
{
	fc_plan_destroy(made->plan);
	fc_elf_close(made->elf);
}

static const struct fc_func_info *info_of(const struct made *made, const char *name)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(made->plan, &nr);
	for (size_t i = 0; i < nr; i++)
		if (funcs[i].name && !strcmp(funcs[i].name, name))
			return &funcs[i];
	fail_msg("there is no %s", name);
	return NULL;
}

/* Of the functions abfg and main (m), those in hooked are, the others are left out. */
static void expect(const char *text, const char *flags, char **only, const char *hooked)
{
	struct made made = make(text, flags, only);
	for (const char *c = "abfgm"; *c; c++) {
		char name[2] = { *c };
		const struct fc_func_info *info = info_of(&made, *c == 'm' ? "main" : name);
		bool is_hooked = info->how == FC_HOW_HOOKED;
		if (is_hooked != (strchr(hooked, *c) != NULL))
			fail_msg("%s is %s: %s", info->name, is_hooked ? "hooked" : "not hooked",
				 info->why);
		if (!is_hooked)
			assert_true(strstr(info->why, "cannot be reached from -F ") ==
				    info->why);
	}
	unmake(&made);
}

#define ONLY(...) ((char *[]){ __VA_ARGS__, NULL })

static void what_only_main_leads_to_is_left_out(void **state)
{
	needs_compiler();
	expect(PROGRAM MAIN, "", ONLY("f"), "fg");
	expect(PROGRAM MAIN, "", ONLY("g"), "g");
	expect(PROGRAM MAIN, "", ONLY("b", "g"), "bg");
	expect(PROGRAM MAIN, "", ONLY("nothing"), "");
	expect(PROGRAM MAIN, "-no-pie", ONLY("f"), "fg");
	expect(PROGRAM MAIN, "-static", ONLY("a"), "ab");
	expect(PROGRAM MAIN, "-static-pie", ONLY("f"), "fg");
}

static void the_reason_names_what_was_asked_for(void **state)
{
	needs_compiler();
	struct made made = make(PROGRAM MAIN, "", ONLY("f", "nothing"));
	assert_string_equal(info_of(&made, "a")->why,
			    "cannot be reached from -F f -F nothing");
	assert_int_equal(made.nr_left_out, 3);
	assert_int_equal(fc_plan_number(made.plan, 1), 1 + fc_plan_sums(made.plan).hooked +
							       fc_plan_sums(made.plan).entry_only);
	assert_int_equal(info_of(&made, "a")->id, 0);
	unmake(&made);
}

static void an_address_in_the_data_or_in_code_may_be_called_by_anyone(void **state)
{
	needs_compiler();
	static const char *const flags[] = { "", "-no-pie", "-static", "-Wl,-z,pack-relative-relocs" };
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		expect(PROGRAM "void (*volatile p)(void) = b;\n" MAIN, flags[i], ONLY("f"),
		       "bfg");
		expect(PROGRAM "struct { char c; void (*p)(void); } __attribute__((packed)) "
			       "volatile s = { 1, a };\n" MAIN,
		       flags[i], ONLY("f"), "abfg");
		expect(PROGRAM "void (*volatile p)(void);\n"
			       "int main(void) { p = b; a(); f(); return n; }\n",
		       flags[i], ONLY("f"), "bfg");
	}
}

static void a_distance_to_a_function_may_be_used_by_anyone(void **state)
{
	needs_compiler();
	expect(PROGRAM "__asm__(\".pushsection .rodata\\n.p2align 2\\n.long a - .\\n"
		       ".popsection\\n\");\n" MAIN,
	       "", ONLY("f"), "abfg");
}

static void what_is_exported_may_be_called_by_anyone(void **state)
{
	needs_compiler();
	expect(PROGRAM "__attribute__((visibility(\"default\"))) void e(void) { b(); n--; }\n" MAIN,
	       "-Wl,--export-dynamic-symbol=e", ONLY("f"), "bfg");
	expect(PROGRAM MAIN, "-rdynamic", ONLY("f"), "abfgm");
}

static void tail_calls_and_constructors_are_followed(void **state)
{
	needs_compiler();
	expect("volatile int n;\n" FN "void b(void) { n++; }\n" FN "void g(void) { n--; }\n"
	       FN "void a(void) { n++; }\n" FN "void f(int x) { if (x) { n++; return b(); } g(); n++; }\n"
	       "int main(void) { a(); f(n); b(); return n; }\n",
	       "-foptimize-sibling-calls", ONLY("f"), "bfg");
	expect(PROGRAM "__attribute__((constructor)) static void c(void) { b(); }\n" MAIN, "",
	       ONLY("f"), "bfg");
}

/* Their calls may be the first to show that f was left. */
static void a_program_that_jumps_out_of_calls_unseen_is_hooked_as_ever(void **state)
{
	needs_compiler();
	expect("void *way[5];\n" PROGRAM "int main(void) { if (__builtin_setjmp(way)) return 0;\n"
	       " a(); f(); if (n) __builtin_longjmp(way, 1); return n; }\n",
	       "", ONLY("f"), "abfgm");
}

static void all_is_hooked_under_main_and_its_callers(void **state)
{
	needs_compiler();
	expect(PROGRAM MAIN, "", ONLY("main"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("f", "__libc_start_*"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("libc.so.6:*"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("libc.so.6+0x27200"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("*+0x27200"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("*"), "abfgm");
	expect(PROGRAM MAIN, "", ONLY("reach:f"), "fg");
	expect(PROGRAM MAIN, "", ONLY("parse_*"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_main_leads_to_is_left_out),
		cmocka_unit_test(the_reason_names_what_was_asked_for),
		cmocka_unit_test(an_address_in_the_data_or_in_code_may_be_called_by_anyone),
		cmocka_unit_test(a_distance_to_a_function_may_be_used_by_anyone),
		cmocka_unit_test(what_is_exported_may_be_called_by_anyone),
		cmocka_unit_test(tail_calls_and_constructors_are_followed),
		cmocka_unit_test(a_program_that_jumps_out_of_calls_unseen_is_hooked_as_ever),
		cmocka_unit_test(all_is_hooked_under_main_and_its_callers),
	};
	return cmocka_run_group_tests_name("reach", tests, enter_arch_dir, leave_work_dir);
}
