/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines that hand over in the middle of calls, on stacks of their own: each mapped
 * behind a guard page, as libraries of coroutines do; with ADJACENT two arrays side by
 * side. One of them makes a vfork child, whose calls begin pages below its own.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include "truth.h"

static ucontext_t main_context, a_context, b_context;
static int trail;

FN int step(int n)
{
	ENTER;
	trail = (trail * 7 + n) % 1000003;
	LEAVE;
	return n + 1;
}

FN void hand_to_b(int n)
{
	ENTER;
	step(n);
	STRAND("b");
	swapcontext(&a_context, &b_context);
	step(n + 1);
	LEAVE;
}

FN void hand_to_a(int n)
{
	ENTER;
	step(n);
	STRAND("a");
	swapcontext(&b_context, &a_context);
	step(n + 2);
	LEAVE;
}

FN void by_vfork(void)
{
	volatile char room[3 * 4096];
	int status = 0;

	ENTER;
	room[0] = 5;
	int parent = truth_tid();
	FORKING;
	pid_t pid = vfork();
	if (pid == 0) {
		FORKED(parent);
		_exit(step(room[0]));
	}
	waitpid(pid, &status, 0);
	trail += WEXITSTATUS(status);
	LEAVE;
}

FN void a_runs(void)
{
	ENTER;
	by_vfork();
	for (int i = 0; i < 5; i++)
		hand_to_b(i);
	LEAVE;
	STRAND("main");
}

FN void b_runs(void)
{
	ENTER;
	for (int i = 0;; i++)
		hand_to_a(i * 10);
}

#define STACK_SIZE (64 * 1024)

#ifdef ADJACENT
static char stacks[2][STACK_SIZE];
#define stack_of(i) stacks[i]
#else
static inline __attribute__((always_inline)) char *stack_of(int i)
{
	(void)i;
	char *map = mmap(NULL, STACK_SIZE + 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(map, 4096, PROT_NONE);
	return map + 4096;
}
#endif

FN int main(void)
{
	ENTER;
	getcontext(&a_context);
	a_context.uc_stack.ss_sp = stack_of(0);
	a_context.uc_stack.ss_size = STACK_SIZE;
	a_context.uc_link = &main_context;
	makecontext(&a_context, a_runs, 0);
	getcontext(&b_context);
	b_context.uc_stack.ss_sp = stack_of(1);
	b_context.uc_stack.ss_size = STACK_SIZE;
	b_context.uc_link = &main_context;
	makecontext(&b_context, b_runs, 0);
	step(1000);
	STRAND("a");
	swapcontext(&main_context, &a_context);
	step(2000);
	printf("%d\n", trail);
	LEAVE;
	return 0;
}
