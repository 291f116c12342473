/* SPDX-License-Identifier: Apache-2.0 */
/* beside.c - two trees of calls are merged by the names on their paths. */
#include "read/requests/beside.h"

#include <stdlib.h>

#include "base/order.h"

enum { MOST_LEVELS = 200 };

struct making {
	const struct fc_graph *const *graphs;
	struct fc_graph_links links[2];
	uint64_t least; /* ticks of a path that is shown */
	struct fc_beside *ret;
};

/* A path: its node in each graph; 0: it is not there. */
struct pair {
	uint32_t func, node[2];
	uint64_t weight; /* the longer total */
};

typedef FC_VEC(struct pair) pairs;

static struct pair *find_pair(pairs *of, uint32_t func)
{
	fc_vec_each (of, pair)
		if (pair->func == func)
			return pair;
	fc_vec_push(of, (struct pair){ .func = func });
	return &of->at[of->nr - 1];
}

static int by_weight(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return fc_order(y->weight, x->weight) ?: fc_order(x->func, y->func);
}

static void add_children(const struct making *making, int side, uint32_t node, pairs *to)
{
	const struct fc_graph_links *links = &making->links[side];

	for (uint32_t child = node ? links->first[node] : 0; child;
	     child = links->next[child]) {
		struct fc_graph_node of = fc_graph_get(making->graphs[side], child);
		if (of.is_echo || fc_graph_is_pseudo(of.func))
			continue;
		struct pair *pair = find_pair(to, of.func);
		pair->node[side] = child;
		if (of.sums.total > pair->weight)
			pair->weight = of.sums.total;
	}
}

static void add_sums(const struct making *making, const struct pair *pair,
		     struct fc_beside_line *line)
{
	for (int side = 0; side < 2; side++) {
		if (!pair->node[side])
			continue;
		struct fc_graph_node node =
			fc_graph_get(making->graphs[side], pair->node[side]);
		line->calls[side] += node.sums.calls;
		line->total[side] += node.sums.total;
	}
}

static void add_light(const struct making *making, const pairs *of, size_t first,
		      uint32_t level)
{
	struct fc_beside_line line = { .level = level, .nr_light = of->nr - first };

	for (size_t i = first; i < of->nr; i++)
		add_sums(making, &of->at[i], &line);
	if (line.nr_light)
		fc_vec_push(&making->ret->list, line);
}

static void add_lines(const struct making *making, const struct pair *pair, uint32_t level)
{
	struct fc_beside_line line = { .func = pair->func, .level = level };
	pairs below = { 0 };
	size_t i = 0;

	add_sums(making, pair, &line);
	fc_vec_push(&making->ret->list, line);
	for (int side = 0; side < 2; side++)
		add_children(making, side, pair->node[side], &below);
	if (below.nr)
		qsort(below.at, below.nr, sizeof(*below.at), by_weight);
	for (; i < below.nr && below.at[i].weight >= making->least && level < MOST_LEVELS; i++)
		add_lines(making, &below.at[i], level + 1);
	add_light(making, &below, i, level + 1);
	fc_vec_free(&below);
}

/* The outermost node of the function. */
static uint32_t find_root(const struct fc_graph *graph, uint32_t func)
{
	for (uint32_t i = 1; i <= fc_graph_nr(graph); i++) {
		struct fc_graph_node node = fc_graph_get(graph, i);
		if (node.func == func && !node.is_echo)
			return i;
	}
	return 0;
}

void fc_beside_make(const struct fc_graph *const graphs[2], const uint32_t funcs[2], double min,
		    struct fc_beside *ret)
{
	struct making making = { .graphs = graphs, .ret = ret };
	struct pair root = { .func = funcs[1] };

	for (int side = 0; side < 2; side++) {
		making.links[side] = fc_graph_link(graphs[side]);
		root.node[side] = find_root(graphs[side], funcs[side]);
		if (!root.node[side])
			continue;
		uint64_t total = fc_graph_get(graphs[side], root.node[side]).sums.total;
		if (total > root.weight)
			root.weight = total;
	}
	making.least = (uint64_t)((double)root.weight * min);
	add_lines(&making, &root, 0);
	for (int side = 0; side < 2; side++)
		fc_graph_links_deinit(&making.links[side]);
}

void fc_beside_deinit(struct fc_beside *beside)
{
	fc_vec_free(&beside->list);
}
