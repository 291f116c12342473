/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls with arguments and a result: two integers, or a string of 15 bytes on the stack, in a loaded
 * file, on the heap. Prints the calls made, and the ns on a CPU that they took.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FN __attribute__((noinline, noclone, noipa))

enum { ROUNDS = 400000 };

FN int add_two(int a, int b)
{
	return a + b;
}

FN int take_text(const char *text)
{
	return text[0];
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "ints";
	char on_stack[16] = "fifteen letters";
	char *on_heap = strdup(on_stack);
	const char *text = !strcmp(what, "stack")  ? on_stack
			   : !strcmp(what, "heap") ? on_heap
						   : "fifteen letters";
	int sum = 0;
	uint64_t begin = cpu_ns();
	if (!strcmp(what, "ints"))
		for (int i = 0; i < ROUNDS; i++)
			sum += add_two(i, sum);
	else
		for (int i = 0; i < ROUNDS; i++)
			sum += take_text(text);
	uint64_t end = cpu_ns();
	free(on_heap);
	printf("%d %llu\n", ROUNDS, (unsigned long long)(end - begin));
	return sum == 1;
}
