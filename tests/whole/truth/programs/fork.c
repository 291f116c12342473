/* SPDX-License-Identifier: Apache-2.0 */
/* Children made at some depth, that return from calls their parent had made, and make
 * more. */
#include <stdio.h>
#include <sys/wait.h>
#include "truth.h"

FN int leaf(int x)
{
	ENTER;
	LEAVE;
	return x + 1;
}

FN int child(int depth);

FN int fork_at(int depth)
{
	int status = 0;

	ENTER;
	fflush(stdout);
	int parent = truth_tid();
	FORKING;
	pid_t pid = fork();
	if (pid == 0) {
		FORKED(parent);
		status = child(depth);
		LEAVE;
		return status + 1000;
	}
	waitpid(pid, &status, 0);
	LEAVE;
	return WEXITSTATUS(status);
}

FN int child(int depth)
{
	ENTER;
	int r = leaf(depth);
	if (depth == 2)
		r += fork_at(0) % 1000;
	LEAVE;
	return r;
}

FN int outer(int depth)
{
	ENTER;
	int r = leaf(depth) + fork_at(depth);
	LEAVE;
	return r;
}

FN int main(void)
{
	ENTER;
	for (int i = 0; i < 3; i++) {
		int r = outer(i);
		if (r >= 1000) {
			LEAVE;
			return r % 100;
		}
		printf("child %d: %d\n", i, r);
	}
	LEAVE;
	return 5;
}
