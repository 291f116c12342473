/* SPDX-License-Identifier: Apache-2.0 */
/* Executes itself again and again, counting, until its stdin is closed. */
#include "attached.h"

NOINLINE static long leaf(long n)
{
	__asm__ volatile("");
	return n * 7 + 1;
}

int main(int argc, char **argv)
{
	unsigned long nr = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	char word[24];
	if (!nr)
		ready();
	for (long n = 0; n < 20000; n++)
		CHECK(leaf(n) == n * 7 + 1);
	if (is_over())
		return well(nr);
	snprintf(word, sizeof(word), "%lu", nr + 1);
	execl("/proc/self/exe", argv[0], word, (char *)NULL);
	wrong("execl");
	return 1;
}
