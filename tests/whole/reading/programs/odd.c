/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd.c - makes calls whose numbers are known, for traces that are unlike others.
 *
 *	odd threads N	N threads at a time, each calls leaf() 10 times
 *	odd deep N	down() calls itself N times
 *	odd loop N	leaf() N times
 *	odd wait N	the same, then it waits to be killed
 *	odd twice N	_setjmp() N times, of which only entries are seen
 *	odd names	each function of names.h three times
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "names.h"

static volatile long sink;
static pthread_barrier_t all;

__attribute__((noinline)) void leaf(void)
{
	sink++;
}

static void *work(void *arg)
{
	pthread_barrier_wait(&all);
	for (int i = 0; i < 10; i++)
		leaf();
	return NULL;
}

static void run_threads(long nr)
{
	pthread_t *threads = calloc((size_t)nr, sizeof(*threads));
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 * 1024);
	pthread_barrier_init(&all, NULL, (unsigned int)nr);
	for (long i = 0; i < nr; i++)
		if (pthread_create(&threads[i], &attr, work, NULL))
			exit(2);
	for (long i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

__attribute__((noinline)) long down(long n)
{
	return n ? down(n - 1) + sink : 0;
}

static void *run_deep(void *nr)
{
	down((long)nr);
	return NULL;
}

/* On a stack that holds it. */
static void go_deep(long nr)
{
	pthread_t thread;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)nr * 128 + (1 << 20));
	if (pthread_create(&thread, &attr, run_deep, (void *)nr))
		exit(2);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long nr = argc > 2 ? atol(argv[2]) : 0;
	jmp_buf place;

	if (!strcmp(what, "threads"))
		run_threads(nr);
	else if (!strcmp(what, "deep"))
		go_deep(nr);
	else if (!strcmp(what, "loop") || !strcmp(what, "wait"))
		for (long i = 0; i < nr; i++)
			leaf();
	else if (!strcmp(what, "twice"))
		for (long i = 0; i < nr; i++)
			(void)!_setjmp(place);
	else
		call_names();
	if (!strcmp(what, "wait"))
		pause();
	return 0;
}
