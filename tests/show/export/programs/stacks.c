/* SPDX-License-Identifier: Apache-2.0 */
/* stacks.c - calls on more stacks than one: of a signal's handler, of coroutines; and longjmp. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static jmp_buf out;
static ucontext_t main_context, other_context;
static char other_stack[64 * 1024];

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) void handler(int sig)
{
	leaf(sig);
	leaf(sig);
}

__attribute__((noinline)) int interrupted(int n)
{
	raise(SIGUSR1);
	return leaf(n);
}

__attribute__((noinline)) void jumps(int n)
{
	leaf(n);
	if (!n)
		longjmp(out, 1);
	jumps(n - 1);
	leaf(n);
}

__attribute__((noinline)) void switches(ucontext_t *from, ucontext_t *to)
{
	leaf(1);
	swapcontext(from, to);
	leaf(2);
}

__attribute__((noinline)) void coroutine(void)
{
	for (;;)
		switches(&other_context, &main_context);
}

int main(void)
{
	stack_t stack = { .ss_sp = malloc(SIGSTKSZ), .ss_size = (size_t)SIGSTKSZ };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 5; i++)
		interrupted(i);
	if (!setjmp(out))
		jumps(5);
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = other_stack;
	other_context.uc_stack.ss_size = sizeof(other_stack);
	makecontext(&other_context, coroutine, 0);
	for (int i = 0; i < 5; i++)
		switches(&main_context, &other_context);
	return 0;
}
