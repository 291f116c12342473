/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions on stacks of a few hundred bytes, one beside the other and before a page that is not
 * there: nothing is left of what whoever traces them puts below.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define FN __attribute__((noinline, noipa))

enum { NR = 24, ROUNDS = 200, PAGE = 4096, KEPT = 8 };

static volatile long sum;
static ucontext_t home, there[NR + 1];
static int now;

FN long leaf(long n)
{
	sum += n;
	return n + 1;
}

FN long to_b(long n);

/* At -O0 these are calls, for which there is no room. */
FN long to_a(long n)
{
#ifdef __OPTIMIZE__
	return n ? to_b(n - 1) : leaf(n);
#else
	return leaf(n);
#endif
}

FN long to_b(long n)
{
	return n ? to_a(n - 1) : 2;
}

FN void body(void)
{
	volatile uint64_t kept[KEPT];
	int me = now;
	for (int i = 0; i < KEPT; i++)
		kept[i] = 0x1111111111111111u * (uint64_t)(me % 15 + i % 2);
	for (int round = 0; round < ROUNDS; round++) {
		leaf(me);
		to_a(round % 7);
		swapcontext(&there[me], &home);
		for (int i = 0; i < KEPT; i++)
			if (kept[i] != 0x1111111111111111u * (uint64_t)(me % 15 + i % 2))
				_Exit(3);
	}
	swapcontext(&there[me], &home);
}

static void make(int i, char *stack, size_t size)
{
	getcontext(&there[i]);
	there[i].uc_stack.ss_sp = stack;
	there[i].uc_stack.ss_size = size;
	there[i].uc_link = &home;
	makecontext(&there[i], body, 0);
}

int main(int argc, char **argv)
{
	size_t size = argc > 1 ? (size_t)atol(argv[1]) : 0;
	char *stacks = calloc(NR, size);
	char *guarded = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!size || !stacks || guarded == MAP_FAILED || mprotect(guarded, PAGE, PROT_NONE))
		return 2;
	for (int i = 0; i < NR; i++)
		make(i, stacks + (size_t)i * size, size);
	make(NR, guarded + PAGE, size);
	for (int round = 0; round <= ROUNDS; round++)
		for (now = 0; now <= NR; now++)
			swapcontext(&home, &there[now]);
	printf("%ld\n", sum);
	return 0;
}
