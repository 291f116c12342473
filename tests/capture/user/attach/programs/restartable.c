/* SPDX-License-Identifier: Apache-2.0 */
/*
 * restartable.c - threads count in a counter of their CPU by restartable sequences (rseq(2)), as
 * allocators do. A sequence that goes on where it was interrupted counts wrong.
 */
#include <linux/rseq.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "attached.h"

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

enum { MAX_CPUS = 1024 };

static volatile bool is_told;
static struct {
	volatile unsigned long nr;
	char pad[56];
} counters[MAX_CPUS];

static volatile struct rseq *area(void)
{
	return (void *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

/* Long, so that a thread that is stopped is in it. False: it was aborted. */
NOINLINE static bool count_at(unsigned cpu)
{
	volatile struct rseq *rseq = area();
	asm goto volatile(
		".pushsection .data.rel, \"aw\"\n"
		".balign 32\n"
		"1:	.long 0, 0\n"
		"	.quad 2f, 3f - 2f, 4f\n"
		".popsection\n"
		"	lea 1b(%%rip), %%rax\n"
		"	mov %%rax, %[cs]\n"
		"2:	cmp %[cpu], %[cpu_id]\n"
		"	jne 4f\n"
		"	mov (%[nr]), %%rcx\n"
		"	mov $20000, %%eax\n"
		"5:	dec %%eax\n"
		"	jnz 5b\n"
		"	inc %%rcx\n"
		"	mov %%rcx, (%[nr])\n"
		"3:\n"
		".pushsection .text.aborted, \"ax\"\n"
		"	.byte 0x0f, 0xb9, 0x3d\n" /* ud1: before where it aborts, a signature */
		"	.long 0x53053053\n"
		"4:	jmp %l[is_aborted]\n"
		".popsection\n"
		:
		: [cs] "m"(rseq->rseq_cs), [cpu_id] "m"(rseq->cpu_id), [cpu] "r"(cpu),
		  [nr] "r"(&counters[cpu].nr)
		: "memory", "cc", "rax", "rcx"
		: is_aborted);
	return true;
is_aborted:
	return false;
}

static void *count(void *arg)
{
	unsigned long nr = 0;
	do
		nr += count_at(area()->cpu_id_start);
	while (!is_told);
	return (void *)nr;
}

int main(void)
{
	enum { NR = 4 };
	pthread_t threads[NR];
	unsigned long sum = 0, counted = 0;
	bool is_there = &__rseq_size && __rseq_size;
	for (int i = 0; is_there && i < NR; i++)
		CHECK(!pthread_create(&threads[i], NULL, count, NULL));
	ready();
	/* The first thread, too: that is the one by which a process is changed. */
	for (unsigned long i = 0; i % 1024 || !is_over(); i++)
		sum += is_there && count_at(area()->cpu_id_start);
	is_told = true;
	for (int i = 0; is_there && i < NR; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	for (int i = 0; i < MAX_CPUS; i++)
		counted += counters[i].nr;
	if (counted != sum)
		wrong("%lu sequences ended, and %lu were counted", sum, counted);
	return well(is_there ? sum : 1);
}
