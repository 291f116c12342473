/* SPDX-License-Identifier: Apache-2.0 */
/* crew.c - shares parts of work among threads. */
#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "base/guard.h"

enum { MAX_CREW = 16 };

struct work {
	size_t nr, next;
	void (*fn)(void *ctx, size_t i);
	void *ctx;
};

size_t fc_crew_size(void)
{
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return 1;
	size_t nr = CPU_COUNT(&cpus);
	return nr < MAX_CREW ? nr : MAX_CREW;
}

static void *do_parts(void *arg)
{
	struct work *work = arg;
	fc_guard_unblock();
	for (;;) {
		size_t i = __atomic_fetch_add(&work->next, 1, __ATOMIC_RELAXED);
		if (i >= work->nr)
			return NULL;
		work->fn(work->ctx, i);
	}
}

/* Signals are for the threads that were there before. */
static size_t start(struct work *work, size_t nr, pthread_t *threads)
{
	sigset_t all, before;
	size_t started = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (started < nr && !pthread_create(&threads[started], NULL, do_parts, work))
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

void fc_crew_each(size_t nr, void (*fn)(void *ctx, size_t i), void *ctx)
{
	struct work work = { .nr = nr, .fn = fn, .ctx = ctx };
	pthread_t threads[MAX_CREW];
	size_t size = nr > 1 ? fc_crew_size() : 1;
	size_t started = start(&work, (nr < size ? nr : size) - !!nr, threads);
	do_parts(&work);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}
