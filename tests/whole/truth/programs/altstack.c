/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers on an alternate stack, also one nested in a deep call and one left by
 * siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include "truth.h"

static sigjmp_buf back;
static volatile sig_atomic_t nr;

FN void step(int n)
{
	ENTER;
	nr += n;
	LEAVE;
}

FN void on_usr1(int sig)
{
	STRAND("alt");
	ENTER;
	step(sig == SIGUSR1);
	step(10);
	LEAVE;
	STRAND("main");
}

FN void on_usr2(int sig)
{
	STRAND("alt");
	ENTER;
	step(sig == SIGUSR2);
	siglongjmp(back, 1);
}

FN void down(int depth, int sig)
{
	ENTER;
	if (depth)
		down(depth - 1, sig);
	else
		raise(sig);
	step(1);
	LEAVE;
}

FN void install(int sig, void (*handler)(int))
{
	struct sigaction action = { 0 };

	ENTER;
	action.sa_handler = handler;
	action.sa_flags = SA_ONSTACK;
	sigaction(sig, &action, NULL);
	LEAVE;
}

FN int main(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	ENTER;
	sigaltstack(&ss, NULL);
	install(SIGUSR1, on_usr1);
	install(SIGUSR2, on_usr2);
	down(5, SIGUSR1);
	for (volatile int i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1)) {
			down(i, SIGUSR2);
		} else {
			TRUTH('J', "alt"); /* all calls on that stack are gone */
			STRAND("main");
			LANDED;
		}
	}
	down(1, SIGUSR1);
	printf("%d\n", (int)nr);
	LEAVE;
	return 0;
}
