/* SPDX-License-Identifier: Apache-2.0 */
/* 100 000 calls open at a time, twice: as many as fit a stack of 8 MiB. */
#include <stdio.h>
#include "truth.h"

#if defined(DEPTH)
#elif defined(__OPTIMIZE__)
#define DEPTH 100000
#else
#define DEPTH 50000
#endif

FN long down(long n)
{
	ENTER;
	long r = n > 1 ? down(n - 1) + 1 : 1;
	LEAVE;
	return r;
}

FN int main(void)
{
	ENTER;
	printf("%ld\n", down(DEPTH));
	printf("%ld\n", down(DEPTH));
	LEAVE;
	return 0;
}
