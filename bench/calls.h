/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.h - main() of the benchmark's programs, each of which has its work().
 *
 * Without an argument the work is done once. With one it is done for each byte that comes on
 * stdin, to its end, so that who measures decides when and how often. Each time a line is
 * printed: calls made, and the ns they took.
 */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define FN __attribute__((noinline, noclone))

/* Make calls; return how many, 0 if they came to a wrong result. */
static uint64_t work(void);

__attribute__((always_inline)) static inline uint64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	(void)argv;
	while (argc < 2 || getchar() != EOF) {
		uint64_t begin = now_ns();
		uint64_t calls = work();
		uint64_t end = now_ns();
		printf("%llu %llu\n", (unsigned long long)calls, (unsigned long long)(end - begin));
		fflush(stdout);
		if (argc < 2)
			break;
	}
	return 0;
}

#endif
