/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions with values of all kinds, and prints each call as fctrace is to show it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "passes.h"

#ifdef __clang__
#define KEPT __attribute__((noinline, optnone))
#else
#define KEPT __attribute__((noipa))
#endif
/* Room for a jump; and nothing is known of what it does. */
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")

KEPT int ints(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f)
{
	ROOM;
	return a + b + c + d + e + (int)f;
}
KEPT long longs(long a, unsigned long b, bool c, char d)
{
	ROOM;
	return a + (long)b + c + d;
}
KEPT double floats(float a, double b, int c)
{
	ROOM;
	return (double)a + b + c;
}
KEPT float mixed(int a, float b, long c, double d, char e, double f)
{
	ROOM;
	return (float)(a + c + e) + b + (float)(d + f);
}
KEPT long many(int a, int b, int c, int d, int e, int f, short g, long h, char i)
{
	ROOM;
	return a + b + c + d + e + f + g + h + i;
}
KEPT const char *text(const char *a, char *b)
{
	ROOM;
	return *a ? a : b;
}
KEPT enum color enums(enum color a, enum rights b)
{
	ROOM;
	return b == R ? a : BLUE;
}
KEPT void *pointers(void *a, const int *b, const struct pair *c, int (*d)(void))
{
	ROOM;
	return d ? a : (void *)0;
}
KEPT void nothing(const struct bits *a)
{
	ROOM;
}
KEPT int written(int *to, const int *from, unsigned long nr)
{
	ROOM;
	memcpy(to, from, nr * sizeof(*to));
	return 0;
}
KEPT unsigned long fills(char *to, unsigned long size)
{
	ROOM;
	memset(to, 'x', size);
	return size;
}
KEPT int down(int n)
{
	ROOM;
	int below = n ? down(n - 1) : -1;
	ROOM;
	return below + 1;
}

int main(void)
{
	static const int numbers[] = { 1, -2, 3 };
	static const struct pair pair = { 7, "seven" };
	struct bits bits = { 5, -3, "a\tb" };
	char wide[8] = "wide";
	int copy[3];
	char buffer[64];

	ints(-1, 200, -300, 60000, -70000, 4000000000u);
	puts("ints(-1, 200, -300, 60000, -70000, 4000000000) = -294977397");
	longs(-5000000000, 0xffffffffffffffff, true, '\n');
	puts("longs(-5000000000, 18446744073709551615, true, '\\n') = -4999999990");
	floats(0.5f, -1.25, 3);
	puts("floats(0.5, -1.25, 3) = 2.25");
	floats(0.1f, 0.1, 0);
	puts("floats(0.1, 0.1, 0) = 0.20000000149011612");
	mixed(1, 2.5f, 3, 4.5, 'A', 0.25);
	puts("mixed(1, 2.5, 3, 4.5, 'A', 0.25) = 76.25");
	many(1, 2, 3, 4, 5, 6, -7, 8, '9');
	puts("many(1, 2, 3, 4, 5, 6, -7, 8, '9') = 79");
	text("on \"the\" heap\\", wide);
	puts("text(\"on \\\"the\\\" heap\\\\\", \"wide\") = \"on \\\"the\\\" heap\\\\\"");
	text("", "0123456789012345678901234567890123456789");
	puts("text(\"\", \"01234567890123456789012345678901\"...) = "
	     "\"01234567890123456789012345678901\"...");
	enums(GREEN, R | X);
	puts("enums(GREEN, R|X) = BLUE");
	enums(3, R);
	puts("enums(3, R) = 3");
	pointers((void *)16, &numbers[1], &pair, (int (*)(void))main);
	puts("pointers(0x10, [-2], {.a = 7, .text = 0xPOINTER}, main) = 0x10");
	pointers(NULL, NULL, NULL, NULL);
	puts("pointers(NULL, NULL, NULL, NULL) = NULL");
	nothing(&bits);
	puts("nothing({.low = 5, .high = -3, .letters = \"a\\tb\"})");
	written(copy, numbers, 3);
	puts("written({1, -2, 3}, {1, -2, 3}, 3) = 0");
	fills(buffer, 40);
	puts("fills(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., 40) = 40");
	down(2);
	puts("down(2) {");
	puts("down(1) {");
	puts("down(0) = 0");
	puts("} = 1");
	puts("} = 2");
	return 0;
}
