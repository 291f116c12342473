/* SPDX-License-Identifier: Apache-2.0 */
/* What a vfork child calls, on its parent's stack: from the main stack, and from a thread's. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN __attribute__((noinline, noipa))

static volatile int sum;

FN void leaf(void)
{
	sum++;
}

FN void in_child(int n)
{
	leaf();
	if (n)
		in_child(n - 1);
	sum++;
}

FN void in_parent(void)
{
	leaf();
}

FN int spawn(int does_exec)
{
	int status;
	in_parent();
	pid_t child = vfork();
	if (!child) {
		in_child(2);
		if (does_exec)
			execl("/bin/true", "true", (char *)NULL);
		_exit(0);
	}
	in_parent();
	return waitpid(child, &status, 0) == child ? status : 1;
}

FN void *work(void *arg)
{
	for (int i = 0; i < 3; i++)
		if (spawn(i % 2))
			_exit(98);
	return arg;
}

int main(void)
{
	pthread_t thread;
	work(NULL);
	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		return 99;
	printf("%d\n", sum);
	return 0;
}
