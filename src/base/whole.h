/* SPDX-License-Identifier: Apache-2.0 */
/* whole.h - whole numbers of reckoned ones, which may be of any size, or no number at all. */
#ifndef FC_BASE_WHOLE_H
#define FC_BASE_WHOLE_H

#include <stdint.h>

/* Rounded down; what is out of reach becomes the least or the largest there is, NAN becomes 0. */
static inline uint64_t fc_whole(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

static inline int64_t fc_whole_signed(double v)
{
	if (v >= 0)
		return v < 0x1p63 ? (int64_t)v : INT64_MAX;
	return v > -0x1p63 ? (int64_t)v : v < 0 ? INT64_MIN : 0;
}

/* a + b, or the largest number there is. */
static inline uint64_t fc_whole_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

#endif
