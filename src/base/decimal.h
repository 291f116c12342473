/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h - numbers as decimal digits, for those who write millions of them. */
#ifndef FC_BASE_DECIMAL_H
#define FC_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FC_DECIMAL_MAX 20 /* digits of a uint64_t */

static const char fc_decimal_pairs[] = "00010203040506070809101112131415161718192021222324"
				       "25262728293031323334353637383940414243444546474849"
				       "50515253545556575859606162636465666768697071727374"
				       "75767778798081828384858687888990919293949596979899";

/* The digits of n at the end of FC_DECIMAL_MAX bytes. Returns how many they are. */
static inline size_t fc_decimal(char digits[FC_DECIMAL_MAX], uint64_t n)
{
	size_t i = FC_DECIMAL_MAX;

	while (n >= 100) {
		i -= 2;
		memcpy(digits + i, fc_decimal_pairs + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10) {
		i -= 2;
		memcpy(digits + i, fc_decimal_pairs + n * 2, 2);
	} else {
		digits[--i] = (char)('0' + n);
	}
	return FC_DECIMAL_MAX - i;
}

#endif
