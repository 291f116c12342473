/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of each kind: the main thread's and another thread's own, a signal's, and contexts that
 * either of them goes on with. Each function is named after the kind of stack that it is called on.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define FN __attribute__((noinline, noipa))

enum { STACK = 256 * 1024 };

static __thread ucontext_t there, home;
static volatile int sum;

FN void on_thread(void)
{
	sum++;
}

FN void on_signal(void)
{
	sum++;
}

FN void on_context(void)
{
	sum++;
}

static void handler(int sig)
{
	on_signal();
}

static void body(void)
{
	on_context();
	swapcontext(&there, &home);
	on_context();
}

static void go_on(void)
{
	getcontext(&there);
	there.uc_stack.ss_sp = malloc(STACK);
	there.uc_stack.ss_size = STACK;
	there.uc_link = &home;
	makecontext(&there, body, 0);
	swapcontext(&home, &there);
	on_thread();
	swapcontext(&home, &there);
	free(there.uc_stack.ss_sp);
}

FN void *work(void *arg)
{
	stack_t stack = { .ss_sp = malloc(STACK), .ss_size = STACK };
	sigaltstack(&stack, NULL);
	on_thread();
	raise(SIGUSR1);
	go_on();
	on_thread();
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = handler, .sa_flags = SA_ONSTACK },
		  NULL);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	work(NULL);
	printf("%d\n", sum);
	return 0;
}
