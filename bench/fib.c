/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion in two branches: calls and returns of every depth, nothing else. */
#include "calls.h"

FN long fib(long n)
{
	if (n < 2)
		return n;
	long a = fib(n - 1), b = fib(n - 2);
	/* Or gcc makes a loop of one of the two calls. */
	__asm__ volatile("" : "+r"(a), "+r"(b));
	return a + b;
}

int main(void)
{
	const long n = 32;
	fib(27); /* warm: the target's pages, and the buffers of who records */
	uint64_t begin = now_ns();
	long r = fib(n);
	/* fib(n) makes 2 * fib(n + 1) - 1 calls; fib(33) = 3524578 */
	told(r == 2178309 ? 2 * 3524578 - 1 : 0, begin);
	return 0;
}
