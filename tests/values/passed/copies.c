/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - functions that GCC copies for a constant argument, which it does not pass then. */
static void *volatile last;

__attribute__((noinline)) static void sink(void *p)
{
	last = p;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void constant(long double _Complex c)
{
	sink(&c);
	__asm__ volatile("");
}

struct large {
	long a, b, c, d;
};

__attribute__((noinline)) static int half(struct large l, int n)
{
	sink(&l);
	__asm__ volatile("");
	return n;
}

int main(int argc, char **argv)
{
	constant(91.0L + 474.875Li);
	return half((struct large){ 1, 2, 3, 4 }, argc) - 1;
}
