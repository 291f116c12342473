/* SPDX-License-Identifier: Apache-2.0 */
/* Passes pointers to functions, and returns one. */
#include <signal.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone, noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")

typedef int fn(int);

struct ops {
	int nr;
	fn *run;
};

static int order(const void *a, const void *b)
{
	ROOM;
	return *(const int *)a - *(const int *)b;
}
static void on_signal(int sig)
{
	ROOM;
}
KEPT int twice(int x)
{
	ROOM;
	return 2 * x;
}
KEPT int call(fn *f, int x)
{
	ROOM;
	return f(x);
}
KEPT int call_of(const struct ops *ops, int x)
{
	ROOM;
	return ops->run(x);
}
KEPT fn *pick(int nr)
{
	ROOM;
	return nr == 0 ? NULL : nr == 1 ? twice : (fn *)((char *)twice + 1);
}

int main(void)
{
	int numbers[] = { 2, 1 };
	const struct ops ops = { 1, twice };
	qsort(numbers, 2, sizeof(*numbers), order);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	call(twice, 4);
	call(abs, -4);
	call_of(&ops, 3);
	for (int i = 0; i < 3; i++)
		pick(i);
	return 0;
}
