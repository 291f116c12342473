/* SPDX-License-Identifier: Apache-2.0 */
/* Processes whose first thread is not the last: it ends before another, and another executes
 * a program in the place of all. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone))

static char *self;
static pthread_t first;
static volatile int trail;

FN int work(int n)
{
	trail += n;
	return n > 1 ? work(n - 1) + n : 1;
}

FN void *outlives(void *arg)
{
	pthread_join(first, NULL);
	exit(work(3));
	return arg;
}

FN void *becomes(void *arg)
{
	char *argv[] = { self, "child", NULL };

	work(2);
	execv(self, argv);
	return arg;
}

FN void ends_first(int depth)
{
	if (!depth)
		pthread_exit(NULL);
	ends_first(depth - 1);
	work(9);
}

FN int status_of(int pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

FN int in_child(void *(*run)(void *))
{
	pthread_t thread;
	int pid = fork();

	if (pid)
		return status_of(pid);
	first = pthread_self();
	pthread_create(&thread, NULL, run, NULL);
	if (run == outlives)
		ends_first(3);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "child"))
		return work(2);
	self = argv[0];
	int left = in_child(outlives), replaced = in_child(becomes);
	printf("%d %d\n", left, replaced);
	return 0;
}
