/* SPDX-License-Identifier: Apache-2.0 */
/* Coroutines that are abandoned in the middle, their stacks used for new ones. */
#include <stdio.h>
#include <ucontext.h>

#define FN __attribute__((noinline, noclone))

static ucontext_t home, away;
static char stack[64 * 1024];
static volatile int trail;

FN void step(int n)
{
	trail = (trail * 7 + n) % 1000003;
}

FN void goes_home(int depth)
{
	step(depth);
	if (depth)
		goes_home(depth - 1);
	else
		swapcontext(&away, &home);
	step(10 + depth);
}

FN void runs(void)
{
	goes_home(2);
	step(20);
}

FN void begins(void)
{
	getcontext(&away);
	away.uc_stack.ss_sp = stack;
	away.uc_stack.ss_size = sizeof(stack);
	away.uc_link = &home;
	makecontext(&away, runs, 0);
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		begins();
		swapcontext(&home, &away);
		step(30);
		if (i == 1)
			swapcontext(&home, &away); /* to its end */
	}
	printf("%d\n", trail);
	return 0;
}
