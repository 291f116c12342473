/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that make calls until stdin is closed, and count them. many N.
 * Prints `calls FUNCTION COUNT...`.
 */
#include <pthread.h>

#include "../../attach/programs/attached.h"

enum { MOST = 64 };

struct worker {
	pthread_t thread;
	unsigned long nr_steady, nr_toggled, nr_deep;
};

static struct worker workers[MOST];
static bool is_ending;

NOINLINE static long steady(struct worker *worker, long n)
{
	worker->nr_steady++;
	return n + 1;
}

NOINLINE static long toggled(struct worker *worker, long n)
{
	worker->nr_toggled++;
	n = steady(worker, n);
	__asm__ volatile("" : "+r"(n)); /* no tail call */
	return n;
}

NOINLINE static long deep(struct worker *worker, long n)
{
	worker->nr_deep++;
	long got = n ? deep(worker, n - 1) + 1 : toggled(worker, 0);
	__asm__ volatile("" : "+r"(got));
	return got;
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	while (!__atomic_load_n(&is_ending, __ATOMIC_RELAXED)) {
		CHECK(deep(worker, 7) == 8);
		CHECK(toggled(worker, 3) == 4);
		usleep(5000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 4;
	unsigned long steady_sum = 0, toggled_sum = 0, deep_sum = 0;
	char line[64];
	CHECK(nr > 0 && nr <= MOST);
	for (int i = 0; i < nr; i++)
		CHECK(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	ready();
	while (fgets(line, sizeof(line), stdin))
		;
	__atomic_store_n(&is_ending, true, __ATOMIC_RELAXED);
	for (int i = 0; i < nr; i++) {
		CHECK(!pthread_join(workers[i].thread, NULL));
		steady_sum += workers[i].nr_steady;
		toggled_sum += workers[i].nr_toggled;
		deep_sum += workers[i].nr_deep;
	}
	printf("calls steady %lu toggled %lu deep %lu\n", steady_sum, toggled_sum, deep_sum);
	return well(steady_sum);
}
