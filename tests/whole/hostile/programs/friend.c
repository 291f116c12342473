/* SPDX-License-Identifier: Apache-2.0 */
/* friend - a program beside a hostile one: its output, status and calls are as if alone. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) int friendly(int x)
{
	__asm__ volatile("");
	return x + 1;
}

int main(int argc, char **argv)
{
	int x = 0, ms = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < 100; k++)
			x = friendly(x);
		nanosleep(&(struct timespec){ .tv_nsec = ms * 10000L }, NULL);
	}
	printf("%d\n", x);
	return 42;
}
