/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vfork child's first call is pages below all that its parent has called so far: on the
 * main stack, on a thread's, on a signal's.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include "truth.h"

enum { BELOW = 3 * 4096, ALT_STACK = 256 * 1024 };

static int sum;

FN int in_child(int n)
{
	ENTER;
	LEAVE;
	return n % 7;
}

FN int by_vfork(int n)
{
	volatile char room[BELOW];
	int status = 0;

	ENTER;
	room[0] = (char)n;
	int parent = truth_tid();
	FORKING;
	pid_t pid = vfork();
	if (pid == 0) {
		FORKED(parent);
		_exit(in_child(room[0]));
	}
	waitpid(pid, &status, 0);
	LEAVE;
	return WEXITSTATUS(status);
}

FN void *in_thread(void *arg)
{
	ENTER;
	sum = sum * 10 + by_vfork(*(int *)arg);
	LEAVE;
	return NULL;
}

FN void on_signal(int sig)
{
	ENTER;
	(void)sig;
	sum = sum * 10 + by_vfork(3);
	LEAVE;
}

FN int main(void)
{
	pthread_t thread;
	int two = 2;
	stack_t stack = { .ss_sp = malloc(ALT_STACK), .ss_size = ALT_STACK };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	ENTER;
	sum = by_vfork(1);
	pthread_create(&thread, NULL, in_thread, &two);
	pthread_join(thread, NULL);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	STRAND("signal");
	raise(SIGUSR1);
	STRAND("main");
	printf("%d\n", sum);
	LEAVE;
	return 0;
}
