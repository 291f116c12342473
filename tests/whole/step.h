/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step.h - a signal at every instruction of the stubs that a program's calls go through.
 *
 *	step_init(flags);
 *	for (turn = 0, ...; turn++) {
 *		nr_steps = is_cut = 0;
 *		STEP_ON;
 *		calls of functions
 *		STEP_OFF;
 *	}
 *
 * The calls run with the trap flag set. At the step of each round that has the number turn,
 * on_step() calls hit(), the program's. Without stubs there is no such step.
 */
#ifndef STEP_H
#define STEP_H

#include <signal.h>
#include <stdlib.h>

/* Stubs are within reach of a jump from the program, the agent is not. */
extern char __executable_start[], etext[];
unsigned long own_start, own_size;
volatile long nr_steps, turn;
int least_steps = 60; /* of a stub's entry and exit; $LEAST_STEPS where stubs are shorter */
volatile int is_cut; /* the round came to the agent, which must not be stepped */

void hit(void);

/*
 * void on_step(int sig, siginfo_t *info, ucontext_t *context). It must not be traced itself:
 * as part of a signal's frame it is not.
 *
 *	rip = context->rip;
 *	if (rip - own_start < own_size)
 *		return;
 *	if (rip is not within 2 GiB of own_start) {
 *		context->eflags &= ~0x100;	the agent: it blocks signals
 *		is_cut = 1;
 *	} else if (nr_steps++ == turn) {
 *		hit();
 *	}
 */
/* clang-format off */
__asm__(".pushsection .text\n"
	"on_step: .cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	movq 168(%rdx), %rax\n"
	"	subq own_start(%rip), %rax\n"
	"	cmpq own_size(%rip), %rax\n"
	"	jb 1f\n"
	"	movslq %eax, %rcx\n"
	"	cmpq %rcx, %rax\n"
	"	je 2f\n"
	"	andq $~0x100, 176(%rdx)\n"
	"	movl $1, is_cut(%rip)\n"
	"1:	ret\n"
	"2:	movq nr_steps(%rip), %rcx\n"
	"	incq nr_steps(%rip)\n"
	"	cmpq turn(%rip), %rcx\n"
	"	jne 1b\n"
	"	subq $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call hit\n"
	"	addq $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".popsection\n");
/* clang-format on */
void on_step(int sig, siginfo_t *info, void *context);

/* In place, as they must be no calls. */
#define STEP_ON	 __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc")
#define STEP_OFF __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc")

__attribute__((always_inline)) static inline void step_init(int flags)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | flags };
	const char *least = getenv("LEAST_STEPS");
	if (least)
		least_steps = atoi(least);
	own_start = (unsigned long)__executable_start;
	own_size = (unsigned long)etext - own_start;
	sigaction(SIGTRAP, &action, NULL);
	turn = 0;
}

/* Does a function begin with a jump to its stub, perhaps behind endbr64? */
__attribute__((always_inline)) static inline int is_hooked(void (*function)(void))
{
	const volatile unsigned char *code = (const unsigned char *)(unsigned long)function;
	return code[0] == 0xe9 || (code[0] == 0xf3 && code[4] == 0xe9);
}

#endif
