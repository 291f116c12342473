/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.h - what coroutines do, whoever switches between them: calls with pointers to what lies on their own
 * stacks, deep in calls when they yield. Who includes this has make(), resume() and yield().
 *
 *	PROGRAM SIZE N	stacks of SIZE bytes; N rounds, then prints what they come to
 *	PROGRAM SIZE	rounds until stdin is closed; prints "ready" at the begin
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../check.h"

#define NOINLINE __attribute__((noinline))

enum { NR_COS = 10, TURNS = 6 };

struct point {
	int x, y;
	const char *name;
	struct point *outer;
};

struct co;
static void yield(void);

static unsigned results[NR_COS];
static int is_done[NR_COS];

NOINLINE unsigned length(const struct point *p)
{
	return p ? (unsigned)(p->x * p->y) + (unsigned)strlen(p->name) + length(p->outer) : 1;
}

NOINLINE int compare(const void *a, const void *b)
{
	return ((const struct point *)a)->x - ((const struct point *)b)->x;
}

NOINLINE unsigned walk(int nr, int depth, struct point *outer)
{
	char name[24];
	struct point all[3];
	strcpy(name, "point ");
	name[6] = (char)('a' + depth);
	name[7] = 0;
	for (int i = 0; i < 3; i++)
		all[i] = (struct point){ (nr * 7 + i * 5 + depth) % 11, i, name, outer };
	qsort(all, 3, sizeof(all[0]), compare);
	unsigned sum = length(&all[0]);
	if (depth)
		sum = sum * 31 + walk(nr, depth - 1, &all[1]);
	else
		yield();
	CHECK(name[6] == 'a' + depth && !strcmp(all[2].name, name));
	return sum + length(&all[2]);
}

NOINLINE void work(int nr)
{
	unsigned sum = 0;
	for (int i = 0; i < TURNS; i++)
		sum = sum * 17 + walk(nr, (nr + i) % 6, NULL);
	results[nr] = sum;
	is_done[nr] = 1;
}

static struct co *make(int nr, size_t size);
static void resume(struct co *co);
static void release(struct co *co);

static unsigned one_round(size_t size)
{
	struct co *cos[NR_COS];
	unsigned sum = 0;
	for (int i = 0; i < NR_COS; i++) {
		is_done[i] = 0;
		cos[i] = make(i, size);
	}
	for (int nr_left = NR_COS, i = 0; nr_left; i = (i + 3) % NR_COS) {
		if (!cos[i])
			continue;
		resume(cos[i]);
		if (is_done[i]) {
			release(cos[i]);
			cos[i] = NULL;
			nr_left--;
			sum = sum * 31 + results[i];
		}
	}
	return sum;
}

static void begin(void);

int main(int argc, char **argv)
{
	size_t size = (size_t)atol(argv[1]);
	long nr_rounds = argc > 2 ? atol(argv[2]) : 0;
	struct pollfd in = { 0, POLLIN, 0 };
	begin();
	unsigned first = one_round(size);
	if (!nr_rounds) {
		puts("ready");
		fflush(stdout);
	}
	for (long i = 0; nr_rounds ? i < nr_rounds : !poll(&in, 1, 0); i++)
		CHECK(one_round(size) == first);
	printf("ok %u\n", first);
	return 0;
}
