/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - asks check() (state.S) so many times what was wrong, or until a line comes. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

int check(int round);

int main(int argc, char **argv)
{
	long nr = argc > 1 ? atol(argv[1]) : 1000;
	int wrong = 0;
	if (nr) {
		for (long i = 0; i < nr; i++)
			wrong |= check((int)i);
	} else {
		struct pollfd fd = { .fd = 0, .events = POLLIN };
		puts("begun");
		fflush(stdout);
		while (!poll(&fd, 1, 0))
			for (int i = 0; i < 1000; i++)
				wrong |= check(i);
	}
	printf("wrong %d\n", wrong);
	return wrong;
}
