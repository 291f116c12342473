/* SPDX-License-Identifier: Apache-2.0 */
/* What loading.c loads, and unloads, again and again. */
static long factor = 3;

__attribute__((noinline)) static long inner(long n)
{
	__asm__ volatile("");
	return n * factor;
}

long plugin_times_three(long n)
{
	return inner(n) + inner(0);
}
