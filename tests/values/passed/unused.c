/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that others can call, and arguments that they do not use: of these a compiler passes anything. */
#include <stdbool.h>
#define N __attribute__((noinline))
struct two {
	long a, b;
};
struct large {
	long a[4];
};
volatile long counter;

N void sink(void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

N int unused(int a, int x)
{
	counter++;
	return x * 2;
}

N int set(int a, int x)
{
	a = x * 2;
	sink(&a);
	return a;
}

N int later(int a, int x)
{
	counter++;
	a = (int)counter;
	sink(&x);
	return a;
}

N long half(struct two t, int x)
{
	counter++;
	return t.a + x;
}

N long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	counter++;
	return a + b + c + d + e + f + h;
}

N long stored(bool a, struct two t, struct large l, long double d, float f, char c)
{
	sink(&a);
	sink(&t);
	sink(&l);
	sink(&d);
	sink(&f);
	sink(&c);
	return a;
}

N struct large result(bool a, struct large l)
{
	sink(&a);
	sink(&l);
	return l;
}

int main(int argc, char **argv)
{
	struct large l = { { 1, 2, 3, argc + 3 } };
	long sum = unused(5, argc) + set(6, argc) + later(7, argc);
	sum += half((struct two){ 11, 12 }, argc) + many(1, 2, 3, 4, 5, 6, 7, 8);
	sum += stored(argc == 1, (struct two){ 21, argc + 21 }, l, 2.5L, 1.5f, 'c');
	return sum + result(argc == 1, l).a[0] == 0;
}
