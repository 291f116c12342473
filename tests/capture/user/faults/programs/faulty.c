// SPDX-License-Identifier: Apache-2.0
/*
 * faulty HOW THREADS ROUNDS: functions of which each faults in one of its first instructions, and a
 * handler that checks where that was. How it goes on: "mend", the handler makes the page readable and
 * returns; "skip", it sets the instruction pointer behind the instruction; "jump", by siglongjmp; "all",
 * by turns. ROUNDS 0: until the end of stdin. It prints how often the handler found the fault elsewhere,
 * and what else was wrong.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_THREADS = 16, PAGE = 4096, LOADED = 42, FAULT_SIZE = 2 };

/* name(p): loads from p, or is no instruction, at name + off. Both have two bytes. */
#define LOADS(name, before, behind) FAULTS(name, before, "mov (%rdi), %eax", behind)
#define FAULTS(name, before, fault, behind)                                                    \
	int name(int *p);                                                                      \
	__asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name                  \
		": .cfi_startproc\n" before "\n" fault "\n" behind                             \
		"\nret\n.cfi_endproc\n.size " #name ", . - " #name "\n.balign 16\n");

#define MORE "mov %eax, %edx\nmov %edx, %ecx\nmov %ecx, %eax"
LOADS(second, "xor %eax, %eax", MORE)
LOADS(third, "mov $-1, %al\nxor %edx, %edx", MORE)
LOADS(after_nop, "nop\nmov %rdi, %rdx", MORE)
LOADS(small, "mov %edi, %edx", "")
FAULTS(trap_first, "", "ud2", MORE)
FAULTS(trap_second, "xor %eax, %eax", "ud2", MORE)

static const struct {
	int (*func)(int *p);
	int off, sig;
} loads[] = { { second, 2, SIGSEGV }, { third, 4, SIGSEGV },	 { after_nop, 4, SIGSEGV },
	      { small, 2, SIGSEGV },  { trap_first, 0, SIGILL }, { trap_second, 2, SIGILL } };

enum how { MEND, SKIP, JUMP, NR_HOW };

static __thread struct {
	int *page;
	enum how how;
	sigjmp_buf back;
	char *expected;
	int sig;
} here;

static int nr_wrong, nr_elsewhere, rounds;
static char first[200];
static volatile int is_over;
static enum how only = NR_HOW;

static void wrong(const char *what, long got, long expected)
{
	if (__atomic_fetch_add(&nr_wrong, 1, __ATOMIC_RELAXED) == 0)
		snprintf(first, sizeof(first), " %s: %#lx for %#lx", what, got, expected);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *ip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	if (sig != here.sig)
		wrong("signal", sig, here.sig);
	if (*ip != (greg_t)here.expected)
		__atomic_fetch_add(&nr_elsewhere, 1, __ATOMIC_RELAXED);
	if (sig == SIGSEGV && info->si_addr != here.page)
		wrong("address", (long)info->si_addr, (long)here.page);
	switch (here.how) {
	case MEND:
		mprotect(here.page, PAGE, PROT_READ);
		break;
	case SKIP:
		*ip += FAULT_SIZE;
		break;
	default:
		siglongjmp(here.back, 1);
	}
}

static void load(size_t i, enum how how)
{
	here.how = how == MEND && loads[i].sig == SIGILL ? SKIP : how;
	here.expected = (char *)loads[i].func + loads[i].off;
	here.sig = loads[i].sig;
	mprotect(here.page, PAGE, PROT_NONE);
	if (sigsetjmp(here.back, 1))
		return;
	int got = loads[i].func(here.page);
	if (here.how == MEND && got != LOADED)
		wrong("value", got, LOADED);
}

static void *run(void *ctx)
{
	(void)ctx;
	here.page =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*here.page = LOADED;
	for (int n = 0; rounds ? n < rounds : !is_over; n++)
		for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
			load(i, only == NR_HOW ? (enum how)((n + (int)i) % NR_HOW) : only);
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "mend", "skip", "jump" };
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct pollfd in = { .fd = 0, .events = POLLIN };
	pthread_t threads[MOST_THREADS];
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	rounds = argc > 3 ? atoi(argv[3]) : 1;
	for (int i = 0; argc > 1 && i < NR_HOW; i++)
		if (!strcmp(argv[1], names[i]))
			only = (enum how)i;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	puts("begun");
	fflush(stdout);
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	if (!rounds)
		is_over = poll(&in, 1, -1);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	printf("elsewhere %d, wrong %d%s\n", nr_elsewhere, nr_wrong, first);
	return nr_wrong != 0;
}
