/* SPDX-License-Identifier: Apache-2.0 */
/* vfork and exec, posix_spawn, all the time: itself, to end with a status that tells. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

#include "attached.h"

extern char **environ;
static volatile bool is_told;

NOINLINE static long leaf(long n)
{
	__asm__ volatile("");
	return n * 7 + 1;
}

NOINLINE static pid_t by_vfork(char **argv)
{
	volatile long mark = 17;
	pid_t pid = vfork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(126);
	}
	CHECK(mark == 17);
	return pid;
}

NOINLINE static pid_t by_spawn(char **argv)
{
	pid_t pid = -1;
	CHECK(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ));
	return pid;
}

static void *spawn_often(void *arg)
{
	unsigned long nr = 0;
	for (; !is_told; nr++) {
		char word[16];
		int status = -1;
		snprintf(word, sizeof(word), "%lu", nr % 100);
		char *argv[] = { "child", word, NULL };
		pid_t pid = arg ? by_vfork(argv) : by_spawn(argv);
		CHECK(pid > 0);
		CHECK(leaf((long)nr) == (long)nr * 7 + 1);
		CHECK(waitpid(pid, &status, 0) == pid);
		if (status != (int)(nr % 100) << 8)
			wrong("child %lu ended with status %#x", nr, status);
	}
	return (void *)nr;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	unsigned long sum = 0;
	if (argc > 1) {
		for (long n = 0; n < 100; n++)
			CHECK(leaf(n) == n * 7 + 1);
		return atoi(argv[1]);
	}
	for (long i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, spawn_often, (void *)i));
	usleep(20000);
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < 2; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
