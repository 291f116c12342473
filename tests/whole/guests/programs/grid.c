// SPDX-License-Identifier: Apache-2.0
/* 2.25 GiB of data without a value: no jump reaches from one end of the program to the other. */
#include <stdio.h>

#define SIZE 0x90000000ul

static char grid[SIZE];

__attribute__((noinline)) int cell(unsigned long at)
{
	return ++grid[at];
}

__attribute__((noinline)) int sweep(unsigned long nr)
{
	int sum = 0;
	for (unsigned long i = 0; i < nr; i++)
		sum += cell(SIZE / nr * i);
	return sum;
}

int main(void)
{
	printf("%d\n", sweep(8));
	return 0;
}
