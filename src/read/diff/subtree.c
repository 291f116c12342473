/* SPDX-License-Identifier: Apache-2.0 */
/* subtree.c - keeps each different tree once, found by its hash, within a limit of memory. */
#include "read/diff/subtree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* Numbers by hash: linear probing, at most half full; 0 is free. */
struct table {
	uint32_t *at;
	size_t room;
};

struct fc_subtrees {
	FC_VEC(struct fc_subtree) nodes;
	FC_VEC(struct fc_run) runs;
	struct table table; /* node + 1 */
	FC_VEC(uint64_t) wanted;
	bool is_sorted; /* wanted is */
	bool has_forgotten;
	size_t limit;
	size_t kept_bytes; /* at most a quarter of the limit: the rest is for what comes */
};

#define NODES_LEAST 1024

struct fc_subtrees *fc_subtrees_create(size_t limit_bytes)
{
	struct fc_subtrees *trees = fc_alloc(sizeof(*trees));
	trees->limit = limit_bytes;
	return trees;
}

void fc_subtrees_destroy(struct fc_subtrees *trees)
{
	if (!trees)
		return;
	fc_vec_free(&trees->nodes);
	fc_vec_free(&trees->runs);
	fc_vec_free(&trees->wanted);
	free(trees->table.at);
	free(trees);
}

bool fc_subtrees_has_forgotten(const struct fc_subtrees *trees)
{
	return trees->has_forgotten;
}

static size_t bytes_used(const struct fc_subtrees *trees)
{
	return trees->nodes.nr * sizeof(*trees->nodes.at) +
	       trees->runs.nr * sizeof(*trees->runs.at) +
	       trees->table.room * sizeof(*trees->table.at);
}

size_t fc_subtrees_bytes(const struct fc_subtrees *trees)
{
	return trees->nodes.room * sizeof(*trees->nodes.at) +
	       trees->runs.room * sizeof(*trees->runs.at) +
	       trees->table.room * sizeof(*trees->table.at);
}

/* The place of this hash, or where it would be. */
static uint32_t *place_of(const struct fc_subtrees *trees, uint64_t hash)
{
	size_t mask = trees->table.room - 1, i = hash & mask;

	while (trees->table.at[i] && trees->nodes.at[trees->table.at[i] - 1].hash != hash)
		i = (i + 1) & mask;
	return &trees->table.at[i];
}

static void table_fill(struct fc_subtrees *trees, size_t room)
{
	free(trees->table.at);
	trees->table.room = room;
	trees->table.at = fc_alloc(room * sizeof(*trees->table.at));
	for (size_t i = 0; i < trees->nodes.nr; i++)
		*place_of(trees, trees->nodes.at[i].hash) = (uint32_t)i + 1;
}

static struct fc_subtree *find(const struct fc_subtrees *trees, uint64_t hash)
{
	if (!trees->table.room)
		return NULL;
	uint32_t at = *place_of(trees, hash);
	return at ? &trees->nodes.at[at - 1] : NULL;
}

const struct fc_subtree *fc_subtrees_find(const struct fc_subtrees *trees, uint64_t hash)
{
	return find(trees, hash);
}

const struct fc_run *fc_subtrees_runs(const struct fc_subtrees *trees,
				      const struct fc_subtree *tree)
{
	return tree->nr_runs ? &trees->runs.at[tree->first] : NULL;
}

/* Only trees that are kept, or of so many calls, stay. */
static void forget_below(struct fc_subtrees *trees, uint64_t least)
{
	size_t nr = 0, nr_runs = 0;

	for (size_t i = 0; i < trees->nodes.nr; i++) {
		struct fc_subtree node = trees->nodes.at[i];
		if (!node.is_kept && node.calls < least)
			continue;
		/* Runs stand in the order of their nodes. */
		if (node.nr_runs)
			memmove(&trees->runs.at[nr_runs], &trees->runs.at[node.first],
				node.nr_runs * sizeof(*trees->runs.at));
		node.first = nr_runs;
		nr_runs += node.nr_runs;
		trees->nodes.at[nr++] = node;
	}
	trees->nodes.nr = nr;
	trees->runs.nr = nr_runs;
}

static bool is_full(const struct fc_subtrees *trees)
{
	return bytes_used(trees) > trees->limit / 4 * 3;
}

static bool is_all_kept(const struct fc_subtrees *trees)
{
	for (size_t i = 0; i < trees->nodes.nr; i++)
		if (!trees->nodes.at[i].is_kept)
			return false;
	return true;
}

/* Half of the room is to be free then, so that this is not needed often. */
static void forget(struct fc_subtrees *trees)
{
	trees->has_forgotten = true;
	/* Beyond the largest there are only those that are kept for good. */
	for (uint64_t least = 2; least < UINT64_MAX / 4; least *= 2) {
		forget_below(trees, least);
		size_t room = trees->table.room;
		while (room > 4 * NODES_LEAST && room / 4 > trees->nodes.nr)
			room /= 2;
		table_fill(trees, room);
		if (bytes_used(trees) <= trees->limit / 8 * 3 || is_all_kept(trees))
			return;
	}
}

static int compare_hashes(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

void fc_subtrees_want(struct fc_subtrees *trees, uint64_t hash)
{
	fc_vec_push(&trees->wanted, hash);
	trees->is_sorted = false;
}

static bool is_wanted(struct fc_subtrees *trees, uint64_t hash)
{
	if (!trees->wanted.nr)
		return false;
	if (!trees->is_sorted)
		qsort(trees->wanted.at, trees->wanted.nr, sizeof(hash), compare_hashes);
	trees->is_sorted = true;
	return bsearch(&hash, trees->wanted.at, trees->wanted.nr, sizeof(hash), compare_hashes);
}

static bool mark_kept(struct fc_subtrees *trees, struct fc_subtree *node)
{
	if (node->is_kept || trees->kept_bytes > trees->limit / 4)
		return false;
	trees->kept_bytes += sizeof(*node) + node->nr_runs * sizeof(struct fc_run);
	node->is_kept = true;
	return true;
}

/* With all below. Not recursive: trees may be deep. */
static void keep(struct fc_subtrees *trees, struct fc_subtree *top)
{
	FC_VEC(struct fc_subtree *) todo = { 0 };

	if (mark_kept(trees, top))
		fc_vec_push(&todo, top);
	while (todo.nr) {
		const struct fc_subtree *node = todo.at[--todo.nr];
		for (uint32_t i = 0; i < node->nr_runs; i++) {
			uint64_t hash = trees->runs.at[node->first + i].hash;
			struct fc_subtree *below = find(trees, hash);
			if (below && mark_kept(trees, below))
				fc_vec_push(&todo, below);
		}
	}
	fc_vec_free(&todo);
}

void fc_subtrees_add(struct fc_subtrees *trees, const struct fc_subtree *tree,
		     const struct fc_run *runs)
{
	struct fc_subtree *known = find(trees, tree->hash);

	if (!known) {
		if (is_full(trees))
			forget(trees);
		if (trees->table.room < 2 * (trees->nodes.nr + 1))
			table_fill(trees,
				   trees->table.room ? 2 * trees->table.room : 2 * NODES_LEAST);
		struct fc_subtree node = *tree;
		node.first = trees->runs.nr;
		node.is_kept = false;
		if (node.nr_runs) {
			fc_vec_reserve(&trees->runs, node.nr_runs);
			memcpy(trees->runs.at + trees->runs.nr, runs,
			       node.nr_runs * sizeof(*runs));
			trees->runs.nr += node.nr_runs;
		}
		fc_vec_push(&trees->nodes, node);
		*place_of(trees, tree->hash) = (uint32_t)trees->nodes.nr;
		known = &trees->nodes.at[trees->nodes.nr - 1];
	}
	if (!known->is_kept && is_wanted(trees, tree->hash))
		keep(trees, known);
	/* All begins at the roots. */
	if (fc_what_number(tree->what) == FC_WHAT_ROOT)
		mark_kept(trees, known);
}

#define SMALL 32 /* lists of so many runs are compared exactly */

static double share_of_runs(const struct fc_run *a, uint32_t nr_a, const struct fc_run *b,
			    uint32_t nr_b)
{
	uint64_t common = 0, all = 0;
	bool is_taken[SMALL] = { false };

	for (uint32_t j = 0; j < nr_b; j++)
		all += b[j].nr;
	for (uint32_t i = 0; i < nr_a; i++) {
		all += a[i].nr;
		for (uint32_t j = 0; j < nr_b; j++) {
			if (is_taken[j] || a[i].hash != b[j].hash)
				continue;
			is_taken[j] = true;
			common += 2ull * (a[i].nr < b[j].nr ? a[i].nr : b[j].nr);
			break;
		}
	}
	return all ? (double)common / (double)all : 1;
}

double fc_subtrees_alike(const struct fc_subtrees *trees, uint64_t a, uint64_t b)
{
	const struct fc_subtree *left = find(trees, a), *right = find(trees, b);
	unsigned int same = 0;

	if (!left || !right)
		return 0;
	for (int i = 0; i < FC_SKETCH; i++)
		same += left->sketch[i] == right->sketch[i];
	double ret = (double)same / FC_SKETCH;
	if (left->nr_runs <= SMALL && right->nr_runs <= SMALL) {
		double exact = share_of_runs(fc_subtrees_runs(trees, left), left->nr_runs,
					     fc_subtrees_runs(trees, right), right->nr_runs);
		ret = exact > ret ? exact : ret;
	}
	return ret;
}
