// SPDX-License-Identifier: Apache-2.0
// longjmp over many frames and out of handlers, on all kinds of signal stacks.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/mman.h>
#include <alloca.h>
#include <sys/time.h>
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
static jmp_buf jb;
static sigjmp_buf sjb;
static int total;
NI void down(int n)
{
	if (!n)
		longjmp(jb, 1);
	volatile char c[33];
	c[0] = n;
	down(n - 1);
	total += leaf(c[0]);
}
NI void segv(int s, siginfo_t *i, void *u)
{
	leaf(1);
	down(0);
}
NI void handler(int s)
{
	total += leaf(s);
	siglongjmp(sjb, 1);
}
NI int fault(int n)
{
	if (n)
		return fault(n - 1) + leaf(1);
	*(volatile int *)16 = 1;
	return 0;
}
NI int after_big(int n)
{
	char *p = alloca(n);
	memset(p, 1, n);
	total += leaf(p[n / 2]);
	return leaf(2);
}
int main()
{
	for (volatile int i = 0; i < 2000; i++) {
		if (!setjmp(jb))
			down(i % 50);
		else
			total += leaf(1);
		if (i % 7 == 0)
			after_big(10000);
	}
	signal(SIGSEGV, handler);
	signal(SIGUSR1, handler);
	for (volatile int i = 0; i < 200; i++) {
		if (!sigsetjmp(sjb, 1))
			fault(i % 20);
		else
			total += leaf(2);
		if (!sigsetjmp(sjb, 1))
			raise(SIGUSR1);
		total += leaf(1);
	}
	// alt stack, incl. autodisarm
	stack_t ss = { .ss_sp = mmap(0, 65536, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		       .ss_size = 65536 };
	for (int k = 0; k < 2; k++) {
		ss.ss_flags = k ? (1u << 31) : 0;
		if (sigaltstack(&ss, 0))
			perror("ss");
		struct sigaction sa = { .sa_handler = handler,
					.sa_flags = SA_ONSTACK | SA_NODEFER };
		sigaction(SIGSEGV, &sa, 0);
		for (volatile int i = 0; i < 200; i++) {
			if (!sigsetjmp(sjb, 1))
				fault(i % 20);
			else
				total += leaf(2);
			if (k)
				sigaltstack(&ss, 0);
		}
	}
	// alt stack inside the main stack
	char *in = alloca(65536);
	ss.ss_sp = in;
	ss.ss_flags = 0;
	sigaltstack(&ss, 0);
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER };
	sigaction(SIGSEGV, &sa, 0);
	for (volatile int i = 0; i < 200; i++) {
		if (!sigsetjmp(sjb, 1))
			fault(i % 20);
		else
			total += leaf(2);
	}
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, 0);
	printf("%d\n", total);
	return 0;
}
