// SPDX-License-Identifier: Apache-2.0
// Stacks overflow, and a handler asks where: as OCaml's does, it goes on only if the fault is an
// instruction of the functions that it knows.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

#define KNOWN __attribute__((noinline, noclone, section("known")))

extern char __start_known[], __stop_known[];
static sigjmp_buf back;
static volatile sig_atomic_t nr_faults;

static void on_fault(int sig, siginfo_t *info, void *at)
{
	char *rip = (char *)((ucontext_t *)at)->uc_mcontext.gregs[REG_RIP];
	nr_faults++;
	if (rip < __start_known || rip >= __stop_known) {
		signal(sig, SIG_DFL);
		return;
	}
	siglongjmp(back, 1);
}

// A call is not made a loop of where what it returns is looked at.
#define LOOKED_AT(value)                                                                       \
	({                                                                                     \
		long looked_at = value;                                                        \
		__asm__ volatile("" : "+r"(looked_at));                                        \
		looked_at;                                                                     \
	})

KNOWN long narrow(long n)
{
	return LOOKED_AT(narrow(n + 1)) + 1;
}

KNOWN long pushes(long a, long b, long c, long d, long e)
{
	return LOOKED_AT(pushes(b, c, d, e, a + 1)) + a * b + c * d + e;
}

// Its frame is larger than what a stub writes below the stack pointer, and written at once.
KNOWN long wide(long n, volatile long *from)
{
	volatile long here[5] = { n, n, n, n, n };
	return LOOKED_AT(wide(n + 1, here)) + here[n % 5] + from[0];
}

KNOWN long calls(long n);

KNOWN long called(long n)
{
	return LOOKED_AT(calls(n)) + 2;
}

KNOWN long calls(long n)
{
	return LOOKED_AT(called(n + 1)) + 1;
}

// Frames of exactly a page: where the last one's stub or the agent finds no room is up to where
// the first one is.
void paged(void);
__asm__(".section known, \"ax\", @progbits\n"
	".p2align 4\n"
	".type paged, @function\n"
	"paged:\n"
	"	.cfi_startproc\n"
	"	sub $4088, %rsp\n"
	"	.cfi_def_cfa_offset 4096\n"
	"	call paged\n"
	"	add $4088, %rsp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size paged, .-paged\n"
	".text\n");

KNOWN long paged_from(long by)
{
	char *gap = __builtin_alloca(by);
	__asm__ volatile("" : : "r"(gap) : "memory");
	paged();
	return gap[0];
}

// The same at each place of a page.
KNOWN long shifted(long n, long by)
{
	volatile char *gap = __builtin_alloca(by);
	gap[0] = 1;
	return narrow(n) + gap[0];
}

static void overflow(const char *name, int which, long by)
{
	volatile long zero = 0;
	if (!sigsetjmp(back, 1)) {
		long sum = which == 0	? narrow(0)
			   : which == 1 ? pushes(1, 2, 3, 4, 5)
			   : which == 2 ? wide(0, &zero)
			   : which == 3 ? calls(0)
			   : which == 4 ? shifted(0, by)
					: paged_from(by);
		printf("no overflow: %ld\n", sum);
		exit(1);
	}
	if (name)
		puts(name);
}

int main(void)
{
	static char stack[1 << 16];
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_fault };
	struct rlimit small = { 1 << 18, RLIM_INFINITY };
	setvbuf(stdout, NULL, _IOLBF, 0);
	action.sa_flags = SA_ONSTACK | SA_SIGINFO;
	setrlimit(RLIMIT_STACK, &small);
	sigaltstack(&alt, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	overflow("narrow", 0, 0);
	overflow("pushes", 1, 0);
	overflow("wide", 2, 0);
	overflow("calls", 3, 0);
	for (long by = 16; by <= 256; by += 16)
		overflow(NULL, 4, by);
	for (long by = 16; by <= 4096; by += 16)
		overflow(NULL, 5, by);
	printf("%d faults\n", (int)nr_faults);
	return 0;
}
