/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal's handler is above the first bytes of a function, and will go back there: as soon as it
 * is told to ("go"), or never ("stay", as long as it runs).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

#include "attached.h"

/* The fault is in the middle of what a jump overwrites. */
long hot(const volatile int *at);
__asm__("\t.text\n\t.p2align 4\n\t.globl hot\n\t.type hot, @function\nhot:\n\t.cfi_startproc\n"
	"\txor %eax, %eax\n\tadd (%rdi), %eax\n\tadd $1, %eax\n\tret\n\t.cfi_endproc\n"
	"\t.size hot, .-hot\n");

static volatile int good = 41;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	char word[16];
	(void)sig;
	(void)info;
	ready();
	if (read(0, word, sizeof(word)) > 0 && word[0] == 's')
		while (!is_over())
			usleep(1000);
	at->uc_mcontext.gregs[REG_RDI] = (greg_t)&good;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	unsigned long nr = 1;
	sigaction(SIGSEGV, &action, NULL);
	CHECK(hot(NULL) == 42);
	for (; !is_over(); nr++) {
		CHECK(hot(&good) == 42);
		usleep(1000);
	}
	return well(nr);
}
