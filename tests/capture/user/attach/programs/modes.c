/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.c - a 64-bit program whose threads are in 32-bit code nearly all the time, as those of Wine
 * are: one computes there, one sleeps in a 32-bit system call. Handlers interrupt both.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "attached.h"

/*
 * Copied to below 4 GiB, where 32-bit code can be.
 *
 *	low_enter(arg, code)    64-bit; the far call's operand is an address and a selector
 *	low_count               32-bit: counts from 0 to arg
 *	low_sleep               32-bit: nanosleep(arg, NULL)
 */
asm(".pushsection .rodata\n"
    "low_begin:\n"
    "low_enter:\n"
    "	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n	push %r14\n	push "
    "%r15\n"
    "	mov %rsp, low_sp(%rip)\n"
    "	mov %esi, low_far(%rip)\n"
    "	lea low_stack(%rip), %rsp\n"
    "	mov %edi, %ecx\n"
    "	xor %eax, %eax\n"
    "	lcall *low_far(%rip)\n"
    "	mov low_sp(%rip), %rsp\n"
    "	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbp\n	pop "
    "%rbx\n"
    "	ret\n"
    ".code32\n"
    "low_count:\n"
    "	inc %eax\n	dec %ecx\n	jnz low_count\n"
    "	lret\n"
    "low_sleep:\n"
    "	mov %ecx, %ebx\n"
    "	xor %ecx, %ecx\n"
    "	mov $162, %eax\n"
    "	int $0x80\n"
    "	lret\n"
    ".code64\n"
    "low_far:	.long 0\n	.word 0x23\n"
    "	.balign 8\n"
    "low_sp:	.quad 0\n"
    "low_time:	.long 0, 3000000\n" /* the i386 struct timespec */
    "	.balign 16\n"
    "	.skip 32768\n" /* a handler's frame and the handler lie on it */
    "low_stack:\n"
    "low_end:\n"
    ".popsection\n");
extern const char low_begin[], low_enter[], low_count[], low_sleep[], low_time[], low_end[];

enum { NR_COUNTED = 3000000 };

static volatile bool is_told;

static char *make_low(void)
{
	size_t size = low_end - low_begin;
	char *code = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	CHECK(code != MAP_FAILED);
	memcpy(code, low_begin, size);
	return code;
}

static uint32_t place(const char *low, const char *what)
{
	return (uint32_t)(uintptr_t)(low + (what - low_begin));
}

NOINLINE static int in_32_bit_code(char *low, const char *code, uint32_t arg)
{
	int (*enter)(uint32_t arg, uint32_t code);
	enter = (void *)(low + (low_enter - low_begin));
	return enter(arg, place(low, code));
}

struct worker {
	char *low;
	unsigned long nr;
};

static void *count(void *arg)
{
	struct worker *self = arg;
	while (!is_told) {
		CHECK(in_32_bit_code(self->low, low_count, NR_COUNTED) == NR_COUNTED);
		self->nr++;
	}
	return NULL;
}

static void *sleep_there(void *arg)
{
	struct worker *self = arg;
	sigset_t all;
	sigfillset(&all);
	CHECK(!pthread_sigmask(SIG_BLOCK, &all, NULL));
	while (!is_told) {
		uint64_t begin = now_ns();
		CHECK(!in_32_bit_code(self->low, low_sleep, place(self->low, low_time)));
		CHECK(now_ns() - begin >= 3000000);
		self->nr++;
	}
	return NULL;
}

static volatile int nr_handled;

NOINLINE static void note(int nr)
{
	nr_handled += nr;
}

static void handle(int sig)
{
	note(sig == SIGALRM);
}

int main(void)
{
	static const struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
	static const struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never;
	struct worker counts = { make_low() }, sleeps = { make_low() };
	pthread_t threads[2];
	CHECK(!sigaction(SIGALRM, &action, NULL));
	CHECK(!pthread_create(&threads[0], NULL, count, &counts));
	CHECK(!pthread_create(&threads[1], NULL, sleep_there, &sleeps));
	CHECK(!setitimer(ITIMER_REAL, &often, NULL));
	/* The main thread takes none, so the counting one takes all. */
	sigset_t alarm_set;
	sigemptyset(&alarm_set);
	sigaddset(&alarm_set, SIGALRM);
	CHECK(!pthread_sigmask(SIG_BLOCK, &alarm_set, NULL));
	ready();
	while (!is_over())
		usleep(2000);
	CHECK(!setitimer(ITIMER_REAL, &never, NULL));
	is_told = true;
	CHECK(!pthread_join(threads[0], NULL) && !pthread_join(threads[1], NULL));
	CHECK(counts.nr && sleeps.nr);
	return well(counts.nr + sleeps.nr);
}
