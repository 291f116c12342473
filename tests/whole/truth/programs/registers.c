/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -fipa-ra: gcc keeps values in caller-saved registers across calls of functions that it
 * knows to leave them alone, and so does this, by hand, for all of them.
 */
#include <stdio.h>
#include "truth.h"

#define KEEP_GPR(reg)                                                                    \
	__asm__ volatile("mov %1, %%" reg "\n\t"                                         \
			 "call quiet\n\t"                                                \
			 "mov %%" reg ", %0"                                             \
			 : "=r"(got)                                                     \
			 : "r"(0x1122334455667788 + i)                                   \
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",  \
			   "memory", "cc")

#define KEEP_XMM(reg)                                                                    \
	__asm__ volatile("movq %1, %%" reg "\n\t"                                        \
			 "call quiet\n\t"                                                \
			 "movq %%" reg ", %0"                                            \
			 : "=r"(got)                                                     \
			 : "r"(0x1122334455667788 + i)                                   \
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",  \
			   "memory", "cc", reg)

#define CHECK(keep, reg)                                                                 \
	do {                                                                             \
		long got, i = nr++;                                                      \
		CALLING("quiet");                                                        \
		keep(reg);                                                               \
		CALLED("quiet");                                                         \
		if (got != 0x1122334455667788 + i)                                       \
			printf("%s was changed\n", reg);                                 \
	} while (0)

static int nr;
int quiet_calls;

/* Changes no register; seen by the compiler as any function. */
__asm__(".text\n\t.p2align 4\n\t.globl quiet\n\t.type quiet, @function\n"
	"quiet:\n\t.cfi_startproc\n\tincl "
	"quiet_calls(%rip)\n\tnop\n\tret\n\t.cfi_endproc\n\t"
	".size quiet, . - quiet\n");
#define FN_ASM(name) /* tells the harness: name is a function of this program */
FN_ASM(quiet)

static FN long scale(long a, long b)
{
	return a * 31 + b;
}

/* Many values live across calls of a local function without notes: the -fipa-ra case. */
FN long many_live(long a, long b, long c, long d, long e, long f)
{
	ENTER;
	long g = a ^ f, h = b ^ e;
	double x = (double)a / 3, y = (double)b / 7;
	CALLING("scale");
	long r = scale(a, b);
	CALLED("scale");
	CALLING("scale");
	r += scale(r, c);
	CALLED("scale");
	r += a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (long)(x * y);
	LEAVE;
	return r;
}

FN long tight(long n)
{
	long a = 1, b = 2, c = 3, d = 4, e = 5;
	double x = 1.5;

	for (long i = 0; i < n; i++) {
		a = scale(a, b);
		b += a ^ i;
		c += b * d;
		d ^= c + e;
		e += i;
		x += (double)(e & 15);
	}
	return a + b + c + d + e + (long)x;
}

FN int main(void)
{
	ENTER;
	CHECK(KEEP_GPR, "rcx");
	CHECK(KEEP_GPR, "rdx");
	CHECK(KEEP_GPR, "rsi");
	CHECK(KEEP_GPR, "rdi");
	CHECK(KEEP_GPR, "r8");
	CHECK(KEEP_GPR, "r9");
	CHECK(KEEP_GPR, "r10");
	CHECK(KEEP_GPR, "r11");
	CHECK(KEEP_GPR, "rax");
	CHECK(KEEP_XMM, "xmm0");
	CHECK(KEEP_XMM, "xmm1");
	CHECK(KEEP_XMM, "xmm2");
	CHECK(KEEP_XMM, "xmm7");
	CHECK(KEEP_XMM, "xmm8");
	CHECK(KEEP_XMM, "xmm15");
	printf("%ld %d\n", many_live(1, 22, 333, 4444, 55555, 666666), quiet_calls);
	CALLING("tight");
	for (int i = 0; i < 50; i++) {
		CALLING("scale");
		CALLED("scale");
	}
	CALLED("tight");
	printf("%ld\n", tight(50));
	LEAVE;
	return 0;
}
