// SPDX-License-Identifier: Apache-2.0
/* Is preloaded, and calls a function as it is. */
int is_set_up;

__attribute__((noinline)) int set_up(int by)
{
	__asm__ volatile("");
	return is_set_up += by;
}

__attribute__((constructor)) static void begin(void)
{
	set_up(1);
}
