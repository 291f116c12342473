// SPDX-License-Identifier: Apache-2.0
/* What loading.c loads: one function, and one that it calls. */
__attribute__((noinline)) int plug_part(int n)
{
	return n * 7 + 1;
}

int plug(int n)
{
	return plug_part(n) + 1;
}
