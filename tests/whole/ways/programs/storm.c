// SPDX-License-Identifier: Apache-2.0
// A timer whose handler calls functions, jumps out, and interrupts itself.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <pthread.h>
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
NI int mid(int x)
{
	return leaf(x) + leaf(x + 1);
}
static volatile long hits;
static sigjmp_buf jb;
static volatile int canjump;
NI int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static int mode;
NI void h(int s)
{
	hits++;
	volatile int r = mid(3);
	(void)r;
	if (fib(5) != 5)
		abort();
	if (mode == 2 && canjump && hits % 3 == 0) {
		siglongjmp(jb, 1);
	}
}
int main(int c, char **v)
{
	mode = atoi(v[1]);
	stack_t ss = { .ss_sp = mmap(0, 65536, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		       .ss_size = 65536 };
	if (mode == 1)
		sigaltstack(&ss, 0);
	struct sigaction sa = { .sa_handler = h,
				.sa_flags = SA_RESTART | (mode == 1 ? SA_ONSTACK : 0) |
					    (mode == 3 ? SA_NODEFER : 0) };
	sigaction(SIGALRM, &sa, 0);
	timer_t t;
	struct sigevent se = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	timer_create(CLOCK_MONOTONIC, &se, &t);
	struct itimerspec it = { { 0, 500000 }, { 0, 500000 } };
	timer_settime(t, 0, &it, 0);
	volatile long ok = 0;
	volatile int i;
	for (i = 0; i < 300; i++) {
		if (sigsetjmp(jb, 1)) {
			canjump = 0;
			leaf(0);
			continue;
		}
		canjump = 1;
		if (fib(18) != 2584) {
			puts("WRONG");
			abort();
		}
		canjump = 0;
		ok++;
	}
	it.it_value.tv_nsec = 0;
	timer_settime(t, 0, &it, 0);
	printf("%s\n", mode == 2 || ok == 300 ? "right" : "wrong");
	
	return 0;
}
