// SPDX-License-Identifier: Apache-2.0
// Code that writes over its own operands: within a function's first bytes, in code that can always
// be written to, or that is made so, in every way, while other threads run other code of the page.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#define NI __attribute__((noinline))
#define OPERAND 1

// mov $1, %eax; ret
#define RETURNS(name, section)                                                                    \
	__asm__(section "\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", @function\n" #name \
			":\n\t.cfi_startproc\n\tmov $1, %eax\n\tret\n\t.cfi_endproc\n\t.size " #name  \
			", .-" #name "\n\t.p2align 4\n\t.text");                                   \
	int name(void)

RETURNS(by_mprotect, "\t.text");
RETURNS(by_syscall, "\t.text");
RETURNS(by_turns, "\t.text");
RETURNS(always, "\t.section .writable, \"awx\", @progbits");

static volatile int is_over;

NI int busy(int n)
{
	return n < 2 ? n : busy(n - 1) + busy(n - 2);
}

static void *keep_busy(void *arg)
{
	while (!is_over)
		if (busy(12) != 144)
			puts("wrong");
	return arg;
}

static void write_to(int (*f)(void), int value)
{
	memcpy((char *)(uintptr_t)f + OPERAND, &value, sizeof(value));
}

static void *page_of(int (*f)(void))
{
	return (void *)((uintptr_t)f & ~4095ul);
}

int main(void)
{
	enum { ALL = PROT_READ | PROT_WRITE | PROT_EXEC, SIZE = 8192 };
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, keep_busy, NULL);
	printf("%d %d %d %d\n", always(), by_mprotect(), by_syscall(), by_turns());
	write_to(always, 40);
	if (mprotect(page_of(by_mprotect), SIZE, ALL))
		return 1;
	write_to(by_mprotect, 41);
	printf("%d %d %d %d\n", always(), by_mprotect(), by_syscall(), by_turns());
	if (syscall(SYS_mprotect, page_of(by_syscall), SIZE, ALL))
		return 1;
	write_to(by_syscall, 42);
	for (int i = 0; i < 20; i++) {
		if (mprotect(page_of(by_turns), SIZE, ALL))
			return 1;
		write_to(by_turns, 43 + i);
		if (mprotect(page_of(by_turns), SIZE, PROT_READ | PROT_EXEC))
			return 1;
		printf("%d %d %d %d\n", always(), by_mprotect(), by_syscall(), by_turns());
	}
	is_over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
