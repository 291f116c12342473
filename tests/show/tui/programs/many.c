/* SPDX-License-Identifier: Apache-2.0 */
/* many threads N: N threads, a few calls in each. many deep N: a recursion of N calls. many lossy: more calls
 * than can be kept. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile long sink;

static void leaf(void)
{
	sink++;
}

static void middle(void)
{
	leaf();
	sink++;
}

static void *thread_main(void *arg)
{
	for (int i = 0; i < 20; i++)
		middle();
	return NULL;
}

static long down(long n)
{
	return n ? down(n - 1) + sink : 0;
}

static void *deep_main(void *arg)
{
	sink = 1;
	sink = down(*(long *)arg);
	return NULL;
}

static void busy(void)
{
	for (int i = 0; i < 2000000; i++)
		middle();
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	static pthread_t threads[4096];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	if (!strcmp(argv[1], "threads")) {
		for (long i = 0; i < n; i++)
			pthread_create(&threads[i], NULL, thread_main, NULL);
		for (long i = 0; i < n; i++)
			pthread_join(threads[i], NULL);
	} else if (!strcmp(argv[1], "deep")) {
		pthread_attr_setstacksize(&attr, 1ul << 30);
		pthread_create(&threads[0], &attr, deep_main, &n);
		pthread_join(threads[0], NULL);
	} else {
		busy();
	}
	return 0;
}
