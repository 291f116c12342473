/* SPDX-License-Identifier: Apache-2.0 */
/* sited.c - calls that do a little work each, as those of programs do: what the begin of a function costs is a part of it. */
#include "calls.h"

enum { WORDS = 64, CALLS = 200000 };

static uint32_t word[WORDS];

FN uint32_t mix(uint32_t seed)
{
	for (int i = 0; i < WORDS; i++) {
		seed = seed * 1664525 + 1013904223;
		word[i] ^= seed >> 7;
	}
	return seed;
}

FN uint32_t twice(uint32_t seed)
{
	return mix(seed) ^ mix(seed + 1);
}

static uint64_t work(void)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < CALLS; i++)
		sum += twice(i);
	return sum ? 3ull * CALLS : 0;
}
