/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks (include/fctrace.h) between a few instructions: without a value, with two integers, with a text. Compiled with
 * -DUNMARKED there are none. Prints the marks passed, and the ns on a CPU that they took.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fctrace.h"

#ifdef UNMARKED
#undef FCTRACE_MARK
#define FCTRACE_MARK(...) __asm__ volatile("" ::: "memory")
#endif

#define FN __attribute__((noinline, noclone, noipa))

enum { ROUNDS = 1000000 };

FN unsigned plain(unsigned rounds)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < rounds; i++) {
		FCTRACE_MARK("plain");
		sum = sum * 31 + i;
	}
	return sum;
}

FN unsigned ints(unsigned rounds)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < rounds; i++) {
		FCTRACE_MARK("ints", i, sum);
		sum = sum * 31 + i;
	}
	return sum;
}

FN unsigned text(unsigned rounds)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < rounds; i++) {
		FCTRACE_MARK("text", "fifteen letters");
		sum = sum * 31 + i;
	}
	return sum;
}

/* What two words of clock take. */
FN unsigned clocks(unsigned rounds)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < rounds; i++)
		sum = sum * 31 + (unsigned)(__builtin_ia32_rdtsc() - __builtin_ia32_rdtsc());
	return sum;
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[argc - 1] : "plain";
	unsigned rounds = argc > 2 ? 50u * ROUNDS : ROUNDS;
	uint64_t begin = cpu_ns();
	unsigned sum = !strcmp(what, "ints")	 ? ints(rounds)
		       : !strcmp(what, "text")	 ? text(rounds)
		       : !strcmp(what, "clocks") ? clocks(rounds)
						 : plain(rounds);
	printf("%u %llu\n", rounds, (unsigned long long)(cpu_ns() - begin));
	return !sum;
}
