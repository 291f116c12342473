/* SPDX-License-Identifier: Apache-2.0 */
/* coroutines.c - two stacks of one thread that take turns, and a signal on a third. */
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t outer, inner;

__attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void handler(int nr)
{
	leaf();
}

__attribute__((noinline)) void turn(int i)
{
	leaf();
	if (i % 2)
		swapcontext(&inner, &outer);
	else
		leaf();
}

__attribute__((noinline)) void coroutine(void)
{
	for (int i = 0; i < 10; i++)
		turn(i);
}

__attribute__((noinline)) void resume(void)
{
	leaf();
	swapcontext(&outer, &inner);
	leaf();
}

int main(void)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	getcontext(&inner);
	inner.uc_stack.ss_sp = malloc(1 << 16);
	inner.uc_stack.ss_size = 1 << 16;
	inner.uc_link = &outer;
	makecontext(&inner, coroutine, 0);
	for (int i = 0; i < 6; i++) {
		resume();
		raise(SIGUSR1);
	}
	return 0;
}
