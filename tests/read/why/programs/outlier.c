/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: one request in 10 000 builds the index again, and takes thousands of times as long. */
#include "work.h"

ALONE unsigned find_page(unsigned x)
{
	return spin(x, 2000);
}

ALONE unsigned rebuild_index(unsigned x)
{
	return spin(x, 60000000);
}

ALONE unsigned handle_request(unsigned x, int nr)
{
	x = find_page(x);
	if (nr == 7123)
		x = rebuild_index(x);
	return x;
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 10000; i++)
		x = handle_request(x, i);
	printf("%u\n", x);
	return 0;
}
