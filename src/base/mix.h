/* SPDX-License-Identifier: Apache-2.0 */
/* mix.h - a number in which the bits of another one are mixed (splitmix64's finalizer): no two give the same. */
#ifndef FC_BASE_MIX_H
#define FC_BASE_MIX_H

#include <stdint.h>

static inline uint64_t fc_mix64(uint64_t n)
{
	n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
	return n ^ n >> 31;
}

#endif
