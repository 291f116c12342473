/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that end in a jump: what the last of a chain returns and writes belongs to each. */
#define KEPT __attribute__((noinline, noclone, noipa))

KEPT int inner(int n)
{
	return n;
}
KEPT int last(int n, int *out)
{
	*out = inner(n) * 2;
	return n < 0 ? -1 : n;
}
KEPT int first(int n, int *out)
{
	return last(n, out);
}
KEPT int turned(int *out, int n)
{
	return first(n, out);
}
KEPT void silent(int *out, int n)
{
	first(n, out);
}

int main(void)
{
	int out = 0;
	turned(&out, 5);
	turned(&out, -3);
	silent(&out, 7);
	return 0;
}
