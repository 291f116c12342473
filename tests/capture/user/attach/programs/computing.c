/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that call small functions all the time, and check what they return. */
#include <pthread.h>

#include "attached.h"

static volatile bool is_told;

/* Several arguments, some on the stack, and floating point, which callers rely on. */
NOINLINE static double blend(double a, double b, long c, long d, long e, long f, long g, long h,
			     long i)
{
	return a * (double)(c + d) + b * (double)(e - f) + (double)(g ^ h) + (double)i;
}

NOINLINE static long mix(long n, long depth)
{
	if (!depth)
		return n * 2654435761L;
	return mix(n ^ depth, depth - 1) + depth;
}

static long expected_mix(long n, long depth)
{
	long sum = 0;
	for (; depth; depth--) {
		n ^= depth;
		sum += depth;
	}
	return n * 2654435761L + sum;
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

NOINLINE static void sort_some(unsigned seed)
{
	int numbers[64];
	for (int i = 0; i < 64; i++)
		numbers[i] = (int)(rand_r(&seed) & 0xffff);
	qsort(numbers, 64, sizeof(*numbers), by_value);
	for (int i = 1; i < 64; i++)
		CHECK(numbers[i - 1] <= numbers[i]);
}

static void *compute(void *arg)
{
	unsigned long nr = 0;
	long n = (long)arg;
	/* Once at least, however soon it is told to end. */
	do {
		CHECK(mix(n, 12) == expected_mix(n, 12));
		CHECK(blend(2, 3, n, 1, 5, 2, 8, 1, 4) == 2 * (double)(n + 1) + 9 + 9 + 4);
		if (nr % 64 == 0)
			sort_some((unsigned)nr);
		n += 7;
		nr++;
	} while (!is_told);
	return (void *)nr;
}

int main(void)
{
	enum { NR = 4 };
	pthread_t threads[NR];
	unsigned long sum = 0;
	for (long i = 0; i < NR; i++)
		CHECK(!pthread_create(&threads[i], NULL, compute, (void *)i));
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < NR; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
