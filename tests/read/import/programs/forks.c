/* SPDX-License-Identifier: Apache-2.0 */
/* A child that returns through calls of its parent, and one that ends in the midst of them. */
#include <sys/wait.h>
#include <unistd.h>

int leaf(int n);
int inner(int is_ending);
int outer(int is_ending);

int leaf(int n)
{
	return n + 1;
}

int inner(int is_ending)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	for (int i = 0; i < 50; i++)
		leaf(i);
	if (is_ending)
		_exit(0);
	return 0;
}

int outer(int is_ending)
{
	int pid = inner(is_ending);
	leaf(pid);
	return pid;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		pid_t pid = outer(i);
		if (!pid)
			return 0;
		waitpid(pid, NULL, 0);
	}
	return 0;
}
