/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inside [ROUNDS [MS]] - threads, children and a library that is loaded, in each round; MS between
 * rounds. Tells the calls of work() that were made. In a pid namespace of its own it is number 1.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NR_CALLS = 500, NR_THREADS = 3 };

__attribute__((noinline)) int work(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static void *calls(void *ctx)
{
	int x = 0;
	for (int i = 0; i < NR_CALLS; i++)
		x = work(x);
	return ctx;
}

static int threads(void)
{
	pthread_t made[NR_THREADS];
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&made[i], NULL, calls, NULL))
			return 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(made[i], NULL);
	return 0;
}

static int load(void)
{
	void *library = dlopen("libz.so.1", RTLD_NOW);
	if (library)
		dlclose(library);
	return library ? 0 : 1;
}

static int child(int deeper)
{
	int status;
	pid_t pid =
		deeper ? (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0) : fork();
	if (pid < 0)
		return 1;
	if (!pid)
		_exit(threads() || load() ? 9 : 3);
	waitpid(pid, &status, 0);
	return !WIFEXITED(status) || WEXITSTATUS(status) != 3;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, ms = argc > 2 ? atoi(argv[2]) : 0;
	int deeper = argc > 3 && !strcmp(argv[3], "deeper");
	for (int i = 0; i < rounds; i++) {
		if (threads() || load() || child(0) || child(deeper))
			return 1;
		nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
	}
	printf("%d calls\n", rounds * 3 * NR_THREADS * NR_CALLS);
	return 5;
}
