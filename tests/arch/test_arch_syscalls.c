/* SPDX-License-Identifier: Apache-2.0 */
/* Which system calls code makes: by constants that hold on every way there, and by no others. */
#include "arch/test_arch.h"

enum { UNKNOWN = -1, COMPAT = 1000 };

/* Code between two labels. */
#define CODE(name, text)                                                                       \
	__asm__(".pushsection .rodata\n" #name "_begin:\n" text "\n" #name                     \
		"_end:\n.popsection\n");                                                       \
	extern const uint8_t name##_begin[], name##_end[]

CODE(simple, "mov $257, %eax; syscall; ret");
CODE(zero, "xor %eax, %eax; syscall; xor %eax, %eax; ret");
CODE(borrow, "sbb %eax, %eax; syscall");
CODE(wide, "mov $59, %rax; syscall");
CODE(pushed, "push $11; pop %rax; syscall");
CODE(pushed_before, "push $11; nop; pop %rax; syscall");
CODE(copied, "mov $202, %r8d; xor %r10d, %r10d; mov %r8d, %eax; syscall");
CODE(argument, "mov %edi, %eax; syscall; ret");
CODE(loaded, "mov (%rdi), %eax; syscall");
CODE(part, "xor %eax, %eax; mov $60, %al; syscall");
CODE(result, "mov $39, %eax; syscall; syscall");
CODE(behind_call, "mov $39, %eax; mov $3, %ebx; call *%rdx; syscall; mov %ebx, %eax; syscall");
/* The number stays in a register that neither the kernel nor the loop writes to. */
CODE(loop, "mov $202, %r9d; 1: mov %r9d, %eax; syscall; test %eax, %eax; jne 1b; ret");
CODE(rotated, "mov $231, %esi; jmp 2f; nopl 0(%rax); 1: mov $60, %eax; syscall; hlt;"
	      "2: mov %esi, %eax; syscall; jmp 1b");
CODE(changed_in_loop, "mov $1, %r9d; 1: mov %r9d, %eax; syscall; mov $2, %r9d; jmp 1b");
CODE(either, "test %edi, %edi; je 1f; mov $1, %eax; jmp 2f; 1: mov $2, %eax; 2: syscall");
CODE(both, "test %edi, %edi; je 1f; mov $5, %eax; jmp 2f; 1: mov $5, %eax; 2: syscall");
CODE(chosen, "mov $1, %eax; mov $2, %edx; test %edi, %edi; cmovne %edx, %eax; syscall");
/* A case of a switch: it may be come to from anywhere. */
CODE(cases, "mov $1, %esi; jmp *%rdx; mov %esi, %eax; syscall; ret");
CODE(compat, "mov $4, %eax; int $0x80; mov $4, %eax; sysenter; int $3");
CODE(none, "mov $0x050f, %eax; ret");
CODE(broken, "mov $39, %eax; .byte 0x06; syscall; mov $39, %eax; syscall");

struct found {
	int nr;
	int64_t numbers[8];
	uint64_t vaddrs[8];
};

static void add(void *ctx, struct fc_syscall_insn insn)
{
	struct found *found = ctx;
	assert_true(found->nr < 8);
	found->vaddrs[found->nr] = insn.vaddr;
	found->numbers[found->nr++] =
		!insn.is_known
			? UNKNOWN
			: (int64_t)insn.number + (insn.way == FC_SYSCALL_COMPAT ? COMPAT : 0);
}

static void assert_found(const char *name, const uint8_t *begin, const uint8_t *end,
			 const int64_t *numbers, int nr)
{
	struct found found = { 0 };
	arch->code->syscalls(begin, (size_t)(end - begin), 0x1000, add, &found);
	if (found.nr != nr)
		fail_msg("%s: %d were found", name, found.nr);
	for (int i = 0; i < nr; i++) {
		size_t off = found.vaddrs[i] - 0x1000;
		if (found.numbers[i] != numbers[i])
			fail_msg("%s: of number %lld", name, (long long)found.numbers[i]);
		assert_true(begin + off < end && (begin[off] == 0x0f || begin[off] == 0xcd));
	}
}

#define FOUND(name, ...)                                                                       \
	assert_found(#name, name##_begin, name##_end, (const int64_t[]){ __VA_ARGS__ },        \
		     sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

static void constants_are_followed(void **state)
{
	FOUND(simple, 257);
	FOUND(zero, 0);
	FOUND(wide, 59);
	FOUND(pushed, 11);
	FOUND(copied, 202);
}

static void what_is_written_elsewise_is_not_known(void **state)
{
	FOUND(argument, UNKNOWN);
	FOUND(loaded, UNKNOWN);
	FOUND(borrow, UNKNOWN);
	FOUND(part, UNKNOWN);
	FOUND(result, 39, UNKNOWN);
	FOUND(pushed_before, UNKNOWN);
	FOUND(behind_call, UNKNOWN, 3);
	FOUND(chosen, UNKNOWN);
}

static void what_every_way_has_is_known(void **state)
{
	FOUND(loop, 202);
	FOUND(rotated, 60, 231);
	FOUND(both, 5);
	FOUND(either, UNKNOWN);
	FOUND(changed_in_loop, UNKNOWN);
	FOUND(cases, UNKNOWN);
}

static void other_ways_and_other_bytes(void **state)
{
	FOUND(compat, 4 + COMPAT, 4 + COMPAT);
	FOUND(broken, UNKNOWN, 39);
	assert_found("none", none_begin, none_end, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_are_followed),
		cmocka_unit_test(what_is_written_elsewise_is_not_known),
		cmocka_unit_test(what_every_way_has_is_known),
		cmocka_unit_test(other_ways_and_other_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
