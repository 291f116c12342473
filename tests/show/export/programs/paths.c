/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths.c tree N: each call has a stack of its own, 2^(N + 1) in all; deep N: a stack N deep.
 */
#include <stdlib.h>
#include <string.h>

#define FUNCTION __attribute__((noinline)) void

static volatile unsigned sink;

FUNCTION right(int n);
FUNCTION left(int n)
{
	if (n) {
		left(n - 1);
		right(n - 1);
	}
	sink++;
}

FUNCTION right(int n)
{
	if (n) {
		left(n - 1);
		right(n - 1);
	}
	sink--;
}

FUNCTION down(int n)
{
	if (n)
		down(n - 1);
	sink++;
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[1], "tree"))
		left(atoi(argv[2]));
	else
		down(atoi(argv[2]));
	return 0;
}
