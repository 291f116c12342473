/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that calls a small function. */
#include "calls.h"

FN long leaf(long x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static uint64_t work(void)
{
	const long n = 3000000;
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += leaf(i);
	return sum > 0 ? n : 0;
}
