/* SPDX-License-Identifier: Apache-2.0 */
/* fib.c on two threads at once. The calls told are those of one thread: ns a call are its own. */
#include <pthread.h>

#include "calls.h"
#include "fib.h"

enum { NR_THREADS = 2 };

static pthread_barrier_t begin, end;
static uint64_t calls[NR_THREADS];

static void *thread(void *arg)
{
	uint64_t *mine = arg;
	for (;;) {
		pthread_barrier_wait(&begin);
		*mine = fib(FIB_N) == FIB_RESULT ? FIB_CALLS : 0;
		pthread_barrier_wait(&end);
	}
	return NULL;
}

/* Threads live as long as the program: their births are measured by births.c. */
static int start(void)
{
	pthread_t ignored;
	pthread_barrier_init(&begin, NULL, NR_THREADS + 1);
	pthread_barrier_init(&end, NULL, NR_THREADS + 1);
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&ignored, NULL, thread, &calls[i]))
			return -1;
	return 0;
}

static uint64_t work(void)
{
	static int is_started;
	if (!is_started++ && start())
		return 0;
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
	return calls[0] && calls[0] == calls[1] ? calls[0] : 0;
}
