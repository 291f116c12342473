/* SPDX-License-Identifier: Apache-2.0 */
/* Are all registers that can hold a value the same at a function's entry and behind its return? */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct image {
	__attribute__((aligned(16))) uint8_t fx[512];
};

static struct image inside, before, after;

/* A long double in st(0), with a bit pattern that arithmetic would change. */
__attribute__((noipa)) long double probe(const char *text, double a, float b, int c)
{
	__asm__ volatile("fxsave64 %0" : "=m"(inside));
	return 1.0L;
}

int main(void)
{
	static const uint64_t wide[2] = { 0x7ff4000000000001, 0xfff0dead0000beef };
	int wrong = 0;
	for (int i = 0; i < 1000; i++) {
		register double a __asm__("xmm0");
		__asm__ volatile("movups %1, %0\n\tmovups %1, %%xmm7\n\tmovups %1, %%xmm15"
				 : "=x"(a)
				 : "m"(wide)
				 : "xmm7", "xmm15");
		__asm__ volatile("fxsave64 %0" : "=m"(before));
		long double got = probe("a string", 1.5, 2.5f, i);
		__asm__ volatile("fxsave64 %0" : "=m"(after));
		wrong += got != 1.0L;
		/* Control and status words, MXCSR; then xmm7 and xmm15 in the function. */
		wrong += memcmp(before.fx, inside.fx, 4) != 0;
		wrong += memcmp(before.fx + 24, inside.fx + 24, 4) != 0;
		wrong += memcmp(inside.fx + 160 + 7 * 16, wide, 16) != 0;
		wrong += memcmp(inside.fx + 160 + 15 * 16, wide, 16) != 0;
		wrong += memcmp(before.fx + 24, after.fx + 24, 4) != 0;
	}
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
