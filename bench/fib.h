/* SPDX-License-Identifier: Apache-2.0 */
/* fib.h - the recursion of fib.c and threads.c, and what it comes to. */
#ifndef BENCH_FIB_H
#define BENCH_FIB_H

/* fib(n) makes 2 * fib(n + 1) - 1 calls. */
enum { FIB_N = 30, FIB_RESULT = 832040, FIB_CALLS = 2 * 1346269 - 1 };

FN static long fib(long n)
{
	if (n < 2)
		return n;
	long a = fib(n - 1), b = fib(n - 2);
	/* Or gcc makes a loop of one of the two calls. */
	__asm__ volatile("" : "+r"(a), "+r"(b));
	return a + b;
}

#endif
