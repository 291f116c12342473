/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ticker MILLISECONDS [THREADS] - calls functions at a known pace, says how often, returns 3.
 *
 * Each round of 5 ms: tick() once, tock() ten times, and nap(), which sleeps for most of it;
 * forever() never returns before the end. Output: FUNCTION CALLS, then rounds_per_s.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;
static long rounds_of[64];
static double end_s;

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

NOINLINE void tick(void) { sink++; }
NOINLINE void tock(void) { sink++; }

NOINLINE void nap(void)
{
	struct timespec time = { .tv_nsec = 5000000 };
	nanosleep(&time, NULL);
}

NOINLINE void a_round(void)
{
	tick();
	for (int i = 0; i < 10; i++)
		tock();
	nap();
}

NOINLINE void *forever(void *ctx)
{
	long *rounds = ctx;
	while (now_s() < end_s) {
		a_round();
		++*rounds;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	double begin_s = now_s();
	pthread_t threads[64];
	long rounds = 0;

	end_s = begin_s + atoi(argv[1]) / 1e3;
	for (int i = 1; i < nr; i++)
		pthread_create(&threads[i], NULL, forever, &rounds_of[i]);
	forever(&rounds_of[0]);
	for (int i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < nr; i++)
		rounds += rounds_of[i];
	printf("tick %ld\ntock %ld\nnap %ld\na_round %ld\nforever %d\n", rounds, 10 * rounds, rounds,
	       rounds, nr);
	printf("rounds_per_s %ld\n", (long)(rounds / (now_s() - begin_s)));
	return 3;
}
