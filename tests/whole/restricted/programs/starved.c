// SPDX-License-Identifier: Apache-2.0
/*
 * starved CPU ROUNDS - a thread makes calls at the lowest priority, on that CPU alone; in each
 * round a forked child gives up its rights and makes a call. Each says that it could.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, LOWEST = 19 };

static volatile long nr;

__attribute__((noinline)) void leaf(void)
{
	nr++;
}

static void *starve(void *cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(*(int *)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || setpriority(PRIO_PROCESS, 0, LOWEST))
		exit(1);
	for (;;)
		leaf();
}

static void give_up(void)
{
	if (setuid(NOBODY))
		_exit(1);
	leaf();
	_exit(0);
}

int main(int argc, char **argv)
{
	int cpu = argc == 3 ? atoi(argv[1]) : 0, nr_rounds = argc == 3 ? atoi(argv[2]) : 0;
	pthread_t thread;
	if (pthread_create(&thread, NULL, starve, &cpu))
		return 1;
	while (!nr)
		usleep(1000);
	for (int i = 0; i < nr_rounds; i++) {
		int status = 0;
		if (!fork())
			give_up();
		wait(&status);
		printf("%d\n", status);
	}
	fflush(stdout);
	_exit(3);
}
