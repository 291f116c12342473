/* SPDX-License-Identifier: Apache-2.0 */
/* hostile.c - functions of known shares; the names of two are made hostile by the suite. They
 * take so long that none is too narrow to be seen if the program once waits for a CPU. */
static volatile unsigned sink;

#define FUNCTION __attribute__((noinline, noclone)) void

FUNCTION spin(unsigned n)
{
	for (unsigned long i = 1000ul * n; i--;)
		sink++;
}

FUNCTION hostile(void)
{
	spin(40000);
}

FUNCTION hostile_too(void)
{
	spin(20000);
}

FUNCTION again(int n)
{
	spin(3000);
	if (n)
		again(n - 1);
	__asm__ volatile("");
}

FUNCTION work(void)
{
	hostile();
	hostile_too();
	spin(100000);
	again(5);
}

int main(void)
{
	work();
	spin(100000);
	return 0;
}
