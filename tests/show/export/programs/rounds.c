/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.c - so many rounds of a few calls, in so many threads: rounds THREADS ROUNDS */
#include <pthread.h>
#include <stdlib.h>

__attribute__((noinline)) int small(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) int round_of(int n)
{
	return small(n) + small(n + 1);
}

static void *run(void *arg)
{
	int sum = 0;

	for (long i = 0; i < (long)arg; i++)
		sum += round_of(sum);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1;
	long rounds = argc > 2 ? atol(argv[2]) : 10;
	pthread_t *threads = calloc((size_t)nr, sizeof(*threads));

	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, run, (void *)rounds);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
