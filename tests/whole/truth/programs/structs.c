/* SPDX-License-Identifier: Apache-2.0 */
/* Structs by value: returned in registers, in mixed registers, in memory; and taken so.
 */
#include <stdio.h>
#include "truth.h"

struct one {
	int a;
};
struct pair {
	long a, b;
};
struct mix {
	long a;
	double b;
};
struct doubles {
	double a, b;
};
struct floats {
	float a, b, c;
};
struct big {
	long at[10];
};
struct x87 {
	long double a;
};

FN struct one make_one(int a)
{
	ENTER;
	LEAVE;
	return (struct one){ a };
}

FN struct pair make_pair(long a)
{
	ENTER;
	LEAVE;
	return (struct pair){ a, ~a };
}

FN struct mix make_mix(long a)
{
	ENTER;
	LEAVE;
	return (struct mix){ a, (double)a / 4 };
}

FN struct doubles make_doubles(double a)
{
	ENTER;
	LEAVE;
	return (struct doubles){ a, a * a };
}

FN struct floats make_floats(float a)
{
	ENTER;
	LEAVE;
	return (struct floats){ a, a + 1, a + 2 };
}

FN struct x87 make_x87(double a)
{
	ENTER;
	LEAVE;
	return (struct x87){ (long double)a / 3 };
}

FN _Complex double make_complex(double a)
{
	ENTER;
	LEAVE;
	return a + a * 2 * 1.0i;
}

FN __int128 make_int128(long a)
{
	ENTER;
	LEAVE;
	return ((__int128)a << 64) | (unsigned long)~a;
}

FN struct big make_big(long a)
{
	struct big big;

	ENTER;
	for (int i = 0; i < 10; i++)
		big.at[i] = a + i;
	LEAVE;
	return big;
}

FN struct big change_big(struct big big, struct pair by, struct mix mix)
{
	ENTER;
	for (int i = 0; i < 10; i++)
		big.at[i] = big.at[i] * by.a + by.b + mix.a + (long)mix.b;
	LEAVE;
	return big;
}

FN int main(void)
{
	ENTER;
	struct pair pair = make_pair(12345);
	struct mix mix = make_mix(77);
	struct doubles doubles = make_doubles(1.5);
	struct floats floats = make_floats(2.5f);
	struct big big = change_big(make_big(100), pair, mix);
	_Complex double complex = make_complex(2.25);
	__int128 wide = make_int128(99);
	printf("%d\n%ld %ld\n%ld %g\n", make_one(42).a, pair.a, pair.b, mix.a, mix.b);
	printf("%g %g\n%g %g %g\n", doubles.a, doubles.b, (double)floats.a,
	       (double)floats.b, (double)floats.c);
	printf("%.18Lf\n", make_x87(2).a);
	printf("%g %g\n", __real__ complex, __imag__ complex);
	printf("%lx %lx\n", (long)(wide >> 64), (long)wide);
	for (int i = 0; i < 10; i++)
		printf("%ld ", big.at[i]);
	printf("\n");
	LEAVE;
	return 0;
}
