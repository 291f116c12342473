/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thousands of calls are open when it is attached to and let go. They go on, and return, long
 * after; each has a number on its stack that must still be there.
 */
#include <pthread.h>

#include "attached.h"

static volatile bool is_told;

static void rest(long how_ms)
{
	struct timespec time = { .tv_nsec = how_ms * 1000000 };
	CHECK(!nanosleep(&time, NULL));
}

/* Down to the bottom, a while there, and up again. */
NOINLINE static long descend(long depth, long rest_ms)
{
	volatile long mark = depth * 3;
	long below = 0;
	if (depth)
		below = descend(depth - 1, rest_ms);
	else if (rest_ms)
		rest(rest_ms);
	else
		while (!is_told)
			rest(5);
	CHECK(mark == depth * 3);
	return below + 1;
}

/* With a break half way up and half way down, so that some calls end while others stay open. */
NOINLINE static long zigzag(long depth, long turns)
{
	volatile long mark = ~depth;
	long below = depth ? zigzag(depth - 1, turns) : 0;
	if (depth && depth % 500 == 0 && turns) {
		rest(1);
		below += zigzag(100, 0) - 101;
	}
	CHECK(mark == ~depth);
	return below + 1;
}

static void *go_down(void *arg)
{
	long depth = (long)arg;
	unsigned long nr = 0;
	while (!is_told) {
		CHECK(descend(depth, 15) == depth + 1);
		CHECK(zigzag(depth, 1) == depth + 1);
		nr++;
	}
	return (void *)nr;
}

static void *stay_down(void *arg)
{
	long depth = (long)arg;
	CHECK(descend(depth, 0) == depth + 1);
	return (void *)1;
}

int main(void)
{
	pthread_t threads[4];
	unsigned long sum = 0;
	CHECK(!pthread_create(&threads[0], NULL, stay_down, (void *)5000));
	CHECK(!pthread_create(&threads[1], NULL, go_down, (void *)3000));
	CHECK(!pthread_create(&threads[2], NULL, go_down, (void *)7000));
	CHECK(!pthread_create(&threads[3], NULL, go_down, (void *)40));
	rest(30);
	ready();
	while (!is_over()) {
		CHECK(descend(20000, 10) == 20001);
		sum++;
	}
	is_told = true;
	for (int i = 0; i < 4; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
