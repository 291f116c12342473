/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts that go on in another thread in the middle of calls: while the one that began them
 * waits, after it has ended, in a forked child; with a call first, or with a return.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FN __attribute__((noinline, noipa))

enum { STACK = 256 * 1024, NR = 4, HOPS = 6 };

static ucontext_t there[NR];
static __thread ucontext_t home;
static ucontext_t *back;
static volatile int sum;
static int now;

FN void leaf(void)
{
	sum++;
}

/* Away, and back in another thread. */
FN void hop(void)
{
	int me = now;
	swapcontext(&there[me], back);
	sum++;
}

FN void hop_and_call(void)
{
	hop();
	leaf();
}

FN void outer(int n)
{
	if (n)
		outer(n - 1);
	else
		for (int i = 0; i < HOPS / 2; i++) {
			hop();
			hop_and_call();
		}
	sum++;
}

FN void body(void)
{
	outer(2);
	leaf();
	for (;;)
		swapcontext(&there[now], back);
}

FN void *step(void *arg)
{
	(void)arg;
	ucontext_t *mine = &home;
	for (now = 0; now < NR; now++) {
		back = mine;
		swapcontext(mine, &there[now]);
	}
	return NULL;
}

static void in_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, step, NULL) || pthread_join(thread, NULL))
		_exit(99);
}

int main(void)
{
	for (int i = 0; i < NR; i++) {
		getcontext(&there[i]);
		there[i].uc_stack.ss_sp = malloc(STACK);
		there[i].uc_stack.ss_size = STACK;
		makecontext(&there[i], body, 0);
	}
	in_thread(); /* who began them ends at once */
	step(NULL);
	in_thread();
	pid_t child = fork();
	int status = 0;
	for (int i = 0; i < HOPS + 1 - 3 + 1; i++)
		child ? in_thread() : (void)step(NULL);
	printf("%s %d\n", child ? "parent" : "child", sum);
	fflush(stdout);
	if (child && waitpid(child, &status, 0) != child)
		return 1;
	return status != 0;
}
