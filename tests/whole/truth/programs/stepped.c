/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal at every instruction of the stubs, whose handler makes calls: first on the same
 * stack, then on one of its own.
 */
#include <stdio.h>
#include "../../step.h"
#include "truth.h"

enum { STACK = 64 * 1024, MAX_ROUNDS = 1000, NR_CALLS = 2 };

static volatile long nr_hits;

FN int inner(int n)
{
	ENTER;
	int r = n ? inner(n - 1) + 1 : 0;
	LEAVE;
	return r;
}

FN void hit(void)
{
	ASYNC;
	ENTER;
	if (inner(1) != 1)
		_exit(8);
	nr_hits++;
	LEAVE;
}

FN double scale(double x, int n)
{
	ENTER;
	double r = n ? scale(x, n - 1) * 1.5 : x;
	LEAVE;
	return r;
}

FN void stepped(int n)
{
	ENTER;
	double d = scale(n, 0); /* what only the agent can do is done here */
	STEP_ON;
	d += scale(n, NR_CALLS - 1);
	STEP_OFF;
	if (d != n * 2.5)
		_exit(7);
	LEAVE;
}

/* One round for each step, until a round has no more of them. */
FN void every_step(int flags)
{
	ENTER;
	step_init(flags);
	nr_hits = 0;
	for (int i = 0; i < MAX_ROUNDS; i++) {
		long before = nr_hits;
		nr_steps = is_cut = 0;
		stepped(i);
		if (nr_hits > before)
			turn++;
		else if (!is_cut)
			break;
	}
	if (is_hooked((void (*)(void))scale) && nr_hits < least_steps * NR_CALLS)
		_exit(9);
	LEAVE;
}

FN int main(void)
{
	static char stack[STACK];
	stack_t other = { .ss_sp = stack, .ss_size = STACK };
	ENTER;
	sigaltstack(&other, NULL);
	every_step(0);
	every_step(SA_ONSTACK);
	printf("stepped\n");
	LEAVE;
	return 0;
}
