/* SPDX-License-Identifier: Apache-2.0 */
/* Forks all the time, from deep in calls and from several threads; children return through them. */
#include <pthread.h>
#include <sys/wait.h>

#include "attached.h"

static volatile bool is_told;

NOINLINE static long leaf(long n)
{
	__asm__ volatile("");
	return n * 7 + 1;
}

/* Returns twice, once in the parent and once in the child, through all its callers. */
NOINLINE static pid_t fork_below(long depth)
{
	volatile long mark = depth;
	pid_t pid = depth ? fork_below(depth - 1) : fork();
	CHECK(mark == depth);
	return pid;
}

static void *fork_often(void *arg)
{
	unsigned long nr = 0;
	for (; !is_told; nr++) {
		pid_t pid = fork_below(10 + (long)arg);
		CHECK(pid >= 0);
		if (!pid) {
			for (long n = 0; n < 2000; n++)
				CHECK(leaf(n) == n * 7 + 1);
			if (nr % 4 == 0)
				usleep(3000);
			_exit((int)(nr % 100));
		}
		int status = -1;
		CHECK(waitpid(pid, &status, 0) == pid);
		if (status != (int)(nr % 100) << 8)
			wrong("child %lu ended with status %#x", nr, status);
	}
	return (void *)nr;
}

int main(void)
{
	pthread_t threads[3];
	unsigned long sum = 0;
	for (long i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, fork_often, (void *)i));
	usleep(20000);
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < 3; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
