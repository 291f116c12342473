/* SPDX-License-Identifier: Apache-2.0 */
/* The flags that a program reads have no trap flag: pushed, by a system call, in a handler. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#define FN __attribute__((noinline, noclone))

enum { TRAP_FLAG = 0x100 };

static volatile int is_seen;

FN unsigned long pushed(void)
{
	unsigned long flags;

	__asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
	return flags;
}

FN unsigned long pushed_and_popped(void)
{
	unsigned long flags;

	__asm__ volatile("pushfq\n\tpopfq\n\tpushfq\n\tpop %0" : "=r"(flags) : : "cc");
	return flags;
}

FN void handler(int sig, siginfo_t *info, void *at)
{
	const ucontext_t *context = at;

	(void)info;
	is_seen |= context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG ? sig : 0;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	is_seen |= pushed() & TRAP_FLAG ? 1 : 0;
	is_seen |= pushed_and_popped() & TRAP_FLAG ? 2 : 0;
	puts(is_seen ? "the trap flag is seen" : "all is well");
	return is_seen;
}
