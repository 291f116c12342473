/* SPDX-License-Identifier: Apache-2.0 */
/* What is read out of code: branches into windows, uses of %gs, looks at return addresses. */
#include "arch/test_arch.h"

#include "base/vec.h"
#include "capture/patch/known/strand_register.h"
#include "capture/patch/known/slicer.h"

#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"

struct hits {
	FC_VEC(struct fc_branch) at;
};

static void note(void *ctx, struct fc_branch branch)
{
	struct hits *hits = ctx;
	fc_vec_push(&hits->at, branch);
}

static bool has_hit(const struct hits *hits, uint64_t from, uint64_t end, uint64_t to)
{
	for (size_t i = 0; i < hits->at.nr; i++) {
		struct fc_branch b = hits->at.at[i];
		if (b.from == from && b.end == end && b.to == to)
			return true;
	}
	return false;
}

enum { VADDR = 0x401000, SIZE = 1024, TARGET = 512 };

/* Code at VADDR, and one bit for each of its bytes. */
static void scan(const uint8_t *code, size_t size, uint64_t *bits, struct hits *ret)
{
	struct fc_targets targets = { VADDR, size, bits };
	arch->code->scan(code, size, VADDR, &targets, note, ret);
}

struct form {
	const char *what;
	uint8_t opcode[3];
	uint8_t nr_opcode, nr_rel;
	enum fc_branch_kind kind;
};

static void expect_form_found(const struct form *form, size_t off, size_t target)
{
	uint8_t code[SIZE];
	memset(code, 0x90, sizeof(code));
	uint64_t bits[SIZE / 64 + 1] = { 0 };
	bits[target / 64] |= 1ull << target % 64;
	size_t end = off + form->nr_opcode + form->nr_rel;
	int32_t rel = (int32_t)(target - end);
	memcpy(code + off, form->opcode, form->nr_opcode);
	memcpy(code + off + form->nr_opcode, &rel, form->nr_rel);
	struct hits hits = { 0 };
	scan(code, sizeof(code), bits, &hits);
	if (!has_hit(&hits, VADDR + off, VADDR + end, VADDR + target))
		fail_msg("%s at +%zu to +%zu was not found", form->what, off, target);
	assert_int_equal(hits.at.nr, 1);
	assert_int_equal(hits.at.at[0].kind, form->kind);
	fc_vec_free(&hits.at);
}

static void every_direct_branch_into_a_window_is_found(void **state)
{
	static const struct form others[] = {
		{ "call rel32", { 0xe8 }, 1, 4, FC_BRANCH_CALL },
		{ "jmp rel32", { 0xe9 }, 1, 4, FC_BRANCH_JUMP },
		{ "jmp rel8", { 0xeb }, 1, 1, FC_BRANCH_JUMP },
		{ "loopne", { 0xe0 }, 1, 1, FC_BRANCH_IF },
		{ "loope", { 0xe1 }, 1, 1, FC_BRANCH_IF },
		{ "loop", { 0xe2 }, 1, 1, FC_BRANCH_IF },
		{ "jrcxz", { 0xe3 }, 1, 1, FC_BRANCH_IF },
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		expect_form_found(&others[i], 480, TARGET);
		expect_form_found(&others[i], 560, TARGET);
	}
	for (int cc = 0; cc < 16; cc++) {
		struct form rel8 = { "jcc rel8", { 0x70 + cc }, 1, 1, FC_BRANCH_IF };
		struct form rel32 = { "jcc rel32", { 0x0f, 0x80 + cc }, 2, 4, FC_BRANCH_IF };
		expect_form_found(&rel8, 480, TARGET);
		expect_form_found(&rel8, 560, TARGET);
		expect_form_found(&rel32, 0, TARGET);
		expect_form_found(&rel32, SIZE - 6, TARGET);
		for (size_t off = 0; off < 4; off++)
			expect_form_found(&rel8, off, off + 30);
		for (size_t off = 505; off < 516;
		     off++) { /* blocks of 512 bytes are looked at */
			expect_form_found(&rel8, off, off + 30);
			expect_form_found(&rel32, off, off + 300);
		}
	}
}

static void a_branch_at_the_very_start_or_end_is_found(void **state)
{
	static const struct form rel8 = { "jmp rel8", { 0xeb }, 1, 1, FC_BRANCH_JUMP };
	static const struct form rel32 = { "jmp rel32", { 0xe9 }, 1, 4, FC_BRANCH_JUMP };
	expect_form_found(&rel8, 0, 100);
	expect_form_found(&rel8, SIZE - 2, SIZE - 100);
	expect_form_found(&rel32, 0, 0);
	expect_form_found(&rel32, SIZE - 5, SIZE - 1);
}

static void a_branch_into_other_code_is_found(void **state)
{
	uint64_t bits[1] = { 1 << 5 };
	struct fc_targets above = { VADDR + 0x10000, 64, bits }, below = { 0x1000, 64, bits };
	uint8_t code[10] = { 0xe9, 0x00, 0x00, 0x01, 0x00, 0xe8, 0xfb, 0xff, 0xff, 0xff };
	struct hits hits = { 0 };
	arch->code->scan(code, sizeof(code), VADDR, &above, note, &hits);
	assert_int_equal(hits.at.nr, 1);
	assert_int_equal(hits.at.at[0].to, VADDR + 0x10005);
	int32_t rel = 0x1005 - (VADDR + 10);
	memcpy(code + 6, &rel, sizeof(rel));
	arch->code->scan(code, sizeof(code), VADDR, &below, note, &hits);
	assert_int_equal(hits.at.nr, 2);
	assert_int_equal(hits.at.at[1].to, 0x1005);
	fc_vec_free(&hits.at);
}

static void a_branch_cut_off_by_the_end_is_none(void **state)
{
	static const uint8_t ends[][4] = { { 0xeb }, { 0xe9, 0, 0, 0 }, { 0x0f, 0x84, 0, 0 } };
	uint64_t bits[1] = { ~0ull };
	for (size_t i = 0; i < 3; i++)
		for (size_t size = 1; size <= (i ? 4 : 1); size++) {
			fc_auto_free uint8_t *code = malloc(size);
			memcpy(code, ends[i], size);
			struct hits hits = { 0 };
			scan(code, size, bits, &hits);
			assert_int_equal(hits.at.nr, 0);
		}
}

/* Taken from the manuals, not from ours: what a byte sequence says if it is a direct branch. */
static bool reads_as_branch(const uint8_t *code, size_t room, int64_t *rel, size_t *len)
{
	int32_t rel32 = 0;
	bool is_short = room >= 2 && ((code[0] >= 0x70 && code[0] <= 0x7f) ||
				      (code[0] >= 0xe0 && code[0] <= 0xe3) || code[0] == 0xeb);
	if (is_short) {
		*rel = (int8_t)code[1];
		*len = 2;
		return true;
	}
	size_t op = room >= 6 && code[0] == 0x0f && code[1] >= 0x80 && code[1] <= 0x8f ? 2
		    : room >= 5 && (code[0] == 0xe8 || code[0] == 0xe9)		       ? 1
										       : 0;
	if (!op)
		return false;
	memcpy(&rel32, code + op, 4);
	*rel = rel32;
	*len = op + 4;
	return true;
}

static void on_random_bytes_it_finds_what_a_plain_search_finds(void **state)
{
	enum { ROUNDS = 300, LARGE = 4096 };
	static uint8_t code[LARGE];
	size_t nr_hits = 0;
	srand(3);
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t bits[LARGE / 64 + 1] = { 0 };
		for (size_t i = 0; i < LARGE; i++) /* many small displacements */
			code[i] = rand() % 3 ? rand() : "\xe8\xe9\x0f\x84\x00\xff"[rand() % 6];
		for (int i = 0; i < 100; i++) {
			size_t off = rand() % LARGE;
			bits[off / 64] |= 1ull << off % 64;
		}
		struct hits hits = { 0 };
		scan(code, LARGE, bits, &hits);
		size_t nr = 0;
		for (size_t i = 0; i < LARGE; i++) {
			int64_t rel;
			size_t len;
			if (!reads_as_branch(code + i, LARGE - i, &rel, &len))
				continue;
			uint64_t to = i + len + rel;
			if (to >= LARGE || !(bits[to / 64] >> to % 64 & 1))
				continue;
			nr++;
			assert_true(has_hit(&hits, VADDR + i, VADDR + i + len, VADDR + to));
		}
		assert_int_equal(hits.at.nr, nr);
		nr_hits += nr;
		fc_vec_free(&hits.at);
	}
	assert_true(nr_hits > 1000);
}

/* Every direct branch that the processor would see, by the lengths of real instructions. */
static void every_branch_of_a_real_library_is_among_what_is_found(void **state)
{
	if (access(LIBC, R_OK))
		skip();
	struct fc_elf *elf = open_elf(LIBC);
	size_t nr, nr_branches = 0;
	const struct fc_code_range *ranges = fc_elf_code(elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		const uint8_t *code = fc_elf_bytes(elf, ranges[i].vaddr, ranges[i].size);
		uint64_t *bits = fc_alloc((ranges[i].size / 64 + 1) * 8);
		memset(bits, 0xff, (ranges[i].size / 64 + 1) * 8);
		struct hits hits = { 0 };
		struct fc_targets all = { ranges[i].vaddr, ranges[i].size, bits };
		arch->code->scan(code, ranges[i].size, ranges[i].vaddr, &all, note, &hits);
		size_t at = 0;
		for (size_t off = 0; off < ranges[i].size;) {
			bool is_branch = false;
			size_t len =
				arch->code->insn_len(code + off, ranges[i].size - off, &is_branch);
			uint64_t end = ranges[i].vaddr + off + len;
			while (at < hits.at.nr && hits.at.at[at].end < end)
				at++;
			bool is_xbegin = is_branch && code[off] == 0xc7;
			if (is_branch && !is_xbegin) {
				nr_branches++;
				size_t found = at;
				while (found < hits.at.nr && hits.at.at[found].from < end &&
				       hits.at.at[found].end != end)
					found++;
				int64_t rel;
				size_t rel_len;
				/* one that leaves the range is not asked for */
				bool is_plain =
					reads_as_branch(code + off, len, &rel, &rel_len);
				if (is_plain && off + len + rel < ranges[i].size)
					assert_true(found < hits.at.nr &&
						    hits.at.at[found].end == end);
			}
			off += len ? len : 1;
		}
		free(bits);
		fc_vec_free(&hits.at);
	}
	assert_true(nr_branches > 50000);
	fc_elf_close(elf);
}

/* The bytes at the start, in the middle and at the end of some code. */
static bool takes_register(const void *code, size_t size, const char *names)
{
	enum { MORE = 16 };
	bool ret = false;
	for (int before = 0; before <= MORE; before += MORE / 2) {
		uint8_t *all = malloc(size + MORE);
		memset(all, 0x90, size + MORE);
		memcpy(all + before, code, size);
		bool found = arch->code->takes_register(all, size + MORE, names, strlen(names) + 1);
		assert_true(!before || found == ret);
		ret = found;
		free(all);
	}
	return ret;
}

#define SETS_GS(bytes, names) takes_register(bytes, sizeof(bytes) - 1, names)

#define MOV_EDI_SET_GS "\xbf\x01\x10\x00\x00"
#define MOV_ESI_SET_GS "\xbe\x01\x10\x00\x00"
#define MOV_EAX_PRCTL  "\xb8\x9e\x00\x00\x00"
#define MOV_EDI_PRCTL  "\xbf\x9e\x00\x00\x00"
#define CALL	       "\xe8\x00\x01\x00\x00"
#define SYSCALL	       "\x0f\x05"
#define CALL_FAR       "\xe8\x50\x00\x00\x00" /* over 80 bytes */
#define NOPS_16	       "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"
#define NOPS_80	       NOPS_16 NOPS_16 NOPS_16 NOPS_16 NOPS_16

static void code_that_sets_gs_is_found(void **state)
{
	assert_true(SETS_GS("\x90" MOV_EAX_PRCTL MOV_EDI_SET_GS SYSCALL, ""));
	assert_true(SETS_GS(MOV_EDI_SET_GS "\x48\x89\xde" MOV_EAX_PRCTL SYSCALL, ""));
	assert_true(SETS_GS(MOV_EDI_SET_GS CALL, "arch_prctl"));
	/* call f; …; f: mov $158, %eax; syscall, as in a stripped static program */
	assert_true(SETS_GS(MOV_EDI_SET_GS CALL_FAR NOPS_80 MOV_EAX_PRCTL SYSCALL, ""));
	assert_true(SETS_GS(MOV_ESI_SET_GS MOV_EDI_PRCTL CALL, "syscall"));
	assert_true(SETS_GS("\x90\xf3\x48\x0f\xae\xd8\xc3", "")); /* wrgsbase %rax */
	assert_true(SETS_GS("\xf3\x48\x0f\xae\xdf", ""));	  /* wrgsbase %rdi */
	assert_true(SETS_GS("\xf3\x49\x0f\xae\xdc", ""));	  /* wrgsbase %r12 */
	assert_true(SETS_GS("\xf3\x0f\xae\xd8", ""));		  /* wrgsbase %eax */
}

static void plain_code_does_not_set_gs(void **state)
{
	assert_false(SETS_GS("\x90\x90\xc3", "arch_prctl"));
	assert_false(SETS_GS(MOV_EDI_SET_GS CALL, "malloc")); /* malloc(0x1001) */
	assert_false(SETS_GS(MOV_ESI_SET_GS CALL, "malloc arch_prctl"));
	assert_false(SETS_GS(MOV_EDI_SET_GS CALL_FAR NOPS_80 MOV_EAX_PRCTL "\xc3", ""));
	assert_false(SETS_GS(MOV_EDI_SET_GS CALL NOPS_80 MOV_EAX_PRCTL SYSCALL, ""));
	assert_false(SETS_GS("\x81\xff\x01\x10\x00\x00", "arch_prctl")); /* cmp $0x1001, %edi */
	assert_false(SETS_GS("\x01\x10\x00\x00", "arch_prctl"));
	assert_false(SETS_GS("\xf3\x48\x0f\xae\xd0", "")); /* wrfsbase %rax */
	assert_false(SETS_GS("\xf3\x48\x0f\xae\xc8", "")); /* rdgsbase %rax */
	assert_false(SETS_GS("\xf3\x48\x0f\xae", ""));
}

static void ordinary_files_do_not_set_gs(void **state)
{
	static const char *const files[] = { "/bin/bash",
					     "/usr/bin/python3.11",
					     "/usr/bin/perl",
					     "/usr/bin/git",
					     "/usr/bin/sqlite3",
					     "/usr/bin/strace",
					     "/usr/bin/perf",
					     "/lib64/ld-linux-x86-64.so.2",
					     "/lib/x86_64-linux-gnu/libc.so.6",
					     "/lib/x86_64-linux-gnu/libstdc++.so.6",
					     "/lib/x86_64-linux-gnu/libcrypto.so.3" };
	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		if (access(files[f], R_OK))
			continue;
		struct fc_elf *elf = open_elf(files[f]);
		if (fc_takes_register(elf))
			fail_msg("%s sets %%gs?", files[f]);
		fc_elf_close(elf);
	}
}

/* Where the code behind the move begins, of what stands behind so many bytes; 0: there is none. */
static size_t moves_frames(const void *code, size_t size, size_t before)
{
	uint8_t *all = malloc(before + size);
	size_t at = 0;
	memset(all, 0x90, before + size);
	memcpy(all + before, code, size);
	size_t ret = arch->code->moves_frames(all, before + size, &at) ? at : 0;
	assert_true(!ret || !arch->code->moves_frames(all, before + size, &at));
	free(all);
	return ret;
}

static void moves_of_frames_are_found(void **state)
{
	for (size_t before = 0; before < 20; before++) {
		/* add %rax, %rsp; add %rax, %rbp; call */
		assert_int_equal(moves_frames("\x48\x01\xc4\x48\x01\xc5\xe8", 7, before),
				 before + 6);
		assert_int_equal(moves_frames("\x48\x01\xdc\x48\x01\xdd", 6, before),
				 before + 6); /* %rbx */
		assert_int_equal(moves_frames("\x4c\x01\xfc\x4c\x01\xfd", 6, before),
				 before + 6); /* %r15 */
	}
	/* mov %rsp, %rdi; call *%rcx; test %rax, %rax; jz; mov %rax, %rsp */
	static const char pypy[] = "\x48\x89\xe7\xff\xd1\x48\x85\xc0\x74\x0c\x48\x89\xc4";
	assert_int_equal(moves_frames(pypy, sizeof(pypy) - 1, 5), 5 + sizeof(pypy) - 1);
	assert_false(moves_frames(pypy, sizeof(pypy) - 2, 5));
	assert_false(moves_frames("\x48\x01\xc4\x48\x01\xdd", 6, 3)); /* another register */
	assert_false(moves_frames("\x48\x01\xc4\x4c\x01\xc5", 6, 3));
	assert_false(moves_frames("\x48\x29\xc4\x48\x29\xc5", 6, 3)); /* sub */
	assert_false(moves_frames("\x48\x01\xc4\x48\x01", 5, 3));
}

/* The same of notes of a place. */
static size_t notes_place(const void *code, size_t size, size_t before)
{
	enum { BEHIND = 8 };
	uint8_t *all = malloc(before + size + BEHIND);
	size_t at = 0;
	memset(all, 0x90, before + size + BEHIND);
	memcpy(all + before, code, size);
	size_t ret = arch->code->notes_place(all, before + size + BEHIND, &at) ? at : 0;
	free(all);
	return ret;
}

static void notes_of_places_are_found(void **state)
{
	/* mov %rbp, 0x1c0(%rdx); mov %rdi, 0x1c8(%rdx); mov %rsp, 0x1d0(%rdx) */
	static const char ruby[] = "\x48\x89\xaa\xc0\x01\x00\x00\x48\x89\xba\xc8\x01\x00\x00"
				   "\x48\x89\xa2\xd0\x01\x00\x00";
	/* mov %rbp, (%rcx); mov %rsp, 0x10(%rcx); mov %rax, 8(%rcx) */
	static const char other[] = "\x48\x89\x29\x48\x89\x61\x10\x48\x89\x41\x08";
	/* The last of another buffer. */
	static const char none[] = "\x48\x89\x29\x48\x89\x62\x10\x48\x89\x41\x08";
	/* To what rbp leads to. */
	static const char frame[] = "\x48\x89\x45\xf0\x48\x89\x45\xf8\x48\x89\x65\x00";

	for (size_t before = 0; before < 40; before += 13) {
		assert_int_equal(notes_place(ruby, sizeof(ruby) - 1, before),
				 before + sizeof(ruby) - 1);
		assert_int_equal(notes_place(other, sizeof(other) - 1, before), before + 7);
		assert_false(notes_place(none, sizeof(none) - 1, before));
		assert_false(notes_place(frame, sizeof(frame) - 1, before));
	}
}

static void ordinary_files_do_not_move_frames(void **state)
{
	static const char *const files[] = { "/bin/bash", "/usr/bin/python3.11", "/usr/bin/git",
					     "/lib/x86_64-linux-gnu/libc.so.6",
					     "/lib/x86_64-linux-gnu/libcrypto.so.3" };
	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		if (access(files[f], R_OK))
			continue;
		struct fc_elf *elf = open_elf(files[f]);
		if (fc_slicers_find(elf).nr)
			fail_msg("%s copies frames?", files[f]);
		fc_elf_close(elf);
	}
}

static bool libc_function_reads_slot(const struct fc_elf *elf, const char *name)
{
	uint64_t vaddr;
	if (fc_elf_symbol(elf, name, &vaddr))
		fail_msg("%s has no %s", elf->path, name);
	const struct fc_func *func = func_at(elf, vaddr);
	assert_non_null(func);
	size_t size = func->size ? func->size : 64;
	return arch->code->slot_use(fc_elf_bytes(elf, vaddr, size), size);
}

static void libc_functions_that_look_at_their_return_address_are_found(void **state)
{
	/* setjmp itself is a jump to __sigsetjmp */
	static const char *const look[] = { "__sigsetjmp", "getcontext", "swapcontext",
					    "vfork",	   "dlsym",	 "dlvsym",
					    "dlopen",	   "dlmopen",	 "setcontext" };
	static const char *const do_not[] = { "malloc", "free",	  "printf", "qsort", "strlen",
					      "fopen",	"getenv", "strtol", "fork",  "read",
					      "memcpy", "exit",	  "system", "open",  "fputs" };
	if (access(LIBC, R_OK))
		skip();
	struct fc_elf *elf = open_elf(LIBC);
	for (size_t i = 0; i < sizeof(look) / sizeof(look[0]); i++)
		if (!libc_function_reads_slot(elf, look[i]))
			fail_msg("%s looks at its return address", look[i]);
	for (size_t i = 0; i < sizeof(do_not) / sizeof(do_not[0]); i++)
		if (libc_function_reads_slot(elf, do_not[i]))
			fail_msg("%s does not look at its return address", do_not[i]);
	fc_elf_close(elf);
}

static void few_functions_are_taken_to_look_at_their_return_address(void **state)
{
	static const char *const files[] = { LIBC, "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
					     "/usr/bin/python3.11", "/bin/bash",
					     "/usr/bin/git" };
	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		if (access(files[f], R_OK))
			continue;
		struct fc_elf *elf = open_elf(files[f]);
		size_t nr = 0, all = 0;
		for (size_t i = 0; i < elf->nr_funcs; i++) {
			const struct fc_func *func = &elf->funcs[i];
			size_t size = func->size ? func->size : 64;
			const uint8_t *code = fc_elf_bytes(elf, func->vaddr, size);
			if (!code || func->flags & FC_FUNC_PART)
				continue;
			all++;
			if (!arch->code->slot_use(code, size))
				continue;
			nr++;
			if (getenv("VERBOSE"))
				fprintf(stderr, "#   %s+%#llx\n", func->name ? func->name : "",
					(unsigned long long)func->vaddr);
		}
		fprintf(stderr, "# %s: %zu of %zu functions look at their return address\n",
			files[f], nr, all);
		assert_true(nr * 100 < all);
		fc_elf_close(elf);
	}
}

static enum fc_slot_use use_of(const void *code, size_t size)
{
	uint8_t *copy = malloc(size);
	memcpy(copy, code, size);
	enum fc_slot_use ret = arch->code->slot_use(copy, size);
	free(copy);
	return ret;
}

static bool reads_slot(const void *code, size_t size)
{
	return use_of(code, size) != FC_SLOT_PLAIN;
}

static void expect_again(const char *code, size_t size, bool may, uint64_t raise)
{
	uint64_t got = 0;
	assert_int_equal(arch->stub->may_run_again((const uint8_t *)code, size, &got), may);
	if (may)
		assert_int_equal(got, raise);
}

#define EXPECT_AGAIN(code, raise) expect_again(code, sizeof(code) - 1, true, raise)
#define EXPECT_NEVER(code)	  expect_again(code, sizeof(code) - 1, false, 0)

static void what_changes_the_stack_pointer_only_may_run_again(void **state)
{
	EXPECT_AGAIN("", 0);
	EXPECT_AGAIN("\xa9\1\2\3\4\x48\x89\x44\x24\xf8", 0); /* test; mov %rax, -8(%rsp) */
	EXPECT_AGAIN("\x41\x57\x55\x68\1\0\0\0", 24);	     /* push %r15; push %rbp; push $1 */
	EXPECT_AGAIN("\x48\x83\xec\x28\x48\x89\x5c\x24\x08", 0x28); /* sub; mov %rbx, 8(%rsp) */
	EXPECT_AGAIN("\x48\x81\xec\0\1\0\0", 0x100);
	EXPECT_NEVER("\x55\x48\x89\xe5");	  /* push %rbp; mov %rsp, %rbp */
	EXPECT_NEVER("\x48\x83\xec\x28\xff\xc0"); /* sub; inc %eax */
	EXPECT_NEVER("\x48\x83\xeb\x28");	  /* sub $0x28, %rbx */
	EXPECT_NEVER("\x5d");			  /* pop %rbp */
	EXPECT_NEVER("\x55\x48\x83");		  /* and a part of one */
}

static void expect_call(const char *bytes, size_t size, bool is_call, uint64_t leads_to)
{
	uint64_t to = 1;
	assert_int_equal(arch->code->is_call((const uint8_t *)bytes, size, 0x1000, &to), is_call);
	if (is_call)
		assert_int_equal(to, leads_to);
}

#define EXPECT_CALL(bytes, to) expect_call("\x90\x90" bytes, sizeof(bytes) + 1, true, to)
#define EXPECT_NO_CALL(bytes)  expect_call("\x90\x90" bytes, sizeof(bytes) + 1, false, 0)

static void calls_are_known_by_their_last_bytes(void **state)
{
	EXPECT_CALL("\xe8\x10\0\0\0", 0x1010);
	EXPECT_CALL("\xff\xd0", 0);			/* call *%rax */
	EXPECT_CALL("\x41\xff\xd4", 0);			/* call *%r12 */
	EXPECT_CALL("\xff\x13", 0);			/* call *(%rbx) */
	EXPECT_CALL("\xff\x53\x08", 0);			/* call *8(%rbx) */
	EXPECT_CALL("\xff\x14\xc3", 0);			/* call *(%rbx,%rax,8) */
	EXPECT_CALL("\xff\x54\x24\x08", 0);		/* call *8(%rsp) */
	EXPECT_CALL("\xff\x15\x01\x02\x03\x04", 0);	/* call *disp(%rip) */
	EXPECT_CALL("\xff\x93\x01\x02\x03\x04", 0);	/* call *disp(%rbx) */
	EXPECT_CALL("\xff\x14\xc5\x01\x02\x03\x04", 0); /* call *disp(,%rax,8) */
	EXPECT_NO_CALL("\xff\xe0");			/* jmp *%rax */
	EXPECT_NO_CALL("\xff\x23");			/* jmp *(%rbx) */
	EXPECT_NO_CALL("\xe9\x10\0\0\0");
	EXPECT_NO_CALL("\x48\x89\xd0");
}

#define READS_SLOT(bytes) reads_slot(bytes, sizeof(bytes) - 1)

static void the_stack_pointer_is_followed(void **state)
{
	assert_true(READS_SLOT("\x48\x8b\x04\x24\xc3"));	 /* mov (%rsp), %rax */
	assert_true(READS_SLOT("\x5a\x52\xc3"));		 /* pop %rdx */
	assert_true(READS_SLOT("\x53\x48\x8b\x44\x24\x08\xc3")); /* push; mov 8(%rsp) */
	assert_true(READS_SLOT("\x48\x83\xec\x18\x48\x8b\x44\x24\x18\xc3")); /* sub $24 */
	assert_true(READS_SLOT("\x9c\x48\x8b\x44\x24\x08\xc3")); /* pushf; mov 8(%rsp) */
	assert_true(READS_SLOT("\x55\x48\x89\xe5\x48\x8b\x45\x08\xc3")); /* mov 8(%rbp), %rax */
	assert_true(READS_SLOT("\xf3\x0f\x1e\xfa\x48\x8b\x0c\x24\xc3")); /* behind endbr64 */

	assert_false(READS_SLOT("\x53\x48\x8b\x04\x24\x5b\xc3")); /* push; mov (%rsp); pop */
	assert_false(READS_SLOT("\x9c\x48\x8b\x04\x24\x9d\xc3")); /* pushf; mov (%rsp); popf */
	assert_false(READS_SLOT("\x48\x83\xec\x18\x48\x8b\x44\x24\x08\xc3"));
	assert_false(READS_SLOT("\xf0\x48\x83\x0c\x24\x00\xc3")); /* lock orq $0, (%rsp) */
	assert_false(READS_SLOT("\x48\x8d\x04\x24\xc3"));	  /* lea (%rsp), %rax */
	assert_false(READS_SLOT("\x48\x8b\x44\x24\x08\xc3"));	  /* an argument */
	assert_false(READS_SLOT("\x48\x8b\x44\xcc\x00\xc3"));	  /* (%rsp,%rcx,8) */
	assert_false(READS_SLOT("\xc3\x48\x8b\x04\x24"));	  /* behind ret */
	assert_false(READS_SLOT("\x55\x48\x89\xe5\x48\x8b\x45\x10\xc3")); /* 16(%rbp) */
}

static void branches_within_a_function_are_followed(void **state)
{
	/* push %rbx; js 1f; pop %rbx; ret; 1: mov 8(%rsp), %rax */
	assert_true(READS_SLOT("\x53\x78\x02\x5b\xc3\x48\x8b\x44\x24\x08\x5b\xc3"));
	/* the same, and it is what was pushed */
	assert_false(READS_SLOT("\x53\x78\x02\x5b\xc3\x48\x8b\x04\x24\x5b\xc3"));
	/* push %rbx; js 1f; pop %rbx; jmp 2f; 1: pop %rax; jmp 2f; 2: mov (%rsp), %rax */
	assert_true(READS_SLOT("\x53\x78\x03\x5b\xeb\x03\x58\xeb\x00\x48\x8b\x04\x24\xc3"));
	/* with a frame: behind a switch's jump, too: jmp *%rax; mov 8(%rbp), %rax */
	assert_true(READS_SLOT("\x55\x48\x89\xe5\xff\xe0\x48\x8b\x45\x08\x5d\xc3"));
	/* without: push %rbx; jmp *%rax; mov 8(%rsp), %rax */
	assert_false(READS_SLOT("\x53\xff\xe0\x48\x8b\x44\x24\x08\x5b\xc3"));
}

/* Behind the first instructions only what may be of interest is decoded. */
static void what_stands_far_behind_is_found(void **state)
{
	enum { FAR = 100 };
	uint8_t code[FAR + 8];
	memset(code, 0x90, sizeof(code));		       /* nop */
	code[0] = 0x53;					       /* push %rbx */
	memcpy(code + FAR, "\x48\x8b\x44\x24\x08\x5b\xc3", 7); /* mov 8(%rsp), %rax */
	assert_int_equal(use_of(code, sizeof(code)), FC_SLOT_READ);
	code[FAR + 4] = 0x10; /* an argument */
	assert_int_equal(use_of(code, sizeof(code)), FC_SLOT_PLAIN);
	memcpy(code, "\x55\x48\x89\xe5", 4);		       /* a frame */
	memcpy(code + FAR, "\x48\x8b\x45\x00\x90\x5d\xc3", 7); /* mov (%rbp), %rax */
	assert_int_equal(use_of(code, sizeof(code)), FC_SLOT_WALKED);
}

#define FRAME	     "\x55\x48\x89\xe5" /* push %rbp; mov %rsp, %rbp */
#define WALKS(bytes) (use_of(FRAME bytes, sizeof(FRAME bytes) - 1) == FC_SLOT_WALKED)

static void who_walks_from_frame_to_frame_is_known(void **state)
{
	assert_true(WALKS("\x48\x8b\x45\x00\x48\x8b\x40\x08\x5d\xc3")); /* mov (%rbp), %rax */
	assert_true(WALKS("\x48\x89\xe8\x48\x8b\x00\x5d\xc3")); /* mov %rbp, %rax; (%rax) */
	assert_true(
		WALKS("\x49\x89\xea\x4d\x8b\x52\x08\x5d\xc3")); /* the same by r10, 8(%r10) */
	/* by a local variable: mov %rbp, -8(%rbp); mov -8(%rbp), %rax; mov 8(%rax), %rax */
	assert_true(WALKS("\x48\x89\x6d\xf8\x48\x8b\x45\xf8\x48\x8b\x40\x08\x5d\xc3"));
	/* a loop that is entered in the middle: mov %rbp, %rax; jmp 1f; mov %rcx, %rax; 1: mov (%rax), %rcx */
	assert_true(WALKS("\x48\x89\xe8\xeb\x03\x48\x89\xc8\x48\x8b\x08\xeb\xf8"));

	assert_false(WALKS("\x48\x89\xef\xe8\0\0\0\0\x5d\xc3")); /* mov %rbp, %rdi; call */
	assert_false(
		WALKS("\x48\x89\xe8\x48\x89\xf8\x48\x8b\x40\x08\x5d\xc3")); /* mov %rdi, %rax */
	assert_false(WALKS("\x48\x89\xe8\x48\x8b\x40\xf0\x5d\xc3")); /* a local variable */
	assert_false(WALKS("\x48\x8b\x6d\x00\xc3")); /* mov (%rbp), %rbp: as a return does it */
	assert_false(WALKS("\x48\x8b\x45\x08\x5d\xc3")); /* its own return address only */
	assert_false(WALKS("\x48\x8b\x07\x48\x8b\x40\x08\x5d\xc3")); /* a list */
}

static void errno_is_where_the_c_library_says(void **state)
{
	/* glibc 2.36, musl 1.2.3 */
	static const uint8_t glibc[] = { 0x48, 0x8b, 0x05, 0x79, 0xb7, 0x1a, 0x00, 0x64, 0x48,
					 0x03, 0x04, 0x25, 0,	 0,    0,    0,	   0xc3 };
	static const uint8_t musl[] = { 0x64, 0x48, 0x8b, 0x04, 0x25, 0,    0,
					0,    0,    0x48, 0x83, 0xc0, 0x34, 0xc3 };
	uint8_t marked[4 + sizeof(glibc)] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct fc_errno_place place;
	memcpy(marked + 4, glibc, sizeof(glibc));
	assert_true(arch->code->errno_place(glibc, sizeof(glibc), 0x27660, &place));
	assert_true(place.is_known && place.is_in_slot);
	assert_int_equal(place.off, 0x1d2de0);
	assert_true(arch->code->errno_place(marked, sizeof(marked), 0x27660 - 4, &place));
	assert_int_equal(place.off, 0x1d2de0);
	assert_true(arch->code->errno_place(musl, sizeof(musl), 0x27660, &place));
	assert_true(place.is_known && !place.is_in_slot);
	assert_int_equal(place.off, 0x34);
	for (size_t room = 0; room < sizeof(glibc); room++)
		assert_false(arch->code->errno_place(glibc, room, 0x27660, &place));
	for (size_t room = 0; room < sizeof(musl); room++)
		assert_false(arch->code->errno_place(musl, room, 0x27660, &place));
	for (size_t i = 0; i < sizeof(glibc); i++) {
		uint8_t other[sizeof(glibc)];
		memcpy(other, glibc, sizeof(glibc));
		other[i] ^= 0x80;
		if (i < 3 || i > 6)
			assert_false(arch->code->errno_place(other, sizeof(other), 0x27660, &place));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errno_is_where_the_c_library_says),
		cmocka_unit_test(every_direct_branch_into_a_window_is_found),
		cmocka_unit_test(a_branch_at_the_very_start_or_end_is_found),
		cmocka_unit_test(a_branch_into_other_code_is_found),
		cmocka_unit_test(a_branch_cut_off_by_the_end_is_none),
		cmocka_unit_test(on_random_bytes_it_finds_what_a_plain_search_finds),
		cmocka_unit_test(every_branch_of_a_real_library_is_among_what_is_found),
		cmocka_unit_test(moves_of_frames_are_found),
		cmocka_unit_test(notes_of_places_are_found),
		cmocka_unit_test(ordinary_files_do_not_move_frames),
		cmocka_unit_test(code_that_sets_gs_is_found),
		cmocka_unit_test(plain_code_does_not_set_gs),
		cmocka_unit_test(ordinary_files_do_not_set_gs),
		cmocka_unit_test(libc_functions_that_look_at_their_return_address_are_found),
		cmocka_unit_test(few_functions_are_taken_to_look_at_their_return_address),
		cmocka_unit_test(branches_within_a_function_are_followed),
		cmocka_unit_test(what_stands_far_behind_is_found),
		cmocka_unit_test(who_walks_from_frame_to_frame_is_known),
		cmocka_unit_test(calls_are_known_by_their_last_bytes),
		cmocka_unit_test(what_changes_the_stack_pointer_only_may_run_again),
		cmocka_unit_test(the_stack_pointer_is_followed),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
