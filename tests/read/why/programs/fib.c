/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: what was computed already is computed again, and again. */
#include "work.h"

ALONE unsigned long fib(int n)
{
	return n < 2 ? (unsigned long)n : fib(n - 1) + fib(n - 2);
}

ALONE unsigned plan_route(unsigned x)
{
	return spin(x, 100000);
}

int main(void)
{
	printf("%u %lu\n", plan_route(3), fib(28));
	return 0;
}
