/* SPDX-License-Identifier: Apache-2.0 */
/* aligned.c - structs on the stack whose alignment debug information does not tell. */
typedef __int128 wide;

struct inner {
	short a;
	wide b;
} __attribute__((packed));

/* Its members lie as they would without "packed", which makes its alignment 1. */
struct tight {
	long a[2];
	wide b;
} __attribute__((packed));

struct holds {
	long a;
	struct tight tight;
};

static volatile long sink;

__attribute__((noinline)) static int own(int a, int b, int c, int d, int e, long f, long g,
					 struct tight h, long i)
{
	sink = a + b + c + d + e + f + (long)h.b + i;
	return (int)g;
}

__attribute__((noinline)) int shared(int a, int b, int c, int d, int e, long f, long g,
				     struct tight h, long i)
{
	sink = a + b + c + d + e + f + (long)h.b + i;
	return (int)g;
}

__attribute__((noinline)) int both(long a, struct tight b, char c, struct holds d, double e,
				   struct inner f)
{
	sink = a + (long)b.b + c + d.a + (long)e + f.a;
	return 8;
}

int main(void)
{
	struct tight tight = { { 1, 2 }, 3 };
	struct holds holds = { 4, { { 5, 6 }, 7 } };
	struct inner inner = { 8, 9 };
	return own(1, 2, 3, 4, 5, 6, 7, tight, 8) + shared(1, 2, 3, 4, 5, 6, 7, tight, 8) +
	       both(1, tight, 'c', holds, 2.5, inner) - 22;
}
