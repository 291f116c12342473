/* SPDX-License-Identifier: Apache-2.0 */
/* Values that compilers, and even versions of one, pass in different ways. */
#define N __attribute__((noinline))
typedef float eight __attribute__((vector_size(32)));

N long five(int a, int b, int c, int d, int e, __int128 x, int f, int g, char h, double z)
{
	return a + b + c + d + e + (long)x + f + g + h + (long)z;
}

N long six(int a, int b, int c, int d, int e, int f, char k, __int128 x, int g)
{
	return a + b + c + d + e + (long)x + f + g + k;
}

N long fits(int a, __int128 x, int b)
{
	return a + (long)x + b;
}

N float vectors(eight a, eight b, float c)
{
	return a[0] + b[1] + c;
}

N eight made(float c)
{
	return (eight){ c, 2, 3, 4, 5, 6, 7, 8 };
}

int main(void)
{
	__int128 x = (__int128)6 << 64 | 7;
	eight v = { 1, 2, 3, 4, 5, 6, 7, 8 };
	long sum = five(1, 2, 3, 4, 5, x, 8, 9, 'h', 2.5) + six(1, 2, 3, 4, 5, 6, 'k', x, 8);
	return sum + fits(1, x, 2) + (long)vectors(v, v, 3.5f) + (long)made(2.5f)[3] == 0;
}
