/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with arguments and results of all kinds, for the tree. */
#define KEPT __attribute__((noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")

KEPT int nothing(void)
{
	ROOM;
	return 7;
}
KEPT void text(const char *a, unsigned long n)
{
	ROOM;
}
KEPT double half(double n)
{
	ROOM;
	return n / 2;
}
KEPT long down(int n, const char *why)
{
	long below = n ? down(n - 1, why) : nothing();
	ROOM;
	return below + 1;
}
KEPT const char *last(const char *a)
{
	ROOM;
	return a + 1;
}
KEPT const char *jumps(const char *a, int b)
{
	ROOM;
	return last(a);
}

int main(void)
{
	text("evil \033[31m \"quoted\" \\ \n\t\x01\xff", 3);
	text("caf\xc3\xa9", 4);
	half(2.5);
	down(4, "a long one that goes on and on and on and on");
	jumps("ab", 2);
	for (int i = 0; i < 20; i++)
		nothing();
	return 0;
}
