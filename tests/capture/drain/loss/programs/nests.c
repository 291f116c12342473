/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler that leaves by siglongjmp while its signal is pending again: the next one begins as the mask is
 * restored, before the stack is given back. nests TIMES of these within each other, twice.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define FN __attribute__((noinline, noclone))

static sigjmp_buf back;
static volatile long left, handlers, afters;

FN static void after(void)
{
	afters++;
}

FN static void handler(int sig)
{
	handlers++;
	if (--left)
		raise(sig);
	siglongjmp(back, 1);
}

int main(int argc, char **argv)
{
	signal(SIGUSR1, handler);
	for (volatile int i = 0; i < 2; i++) {
		left = argc > 1 ? atol(argv[1]) : 1;
		if (!sigsetjmp(back, 1))
			raise(SIGUSR1);
		after();
	}
	printf("%ld %ld\n", handlers, afters);
	return 0;
}
