/* SPDX-License-Identifier: Apache-2.0 */
/* Direct recursion, two calls of itself, and two functions that call each other. */
#include <stdio.h>
#include "truth.h"

FN long fact(long n)
{
	ENTER;
	long r = n < 2 ? 1 : n * fact(n - 1);
	LEAVE;
	return r;
}

FN long fib(long n)
{
	ENTER;
	long r = n < 2 ? n : fib(n - 1) + fib(n - 2);
	LEAVE;
	return r;
}

FN long ackermann(long m, long n)
{
	long r;
	ENTER;
	if (m == 0)
		r = n + 1;
	else if (n == 0)
		r = ackermann(m - 1, 1);
	else
		r = ackermann(m - 1, ackermann(m, n - 1));
	LEAVE;
	return r;
}

FN int is_odd(int n);

FN int is_even(int n)
{
	ENTER;
	int r = n == 0 ? 1 : is_odd(n - 1);
	LEAVE;
	return r;
}

FN int is_odd(int n)
{
	ENTER;
	int r = n == 0 ? 0 : is_even(n - 1);
	LEAVE;
	return r;
}

FN int main(void)
{
	ENTER;
	printf("%ld %ld %ld %d\n", fact(12), fib(15), ackermann(2, 3), is_even(50));
	LEAVE;
	return 3;
}
