/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 1 000 functions, called through a table in an order that looks random. It repeats after 4 096
 * calls: a predictor of indirect jumps learns some of it and not all, as in an interpreter.
 */
#include "calls.h"

enum { NR_ORDER = 4096, NR_CALLS = 2000000 };

/* Each adds a number of its own, or the compiler would make one function of them. */
#define DEFINE(n)                                                                        \
	FN static long f##n(long x)                                                      \
	{                                                                                \
		__asm__ volatile("" : "+r"(x));                                          \
		return x + (1##n - 1000);                                                \
	}
#define NAME(n) f##n,
#define TEN(what, n)                                                                     \
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4)                           \
	what(n##5) what(n##6) what(n##7) what(n##8) what(n##9)
#define HUNDRED(what, n)                                                                 \
	TEN(what, n##0) TEN(what, n##1) TEN(what, n##2) TEN(what, n##3) TEN(what, n##4)  \
	TEN(what, n##5) TEN(what, n##6) TEN(what, n##7) TEN(what, n##8) TEN(what, n##9)
#define THOUSAND(what)                                                                   \
	HUNDRED(what, 0) HUNDRED(what, 1) HUNDRED(what, 2) HUNDRED(what, 3)              \
	HUNDRED(what, 4) HUNDRED(what, 5) HUNDRED(what, 6) HUNDRED(what, 7)              \
	HUNDRED(what, 8) HUNDRED(what, 9)

THOUSAND(DEFINE)

static long (*const table[])(long) = { THOUSAND(NAME) };
static uint16_t order[NR_ORDER];

static void shuffle(void)
{
	uint32_t x = 12345; /* xorshift32 (Marsaglia 2003) */
	for (int i = 0; i < NR_ORDER; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		order[i] = x % (sizeof(table) / sizeof(table[0]));
	}
}

static uint64_t work(void)
{
	static int is_shuffled;
	if (!is_shuffled++)
		shuffle();
	long sum = 0;
	for (long i = 0; i < NR_CALLS; i++)
		sum += table[order[i % NR_ORDER]](i);
	return sum > 0 ? NR_CALLS : 0;
}
