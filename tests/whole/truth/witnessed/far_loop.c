/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose head is their function's first instruction, and whose jump back is not among the
 * first bytes: a loop is not a call. Of calls_loop each round calls, too. */
#include <stdio.h>

/* clang-format off */
__asm__(".text\n"
	".p2align 4\n"
	".globl far_loop\n"
	".type far_loop, @function\n"
	"far_loop: .cfi_startproc\n"
	"	lea 1(%rax,%rdi), %rax\n"
	"	mov %rax, %rdx\n"
	"	xor %rdi, %rdx\n"
	"	dec %edi\n"
	"	jnz far_loop\n"
	"	mov $2, %eax\n"
	"	ret\n"
	".cfi_endproc\n"
	".size far_loop, . - far_loop\n"
	".p2align 4\n"
	".globl calls_loop\n"
	".type calls_loop, @function\n"
	"calls_loop: .cfi_startproc\n"
	"	push %rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	mov $2, %edi\n"
	"	call far_loop\n"
	"	pop %rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	dec %edi\n"
	"	jnz calls_loop\n"
	"	jmp leaf\n"
	".cfi_endproc\n"
	".size calls_loop, . - calls_loop\n");
/* clang-format on */

int far_loop(long n);
int calls_loop(long n);

#define FN __attribute__((noinline, noclone, used))

FN int leaf(void)
{
	__asm__ volatile("");
	return 5;
}

/* Reached by a tail call, it is a call once and a loop then. */
FN int jumps(long n)
{
	return far_loop(n + 1);
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("%d %d %d\n", far_loop(3), jumps(2), calls_loop(3));
	return 0;
}
