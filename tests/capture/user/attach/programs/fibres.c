/* SPDX-License-Identifier: Apache-2.0 */
/* Fibres that take turns by swapcontext, deep in calls, some moved from thread to thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <ucontext.h>

#include "attached.h"

enum { NR_FIBRES = 6, STACK = 128 * 1024 };

static volatile bool is_told;

struct fibre {
	ucontext_t self, *back;
	unsigned long nr;
	bool is_done;
	char *stack;
};

static __thread struct fibre *current;

/* Not inlined, and no address of a thread's variable is kept over a turn. */
NOINLINE static struct fibre *get_current(void)
{
	__asm__ volatile("");
	return current;
}

NOINLINE static void yield(struct fibre *fibre)
{
	swapcontext(&fibre->self, fibre->back);
}

NOINLINE static long walk(struct fibre *fibre, long depth)
{
	volatile long mark = depth * 5;
	long below = depth ? walk(fibre, depth - 1) : 0;
	if (depth % 7 == 3)
		yield(fibre);
	CHECK(mark == depth * 5);
	return below + 1;
}

static void live(void)
{
	struct fibre *fibre = get_current();
	while (!is_told) {
		CHECK(walk(fibre, 40) == 41);
		fibre->nr++;
	}
	fibre->is_done = true;
	yield(fibre);
}

static struct fibre *make_fibre(void)
{
	struct fibre *fibre = calloc(1, sizeof(*fibre));
	fibre->stack = malloc(STACK);
	getcontext(&fibre->self);
	fibre->self.uc_stack.ss_sp = fibre->stack;
	fibre->self.uc_stack.ss_size = STACK;
	makecontext(&fibre->self, live, 0);
	return fibre;
}

NOINLINE static void turn(struct fibre *fibre)
{
	ucontext_t here;
	current = fibre;
	fibre->back = &here;
	swapcontext(&here, &fibre->self);
}

/* Two threads share the fibres: each takes one, runs it for a turn, puts it back. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct fibre *idle[NR_FIBRES];

static struct fibre *take(void)
{
	struct fibre *fibre = NULL;
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < NR_FIBRES && !fibre; i++)
		if (idle[i]) {
			fibre = idle[i];
			idle[i] = NULL;
		}
	pthread_mutex_unlock(&mutex);
	return fibre;
}

static void put(struct fibre *fibre)
{
	pthread_mutex_lock(&mutex);
	/* The others come first then: shift, append. */
	int to = 0;
	for (int i = 0; i < NR_FIBRES; i++)
		if (idle[i]) {
			struct fibre *moved = idle[i];
			idle[i] = NULL;
			idle[to++] = moved;
		}
	idle[to] = fibre;
	pthread_mutex_unlock(&mutex);
}

static void *run_fibres(void *arg)
{
	unsigned long nr = 0;
	struct fibre *fibre;
	(void)arg;
	while ((fibre = take())) {
		turn(fibre);
		if (!fibre->is_done)
			put(fibre);
		else
			nr += fibre->nr;
		if (nr % 8 == 0)
			usleep(10);
	}
	return (void *)nr;
}

int main(void)
{
	pthread_t threads[2];
	unsigned long sum = 0;
	for (int i = 0; i < NR_FIBRES; i++)
		idle[i] = make_fibre();
	for (int i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, run_fibres, NULL));
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
