/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c - a hash table of pairs. */
#include "base/pairs.h"

#include <stdlib.h>

#include "base/memory.h"

/* Fibonacci hashing: the upper bits of the product depend on all bits of the pair. */
static size_t slot_of(const struct fc_pairs *pairs, uint64_t pair)
{
	uint64_t hash = (pair ^ pair >> 29) * 0x9e3779b97f4a7c15ull;
	return (size_t)(hash >> 32) & (pairs->nr_slots - 1);
}

uint32_t fc_pairs_find(const struct fc_pairs *pairs, uint64_t pair)
{
	if (!pairs->nr_slots)
		return 0;
	size_t slot = slot_of(pairs, pair);
	while (pairs->slots[slot] && fc_pairs_get(pairs, pairs->slots[slot]) != pair)
		slot = (slot + 1) & (pairs->nr_slots - 1);
	return pairs->slots[slot];
}

static void put(struct fc_pairs *pairs, uint32_t number)
{
	size_t slot = slot_of(pairs, fc_pairs_get(pairs, number));
	while (pairs->slots[slot])
		slot = (slot + 1) & (pairs->nr_slots - 1);
	pairs->slots[slot] = number;
}

static void grow(struct fc_pairs *pairs)
{
	pairs->nr_slots = pairs->nr_slots ? pairs->nr_slots * 2 : 64;
	free(pairs->slots);
	pairs->slots = fc_alloc(pairs->nr_slots * sizeof(*pairs->slots));
	for (size_t i = 0; i < pairs->keys.nr; i++)
		put(pairs, (uint32_t)i + 1);
}

uint32_t fc_pairs_add(struct fc_pairs *pairs, uint64_t pair)
{
	fc_vec_push(&pairs->keys, pair);
	if (pairs->keys.nr * 2 > pairs->nr_slots)
		grow(pairs);
	else
		put(pairs, (uint32_t)pairs->keys.nr);
	return (uint32_t)pairs->keys.nr;
}

uint32_t fc_pairs_number(struct fc_pairs *pairs, uint64_t pair)
{
	uint32_t number = fc_pairs_find(pairs, pair);
	return number ? number : fc_pairs_add(pairs, pair);
}

void fc_pairs_deinit(struct fc_pairs *pairs)
{
	fc_vec_free(&pairs->keys);
	free(pairs->slots);
	*pairs = (struct fc_pairs){ 0 };
}
