// SPDX-License-Identifier: Apache-2.0
// nongnu libunwind: unw_step, and its fast backtrace with a cache.
#include <stdio.h>
#include <stdint.h>
typedef struct {
	uint64_t r[127];
} ctx;
typedef struct {
	uint64_t r[127];
} cur;
int _Ux86_64_getcontext(ctx *);
int _ULx86_64_init_local(cur *, ctx *);
int _ULx86_64_step(cur *);
int unw_backtrace(void **, int);
int _ULx86_64_get_proc_name(cur *, char *, size_t, uint64_t *);
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
NI int walk(int n)
{
	if (n) {
		int r = walk(n - 1);
		leaf(1);
		return r;
	}
	ctx c;
	cur u;
	_Ux86_64_getcontext(&c);
	_ULx86_64_init_local(&u, &c);
	int d = 0;
	char b[64];
	uint64_t o;
	while (_ULx86_64_step(&u) > 0) {
		d++;
		if (!_ULx86_64_get_proc_name(&u, b, 64, &o))
			printf("%s ", b);
	}
	puts("");
	return d;
}
NI int fast(int n)
{
	if (n) {
		int r = fast(n - 1);
		leaf(1);
		return r;
	}
	void *b[100];
	return unw_backtrace(b, 100);
}
int main()
{
	int a = walk(10);
	leaf(1);
	int b = walk(20);
	printf("%d %d\n", a, b);
	a = fast(10);
	b = fast(20);
	printf("%d %d\n", a, b);
	a = fast(10);
	b = fast(20);
	printf("%d %d\n", a, b);
	return 0;
}
