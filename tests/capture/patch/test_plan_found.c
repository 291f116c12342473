/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of stripped files that no unwind information tells of: found, and none too many. */
#include "arch/test_arch.h"

#include "capture/patch/plan_private.h"

#define TEXT(name, text)                                                                       \
	"\t.p2align 4\n\t.type " name ", @function\n" name ":\n" text "\t.size " name         \
	", .-" name "\n"
#define LONG  "\tmov %edi, %eax\n\tadd $1, %rax\n\tadd $2, %rax\n\tadd $3, %rax\n\tret\n"
#define PUSH  "\tpush %rbx\n" LONG
#define NOPS  "\t.skip 5000, 0x90\n"
#define START "\t.globl _start\n" TEXT("_start", "\tcall called\n\thlt\n" NOPS)

struct made {
	struct fc_elf *elf;
	struct fc_plan *plan;
};

static struct made open_made(const char *path)
{
	static const struct fc_plan_opts all = { 0 };
	struct made ret = { .elf = open_elf(path) };
	assert_int_equal(fc_plan_create(ret.elf, &all, &ret.plan), 0);
	return ret;
}

static void unmake(struct made *made)
{
	fc_plan_destroy(made->plan);
	fc_elf_close(made->elf);
}

/* made.sym has the symbols, made does not. */
static struct made make(const char *assembly)
{
	if (!has_assembler())
		skip();
	write_text("made.S", assembly);
	run("gcc -nostdlib -static made.S -o made.sym 2>gcc.err || { cat gcc.err >&2; false; }");
	run("objcopy --strip-all made.sym made");
	return open_made("made");
}

static const struct fc_func_info *info_of(const struct made *made, const char *name)
{
	uint64_t vaddr = symbol_of("made.sym", name, NULL);
	struct fc_func *func = fc_plan_func_at(made->plan, vaddr);
	return func && func->vaddr == vaddr ? &made->plan->infos[func - made->plan->funcs]
					    : NULL;
}

static bool is_found(const char *assembly, const char *name)
{
	struct made made = make(assembly);
	const struct fc_func_info *info = info_of(&made, name);
	bool ret = info && fc_how_is_recorded(info->how);
	unmake(&made);
	return ret;
}

static void what_is_called_is_found(void **state)
{
	static const char text[] =
		START TEXT("called", "\tcall inner\n" PUSH) TEXT("inner", LONG) TEXT("never", LONG);
	assert_true(is_found(text, "called"));
	assert_true(is_found(text, "inner"));
	assert_false(is_found(text, "never"));
}

static void what_is_found_in_a_file_without_unwind_information_is_hooked(void **state)
{
	struct made made = make(START TEXT("called", PUSH));
	const struct fc_func_info *info = info_of(&made, "called");
	assert_non_null(info);
	assert_int_equal(info->how, FC_HOW_HOOKED);
	assert_null(info->name);
	unmake(&made);
}

/* Compilers give it to all functions or none. */
static void what_is_found_beside_unwind_information_is_entry_only(void **state)
{
	char text[8192] = "";
	for (int i = 0; i < 20; i++)
		sprintf(text + strlen(text),
			"\t.p2align 4\nf%d:\t.cfi_startproc\n%s\t.cfi_endproc\n", i, LONG);
	strcat(text, START TEXT("called", PUSH));
	struct made made = make(text);
	const struct fc_func_info *info = info_of(&made, "called");
	assert_non_null(info);
	assert_int_equal(info->how, FC_HOW_ENTRY_ONLY);
	unmake(&made);
}

static void what_code_runs_into_is_no_function(void **state)
{
	/* a call to a label in the middle of called */
	assert_false(is_found(START TEXT("called", "\tpush %rbx\n\tcall middle\n"
						   "\t.p2align 4\nmiddle:\tpop %rbx\n" LONG),
			      "middle"));
}

static void a_loop_that_is_called_too_is_no_function(void **state)
{
	assert_false(is_found(START TEXT("called", "\tcall loop\n" PUSH "\tjmp 1f\n\t.p2align 4\n"
						   "loop:\tadd $1, %rax\n\tcmp $9, %rax\n"
						   "1:\tjne loop\n\tret\n"),
			      "loop"));
}

/* The bytes e8 ... within an immediate name an address, but call nothing. */
static void bytes_inside_an_instruction_are_no_call(void **state)
{
	static const char text[] =
		START TEXT("called", "\t.byte 0x48, 0xb8, 0xe8\n\t.long never - . - 4\n"
				     "\t.byte 0, 0, 0\n" LONG) TEXT("never", PUSH);
	assert_false(is_found(text, "never"));
}

static void what_data_points_to_is_found_if_it_begins_like_a_function(void **state)
{
	static const char text[] = START TEXT("called", LONG) TEXT("method", PUSH)
		TEXT("plain", LONG) "\t.data\n\t.quad method, 0, plain\n";
	assert_true(is_found(text, "method"));
	assert_false(is_found(text, "plain"));
}

#define SWITCH(jump)                                                                           \
	START TEXT("called", "\tcmp $1, %edi\n\tja 9f\n\tmov %edi, %edi\n" jump                \
			     "\t.p2align 4\ncase0:\tpush $0\n\tpush %rbx\n\tjmp 9f\n"          \
			     "\t.p2align 4\ncase1:\tpush %rbx\n\tcall *%rax\n\tpop %rbx\n"     \
			     "\tret\n9:\tret\n") "\t.section .rodata\n\t.p2align 3\n"

static void the_cases_of_a_switch_are_no_functions(void **state)
{
	/* one of them does not begin like a function */
	assert_false(is_found(SWITCH("\tjmp *table(,%rdi,8)\n") "table:\t.quad case0, case1\n",
			      "case1"));
	/* the table is named by the jump */
	assert_false(is_found(SWITCH("\tjmp *table(,%rdi,8)\n") "table:\t.quad case1, case1\n",
			      "case1"));
	assert_false(is_found(SWITCH("\tmov table(,%rdi,8), %rax\n\tjmp *%rax\n")
				      "table:\t.quad case1, case1\n",
			      "case1"));
	/* a pointer is no table: this would be a function if that were all one knew */
	assert_true(is_found(SWITCH("\tjmp *%rax\n") "\t.quad case1\n", "case1"));
}

static void zeros_between_functions_are_filler(void **state)
{
	assert_true(is_found("\t.globl _start\n" TEXT("_start", "\tcall called\n\thlt\n" NOPS "\tret\n")
			     "\t.skip 37, 0\ncalled:\t" PUSH,
			     "called"));
}

/* Code that a just-in-time compiler's code calls returns where it likes. */
static void where_code_returns_to_what_it_pushed_nothing_is_hooked(void **state)
{
	static const char once[] = "\tpush %rdx\n\tret\n\tpush %r9\n\tret\n\tpush %rcx\n\tret\n";
	char text[2048];
	snprintf(text, sizeof(text), "%s%s%s", START TEXT("called", PUSH), once, once);
	struct made made = make(text);
	const struct fc_func_info *info = info_of(&made, "called");
	assert_non_null(info);
	assert_int_equal(info->how, FC_HOW_ENTRY_ONLY);
	unmake(&made);
}

static void build_program(const char *flags)
{
	write_text("program.c", program_c);
	run("gcc -O2 %s program.c -o made.sym && objcopy --strip-all made.sym made", flags);
}

static void main_has_its_name_in_a_stripped_program(void **state)
{
	static const char *const flags[] = { "-fPIE -pie", "-no-pie -fno-pie", "-static",
					     "-no-pie -fno-asynchronous-unwind-tables" };
	if (!has_assembler())
		skip();
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		build_program(flags[i]);
		struct made made = open_made("made");
		const struct fc_func_info *info = info_of(&made, "main");
		assert_non_null(info);
		assert_string_equal(info->name, "main");
		assert_int_equal(info->how, FC_HOW_HOOKED);
		unmake(&made);
	}
}

/* A whole C library without what tells of it: many are found, and each is one. */
static void nothing_is_taken_for_a_function_that_is_none(void **state)
{
	if (!has_assembler())
		skip();
	build_program("-static");
	run("objcopy -R .eh_frame -R .eh_frame_hdr made");
	struct made made = open_made("made");
	struct fc_elf *truth = open_elf("made.sym");
	assert_int_equal(made.elf->nr_funcs, 0);
	size_t nr = 0;
	for (size_t i = 0; i < made.plan->nr; i++) {
		if (made.plan->infos[i].how == FC_HOW_PART)
			continue;
		nr++;
		if (!func_at(truth, made.plan->funcs[i].vaddr))
			fail_msg("there is no function at %#lx",
				 (unsigned long)made.plan->funcs[i].vaddr);
	}
	assert_true(nr > 200);
	fc_elf_close(truth);
	unmake(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_called_is_found),
		cmocka_unit_test(
			what_is_found_in_a_file_without_unwind_information_is_hooked),
		cmocka_unit_test(what_is_found_beside_unwind_information_is_entry_only),
		cmocka_unit_test(what_code_runs_into_is_no_function),
		cmocka_unit_test(a_loop_that_is_called_too_is_no_function),
		cmocka_unit_test(bytes_inside_an_instruction_are_no_call),
		cmocka_unit_test(what_data_points_to_is_found_if_it_begins_like_a_function),
		cmocka_unit_test(the_cases_of_a_switch_are_no_functions),
		cmocka_unit_test(zeros_between_functions_are_filler),
		cmocka_unit_test(where_code_returns_to_what_it_pushed_nothing_is_hooked),
		cmocka_unit_test(main_has_its_name_in_a_stripped_program),
		cmocka_unit_test(nothing_is_taken_for_a_function_that_is_none),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
