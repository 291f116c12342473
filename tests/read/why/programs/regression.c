/* SPDX-License-Identifier: Apache-2.0 */
/* Planted with -DSLOW: checksum() does all of its work a hundred times. */
#include "work.h"

#ifdef SLOW
#define TIMES 100
#else
#define TIMES 1
#endif

ALONE unsigned checksum(unsigned x)
{
	return spin(x, 2000 * TIMES);
}

ALONE unsigned compress(unsigned x)
{
	return spin(x, 20000);
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 1000; i++)
		x = compress(checksum(x));
	printf("%u\n", x);
	return 0;
}
