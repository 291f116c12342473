/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ticker MILLISECONDS [THREADS] - calls functions at a known pace, says how often, returns 3.
 *
 * Each round of 5 ms: tick() once, tock() ten times, and nap(), which sleeps for most of it;
 * forever() never returns before the end. 0 milliseconds: it says "ready", and goes on until
 * SIGTERM. Output: FUNCTION CALLS, then when the rounds of its first thread began: "rounds_at",
 * and doubles, seconds of CLOCK_MONOTONIC.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;
static long rounds_of[64];
static double end_s;
static volatile sig_atomic_t is_told;

enum { MAX_ROUNDS = 100000 };
static double begins_s[MAX_ROUNDS];
static long nr_begins;

static void on_term(int sig)
{
	(void)sig;
	is_told = 1;
}

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
	for (;;) {
		double now = now_s();
		if (is_told || now >= end_s)
			return NULL;
		if (rounds == &rounds_of[0] && nr_begins < MAX_ROUNDS)
			begins_s[nr_begins++] = now;
		a_round();
		++*rounds;
	}
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[64];
	long rounds = 0;

	end_s = now_s() + atoi(argv[1]) / 1e3;
	if (!atoi(argv[1])) {
		end_s = 1e300;
		signal(SIGTERM, on_term);
		puts("ready");
		fflush(stdout);
	}
	for (int i = 1; i < nr; i++)
		pthread_create(&threads[i], NULL, forever, &rounds_of[i]);
	forever(&rounds_of[0]);
	for (int i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < nr; i++)
		rounds += rounds_of[i];
	printf("tick %ld\ntock %ld\nnap %ld\na_round %ld\nforever %d\n", rounds, 10 * rounds, rounds,
	       rounds, nr);
	puts("rounds_at");
	fwrite(begins_s, sizeof(*begins_s), nr_begins, stdout);
	return 3;
}
