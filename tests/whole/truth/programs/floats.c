/* SPDX-License-Identifier: Apache-2.0 */
/* Floats, doubles, long doubles and vectors: as arguments, as results, and kept across
 * calls. */
#include <immintrin.h>
#include <stdio.h>
#include "truth.h"

FN float half(float x)
{
	ENTER;
	LEAVE;
	return x / 2;
}

FN double poly(double a, double b, double c, double d, double e, double f, double g,
	       double h, double i)
{
	ENTER;
	double r = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9;
	LEAVE;
	return r;
}

FN long double harmonic(int n)
{
	ENTER;
	long double r = n ? harmonic(n - 1) + 1.0L / n : 0;
	LEAVE;
	return r;
}

FN _Complex long double turn(_Complex long double z)
{
	ENTER;
	_Complex long double r = z * 1.0il;
	LEAVE;
	return r;
}

FN __m128 add4(__m128 a, __m128 b)
{
	ENTER;
	__m128 r = a + b;
	LEAVE;
	return r;
}

FN __m128i mul2(__m128i a, __m128d b)
{
	ENTER;
	__m128i r = _mm_add_epi64(a, _mm_cvtpd_epi32(b));
	LEAVE;
	return r;
}

FN __attribute__((target("avx"))) __m256d add_pd(__m256d a, __m256d b, __m256d c)
{
	ENTER;
	__m256d r = a * b + c;
	LEAVE;
	return r;
}

FN __attribute__((target("avx"))) void with_avx(void)
{
	ENTER;
	__m256d a = _mm256_set_pd(1, 2, 3, 4), b = _mm256_set_pd(5, 6, 7, 8);
	double to[4];
	for (int i = 0; i < 5; i++)
		a = add_pd(a, b, _mm256_set1_pd(i));
	_mm256_storeu_pd(to, a);
	printf("%g %g %g %g\n", to[0], to[1], to[2], to[3]);
	LEAVE;
}

FN __attribute__((target("avx512f"))) __m512d add_512(__m512d a, __m512d b)
{
	ENTER;
	__m512d r = a + b * 2;
	LEAVE;
	return r;
}

FN __attribute__((target("avx512f"))) void with_avx512(void)
{
	ENTER;
	__m512d a = _mm512_set1_pd(1.5), b = _mm512_set_pd(1, 2, 3, 4, 5, 6, 7, 8);
	double to[8];
	for (int i = 0; i < 5; i++)
		a = add_512(a, b);
	_mm512_storeu_pd(to, a);
	printf("%g %g %g\n", to[0], to[3], to[7]);
	LEAVE;
}

FN int main(void)
{
	ENTER;
	float floats[4];
	long longs[2];
	long double sum = 0;
	double keep = 0.1;

	for (int i = 0; i < 8; i++)
		keep += poly(keep, i, 1, 2, 3, 4, 5, 6, 7) / 1e3 + (double)half((float)i);
	for (int i = 1; i < 6; i++)
		sum += harmonic(i);
	_Complex long double z = turn(3.0L + 4.0il);
	_mm_storeu_ps(floats, add4(_mm_set_ps(1, 2, 3, 4), _mm_set1_ps(0.5f)));
	_mm_storeu_si128((__m128i *)(void *)longs,
			 mul2(_mm_set_epi64x(5, 6), _mm_set_pd(7, 8)));
	printf("%.15g %.18Lg %Lg %Lg\n", keep, sum, __real__ z, __imag__ z);
	printf("%g %g %g %g %ld %ld\n", (double)floats[0], (double)floats[1],
	       (double)floats[2], (double)floats[3], longs[0], longs[1]);
	if (__builtin_cpu_supports("avx"))
		with_avx();
	if (__builtin_cpu_supports("avx512f"))
		with_avx512();
	LEAVE;
	return 0;
}
