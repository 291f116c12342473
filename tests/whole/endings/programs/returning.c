// SPDX-License-Identifier: Apache-2.0
/* returning.c N - N threads call setjmp() all the time, which is hooked at its entry only. SIGUSR1 ends it. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };

static volatile sig_atomic_t is_over;

static void on_end(int sig)
{
	(void)sig;
	is_over = 1;
}

static void *work(void *nothing)
{
	jmp_buf back;
	while (!is_over)
		if (setjmp(back))
			abort();
	return nothing;
}

int main(int argc, char **argv)
{
	pthread_t thread[MOST];
	int nr = argc > 1 ? atoi(argv[1]) : 1;
	signal(SIGUSR1, on_end);
	for (int i = 0; i < nr && i < MOST; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < nr && i < MOST; i++)
		pthread_join(thread[i], NULL);
	return 3;
}
