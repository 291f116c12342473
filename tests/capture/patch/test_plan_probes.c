/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of programs with static probes: which can be hooked, and what is written for them. */
#include "arch/test_arch.h"

#include "capture/patch/plan.h"

#define FUNC(name, text) "\t.p2align 4\n" CLOSE_FUNC(name, text)
#define CLOSE_FUNC(name, text)                                                                 \
	"\t.globl " name "\n\t.type " name ", @function\n" name ":\n"                          \
	"\t.cfi_startproc\n" text "\t.cfi_endproc\n\t.size " name ", .-" name "\n"

/* A note of a probe at a label, with a semaphore. */
#define NOTE(name, at, semaphore)                                                              \
	"\t.pushsection .note.stapsdt, \"\", \"note\"\n\t.balign 4\n"                          \
	"\t.4byte 2f - 1f, 4f - 3f, 3\n1:\t.asciz \"stapsdt\"\n2:\t.balign 4\n"                \
	"3:\t.8byte " at ", 0, " semaphore "\n\t.asciz \"p\", \"" name "\", \"\"\n"            \
	"4:\t.balign 4\n\t.popsection\n"
#define PROBE(name) "at_" name ":\tnop\n" NOTE(name, "at_" name, "0")

#define LONG  "\txor %eax, %eax\n\tadd $1, %rax\n\tadd $2, %rax\n\tadd $3, %rax\n\tret\n"
#define NOPS  "\t.skip 100, 0x90\n"
#define START FUNC("_start", LONG NOPS)

struct made {
	struct fc_elf *elf;
	struct fc_plan *plan;
};

static bool asks_probe(void *ctx, const struct fc_elf *elf, const char *name)
{
	return true;
}

static struct made make_as(const char *flags, const char *assembly)
{
	static const struct fc_plan_opts all = { .asks_probe = asks_probe };
	struct made ret;
	write_text("made.S", assembly);
	run("gcc -nostdlib %s made.S -o made 2>gcc.err || { cat gcc.err >&2; false; }", flags);
	ret.elf = open_elf("made");
	assert_int_equal(fc_plan_create(ret.elf, &all, &ret.plan), 0);
	return ret;
}

static struct made make(const char *assembly)
{
	return make_as("-static", assembly);
}

static void unmake(struct made *made)
{
	fc_plan_destroy(made->plan);
	fc_elf_close(made->elf);
}

/* NULL: it is hooked. */
static const char *why_not(const struct made *made, const char *name)
{
	size_t nr, nr_unplaced;
	const struct fc_func_info *funcs = fc_plan_funcs(made->plan, &nr);
	const struct fc_unplaced_probe *unplaced =
		fc_plan_unplaced_probes(made->plan, &nr_unplaced);
	for (size_t i = 0; i < nr; i++)
		if (fc_plan_is_probe(made->plan, i) && !strcmp(funcs[i].name, name))
			return funcs[i].how == FC_HOW_ENTRY_ONLY ? NULL : funcs[i].why;
	for (size_t i = 0; i < nr_unplaced; i++)
		if (!strcmp(unplaced[i].name, name))
			return unplaced[i].why;
	fail_msg("there is no %s", name);
	return NULL;
}

/* All that is written, with each pun at the first place that its bytes can lead to: nothing overlaps. */
static size_t build(const struct made *made, struct fc_stubs *ret)
{
	struct fc_stubs_opts opts = { .bias = 0x10000, .pool_taddr = 0x10000000 };
	fc_plan_number(made->plan, 1);
	fc_plan_build(made->plan, &opts, ret);
	for (size_t i = ret->nr_puns; i--;) {
		uint8_t hop[FC_HOP_MAX];
		uint64_t first, last;
		fc_stubs_pun_range(ret, i, &first, &last);
		fc_stubs_place_pun(ret, i, first, hop);
	}
	fc_stubs_add_ledger(ret, NULL, 0);
	for (size_t i = 1; i < ret->nr_patches; i++)
		if (ret->patches[i - 1].taddr + ret->patches[i - 1].size >
		    ret->patches[i].taddr)
			fail_msg("patches overlap at %#llx",
				 (unsigned long long)ret->patches[i].taddr);
	return ret->nr_patches;
}

static void expect(const char *assembly, const char *name, const char *why)
{
	struct fc_stubs stubs;
	struct made made = make(assembly);
	const char *is = why_not(&made, name);
	if ((is != NULL) != (why != NULL) || (is && strcmp(is, why)))
		fail_msg("%s: %s", name, is ? is : "hooked");
	build(&made, &stubs);
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

#define IN_BYTES "it is in bytes that move with the jump at the start of its function"
#define SWITCH	 "\tjmp *%rdi\n"

static void a_probe_in_a_plain_function_is_hooked(void **state)
{
	if (!has_assembler())
		skip();
	expect(START FUNC("f", LONG PROBE("a") LONG), "p:a", NULL);
	expect(START FUNC("f", LONG PROBE("a") PROBE("b") LONG), "p:a",
	       "too short: the next function starts within 5 bytes");
	expect(START FUNC("f", LONG PROBE("a") PROBE("b") LONG), "p:b", NULL);
	expect(START FUNC("f",
			  LONG "at:\t.byte 0x0f,0x1f,0x44,0,0\n" NOTE("a", "at", "0") SWITCH),
	       "p:a", NULL);
}

static void a_probe_is_not_hooked_where_a_function_has_its_own_jump(void **state)
{
	if (!has_assembler())
		skip();
	expect(START FUNC("f", PROBE("a") LONG), "p:a",
	       "it is where a function begins, which has its own hook");
	expect(START FUNC("f", "\tpush %rbx\n" PROBE("a") "\tpop %rbx\n" LONG), "p:a",
	       IN_BYTES);
}

/* f has room for a jump of 2 bytes only, which is chosen when probes have been looked at. */
static void a_pun_of_a_probe_is_not_in_a_near_jump(void **state)
{
	if (!has_assembler())
		skip();
	static const char text[] =
		START FUNC("f", "\tpush %rbx\n" PROBE("a") "\tpop %rbx\n\tret\n")
			CLOSE_FUNC("g", LONG) NOPS FUNC("h", LONG);
	struct fc_stubs stubs;
	struct made made = make_as("-static-pie", text);
	assert_non_null(why_not(&made, "p:a"));
	build(&made, &stubs);
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

static void a_note_that_lies_is_refused(void **state)
{
	static const char no_nop[] = "where its note says that it is there is no nop";
	if (!has_assembler())
		skip();
	expect(START FUNC("f", LONG "\tmovl $0x90909090, %ecx\n" NOTE("a", "f + 15", "0") LONG),
	       "p:a", no_nop);
	expect(START FUNC("f", LONG NOTE("a", "f + 6", "0")), "p:a", no_nop);
	expect(START FUNC("f", LONG NOTE("a", "0x7fffffff0000", "0")), "p:a",
	       "where its note says that it is there is no code");
}

/* Two probes have the same one, one has another, one that is elsewhere is refused. */
static void semaphores_are_written_once_and_only_in_their_section(void **state)
{
	if (!has_assembler())
		skip();
	struct made made = make(START FUNC(
		"f", LONG "a:\tnop\n" NOTE("a", "a", "one") LONG
		"b:\tnop\n" NOTE("b", "b", "one") LONG "c:\tnop\n" NOTE("c", "c", "two") LONG
		"d:\tnop\n" NOTE("d", "d", "data") LONG "e:\tnop\n" NOTE("e", "e", "one + 1")
			LONG) "\t.section .probes, \"aw\"\none:\t.2byte 0\ntwo:\t.2byte 0\n"
			      "\t.data\ndata:\t.2byte 0\n");
	struct fc_stubs stubs;
	size_t nr = build(&made, &stubs), nr_data = 0;
	assert_null(why_not(&made, "p:a"));
	assert_null(why_not(&made, "p:b"));
	assert_null(why_not(&made, "p:c"));
	assert_non_null(why_not(&made, "p:d"));
	assert_non_null(why_not(&made, "p:e"));
	for (size_t i = 0; i < nr; i++) {
		if (!stubs.patches[i].is_data)
			continue;
		nr_data++;
		assert_int_equal(stubs.patches[i].size, 2);
		assert_int_equal(stubs.patches[i].window, 0);
		assert_memory_equal(stubs.patches[i].old, "\0\0", 2);
		assert_memory_equal(stubs.patches[i].new, "\1\0", 2);
	}
	assert_int_equal(nr_data, 2);
	fc_stubs_deinit(&stubs);
	unmake(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_probe_in_a_plain_function_is_hooked),
		cmocka_unit_test(a_probe_is_not_hooked_where_a_function_has_its_own_jump),
		cmocka_unit_test(a_pun_of_a_probe_is_not_in_a_near_jump),
		cmocka_unit_test(a_note_that_lies_is_refused),
		cmocka_unit_test(semaphores_are_written_once_and_only_in_their_section),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
