/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: nearly all of the time passes before the first request. */
#include "work.h"

ALONE unsigned add_word(unsigned x)
{
	return spin(x, 3000);
}

ALONE unsigned load_dictionary(void)
{
	unsigned x = 1;

	for (int i = 0; i < 30000; i++)
		x = add_word(x);
	return x;
}

ALONE unsigned handle_request(unsigned x)
{
	return spin(x, 5000);
}

int main(void)
{
	unsigned x = load_dictionary();

	for (int i = 0; i < 2000; i++)
		x = handle_request(x);
	printf("%u\n", x);
	return 0;
}
