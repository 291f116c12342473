/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of programs made for the purpose: what would break if it were patched is not. */
#include "arch/test_arch.h"

#include "capture/patch/plan.h"

/* A function with unwind information, 16-aligned. */
#define FUNC(name, text)                                                                       \
	"\t.p2align 4\n\t.globl " name "\n\t.type " name ", @function\n" name ":\n"            \
	"\t.cfi_startproc\n" text "\t.cfi_endproc\n\t.size " name ", .-" name "\n"

#define LONG  "\txor %eax, %eax\n\tadd $1, %rax\n\tadd $2, %rax\n\tadd $3, %rax\n\tret\n"
#define NOPS  "\t.skip 100, 0x90\n"
#define START FUNC("_start", LONG NOPS)

struct made {
	struct fc_elf *elf;
	struct fc_plan *plan;
};

static struct made make_as(const char *flags, const char *assembly,
			   const struct fc_plan_opts *opts)
{
	struct made ret;
	write_text("made.S", assembly);
	run("gcc -nostdlib made.S -o made %s 2>gcc.err || { cat gcc.err >&2; false; }", flags);
	ret.elf = open_elf("made");
	assert_int_equal(fc_plan_create(ret.elf, opts, &ret.plan), 0);
	return ret;
}

static struct made make(const char *assembly)
{
	static const struct fc_plan_opts all = { 0 };
	return make_as("-static", assembly, &all);
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

static void expect_as(const char *options, const char *assembly, const char *name,
		      enum fc_how how, const char *why)
{
	static const struct fc_plan_opts all = { 0 };
	struct made made = make_as(options, assembly, &all);
	const struct fc_func_info *info = info_of(&made, name);
	if (info->how != how || strcmp(info->why, why))
		fail_msg("%s: %d, %s", name, info->how, info->why);
	unmake(&made);
}

static void expect(const char *assembly, const char *name, enum fc_how how, const char *why)
{
	expect_as("-static", assembly, name, how, why);
}

static void needs_assembler(void)
{
	if (!has_assembler())
		skip();
}

static void plain_functions_are_hooked(void **state)
{
	needs_assembler();
	static const char text[] = START FUNC("f", LONG) FUNC("g", "\tendbr64\n" LONG);
	expect(text, "f", FC_HOW_HOOKED, "jmp5");
	expect(text, "g", FC_HOW_HOOKED, "jmp5");
	expect(text, "_start", FC_HOW_SKIPPED, "the program's entry: it has no return address");
}

/* Its second instruction is at +2: no jump of 5 bytes, but one of 2 fits. */
static void a_branch_from_another_function_into_the_second_instruction_is_seen(void **state)
{
	needs_assembler();
	expect(START FUNC("f", LONG) FUNC("g", "\ttest %rdi, %rdi\n\tje f + 2\n" LONG), "f",
	       FC_HOW_HOOKED, "jmp2");
	expect(START FUNC("f", LONG) FUNC("g", "\tsub $8, %rsp\n\tcall f + 2\n" LONG), "f",
	       FC_HOW_HOOKED, "jmp2");
	expect(START FUNC("f", LONG) NOPS FUNC("g", LONG "\tjmp f + 2\n"), "f", FC_HOW_HOOKED,
	       "jmp2");
}

/* Its second instruction is at +1: not even 2 bytes may be overwritten, but 1 may. */
static void a_branch_to_the_second_byte_makes_a_pun(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "\tpush %rbx\n\tpop %rbx\n" LONG)
		       FUNC("g", "\tnop\n\tjmp f + 1\n" LONG),
	       "f", FC_HOW_HOOKED, "pun");
}

/* What a pun overwrites is what is its own; where it leads is what follows. */
static void a_pun_leads_where_the_bytes_behind_it_say(void **state)
{
	needs_assembler();
	struct made made = make(START FUNC("f", "\tpush %rbx\n\tpop %rbx\n" LONG)
					FUNC("g", "\tnop\n\tjmp f + 1\n" LONG));
	struct fc_stubs_opts opts = { .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	fc_plan_build(made.plan, &opts, &stubs);
	assert_int_equal(stubs.nr_puns, 1);
	uint64_t f = info_of(&made, "f")->vaddr, first, last, to;
	assert_int_equal(stubs.puns[0].taddr, f);
	fc_stubs_pun_range(&stubs, 0, &first, &last);
	assert_int_equal(first, f + 5 + 0x48c0315b); /* 5b 31 c0 48: pop, xor, add */
	assert_int_equal(last, first);

	size_t nr = stubs.nr_patches;
	uint8_t hop[FC_HOP_MAX];
	assert_int_equal(fc_stubs_place_pun(&stubs, 0, first, hop), 14);
	memcpy(&to, hop + 6, sizeof(to));
	assert_memory_equal(hop, "\xff\x25\0\0\0\0", 6);
	assert_int_equal(to, stubs.puns[0].stub_taddr);
	assert_int_equal(stubs.nr_patches, nr + 1);
	for (size_t i = 0; i <= nr; i++) {
		const struct fc_patch *patch = &stubs.patches[i];
		if (i)
			assert_true(patch[-1].taddr + patch[-1].size <= patch->taddr);
		if (patch->taddr == f)
			assert_true(patch->size == 1 && patch->new[0] == 0xe9);
	}
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

static void a_loop_into_its_own_first_bytes_is_seen(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "\txor %eax, %eax\n1:\tadd %rdi, %rax\n\tdec %rdi\n\tjne 1b\n"
			       "\tret\n") FUNC("g", LONG NOPS),
	       "f", FC_HOW_HOOKED, "jmp2");
}

/* endbr64 stays: the bytes that count are behind it. */
static void a_branch_behind_endbr64_to_a_call_leaves_room_for_a_pun(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "\tendbr64\n\tpush %rbx\n\tcall *%rdi\n\tpop %rbx\n" NOPS)
		       FUNC("g", "\tnop\n\tjmp f + 5\n" LONG),
	       "f", FC_HOW_HOOKED, "pun");
}

static void a_loop_to_its_very_start_is_no_obstacle(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "1:\tadd %rdi, %rax\n\tdec %rdi\n\tjne 1b\n\tret\n"), "f",
	       FC_HOW_HOOKED, "jmp5");
}

/* The bytes eb or 74 inside of an immediate are no branch. */
static void bytes_that_only_look_like_a_branch_do_not_count(void **state)
{
	needs_assembler();
	expect(START FUNC("f", LONG) FUNC("g", "\tmov $0xebebebeb, %eax\n"
					       "\tmov $0x74eceeeb, %ecx\n" LONG),
	       "f", FC_HOW_HOOKED, "jmp5");
	/* jmp -17: to f + 2, if it were one; it lies in an immediate of g */
	expect(START FUNC("f", LONG) FUNC("g", "\t.byte 0xb8, 0xeb, 0xef, 0, 0\n" LONG), "f",
	       FC_HOW_HOOKED, "jmp5");
}

/* Cold parts have a section of their own in some programs, and jump back from there. */
static void a_branch_from_another_section_is_seen(void **state)
{
	needs_assembler();
	expect(START FUNC("f", LONG) "\t.section .text_cold, \"ax\", @progbits\n" FUNC(
		       "cold_code", "\tnop\n\tjmp f + 2\n" LONG),
	       "f", FC_HOW_HOOKED, "jmp2");
}

static void two_functions_within_5_bytes_are_not_run_together(void **state)
{
	static const char text[] = START FUNC(
		"f", "\tnop\n\tret\n") "\t.globl g\n"
				       "\t.type g, @function\ng:\n\t.cfi_startproc\n" LONG
				       "\t.cfi_endproc\n\t.size g, .-g\n";
	needs_assembler();
	struct made made = make(text);
	const struct fc_func_info *f = info_of(&made, "f"), *g = info_of(&made, "g");
	assert_int_equal(g->vaddr, f->vaddr + 2);
	struct fc_stubs_opts opts = { .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	fc_plan_build(made.plan, &opts, &stubs);
	for (size_t i = 0; i < stubs.nr_patches; i++) {
		const struct fc_patch *patch = &stubs.patches[i];
		assert_true(patch->taddr >= g->vaddr || patch->taddr + patch->size <= g->vaddr);
	}
	fc_stubs_deinit(&stubs);
	assert_int_equal(g->how, FC_HOW_HOOKED);
	unmake(&made);
}

/* A near jump needs no more than it has. */
static void a_short_function_at_the_end_of_its_section_is_hooked(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "\txor %eax, %eax\n\tret\n"), "f", FC_HOW_HOOKED, "jmp2");
	expect(START FUNC("f", "\tret\n"), "f", FC_HOW_SKIPPED,
	       "too short: its section ends within 5 bytes");
}

/* Assembly may run through the nops between two functions. */
static void padding_that_is_run_through_stays(void **state)
{
	static const char text[] = START FUNC("through", "\txor %eax, %eax\n\tadd $1, %rax\n")
		FUNC("f", "\txor %eax, %eax\n1:\tadd %rdi, %rax\n\tdec %rdi\n\tjne 1b\n\tret\n")
			FUNC("g", LONG NOPS);
	needs_assembler();
	struct made made = make(text);
	uint64_t from = info_of(&made, "through")->vaddr, to = info_of(&made, "f")->vaddr;
	struct fc_stubs_opts opts = { .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	fc_plan_build(made.plan, &opts, &stubs);
	assert_string_equal(info_of(&made, "f")->why, "jmp2");
	for (size_t i = 0; i < stubs.nr_patches; i++)
		assert_true(stubs.patches[i].taddr <= from || stubs.patches[i].taddr >= to);
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

static void a_jump_tables_targets_are_found_behind_a_short_first_instruction(void **state)
{
	needs_assembler();
	/* f's first case lies behind its first 5 bytes: compilers put a check there */
	expect(START FUNC("f", "\tcmp $3, %edi\n\tja 9f\n\tmov %edi, %edi\n"
			       "\tjmp *table(,%rdi,8)\n1:\tmov $1, %eax\n\tret\n"
			       "2:\tmov $2, %eax\n\tret\n9:\txor %eax, %eax\n\tret\n"
			       "\t.section .rodata\ntable:\t.quad 1b, 2b, 1b, 2b\n\t.text\n"),
	       "f", FC_HOW_HOOKED, "jmp5");
}

static void assembly_without_unwind_information_is_entry_only(void **state)
{
	needs_assembler();
	expect(START FUNC("f", LONG) FUNC("g", LONG) FUNC(
		       "h",
		       LONG) "\t.p2align 4\n\t.globl raw\n\t.type raw, @function\nraw:\n" LONG
			     "\t.size raw, .-raw\n",
	       "raw", FC_HOW_ENTRY_ONLY, "assembly without unwind information");
}

static void a_part_is_told_by_its_name_or_its_unwind_information(void **state)
{
	static const char part[] = "a part of a function, entered by a jump";
	needs_assembler();
	expect(START FUNC("f", LONG) FUNC("f.cold", LONG), "f.cold", FC_HOW_PART, part);
	expect(START FUNC("f", LONG)
		       FUNC("g", "\t.cfi_def_cfa_offset 32\n\t.cfi_offset 3, -16\n" LONG),
	       "g", FC_HOW_PART, part);
}

static void names_decide_too(void **state)
{
	needs_assembler();
	expect(START FUNC("setjmp", LONG), "setjmp", FC_HOW_ENTRY_ONLY, "returns twice");
	expect(START FUNC("_Unwind_Resume", LONG), "_Unwind_Resume", FC_HOW_ENTRY_ONLY,
	       "walks the stack");
	expect(START FUNC("mcount", LONG), "mcount", FC_HOW_SKIPPED,
	       "called with live registers");
}

/* taddr of a function's first byte that moves; the pool is at 0x10000000, bias 0. */
static uint64_t moved_to(const char *assembly, const char *name, uint64_t off)
{
	struct made made = make(assembly);
	struct fc_stubs_opts opts = { .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	fc_plan_build(made.plan, &opts, &stubs);
	uint64_t from = info_of(&made, name)->vaddr + off;
	uint64_t ret = fc_stubs_moved_to(&stubs, from);
	fc_stubs_deinit(&stubs);
	unmake(&made);
	return ret;
}

static void a_thread_in_a_window_finds_its_instruction_in_the_stub(void **state)
{
	needs_assembler();
	static const char text[] = START FUNC("f", "\tpush %rbp\n\tmov %rsp, %rbp\n\tcall g\n"
						   "\tpop %rbp\n\tret\n") FUNC("g", LONG);
	uint64_t mov = moved_to(text, "f", 1);
	assert_true(mov > 0x10000000);
	assert_int_equal(moved_to(text, "f", 4), mov + 3); /* call g */
	assert_int_equal(moved_to(text, "f", 0), 0);
	assert_int_equal(moved_to(text, "f", 2), 0); /* no instruction */
	assert_int_equal(moved_to(text, "f", 9), 0); /* stays */
}

/* The kernel goes back by the 2 bytes of syscall when it starts the call anew. */
static void a_thread_in_a_system_call_goes_back_to_the_moved_one(void **state)
{
	needs_assembler();
	static const char text[] =
		START FUNC("f", "\tpush $34\n\tpop %rax\n\tsyscall\n\tret\n" NOPS);
	uint64_t syscall = moved_to(text, "f", 3);
	assert_true(syscall > 0x10000000);
	assert_int_equal(moved_to(text, "f", 5), syscall + 2);
}

/* f's jump goes over bytes behind g's own: both of g's windows are one. */
static void lent_bytes_are_found_in_the_lenders_stub(void **state)
{
	needs_assembler();
	static const char text[] =
		START "\t.globl f, g\n\t.type f, @function\n\t.type g, @function\n"
		      "f:\t.cfi_startproc\n\txor %eax, %eax\n1:\tadd %rdi, %rax\n\tdec "
		      "%rdi\n\tjne 1b\n"
		      "\tret\n\t.cfi_endproc\n\t.size f, .-f\n"
		      "g:\t.cfi_startproc\n" LONG NOPS "\t.cfi_endproc\n\t.size g, .-g\n";
	uint64_t add = moved_to(text, "g", 2);
	assert_true(add > 0x10000000);
	assert_int_equal(moved_to(text, "g", 6), add + 4);
	assert_int_equal(moved_to(text, "g", 10), 0);
	expect(text, "f", FC_HOW_HOOKED, "jmp2");
}

/* A function as Go's compiler makes them: it starts over when its stack has grown. */
#define GO_FUNC(name, check)                                                                   \
	"\t.p2align 5\n\t.globl " name "\n\t.type " name ", @function\n" name ":\n" check      \
	"\tjbe 1f\n\tsub $0x18, %rsp\n\tmov %rbp, 0x10(%rsp)\n\tadd $0x18, %rsp\n\tret\n"      \
	"1:\tcall more\n\tjmp " name "\n\t.size " name ", .-" name "\n"
#define GO_NOTE                                                                                \
	"\t.section .note.go.buildid, \"a\", @note\n\t.long 4, 4, 4\n"                         \
	"\t.asciz \"Go\\0\"\n\t.long 1\n\t.text\n"
#define GO_SMALL "\tcmp 0x10(%r14), %rsp\n"
#define GO_LARGE "\tlea -0x40(%rsp), %r12\n\tcmp 0x10(%r14), %r12\n"
#define GO_HUGE	 "\tlea -0x400(%rsp), %r12\n\tcmp 0x10(%r14), %r12\n"

static void go_functions_are_entry_only_behind_their_stack_check(void **state)
{
	static const char go[] = "a Go function: its stack may be moved";
	static const char code[] = START GO_FUNC("more", "") GO_FUNC("small", GO_SMALL)
		GO_FUNC("large", GO_LARGE) GO_FUNC("huge", GO_HUGE) GO_NOTE;
	static const struct {
		const char *name;
		size_t check;
	} funcs[] = { { "small", 6 }, { "large", 11 }, { "huge", 14 } };
	needs_assembler();
	expect(code, "more", FC_HOW_SKIPPED,
	       "Go code that does not check for room on its stack");
	for (size_t i = 0; i < sizeof(funcs) / sizeof(funcs[0]); i++)
		expect(code, funcs[i].name, FC_HOW_ENTRY_ONLY, go);

	struct made made = make(code);
	struct fc_stubs_opts opts = { .pool_taddr = 0x500000 };
	struct fc_stubs stubs;
	fc_plan_number(made.plan, 1);
	fc_plan_build(made.plan, &opts, &stubs);
	for (size_t i = 0; i < sizeof(funcs) / sizeof(funcs[0]); i++) {
		uint64_t at = info_of(&made, funcs[i].name)->vaddr + funcs[i].check;
		size_t nr = 0;
		for (size_t k = 0; k < stubs.nr_patches; k++)
			nr += stubs.patches[k].taddr == at;
		assert_int_equal(nr, 1);
	}
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

static void what_v8_may_look_at_is_entry_only(void **state)
{
	static const char why[] = "V8 looks at the return addresses of what it calls";
	needs_assembler();
	expect(START FUNC("_ZN2v88internal4HeapE", LONG) FUNC("callback", LONG), "callback",
	       FC_HOW_ENTRY_ONLY, why);
}

/* f catches what g throws; there is an unwinder if a function is called so. */
#define CATCHES                                                                                \
	FUNC("g", LONG)                                                                        \
	FUNC("f", "\t.cfi_personality 0x1b, who\n\t.cfi_lsda 0x1b, .Ltable\n"                  \
		  "\tpush %rbx\n\t.cfi_def_cfa_offset 16\n.Lfrom:\tcall g\n.Lto:\tpop %rbx\n"  \
		  "\t.cfi_def_cfa_offset 8\n\tret\n.Lpad:\tcall g\n\thlt\n")                   \
	"who:\tret\n\t.section .gcc_except_table, \"a\", @progbits\n"                          \
	".Ltable:\t.byte 0xff, 0xff, 1\n\t.uleb128 .Lend-.Lbegin\n.Lbegin:\n"                  \
	"\t.uleb128 .Lfrom-f, .Lto-.Lfrom, .Lpad-f, 0\n.Lend:\n\t.text\n"

static void exceptions_without_an_unwinder_make_all_entry_only(void **state)
{
	static const char why[] =
		"exceptions pass through them, and their unwinder was not found";
	needs_assembler();
	expect(START CATCHES, "f", FC_HOW_ENTRY_ONLY, why);
	expect(START CATCHES FUNC("_Unwind_RaiseException", LONG), "f", FC_HOW_HOOKED, "jmp5");
}

/* A library that needs libc, and what its stripped function "hidden" is patched with. */
#define LIBRARY "-shared -s -Wl,--no-as-needed -lc"
#define HIDDEN(text)                                                                           \
	"\t.p2align 4\n\t.globl hidden\n\t.hidden hidden\nhidden:\n\t.cfi_startproc\n" text    \
	"\tret\n\t.cfi_endproc\n"
#define LOOKS_AT_CALLER	  "\tmov (%rsp), %rdx\n\tmov $1, %eax\n"
#define FINDS_FRAMES	  "\tjmp dl_iterate_phdr@PLT\n"
#define PLAIN		  "\tmov $1, %eax\n"
#define ASKS_FOR(name)	  "\t.section .rodata\n\t.asciz \"" name "\"\n\t.text\n"
#define WITH_HIDDEN(text) FUNC("calls", "\tjmp hidden\n" NOPS) HIDDEN(text)

/* Where it is depends on the file; how much of it is wanted makes no difference. */
static void expect_in_library(const char *assembly, enum fc_how how)
{
	static const struct fc_plan_opts modes[] = { { 0 }, { .exported_only = true } };
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct made made = make_as(LIBRARY, assembly, &modes[i]);
		assert_int_equal(info_of(&made, "f")->how, how);
		unmake(&made);
	}
}

static void where_a_librarys_unwinder_is_depends_on_no_debug_file(void **state)
{
	needs_assembler();
	/* Nothing in it can unwind. */
	expect_in_library(CATCHES, FC_HOW_HOOKED);
	/* Like libc: dlsym(libgcc, "_Unwind_ForcedUnwind") */
	expect_in_library(CATCHES FUNC("k", FINDS_FRAMES) ASKS_FOR("_Unwind_ForcedUnwind"),
			  FC_HOW_HOOKED);
	/* Like libgccjit: its unwinder is linked statically, and no name tells. */
	expect_in_library(CATCHES FUNC("k", FINDS_FRAMES) WITH_HIDDEN(LOOKS_AT_CALLER),
			  FC_HOW_HOOKED);
	expect_in_library(CATCHES FUNC("k", FINDS_FRAMES) WITH_HIDDEN(PLAIN),
			  FC_HOW_ENTRY_ONLY);
}

static size_t nr_unrecorded_stubs(const char *assembly, const struct fc_plan_opts *opts)
{
	struct made made = make_as(LIBRARY, assembly, opts);
	size_t nr, found = 0;
	struct fc_stubs_opts stubs_opts = { .pool_taddr = 0x10000000 };
	struct fc_stubs stubs;
	const struct fc_func_info *funcs = fc_plan_funcs(made.plan, &nr);
	fc_plan_build(made.plan, &stubs_opts, &stubs);
	for (size_t i = 0; i < nr; i++)
		found += !fc_how_is_recorded(funcs[i].how) && stubs.offs[i];
	fc_stubs_deinit(&stubs);
	unmake(&made);
	return found;
}

static void an_unwinder_without_a_name_is_hooked_in_every_mode(void **state)
{
	static const struct fc_plan_opts api = { .exported_only = true };
	static const struct fc_plan_opts none = { .control_only = true };
	static const char hides[] =
		FUNC("f", LONG) FUNC("k", FINDS_FRAMES) WITH_HIDDEN(LOOKS_AT_CALLER);
	static const char cannot[] = FUNC("f", LONG) WITH_HIDDEN(LOOKS_AT_CALLER);
	needs_assembler();
	assert_int_equal(nr_unrecorded_stubs(hides, &api), 1);
	assert_int_equal(nr_unrecorded_stubs(hides, &none), 1);
	assert_int_equal(nr_unrecorded_stubs(cannot, &api), 0);
	assert_int_equal(nr_unrecorded_stubs(cannot, &none), 0);

	struct made made = make_as(LIBRARY, hides, &api);
	assert_true(fc_plan_has_unwinder(made.elf));
	unmake(&made);
	made = make_as(LIBRARY, cannot, &api);
	assert_false(fc_plan_has_unwinder(made.elf));
	unmake(&made);
	made = make_as(LIBRARY, FUNC("_Unwind_Backtrace", LONG), &api);
	assert_true(fc_plan_has_unwinder(made.elf));
	unmake(&made);
}

/* As Mono makes it ahead of time: its table of imports is of its own kind. */
#define IMAGE                                                                                  \
	LOCAL("method", LONG)                                                                  \
	LOCAL("by_import", "\tcall import\n" LONG)                                             \
	LOCAL("import", "\tjmp *slots(%rip)\n\t.long 7\n")                                     \
	"\t.data\n\t.globl table\n\t.type "                                                    \
	"table, @object\n\t.size table, 8\n"                                                   \
	"table:\nslots:\t.quad 0\n"
#define LOCAL(name, text)                                                                      \
	"\t.p2align 4\n\t.type " name ", @function\n" name ":\n" text "\t.size " name          \
	", .-" name "\n"

static void what_a_runtime_made_is_entry_only_and_what_it_reads_stays(void **state)
{
	static const char library[] = "-shared -fPIC";
	static const char stays[] = "its runtime reads its first instructions";
	needs_assembler();
	expect_as(library, IMAGE, "method", FC_HOW_ENTRY_ONLY,
		  "a runtime made its code, and may find it by return addresses");
	expect_as(library, IMAGE, "by_import", FC_HOW_SKIPPED, stays);
	expect_as(library, IMAGE, "import", FC_HOW_SKIPPED, stays);
	expect_as(library, IMAGE "\t.text\n" FUNC("exported", LONG), "method", FC_HOW_HOOKED,
		  "jmp5");
}

/* A table as OCaml's: behind each return address is what is live there. */
#define CALLS_G                                                                                \
	"\tsub $8, %rsp\n" CALL_G CALL_G CALL_G CALL_G CALL_G CALL_G CALL_G CALL_G "\tret\n"
#define CALL_G	  "\tcall g\n\t.pushsection .data\n\t.quad 771f, 0x20001\n\t.popsection\n771:"
#define CALLS_ANY "\tsub $8, %rsp\n\tcall *8(%rbx)\n.Lany:\tadd $8, %rsp\n\tret\n"
#define HAS_TABLES                                                                             \
	START FUNC("f", CALLS_G) FUNC("g", LONG "\tjmp tail\n") FUNC("tail", LONG)             \
		FUNC("any", CALLS_ANY) FUNC("closure", LONG) FUNC("in_c", LONG)                \
			FUNC("also_in_c", "\tcall in_c\n" LONG)

static void what_tables_of_return_addresses_lead_to_is_entry_only(void **state)
{
	static const char why[] = "tables of the file find code by its return addresses";
	static const char any[] = HAS_TABLES "\t.data\n\t.quad .Lany, 0x10001, closure\n";
	needs_assembler();
	expect(HAS_TABLES, "f", FC_HOW_ENTRY_ONLY, why);
	expect(HAS_TABLES, "g", FC_HOW_ENTRY_ONLY, why);
	expect(HAS_TABLES, "tail", FC_HOW_ENTRY_ONLY, why);
	expect(HAS_TABLES, "any", FC_HOW_HOOKED, "jmp5");
	expect(HAS_TABLES, "in_c", FC_HOW_HOOKED, "jmp5");
	expect(HAS_TABLES, "also_in_c", FC_HOW_HOOKED, "jmp5");
	expect(HAS_TABLES, "closure", FC_HOW_HOOKED, "jmp5");
	expect(any, "closure", FC_HOW_ENTRY_ONLY, why);
	expect(any, "any", FC_HOW_ENTRY_ONLY, why);
	expect(any, "in_c", FC_HOW_HOOKED, "jmp5");
}

/* The cases of a switch may lie behind calls. */
static void a_few_addresses_behind_calls_make_no_table(void **state)
{
	needs_assembler();
	expect(START FUNC("f", "\tcall g\n.La:\tcall g\n.Lb:\tnop\n.Lc:\tnop\n.Ld:\tret\n")
		       FUNC("g", LONG) "\t.data\n\t.quad .La, .Lb, .Lc, .Ld\n",
	       "g", FC_HOW_HOOKED, "jmp5");
}

/* C code that was linked into a Go program has unwind information, Go's has not. */
static void c_functions_of_a_go_program_are_hooked(void **state)
{
	needs_assembler();
	expect(START FUNC("in_c", LONG) FUNC("more", LONG) GO_FUNC("in_go", GO_SMALL) GO_NOTE,
	       "in_c", FC_HOW_HOOKED, "jmp5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_functions_are_hooked),
		cmocka_unit_test(
			a_branch_from_another_function_into_the_second_instruction_is_seen),
		cmocka_unit_test(a_branch_to_the_second_byte_makes_a_pun),
		cmocka_unit_test(a_pun_leads_where_the_bytes_behind_it_say),
		cmocka_unit_test(a_loop_into_its_own_first_bytes_is_seen),
		cmocka_unit_test(a_branch_behind_endbr64_to_a_call_leaves_room_for_a_pun),
		cmocka_unit_test(a_loop_to_its_very_start_is_no_obstacle),
		cmocka_unit_test(bytes_that_only_look_like_a_branch_do_not_count),
		cmocka_unit_test(a_branch_from_another_section_is_seen),
		cmocka_unit_test(two_functions_within_5_bytes_are_not_run_together),
		cmocka_unit_test(a_short_function_at_the_end_of_its_section_is_hooked),
		cmocka_unit_test(
			a_jump_tables_targets_are_found_behind_a_short_first_instruction),
		cmocka_unit_test(assembly_without_unwind_information_is_entry_only),
		cmocka_unit_test(a_part_is_told_by_its_name_or_its_unwind_information),
		cmocka_unit_test(padding_that_is_run_through_stays),
		cmocka_unit_test(names_decide_too),
		cmocka_unit_test(go_functions_are_entry_only_behind_their_stack_check),
		cmocka_unit_test(c_functions_of_a_go_program_are_hooked),
		cmocka_unit_test(what_v8_may_look_at_is_entry_only),
		cmocka_unit_test(what_a_runtime_made_is_entry_only_and_what_it_reads_stays),
		cmocka_unit_test(what_tables_of_return_addresses_lead_to_is_entry_only),
		cmocka_unit_test(a_few_addresses_behind_calls_make_no_table),
		cmocka_unit_test(exceptions_without_an_unwinder_make_all_entry_only),
		cmocka_unit_test(where_a_librarys_unwinder_is_depends_on_no_debug_file),
		cmocka_unit_test(an_unwinder_without_a_name_is_hooked_in_every_mode),
		cmocka_unit_test(a_thread_in_a_window_finds_its_instruction_in_the_stub),
		cmocka_unit_test(a_thread_in_a_system_call_goes_back_to_the_moved_one),
		cmocka_unit_test(lent_bytes_are_found_in_the_lenders_stub),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
