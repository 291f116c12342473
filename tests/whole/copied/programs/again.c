// SPDX-License-Identifier: Apache-2.0
/*
 * Continuations as Ruby has them: all of the stack is copied to the heap, with a note where to go on, and brought
 * back any number of times, from other depths, also when its functions have returned long ago.
 *
 *	again N		N rounds, then prints what they come to
 *	again		rounds until stdin is closed; prints "ready" at the begin
 */
#include <alloca.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../check.h"

#define NOINLINE __attribute__((noinline, noclone))

enum { NR = 16, STEPS = 120, BELOW = 512, PAGE = 4096 };

static struct continuation {
	void *note[5];
	char *low, *copy;
	size_t size;
} all[NR];

static char *base;
static int nr, step;
static unsigned sum, nr_back;

/* Its own frame is among what is copied. */
NOINLINE static int capture(struct continuation *k)
{
	k->low = (char *)__builtin_frame_address(0) - BELOW;
	k->size = (size_t)(base - k->low);
	k->copy = realloc(k->copy, k->size);
	memcpy(k->copy, k->low, k->size);
	if (__builtin_setjmp(k->note))
		return 1;
	return 0;
}

/* From below where the copy comes to. */
NOINLINE static void resume(struct continuation *k)
{
	char *room = alloca(PAGE);
	__asm__ volatile("" ::"r"(room) : "memory");
	if (room + PAGE > k->low)
		resume(k);
	memcpy(k->low, k->copy, k->size);
	__builtin_longjmp(k->note, 1);
}

NOINLINE static unsigned leaf(unsigned x)
{
	__asm__ volatile("");
	return x * 2654435761u + 1;
}

NOINLINE static unsigned bottom(unsigned x)
{
	unsigned mine = leaf(x);
	int is_back = capture(&all[nr++ % NR]);
	nr_back += is_back;
	return leaf(mine) + (is_back ? leaf(nr_back) : 0);
}

static unsigned deeper(int depth, unsigned x);

#define DEEP(name, more)                                                    \
	NOINLINE static unsigned name(int depth, unsigned x)                \
	{                                                                   \
		volatile unsigned mine = x + (more);                        \
		unsigned below = depth ? deeper(depth - 1, x + 1) : bottom(x); \
		CHECK(mine == x + (more));                                  \
		return leaf(below + mine) + (more);                         \
	}

DEEP(one, 1)
DEEP(two, 2)
DEEP(three, 3)

NOINLINE static unsigned deeper(int depth, unsigned x)
{
	static unsigned (*const functions[])(int, unsigned) = { one, two, three };
	unsigned below = functions[(x * 7 + (unsigned)depth) % 3](depth, x);
	return below + leaf(below);
}

/* Whoever comes back is in this loop, some steps later than it was. */
NOINLINE static void steps(void)
{
	while (step < STEPS) {
		step++;
		if (step % 3 && nr > 3)
			resume(&all[(unsigned)step * 5 % (unsigned)(nr < NR ? nr : NR)]);
		sum = sum * 31 + deeper(step % 6, (unsigned)step);
	}
}

NOINLINE static unsigned one_round(void)
{
	char top;
	base = &top;
	nr = step = 0;
	sum = nr_back = 0;
	steps();
	CHECK(nr_back);
	return sum + nr_back;
}

int main(int argc, char **argv)
{
	long nr_rounds = argc > 1 ? atol(argv[1]) : 0;
	unsigned first = one_round();
	struct pollfd in = { 0, POLLIN, 0 };
	if (!nr_rounds) {
		puts("ready");
		fflush(stdout);
	}
	for (long i = 0; nr_rounds ? i < nr_rounds : !poll(&in, 1, 0); i++)
		CHECK(one_round() == first);
	printf("ok %u\n", first);
	return 0;
}
