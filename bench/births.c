/* SPDX-License-Identifier: Apache-2.0 */
/* births.c THREADS|SIGNALS|FORKS - the last line: how many, and ns in all. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NR = 2000 };

static volatile int nr_signals;

static void *nothing(void *arg)
{
	return arg;
}

static void on_signal(int sig)
{
	nr_signals++;
}

static void one_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
		exit(1);
}

static void one_signal(void)
{
	kill(getpid(), SIGUSR1);
}

static void one_fork(void)
{
	int pid = fork();
	if (!pid)
		_exit(0);
	if (waitpid(pid, NULL, 0) != pid)
		exit(1);
}

static long long now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	void (*one)(void) = !strcmp(what, "threads") ? one_thread
			    : !strcmp(what, "signals") ? one_signal
						       : one_fork;
	signal(SIGUSR1, on_signal);
	long long begin = now_ns();
	for (int i = 0; i < NR; i++)
		one();
	long long end = now_ns();
	if (one == one_signal && nr_signals != NR)
		return 1;
	printf("%d %lld\n", NR, end - begin);
	return 0;
}
