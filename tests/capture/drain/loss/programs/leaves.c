// SPDX-License-Identifier: Apache-2.0
/*
 * A signal's handler that leaves by siglongjmp, out of whatever it has interrupted:
 * leaves TIMES. Tells how often each function's body began.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define FN __attribute__((noinline, noclone))

static volatile long inners, outers, rounds;
static sigjmp_buf back;

FN static void inner(void)
{
	inners++;
}

FN static void outer(void)
{
	outers++;
	inner();
	inner();
	__asm__ volatile("");
}

FN static void handler(int sig)
{
	__asm__ volatile("" ::"r"(sig));
	siglongjmp(back, 1);
}

FN static void one_round(void)
{
	rounds++;
	for (;;)
		outer();
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 0;
	struct itimerval every = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
	while (sigsetjmp(back, 1) == 0 || rounds < times)
		one_round();
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld %ld %ld\n", rounds, outers, inners);
	return 0;
}
