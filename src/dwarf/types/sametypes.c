/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sametypes.c - finds types that are the same in several units.
 *
 * Each node has a number that is made of what it says, then again and again of its number and those
 * of the nodes that it refers to, until there are no more different numbers than before: so two
 * nodes are told apart by what is n steps away after n rounds, also where they go in circles.
 */
#include "dwarf/types/sametypes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/types/typegraph.h"

enum { MAX_ROUNDS = 200 };

/* The first node of each number. */
struct first {
	uint64_t number;
	uint32_t id; /* 0: none yet */
};

struct sieve {
	const struct fc_typegraph *graph;
	uint64_t *numbers, *next; /* by id */
	uint32_t *defined;	  /* by id: of a forward, what defines it; else itself */
	struct first *slots;	  /* by number, with linear probing */
	size_t nr_slots;
};

/* Not the same when the two change places, nor nothing when they are the same. */
static uint64_t mix(uint64_t number, uint64_t value)
{
	number = (number + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) + value;
	number = (number ^ number >> 29) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 32;
}

static uint64_t said_by(const struct fc_typegraph *graph, const struct fc_typenode *node)
{
	uint64_t number = mix(node->kind, node->name);

	number = mix(number, (uint64_t)node->tags << 32 | node->size);
	number = mix(number, (uint64_t)node->encoding << 32 | node->align);
	number = mix(number, (uint64_t)node->more << 32 | node->nr);
	for (uint32_t i = 0; i < node->nr; i++) {
		const struct fc_typeitem *item = &graph->items.at[node->first + i];
		number = mix(mix(number, item->value), (uint64_t)item->bits << 32 | item->name);
	}
	return number;
}

static uint64_t number_of(const struct sieve *sieve, uint32_t id)
{
	return id ? sieve->numbers[sieve->defined[id]] : 0;
}

static uint64_t next_number(const struct sieve *sieve, uint32_t id)
{
	const struct fc_typenode *node = fc_typegraph_node(sieve->graph, id);
	uint64_t number = mix(sieve->numbers[id], number_of(sieve, node->of));

	for (uint32_t i = 0; i < node->nr; i++)
		number = mix(number,
			     number_of(sieve, sieve->graph->items.at[node->first + i].of));
	return number;
}

/* The first node that was put with this number: id itself, if it is the first. */
static uint32_t first_of(struct sieve *sieve, uint64_t number, uint32_t id)
{
	size_t slot = number & (sieve->nr_slots - 1);

	while (sieve->slots[slot].id && sieve->slots[slot].number != number)
		slot = (slot + 1) & (sieve->nr_slots - 1);
	if (!sieve->slots[slot].id)
		sieve->slots[slot] = (struct first){ number, id };
	return sieve->slots[slot].id;
}

static void forget(struct sieve *sieve)
{
	memset(sieve->slots, 0, sieve->nr_slots * sizeof(*sieve->slots));
}

static size_t count_different(struct sieve *sieve)
{
	size_t nr = 0;

	forget(sieve);
	for (uint32_t id = 1; id <= sieve->graph->nodes.nr; id++)
		nr += first_of(sieve, sieve->numbers[id], id) == id;
	return nr;
}

/* False: there is no end to it. */
static bool tell_apart(struct sieve *sieve)
{
	size_t nr = sieve->graph->nodes.nr, before = 0, now;

	for (uint32_t id = 1; id <= nr; id++)
		sieve->numbers[id] = said_by(sieve->graph, fc_typegraph_node(sieve->graph, id));
	now = count_different(sieve);
	for (int i = 0; now != before && i < MAX_ROUNDS; i++) {
		for (uint32_t id = 1; id <= nr; id++)
			sieve->next[id] = next_number(sieve, id);
		memcpy(sieve->numbers, sieve->next, (nr + 1) * sizeof(*sieve->numbers));
		before = now;
		now = count_different(sieve);
	}
	return now == before;
}

/* ---- what defines what others declare ---- */

static bool is_definition(const struct fc_typenode *node)
{
	return node->name && (node->kind == BTF_KIND_STRUCT || node->kind == BTF_KIND_UNION);
}

static uint64_t named(const struct fc_typenode *node)
{
	bool is_union =
		node->kind == BTF_KIND_UNION || (node->kind == BTF_KIND_FWD && node->encoding);
	return mix(1 + is_union, node->name);
}

/* Those by whose number another is known under the same name define nothing for others. */
static void define(struct sieve *sieve, const uint64_t *numbers)
{
	size_t nr = sieve->graph->nodes.nr;
	bool *is_ambiguous = fc_alloc(nr + 1);

	forget(sieve);
	for (uint32_t id = 1; id <= nr; id++) {
		const struct fc_typenode *node = fc_typegraph_node(sieve->graph, id);
		uint32_t first = is_definition(node) ? first_of(sieve, named(node), id) : 0;
		if (first && numbers[first] != numbers[id])
			is_ambiguous[first] = true;
	}
	for (uint32_t id = 1; id <= nr; id++) {
		const struct fc_typenode *node = fc_typegraph_node(sieve->graph, id);
		sieve->defined[id] = id;
		if (node->kind != BTF_KIND_FWD || !node->name)
			continue;
		/* Without a definition it is the first forward of its name. */
		uint32_t first = first_of(sieve, named(node), id);
		if (!is_ambiguous[first])
			sieve->defined[id] = first;
	}
	free(is_ambiguous);
}

static void define_none(struct sieve *sieve)
{
	for (uint32_t id = 0; id <= sieve->graph->nodes.nr; id++)
		sieve->defined[id] = id;
}

/* Two definitions that look alike may differ in what they refer to: then they are two. */
static bool find_all(struct sieve *sieve)
{
	enum { TRIES = 4 };
	size_t nr = sieve->graph->nodes.nr;
	uint32_t *before = fc_alloc((nr + 1) * sizeof(*before));
	bool is_done = false, is_apart = true;

	for (uint32_t id = 1; id <= nr; id++)
		sieve->numbers[id] = said_by(sieve->graph, fc_typegraph_node(sieve->graph, id));
	for (int i = 0; !is_done && i < TRIES; i++) {
		define(sieve, sieve->numbers);
		is_done = i && !memcmp(before, sieve->defined, (nr + 1) * sizeof(*before));
		memcpy(before, sieve->defined, (nr + 1) * sizeof(*before));
		if (!is_done)
			is_apart = tell_apart(sieve);
	}
	if (!is_done || !is_apart) {
		define_none(sieve);
		is_apart = tell_apart(sieve);
	}
	free(before);
	return is_apart;
}

void fc_sametypes_find(const struct fc_typegraph *graph, uint32_t *ret)
{
	size_t nr = graph->nodes.nr;
	struct sieve sieve = { .graph = graph, .nr_slots = 64 };

	while (sieve.nr_slots < 2 * nr)
		sieve.nr_slots *= 2;
	sieve.numbers = fc_alloc((nr + 1) * sizeof(uint64_t));
	sieve.next = fc_alloc((nr + 1) * sizeof(uint64_t));
	sieve.defined = fc_alloc((nr + 1) * sizeof(uint32_t));
	sieve.slots = fc_alloc(sieve.nr_slots * sizeof(*sieve.slots));
	bool is_apart = find_all(&sieve);
	forget(&sieve);
	ret[0] = 0;
	for (uint32_t id = 1; id <= nr; id++)
		ret[id] = is_apart ? first_of(&sieve, sieve.numbers[id], id) : id;
	/* What stands for a forward is what stands for its definition. */
	for (uint32_t id = 1; id <= nr; id++)
		ret[id] = ret[sieve.defined[id]];
	free(sieve.numbers);
	free(sieve.next);
	free(sieve.defined);
	free(sieve.slots);
}
