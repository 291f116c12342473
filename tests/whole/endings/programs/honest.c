// SPDX-License-Identifier: Apache-2.0
/* Calls functions until SIGUSR1 comes, and counts whether each was right. Any word: protected. */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static volatile sig_atomic_t is_over;

static void on_signal(int sig)
{
	(void)sig;
	is_over = 1;
}

__attribute__((noinline)) static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1 && prctl(PR_SET_DUMPABLE, 0))
		return 2;
	signal(SIGUSR1, on_signal);
	puts("ready");
	fflush(stdout);
	while (!is_over)
		if (fib(15) != 610)
			return 1;
	return 3;
}
