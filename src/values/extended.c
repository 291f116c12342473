/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extended.c - converts the x87's 80-bit numbers.
 *
 * Little-endian: 64 bits of the significand, of which the highest stands before the point; 15 of the exponent; the
 * sign (IEEE 754-1985, double extended; Intel SDM 1, 4.2.2).
 */
#include "values/extended.h"

#include <math.h>
#include <stdbool.h>

#include "base/little.h"

long double fc_extended_get(const uint8_t at[FCA_EXTENDED_BYTES])
{
	enum { BIAS = 16383, FRACTION_BITS = 63, NO_NUMBER = 0x7fff, SIGN = 0x8000 };
	const uint64_t one = 1ull << FRACTION_BITS;
	uint64_t significand = fc_get_64(at);
	uint32_t high = fc_get_16(at + sizeof(significand));
	int exponent = (int)(high & NO_NUMBER);
	long double ret;
	if (exponent == NO_NUMBER)
		ret = significand == one ? (long double)INFINITY : (long double)NAN;
	else if (exponent && !(significand & one))
		ret = (long double)NAN;
	else
		ret = ldexpl((long double)significand,
			     (exponent ? exponent : 1) - BIAS - FRACTION_BITS);
	return high & SIGN ? -ret : ret;
}
