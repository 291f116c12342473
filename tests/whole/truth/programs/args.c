/* SPDX-License-Identifier: Apache-2.0 */
/* Many arguments and variadic functions: every value must arrive, in registers and on the
 * stack. */
#include <stdarg.h>
#include <stdio.h>
#include "truth.h"

FN long twelve(long a, long b, long c, long d, long e, long f, long g, long h, long i,
	       long j, long k, long l)
{
	ENTER;
	long r = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
		 10 * j + 11 * k + 12 * l;
	LEAVE;
	return r;
}

FN double mixed(int a, double b, char c, float d, long e, short f, double g, int *h,
		double i, double j, double k, double l, double m, double n, double o,
		long p)
{
	ENTER;
	double r = a + b * c + d * (double)e + f * g + *h + i + 2 * j + 3 * k + 4 * l +
		   5 * m + 6 * n + 7 * o + (double)p;
	LEAVE;
	return r;
}

FN long sum_ints(int nr, ...)
{
	va_list ap;
	long r = 0;

	ENTER;
	va_start(ap, nr);
	for (int i = 0; i < nr; i++)
		r += va_arg(ap, int) * (i + 1);
	va_end(ap);
	LEAVE;
	return r;
}

FN double sum_any(const char *kinds, ...)
{
	va_list ap;
	double r = 0;

	ENTER;
	va_start(ap, kinds);
	for (const char *k = kinds; *k; k++) {
		if (*k == 'd')
			r += va_arg(ap, double);
		else if (*k == 'l')
			r += (double)va_arg(ap, long);
		else if (*k == 'L')
			r += (double)va_arg(ap, long double);
	}
	va_end(ap);
	LEAVE;
	return r;
}

FN int format(char *to, size_t size, const char *fmt, ...)
{
	va_list ap;

	ENTER;
	va_start(ap, fmt);
	int r = vsnprintf(to, size, fmt, ap);
	va_end(ap);
	LEAVE;
	return r;
}

FN int main(void)
{
	char text[200];
	int seven = 7;

	ENTER;
	printf("%ld\n", twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
	printf("%.6f\n", mixed(1, 2.5, 'c', 3.25f, 1L << 40, -6, 1e-3, &seven, 8, 9, 10,
			       11, 12, 13, 14, 15));
	printf("%ld\n", sum_ints(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
	printf("%.3f\n", sum_any("dldLdldddddddLl", 1.5, 2L, 3.5, 4.25L, 5.5, 6L, 7.5,
				 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.75L, 15L));
	int n = format(text, sizeof(text), "%d %s %.2f %Lf %c %ld", 1, "two", 3.0, 4.5L,
		       '5', 6L);
	printf("%d %s\n", n, text);
	LEAVE;
	return 0;
}
