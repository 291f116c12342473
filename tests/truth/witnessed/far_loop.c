/* SPDX-License-Identifier: Apache-2.0 */
/* A loop whose head is its function's first instruction, and whose jump back is not among the
 * first bytes: a loop is not a call. */
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
	".size far_loop, . - far_loop\n");
/* clang-format on */

int far_loop(long n);

int main(void)
{
	printf("%d\n", far_loop(3));
	return 0;
}
