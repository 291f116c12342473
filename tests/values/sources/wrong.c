/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are called in another way than their debug information tells. */
#include <stdio.h>

struct wide {
	long a[40];
	const char *text;
};

struct pair {
	double x;
	const char *text;
};

typedef long plain(long, long, long, long);

__attribute__((noipa)) const char *texts(const char *a, struct wide *b, const char *const *c,
					 struct pair *d)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return a;
}

__attribute__((noipa)) long by_value(struct wide a, struct pair b, long double c, const char *d)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return 7;
}

__attribute__((noipa)) struct pair returned(long a)
{
	__asm__ volatile("nop;nop;nop;nop;nop");
	return (struct pair){ 1.5, (const char *)a };
}

int main(void)
{
	static const long garbage[] = {
		0, 1, -1, 4096, 0x7fffffffffff, -4096, 0x4141414141414141
	};
	long sum = 0;
	for (unsigned i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		long g = garbage[i];
		sum += ((plain *)(void *)texts)(g, g, g, g) == g;
		sum += ((plain *)(void *)by_value)(g, g, g, g) == 7;
		((plain *)(void *)returned)(g, g, g, g);
	}
	printf("%ld of 14\n", sum);
	return 0;
}
