/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines whose stacks are arrays of a function: who writes below one writes over something else. Bytes
 * of a stack, and of what must stay as it is below each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { NR = 8, FILL = 0x55 };

static ucontext_t back, here[NR];
static volatile int sum;

__attribute__((noipa)) int leaf(int x)
{
	sum += x;
	return sum;
}

__attribute__((noipa)) int two(int x, const char *text)
{
	return leaf(x) + text[0];
}

static void body(int i)
{
	two(i, "first");
	swapcontext(&here[i], &back);
	leaf(two(i + 1, "second"));
	swapcontext(&here[i], &back);
}

__attribute__((noipa)) int resume(int i)
{
	int ret = swapcontext(&back, &here[i]);
	sum++;
	return ret;
}

int main(int argc, char **argv)
{
	size_t size = (size_t)atoi(argv[1]), rest = (size_t)atoi(argv[2]), bad = 0;
	char *all = __builtin_alloca(NR * (size + rest));
	memset(all, FILL, NR * (size + rest));
	for (size_t i = 0; i < NR; i++) {
		getcontext(&here[i]);
		here[i].uc_stack.ss_sp = all + i * (size + rest) + rest;
		here[i].uc_stack.ss_size = size;
		here[i].uc_link = NULL;
		makecontext(&here[i], (void (*)(void))body, 1, (int)i);
	}
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < NR; i++)
			resume(i);
	for (size_t i = 0; i < NR; i++)
		for (size_t k = 0; k < rest; k++)
			bad += all[i * (size + rest) + k] != FILL;
	printf("%d, %zu bytes were written over\n", sum, bad);
	return argc > 3 || bad;
}
