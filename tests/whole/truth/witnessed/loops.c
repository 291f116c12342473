/* SPDX-License-Identifier: Apache-2.0 */
/* A function that jumps to its own first instruction, two that jump to each other's, and one
 * that runs into the next. */
#include <stdio.h>

/* clang-format off */
__asm__(".text\n"
	".macro function name\n"
	".p2align 4\n"
	".globl \\name\n"
	".type \\name, @function\n"
	"\\name: .cfi_startproc\n"
	".endm\n"
	".macro end name\n"
	".cfi_endproc\n"
	".size \\name, . - \\name\n"
	".endm\n"

	"function near_loop\n" /* the jump back is among the first 5 bytes */
	"	dec %edi\n"
	"	jnz near_loop\n"
	"	mov $1, %eax\n"
	"	ret\n"
	"end near_loop\n"

	"function to_and\n"
	"	lea -1(%rdi), %rdi\n"
	"	test %rdi, %rdi\n"
	"	jg fro\n"
	"	mov $3, %eax\n"
	"	ret\n"
	"end to_and\n"

	"function fro\n"
	"	lea -1(%rdi), %rdi\n"
	"	test %rdi, %rdi\n"
	"	jg to_and\n"
	"	mov $4, %eax\n"
	"	ret\n"
	"end fro\n"

	"function falls\n"		/* into the next, without a jump */
	"	lea 1(%rdi), %rdi\n"
	"	lea 1(%rdi), %rdi\n"
	"	.nops 8\n"
	".cfi_endproc\n"
	".size falls, . - falls\n"
	".globl lands\n"
	".type lands, @function\n"
	"lands:	.cfi_startproc\n"
	"	lea 5(%rdi), %eax\n"
	"	mov %eax, %edx\n"
	"	ret\n"
	"end lands\n");
/* clang-format on */

int near_loop(long n);
int to_and(long n);
int fro(long n);
int falls(long n);

int main(void)
{
	int sum = 0;

	for (int i = 1; i < 4; i++)
		sum += near_loop(i) + to_and(i) + fro(i) + falls(i);
	printf("%d\n", sum);
	return 0;
}
