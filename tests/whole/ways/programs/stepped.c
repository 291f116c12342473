// SPDX-License-Identifier: Apache-2.0
// A signal at every instruction of the stubs, whose handler leaves them for good, or looks at the
// stack that it interrupted.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>
#include <unwind.h>
#include "../../step.h"
#define NI __attribute__((noinline))

enum { STACK = 64 * 1024, MAX_ROUNDS = 2000, NR_CALLS = 2 };

enum { LEAST_FRAMES = 9, MAX_MOVED = 4 };

static volatile long nr_hits, nr_short;
static volatile char mode;
static sigjmp_buf back;

NI int inner(int n)
{
	volatile int r = n ? inner(n - 1) + 1 : 0;
	return r;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *context, void *frames)
{
	(void)context;
	return ++*(int *)frames < 100 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

NI void hit(void)
{
	nr_hits++;
	if (inner(1) != 1)
		_exit(8);
	int frames = 0;
	if (mode == 'b')
		_Unwind_Backtrace(count, &frames);
	else
		siglongjmp(back, 1);
	nr_short += frames < LEAST_FRAMES;
}

NI double scale(double x, int n)
{
	volatile double r = n ? scale(x, n - 1) * 1.5 : x;
	return r;
}

NI double stepped(int n)
{
	STEP_ON;
	double d = scale(n, NR_CALLS - 1);
	STEP_OFF;
	return d;
}

NI void outer(int n)
{
	if (scale(n, 0) != n || stepped(n) != n * 1.5)
		_exit(7);
}

NI void every_step(void)
{
	for (volatile int i = 0; i < MAX_ROUNDS; i++) {
		volatile long before = nr_hits;
		nr_steps = is_cut = 0;
		if (!sigsetjmp(back, 1))
			outer(i);
		if (nr_hits > before)
			turn++;
		else if (!is_cut)
			break;
		if (scale(i, 1) != i * 1.5)
			_exit(6);
	}
}

int main(int argc, char **argv)
{
	static char stack[STACK];
	stack_t other = { .ss_sp = stack, .ss_size = STACK };
	mode = argv[argc - 1][0];
	sigaltstack(&other, NULL);
	step_init(mode == 'a' ? SA_ONSTACK : 0);
	every_step();
	if (is_hooked((void (*)(void))scale) && nr_hits < least_steps * NR_CALLS)
		_exit(9);
	// Among moved instructions a backtrace may end.
	if (nr_short > MAX_MOVED * NR_CALLS)
		_exit(5);
	printf("stepped\n");
	return 0;
}
