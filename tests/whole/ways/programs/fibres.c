// SPDX-License-Identifier: Apache-2.0
// Fibres with a switch of their own, which migrate between threads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
__asm__(".text\n.globl sw\n.type sw,@function\nsw:\n push %rbp\n push %rbx\n push %r12\n push "
	"%r13\n push %r14\n push %r15\n mov %rsp,(%rdi)\n mov (%rsi),%rsp\n pop %r15\n pop "
	"%r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n.size sw,.-sw\n");
void sw(void **from, void **to);
#ifndef NF
#define NF 8
#endif
#define NT 2
#ifndef STEPS
#define STEPS 2000
#endif
struct fib {
	void *sp;
	int id;
	long n;
	volatile int state;
	pthread_mutex_t m;
	struct fib *dummy;
} f[NF];
static __thread void *home;
static __thread struct fib *cur;
static long done;
NI static void **homep(void)
{
	__asm__ volatile("");
	return &home;
}
NI static void yield_(struct fib *me)
{
	leaf(1);
	sw(&me->sp, homep());
	leaf(2);
}
NI static void work(struct fib *me, int d)
{
	if (d) {
		work(me, d - 1);
		leaf(d);
		return;
	}
	me->n++;
	yield_(me);
	leaf(3);
}
NI static void body(void)
{
	struct fib *me;
	__asm__ volatile("mov %%r12,%0" : "=r"(me));
	for (int i = 0; i < STEPS; i++)
		work(me, i % 13);
	__atomic_store_n(&me->state, 2, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
	sw(&me->sp, homep());
	abort();
}
__asm__(".text\ntramp:\n call *%rbx\n ud2\n");
extern char tramp[];
static void *loop(void *a)
{
	unsigned s = (uintptr_t)a * 77 + 5;
	while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < NF) {
		s = s * 1103515245 + 12345;
		struct fib *x = &f[(s >> 16) % NF];
		int z = 0;
		if (x->state != 0 ||
		    !__atomic_compare_exchange_n(&x->state, &z, 1, 0, __ATOMIC_SEQ_CST,
						 __ATOMIC_SEQ_CST))
			continue;
		leaf(9);
		sw(homep(), &x->sp);
		z = 1;
		__atomic_compare_exchange_n(&x->state, &z, 0, 0, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
		if ((s >> 20) % 64 == 0)
			sched_yield();
	}
	return 0;
}
int main()
{
	for (int i = 0; i < NF; i++) {
		char *st = mmap(0, 65536, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		void **sp = (void **)(st + 65536 - 64);
		sp -= 1;
		*--sp = (void *)tramp;
		*--sp = 0;
		*--sp = (void *)body;
		*--sp = &f[i];
		*--sp = 0;
		*--sp = 0;
		*--sp = 0;
		f[i].sp = sp;
		f[i].id = i;
	}
	pthread_t t[NT];
	for (long i = 0; i < NT; i++)
		pthread_create(&t[i], 0, loop, (void *)i);
	for (int i = 0; i < NT; i++)
		pthread_join(t[i], 0);
	long n = 0;
	for (int i = 0; i < NF; i++)
		n += f[i].n;
	printf("%ld\n", n);
	return 0;
}
