/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: what is allocated for a request is freed only if the request failed. */
#include "work.h"

static char *kept;

ALONE char *copy_request(const char *text)
{
	char *copy = malloc(200);

	strcpy(copy, text);
	return copy;
}

ALONE unsigned answer(const char *text, int nr)
{
	char *copy = copy_request(text);
	unsigned x = spin((unsigned)*copy, 2000);

	if (nr % 100 == 0)
		free(copy);
	else
		kept = copy;
	return x;
}

int main(void)
{
	unsigned x = 0;

	for (int i = 0; i < 20000; i++)
		x += answer("GET /index.html", i);
	printf("%u\n", x + (unsigned)*kept);
	return 0;
}
