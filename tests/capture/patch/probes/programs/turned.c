/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turned.c - turns recording of its threads off and on. Of each thread seen() is to be recorded ROUNDS times in each of
 * three places, and unseen() never; also around a handler on a stack of its own, and where it is off when a call
 * returns that was open before.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "fctrace.h"

enum { ROUNDS = 1000, THREADS = 4 };

#define FN __attribute__((noinline, noclone))

static volatile int sum;

FN void seen(int i)
{
	sum += i;
}

FN void unseen(int i)
{
	sum -= i;
}

static void on_signal(int sig)
{
	unseen(sig);
}

/* Off within it, on again behind it: its return is seen, as its call was. */
FN void goes_off(void)
{
	for (int i = 0; i < ROUNDS; i++)
		seen(i);
	FCTRACE_OFF();
	FCTRACE_OFF();
	for (int i = 0; i < ROUNDS; i++)
		unseen(i);
	raise(SIGUSR1);
}

/* It is called while recording is off, and turns it on. */
FN void comes_on(void)
{
	unseen(1);
	FCTRACE_ON();
	for (int i = 0; i < ROUNDS; i++)
		seen(i);
}

static void *work(void *nothing)
{
	char stack[1 << 15];
	stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	sigaltstack(&own, NULL);
	goes_off();
	unseen(2);
	comes_on();
	for (int i = 0; i < ROUNDS; i++)
		seen(i);
	FCTRACE_ON();
	own.ss_flags = SS_DISABLE;
	sigaltstack(&own, NULL);
	return nothing;
}

/* Never turned off: the others' switches are theirs. */
static void *other(void *nothing)
{
	for (int i = 0; i < ROUNDS; i++)
		seen(i);
	return nothing;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	pthread_t thread[THREADS + 1];
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	pthread_create(&thread[THREADS], NULL, other, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	puts("done");
	return 0;
}
