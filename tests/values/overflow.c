/* SPDX-License-Identifier: Apache-2.0 */
/* Runs out of stack in a function whose arguments are asked for; the handler looks where that was. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static sigjmp_buf out;
static volatile int depth;

__attribute__((noipa)) int deeper(int n, const char *text)
{
	volatile long room[3] = { n };
	depth = (int)room[0];
	return deeper(n + 1, text) + 1;
}

__attribute__((noipa)) int behind_it(void)
{
	return 0;
}

static void on_overflow(int sig, siginfo_t *info, void *context)
{
	unsigned long at = (unsigned long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	unsigned long sp = (unsigned long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
	bool is_in = at >= (unsigned long)deeper && at < (unsigned long)behind_it;
	(void)sig;
	(void)info;
	/* Where it begins, the stack pointer is as the ABI says. */
	siglongjmp(out, is_in && (at > (unsigned long)deeper || sp % 16 == 8) ? 1 : 2);
}

int main(void)
{
	static char stack[65536];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_overflow,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	sigaltstack(&other, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int round = 0; round < 16; round++) {
		char *volatile shift = __builtin_alloca(8 * (unsigned)round + 8);
		int where = sigsetjmp(out, 1);
		if (!where)
			return deeper(0, "text");
		*shift = 0;
		printf("%s\n", where == 1 && depth > 1000 ? "in deeper" : "elsewhere");
	}
	return 0;
}
