/* SPDX-License-Identifier: Apache-2.0 */
/* vfork + exec, posix_spawn and a plain exec of this very program. */
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include "truth.h"

extern char **environ;

FN int work(int n)
{
	ENTER;
	int r = n ? work(n - 1) + n : 0;
	LEAVE;
	return r;
}

FN int status_of(pid_t pid)
{
	int status = 0;

	ENTER;
	waitpid(pid, &status, 0);
	LEAVE;
	return WEXITSTATUS(status);
}

/* On its parent's stack, below what is open there. */
FN int in_child(int n)
{
	ENTER;
	LEAVE;
	return n + 1;
}

FN int by_vfork(char *self)
{
	char *argv[] = { self, "4", NULL };

	ENTER;
	int parent = truth_tid();
	FORKING;
	pid_t pid = vfork();
	if (pid == 0) {
		FORKED(parent);
		in_child(parent);
		EXEC;
		execv(self, argv);
		_exit(127);
	}
	int r = status_of(pid);
	LEAVE;
	return r;
}

FN int by_spawn(char *self)
{
	char *argv[] = { self, "5", NULL };
	pid_t pid;

	ENTER;
	if (posix_spawn(&pid, self, NULL, NULL, argv, environ))
		_exit(99);
	int r = status_of(pid);
	LEAVE;
	return r;
}

FN void by_exec(char *self)
{
	char *argv[] = { self, "6", NULL };

	ENTER;
	fflush(stdout);
	EXEC;
	execv(self, argv);
	_exit(127);
}

FN int main(int argc, char **argv)
{
	ENTER;
	if (argc > 1) {
		int r = work(atoi(argv[1]));
		LEAVE;
		return r;
	}
	printf("%d %d\n", by_vfork(argv[0]), by_spawn(argv[0]));
	by_exec(argv[0]);
	LEAVE;
	return 1;
}
