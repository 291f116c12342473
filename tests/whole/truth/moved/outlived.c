/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context goes on in another thread while the one that began it lives, which ends then, in the
 * middle of the context's calls. Pauses let the tracer see each.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#define FN __attribute__((noinline, noipa))

enum { STACK = 256 * 1024, HOPS = 5 };

static ucontext_t there, home;
static volatile int sum;
static pthread_barrier_t moved;

static void pause_a_moment(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100 * 1000 * 1000 }, NULL);
}

FN void leaf(void)
{
	sum++;
}

FN void hop(void)
{
	swapcontext(&there, &home);
	sum++;
}

FN void outer(void)
{
	for (int i = 0; i < HOPS; i++) {
		hop();
		leaf();
	}
	sum++;
}

FN void body(void)
{
	outer();
	swapcontext(&there, &home);
}

static void *first(void *arg)
{
	swapcontext(&home, &there);
	pause_a_moment();
	pthread_barrier_wait(&moved); /* it may go on elsewhere... */
	pthread_barrier_wait(&moved); /* ...and has */
	return arg;
}

int main(void)
{
	pthread_t thread;
	getcontext(&there);
	there.uc_stack.ss_sp = malloc(STACK);
	there.uc_stack.ss_size = STACK;
	makecontext(&there, body, 0);
	pthread_barrier_init(&moved, NULL, 2);
	pthread_create(&thread, NULL, first, NULL);
	pthread_barrier_wait(&moved);
	swapcontext(&home, &there);
	pause_a_moment();
	pthread_barrier_wait(&moved);
	pthread_join(thread, NULL);
	pause_a_moment();
	for (int i = 1; i < HOPS; i++)
		swapcontext(&home, &there);
	printf("%d\n", sum);
	return 0;
}
