/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children, each of which makes two system calls before it is another program, beside a thread that has fctrace
 * always at work: spawns TIMES.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int is_over, nr;

__attribute__((noinline)) static void call(void)
{
	nr++;
}

static void *work(void *arg)
{
	while (!is_over)
		call();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t worker;
	pthread_create(&worker, NULL, work, NULL);
	for (int i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = i % 2 ? vfork() : fork();
		if (!pid) {
			close(1000);
			execl("/bin/true", "true", (char *)0);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
	is_over = 1;
	pthread_join(worker, NULL);
	return 0;
}
