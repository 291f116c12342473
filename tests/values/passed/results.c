/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that only this file calls: a compiler returns only what is looked at. */
#include <stdlib.h>
#define N static __attribute__((noinline))
struct two {
	long a, b;
};
struct large {
	long a[4];
};
volatile long counter;
volatile double kept;
const char *volatile text;

static __attribute__((noinline)) void use(const void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}

N int whole(int a)
{
	use(&a);
	return a * 2;
}

N double real(double a)
{
	use(&a);
	return a * 2;
}

N const char *word(const char *s, long n)
{
	use(s);
	return s + n;
}

N int dropped(int a)
{
	counter += a;
	use(&a);
	return a * 3;
}

N struct two first(long a)
{
	use(&a);
	return (struct two){ a, a + 1 };
}

/* Nobody calls it by its name. */
N int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	int list[] = { 2, argc };
	counter = whole(argc + 20);
	kept = real(argc + 0.5);
	text = word("hello", argc);
	dropped(argc);
	counter = first(argc).b;
	qsort(list, 2, sizeof(int), compare);
	return counter == 0;
}
