/* SPDX-License-Identifier: Apache-2.0 */
/* Children: forked in the middle of calls, by vfork, by posix_spawn; each waited for. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FN __attribute__((noinline, noclone))

extern char **environ;

FN int work(int n)
{
	return n > 1 ? work(n - 1) + n : 1;
}

FN int wait_for(int pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

FN int forks(int depth)
{
	if (depth)
		return forks(depth - 1) + work(1);
	int pid = fork();
	if (!pid)
		return work(4);
	return wait_for(pid);
}

FN void becomes(char *self)
{
	char *argv[] = { self, "child", NULL };

	execve(self, argv, environ);
	_exit(99);
}

FN int vforks(char *self)
{
	int pid = vfork();

	if (!pid)
		becomes(self);
	return wait_for(pid);
}

FN int vforks_and_ends(void)
{
	int pid = vfork();

	if (!pid)
		_exit(work(3));
	return wait_for(pid);
}

FN int spawns(char *self)
{
	char *argv[] = { self, "child", NULL };
	int pid;

	if (posix_spawn(&pid, self, NULL, NULL, argv, environ))
		return 98;
	return wait_for(pid);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "child"))
		return work(2);

	int me = getpid();
	int sum = forks(2);
	if (getpid() != me)
		_exit(sum);
	sum += vforks(argv[0]);
	sum += vforks_and_ends();
	sum += spawns(argv[0]);
	sum += work(2);
	printf("%d\n", sum);
	return 0;
}
