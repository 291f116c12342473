/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - each program of the benchmark prints how many calls it made in how many ns.
 */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define FN __attribute__((noinline, noclone))

__attribute__((always_inline)) static inline uint64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

__attribute__((always_inline)) static inline void told(uint64_t calls, uint64_t since_ns)
{
	printf("%llu %llu\n", (unsigned long long)calls,
	       (unsigned long long)(now_ns() - since_ns));
}

#endif
