/* SPDX-License-Identifier: Apache-2.0 */
/* A stack whose first call is made at its very top, with nothing behind it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

enum { SIZE = 65536 };

static volatile int sum;

__attribute__((noipa)) int leaf(int x)
{
	sum += x;
	return sum;
}

__attribute__((noipa)) int first(void *p)
{
	(void)p;
	for (int i = 0; i < 5; i++)
		leaf(i);
	return 0;
}

int main(void)
{
	char *area = mmap(NULL, 3 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(area + SIZE, SIZE, PROT_READ | PROT_WRITE);
	__asm__ volatile("mov	%%rsp, %%rbx\n\t"
			 "mov	%0, %%rsp\n\t"
			 "call	first\n\t"
			 "mov	%%rbx, %%rsp"
			 :
			 : "r"(area + 2 * SIZE), "D"(0l)
			 : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11",
			   "memory");
	printf("%d\n", sum);
	return 0;
}
