// SPDX-License-Identifier: Apache-2.0
/*
 * Coroutines as greenlet has them: all run on one stack, and what one has there is copied to the
 * heap while another one needs the place. Frames of many take turns at one address.
 *
 *	slices N	N rounds, then prints what they come to
 *	slices		rounds until stdin is closed; prints "ready" at the begin
 *	slices N THREADS	the same in each of several threads
 */
#include <alloca.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../check.h"

#define NOINLINE __attribute__((noinline, noclone))

enum { NR_WORKERS = 12, YIELDS = 9, LARGE = 64 * 1024 };

/* Its part of the stack is [low, high). What others have overwritten of it is in saved. */
struct co {
	char *low, *high, *saved;
	long nr_saved;
	struct co *outer; /* the next one on the stack, above it */
	int nr, left;
	unsigned sum;
};

static __thread struct co *current, *next, workers[NR_WORKERS], scheduler;

/* The part of co's stack below end goes to the heap. */
NOINLINE static void save(struct co *co, const char *end)
{
	long nr = (end < co->high ? end : co->high) - co->low;
	if (nr <= co->nr_saved)
		return;
	co->saved = realloc(co->saved, nr);
	CHECK(co->saved);
	memcpy(co->saved + co->nr_saved, co->low + co->nr_saved, nr - co->nr_saved);
	co->nr_saved = nr;
}

/* True: the next one is new, and begins below the current one. */
NOINLINE static int leave(char *sp)
{
	struct co *co = current;
	co->low = sp;
	co->nr_saved = 0;
	for (; co != next && co->high < next->high; co = co->outer)
		save(co, next->high);
	if (co != next)
		save(co, next->high);
	for (; co && co->high <= next->high; co = co->outer)
		;
	next->outer = co;
	return !next->low;
}

NOINLINE static void come(void)
{
	memcpy(next->low, next->saved, next->nr_saved);
	next->nr_saved = 0;
	current = next;
}

/* As if by a call that returns in another coroutine. */
NOINLINE static int move(void)
{
	void *rbp, *rbx;
	char *sp;
	int is_new;
	__asm__ volatile("" ::: "r12", "r13", "r14", "r15", "memory");
	__asm__ volatile("mov %%rbp, %0" : "=m"(rbp));
	__asm__ volatile("mov %%rbx, %0" : "=m"(rbx));
	__asm__ volatile("mov %%rsp, %0" : "=r"(sp));
	if (leave(sp))
		return 1;
	long by = next->low - sp;
	__asm__ volatile("add %0, %%rsp\n\tadd %0, %%rbp" : : "r"(by) : "memory", "cc");
	come();
	/* No register but rax is what the compiler believes. */
	__asm__ volatile("xor %%eax, %%eax" : "=a"(is_new));
	__asm__ volatile("mov %0, %%rbx" : : "m"(rbx) : "memory");
	__asm__ volatile("mov %0, %%rbp" : : "m"(rbp) : "memory");
	return is_new;
}

static void work(struct co *co);

NOINLINE static void go(struct co *to)
{
	char mark;
	next = to;
	if (!to->low && to != &scheduler)
		to->high = &mark;
	if (move()) {
		current = to;
		work(to);
		CHECK(0);
	}
	CHECK(current->left >= 0);
}

NOINLINE static unsigned leaf(unsigned x)
{
	__asm__ volatile("");
	return x * 2654435761u + 1;
}

NOINLINE static unsigned yield(struct co *co, unsigned x)
{
	unsigned mine = leaf(x);
	/* Now and then straight to another worker. */
	struct co *to = &workers[(co->nr + 1) % NR_WORKERS];
	go(x % 3 || to == co || !to->low || !to->left ? &scheduler : to);
	CHECK(current == co);
	return mine + leaf(x);
}

/* Alike, and called from one place: their frames have the same size and the same caller. */
#define DEEP(name, more, with)                                                 \
	NOINLINE static unsigned name(struct co *co, int depth, unsigned x)    \
	{                                                                      \
		volatile unsigned mine = x + (more);                           \
		unsigned below = depth ? deeper(co, depth - 1, x + 1) : yield(co, x); \
		CHECK(mine == x + (more));                                     \
		return leaf(below + mine) + (with);                            \
	}

static unsigned deeper(struct co *co, int depth, unsigned x);
DEEP(one, 1, 11)
DEEP(two, 2, 22)
DEEP(three, 3, 33)

NOINLINE static unsigned deeper(struct co *co, int depth, unsigned x)
{
	static unsigned (*const functions[])(struct co *, int, unsigned) = { one, two, three };
	unsigned sum = functions[(co->nr + depth) % 3](co, depth, x);
	return sum + leaf(sum);
}

static void work(struct co *co)
{
	while (co->left > 0) {
		co->sum += deeper(co, co->nr % 5, co->left);
		co->left--;
	}
	for (;;)
		go(&scheduler);
}

NOINLINE static void resume(struct co *co, int depth)
{
	volatile int mine = depth;
	/* Now and then a frame so large that what is below could be another stack. */
	char *room = alloca(depth == 2 && co->nr % 4 == 1 ? LARGE : 16);
	__asm__ volatile("" ::"r"(room) : "memory");
	if (depth)
		resume(co, depth - 1);
	else
		go(co);
	CHECK(mine == depth);
}

static unsigned round_of_all(void)
{
	char top;
	unsigned sum = 0;
	int nr_left = NR_WORKERS;
	memset(&scheduler, 0, sizeof(scheduler));
	memset(workers, 0, sizeof(workers));
	scheduler.high = &top + 4096;
	current = &scheduler;
	for (int i = 0; i < NR_WORKERS; i++)
		workers[i] = (struct co){ .nr = i, .left = YIELDS };
	while (nr_left) {
		nr_left = 0;
		for (int i = 0; i < NR_WORKERS; i++)
			if (workers[i].left) {
				resume(&workers[i], (i + workers[i].left) % 4);
				nr_left += workers[i].left > 0;
			}
	}
	for (int i = 0; i < NR_WORKERS; i++) {
		sum = sum * 31 + workers[i].sum;
		free(workers[i].saved);
	}
	free(scheduler.saved);
	return sum;
}

static long nr_rounds;

static void *rounds(void *ret)
{
	unsigned sum = 0;
	struct pollfd in = { 0, POLLIN, 0 };
	for (long i = 0; nr_rounds ? i < nr_rounds : !poll(&in, 1, 0); i++) {
		unsigned one = round_of_all();
		CHECK(!i || one == sum);
		sum = one;
	}
	*(unsigned *)ret = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	enum { MOST = 16 };
	int nr = argc > 2 ? atoi(argv[2]) : 0;
	unsigned sum[MOST + 1];
	pthread_t thread[MOST];
	nr_rounds = argc > 1 ? atol(argv[1]) : 0;
	if (!nr_rounds) {
		puts("ready");
		fflush(stdout);
	}
	for (int i = 0; i < nr && i < MOST; i++)
		CHECK(!pthread_create(&thread[i], NULL, rounds, &sum[i + 1]));
	rounds(&sum[0]);
	for (int i = 0; i < nr && i < MOST; i++) {
		CHECK(!pthread_join(thread[i], NULL));
		CHECK(sum[i + 1] == sum[0]);
	}
	printf("ok %u\n", sum[0]);
	return 0;
}
