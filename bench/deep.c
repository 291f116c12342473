/* SPDX-License-Identifier: Apache-2.0 */
/* Down 10 000 calls and up again: returns that no return predictor can hold. */
#include "calls.h"

FN long down(long n)
{
	long r = n ? down(n - 1) : 0;
	__asm__ volatile("" : "+r"(r));
	return r + 1;
}

static uint64_t work(void)
{
	const long depth = 10000, rounds = 300;
	long sum = 0;
	for (long i = 0; i < rounds; i++)
		sum += down(depth);
	return sum > 0 ? rounds * (depth + 1) : 0;
}
