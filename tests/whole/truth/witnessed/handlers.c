/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals' handlers: nested, on the stack they interrupt and on one of their own, left by
 * siglongjmp, entered at the first instruction of a function, and SIGTRAP as the program's
 * own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define FN __attribute__((noinline, noclone))

static sigjmp_buf back;
static volatile int trail;

FN void step(int n)
{
	trail = (trail * 7 + n) % 1000003;
}

FN void inner(int sig)
{
	step(sig);
}

FN void outer(int sig)
{
	step(1);
	raise(SIGUSR2);
	step(sig);
}

FN void jumps_out(int sig)
{
	step(sig);
	siglongjmp(back, 1);
}

FN void on_trap(int sig)
{
	step(sig);
}

FN void deep(int depth, int sig)
{
	if (depth)
		deep(depth - 1, sig);
	else
		raise(sig);
	step(depth);
}

FN void bad_write(void)
{
	*(volatile int *)8 = 1;
	step(100);
}

FN void blocks(void)
{
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	raise(SIGTRAP); /* comes with the last line */
	step(7);
	sigprocmask(SIG_BLOCK, NULL, &old);
	step(sigismember(&old, SIGTRAP));
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

FN void install(int sig, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	sigaction(sig, &action, NULL);
}

int main(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&ss, NULL);
	install(SIGUSR1, outer, 0);
	install(SIGUSR2, inner, SA_ONSTACK);
	deep(3, SIGUSR1);
	install(SIGTERM, jumps_out, SA_NODEFER);
	install(SIGSEGV, jumps_out, SA_ONSTACK);
	install(SIGTRAP, on_trap, 0);
	for (volatile int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			deep(i, SIGTERM);
	for (volatile int i = 0; i < 2; i++)
		if (!sigsetjmp(back, 1))
			bad_write();
	deep(1, SIGTRAP);
	__asm__ volatile("int3");
	blocks();
	step(3);
	printf("%d\n", trail);
	return 0;
}
