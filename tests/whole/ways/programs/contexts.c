// SPDX-License-Identifier: Apache-2.0
// ucontext coroutines, and a function that getcontext returns to again and again.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
static ucontext_t m, a[4];
static char st[4][65536];
static int cur;
static long n;
static int left = 4;
NI void step(int i, int d)
{
	if (d) {
		step(i, d - 1);
		leaf(1);
		return;
	}
	n++;
	swapcontext(&a[i], &m);
	leaf(2);
}
NI void go(int i)
{
	for (int k = 0; k < 500; k++)
		step(i, (k + i) % 9);
	left--;
}
NI int loopctx(void)
{
	ucontext_t u;
	volatile int c = 0;
	getcontext(&u);
	if (c++ < 100) {
		leaf(c);
		setcontext(&u);
	}
	return c;
}
int main()
{
	for (int i = 0; i < 4; i++) {
		getcontext(&a[i]);
		a[i].uc_stack.ss_sp = st[i];
		a[i].uc_stack.ss_size = 65536;
		a[i].uc_link = &m;
		makecontext(&a[i], (void (*)())go, 1, i);
	}
	static int fin[4];
	while (left)
		for (int i = 0; i < 4; i++)
			if (!fin[i]) {
				int l = left;
				leaf(4);
				swapcontext(&m, &a[i]);
				if (left < l)
					fin[i] = 1;
			}
	printf("%ld %d\n", n, loopctx());
	return 0;
}
