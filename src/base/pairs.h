/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h - pairs of numbers, each with a dense number of its own that is found in O(1). */
#ifndef FC_BASE_PAIRS_H
#define FC_BASE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Zeroed means: none. Numbers are 1, 2, 3... in the order the pairs were made. */
struct fc_pairs {
	FC_VEC(uint64_t) keys; /* keys.at[number - 1] */
	uint32_t *slots;       /* numbers, by hash with linear probing; at most half full */
	size_t nr_slots;
};

static inline uint64_t fc_pair(uint32_t first, uint32_t second)
{
	return (uint64_t)first << 32 | second;
}

static inline uint32_t fc_pair_first(uint64_t pair)
{
	return (uint32_t)(pair >> 32);
}

static inline uint32_t fc_pair_second(uint64_t pair)
{
	return (uint32_t)pair;
}

/* Its number, or 0. */
uint32_t fc_pairs_find(const struct fc_pairs *pairs, uint64_t pair);
/* A pair that is not there yet; returns its number. */
uint32_t fc_pairs_add(struct fc_pairs *pairs, uint64_t pair);
/* Its number; it is added if it is not there. */
uint32_t fc_pairs_number(struct fc_pairs *pairs, uint64_t pair);
void fc_pairs_deinit(struct fc_pairs *pairs);

/* number is that of a pair. */
static inline uint64_t fc_pairs_get(const struct fc_pairs *pairs, uint32_t number)
{
	return pairs->keys.at[number - 1];
}

#endif
