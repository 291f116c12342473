/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that calls a small function. */
#include "calls.h"

FN long leaf(long x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

int main(void)
{
	const long n = 3000000;
	long sum = 0;
	for (long i = 0; i < 10000; i++) /* warm */
		sum += leaf(i);
	uint64_t begin = now_ns();
	for (long i = 0; i < n; i++)
		sum += leaf(i);
	told(sum > 0 ? n : 0, begin);
	return 0;
}
