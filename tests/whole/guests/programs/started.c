// SPDX-License-Identifier: Apache-2.0
/* started ROUNDS: says that it is at work, and calls functions until it is told to end, or ROUNDS times. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int leaf(int x)
{
	__asm__ volatile("");
	return x * 3 + 1;
}

#ifdef WITH_PLUGIN
int set_up(int by);
#else
#define set_up(by) 0
#endif

__attribute__((noinline)) int tick(int n)
{
	return leaf(n) + 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
	struct pollfd end = { 0, POLLIN, 0 };
	printf("%s\n", argv[0]);
	fflush(stdout);
	for (int i = 0; rounds ? i < rounds : !poll(&end, 1, 1); i++)
		sum += tick(i) + set_up(7);
	printf("%s\n", rounds ? "sum" : "ended");
	return sum == -7;
}
