// SPDX-License-Identifier: Apache-2.0
// Counts its own calls: functions that are called once in a while, often, and far too often.
// For so many milliseconds of CPU time, in so many threads each; 0: until SIGTERM. The third argument
// is how long it works between its calls. It says when it begins, and in the end prints what it
// counted, function by function.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FN __attribute__((noinline, noclone))
#define EACH(F)                                                                                \
	F(hot0) F(hot1) F(hot2) F(warm0) F(warm1) F(warm2) F(warm3) F(cool0) F(cool1) F(cool2) \
	F(cool3) F(cool4)

enum {
#define NAME(f) nr_##f,
	EACH(NAME) NR
};

static _Thread_local unsigned long calls[NR];
static unsigned long sums[NR];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define FUNCTION(f)                                                                            \
	FN long f(long x)                                                                      \
	{                                                                                      \
		calls[nr_##f]++;                                                               \
		__asm__ volatile("" : "+r"(x));                                                \
		return x * 3 + 1;                                                              \
	}
EACH(FUNCTION)

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* Some work of its own between the calls. */
static long work(long x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 6364136223846793005l + 1442695040888963407l;
	return x;
}

static volatile sig_atomic_t is_told;
static int steps = 10;

static void on_term(int sig)
{
	(void)sig;
	is_told = 1;
}

static void *run(void *ms)
{
	double end = now_ms() + *(double *)ms;
	long x = 1;
	for (unsigned round = 0; *(double *)ms ? now_ms() < end : !is_told; round++) {
		for (int i = 0; i < 1000; i++)
			x = hot0(work(x, steps)) + hot1(x) + hot2(x);
		for (int i = 0; i < 20; i++)
			x += warm0(x) + warm1(x) + warm2(x) + warm3(x);
		if (round % 16 == 0)
			x += cool0(x) + cool1(x) + cool2(x) + cool3(x) + cool4(x);
	}
	pthread_mutex_lock(&lock);
	for (int i = 0; i < NR; i++)
		sums[i] += calls[i];
	pthread_mutex_unlock(&lock);
	return (void *)x;
}

int main(int argc, char **argv)
{
	double ms = argc > 1 ? atof(argv[1]) : 1000;
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t threads[64];
	if (argc > 3)
		steps = atoi(argv[3]);
	if (!ms)
		signal(SIGTERM, on_term);
	puts("begun");
	fflush(stdout);
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, run, &ms);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
#define TELL(f) printf("%s %lu\n", #f, sums[nr_##f]);
	EACH(TELL)
	return 3;
}
