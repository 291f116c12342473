/* SPDX-License-Identifier: Apache-2.0 */
/* busy.c - busy THREADS ROUNDS: so many threads, all there at once, that call as fast as they can. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int rounds;

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) int work(int n)
{
	return leaf(n) + leaf(n + 1);
}

static void *run(void *arg)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < rounds; i++)
		work(i);
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[1]) : 1;
	pthread_t *threads = calloc((size_t)nr, sizeof(*threads));

	rounds = argc > 2 ? atoi(argv[2]) : 1;
	pthread_barrier_init(&barrier, NULL, (unsigned)nr);
	for (int i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run, NULL))
			abort();
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
