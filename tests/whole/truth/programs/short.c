/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions too short for a jump, without padding behind them, and some that loop back into
 * their first bytes: their hooks share bytes with what is behind them (docs: puns).
 */
#include <stdio.h>
#include "truth.h"

#define FN_ASM(name) extern long name(long)
FN_ASM(one_byte);
FN_ASM(two_bytes);
FN_ASM(four_bytes);
FN_ASM(counts_down);
FN_ASM(sums_up);

/* clang-format off */
#define ASM_FUNC(name, text)                                                             \
	".globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n"     \
	text ".cfi_endproc\n.size " #name ", .-" #name "\n"
__asm__(".text\n.p2align 4\n"
	/* Behind these is data that makes a displacement of 1.25 GiB. */
	ASM_FUNC(one_byte,    "ret\n")	".fill 4, 1, 0x50\n"
	ASM_FUNC(two_bytes,   "cltd\nret\n") ".fill 3, 1, 0x50\n"
	ASM_FUNC(four_bytes,  "mov %rdi, %rax\nret\n") ".byte 0x50\n"
	/* A branch into the second byte of each: neither a far nor a near jump fits. */
	ASM_FUNC(counts_down, "push %rbx\n1: mov %rdi, %rax\ndec %rdi\njns 1b\npop %rbx\nret\n")
	ASM_FUNC(sums_up,     "cltd\n1: add %rdi, %rdx\ndec %rdi\njne 1b\nmov %rdx, %rax\nret\n"));
/* clang-format on */

FN long calls(long n)
{
	long sum = 0;
	ENTER;
	CALLING("one_byte");
	one_byte(n);
	CALLED("one_byte");
	CALLING("two_bytes");
	two_bytes(n);
	CALLED("two_bytes");
	CALLING("four_bytes");
	sum += four_bytes(n);
	CALLED("four_bytes");
	CALLING("counts_down");
	sum += counts_down(n);
	CALLED("counts_down");
	__asm__ volatile("" ::: "memory");
	CALLING("sums_up");
	sum += sums_up(n);
	CALLED("sums_up");
	LEAVE;
	return sum;
}

FN int main(void)
{
	ENTER;
	long sum = 0;
	for (long i = 1; i < 1000; i++)
		sum += calls(i);
	printf("%ld\n", sum);
	LEAVE;
	return 0;
}
