/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are born and die all the time; some return, some exit from deep in calls. */
#include <pthread.h>

#include "attached.h"

static volatile bool is_told;

NOINLINE static long work(long n, long depth)
{
	volatile long mark = n;
	if (!depth && n < 0)
		pthread_exit((void *)-n);
	long below = depth ? work(n, depth - 1) : n;
	CHECK(mark == n);
	return below + depth;
}

static void *live_shortly(void *arg)
{
	long n = (long)arg;
	long got = work(n, 20);
	CHECK(got == n + 210);
	return (void *)got;
}

static void *make_threads(void *arg)
{
	unsigned long nr = 0;
	(void)arg;
	for (; !is_told; nr++) {
		pthread_t threads[4];
		for (long i = 0; i < 4; i++) {
			long n = i % 2 ? -(long)nr - 1 : (long)nr;
			CHECK(!pthread_create(&threads[i], NULL, live_shortly, (void *)n));
		}
		for (long i = 0; i < 4; i++) {
			void *got;
			CHECK(!pthread_join(threads[i], &got));
			CHECK((long)got == (i % 2 ? (long)nr + 1 : (long)nr + 210));
		}
	}
	return (void *)nr;
}

int main(void)
{
	pthread_t threads[2];
	unsigned long sum = 0;
	for (long i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, make_threads, NULL));
	usleep(20000);
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < 2; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
