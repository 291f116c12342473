/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that a compiler turns into jumps (-O2): one, a chain, and two functions 10 000
 * times. */
#include <stdio.h>
#include "truth.h"

#ifdef __OPTIMIZE__
#define RETURN_CALL(call)                                                                \
	do {                                                                             \
		TAIL;                                                                    \
		return call;                                                             \
	} while (0)
#else
#define RETURN_CALL(call)                                                                \
	do {                                                                             \
		long r_ = call;                                                          \
		LEAVE;                                                                   \
		return r_;                                                               \
	} while (0)
#endif

FN long last(long n)
{
	ENTER;
	LEAVE;
	return n * 3;
}

FN long third(long n)
{
	ENTER;
	RETURN_CALL(last(n + 1));
}

FN long second(long n)
{
	ENTER;
	long r = last(n);
	RETURN_CALL(third(r));
}

FN long first(long n)
{
	ENTER;
	RETURN_CALL(second(n + 1));
}

FN long ping(long n);

FN long pong(long n)
{
	ENTER;
	if (!n) {
		LEAVE;
		return 0;
	}
	RETURN_CALL(ping(n - 1));
}

FN long ping(long n)
{
	ENTER;
	if (n % 1000 == 0)
		last(n);
	if (!n) {
		LEAVE;
		return 1;
	}
	RETURN_CALL(pong(n - 1));
}

FN long by_pointer(long (*op)(long), long n)
{
	ENTER;
	RETURN_CALL(op(n));
}

FN int main(void)
{
	ENTER;
	printf("%ld %ld %ld\n", first(1), ping(10000), by_pointer(first, 2));
	LEAVE;
	return 0;
}
