/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_tree.c - the heaviest stacks of a trace, for the page's flame graph.
 *
 *	"tree":[parent, name, calls, total_ns, self_ns, ...]
 *
 * Five numbers a node; a parent is the number of a node before, -1: none. Below a node, what
 * there is no room for is one node of the name [other].
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "show/export/html/html_data.h"

#define MAX_NODES 12000

struct tree {
	struct fc_html_names *names;
	const struct fc_stacks *stacks;
	struct fc_stream *out;
	uint32_t nr; /* nodes of the stacks; numbers are 1..nr */
	bool *is_shown;
	struct fc_graph_sums *below; /* of a node and all below it: calls and self times */
	uint32_t *place;	     /* in what is written */
	uint32_t nr_put;
	int64_t other;
};

struct heavy {
	uint64_t total;
	uint32_t node;
};

/* The heaviest first; a parent before its children. */
static int compare(const void *a, const void *b)
{
	const struct heavy *x = a, *y = b;

	return fc_order(y->total, x->total) ?: fc_order(x->node, y->node);
}

static void choose(struct tree *tree)
{
	struct heavy *heavy = fc_alloc(((size_t)tree->nr + 1) * sizeof(*heavy));
	uint32_t nr_shown = 0;

	for (uint32_t i = 1; i <= tree->nr; i++)
		heavy[i - 1] = (struct heavy){ fc_stacks_get(tree->stacks, i).sums.total, i };
	if (tree->nr > MAX_NODES)
		qsort(heavy, tree->nr, sizeof(*heavy), compare);
	for (uint32_t i = 0; i < tree->nr && nr_shown < MAX_NODES; i++) {
		uint32_t parent = fc_stacks_get(tree->stacks, heavy[i].node).parent;
		if (parent && !tree->is_shown[parent])
			continue;
		tree->is_shown[heavy[i].node] = true;
		nr_shown++;
	}
	free(heavy);
}

static void add(struct fc_graph_sums *to, const struct fc_graph_sums *sums)
{
	to->calls += sums->calls;
	to->self += sums->self;
}

/* Children come behind their parents. */
static void sum_below(struct tree *tree)
{
	for (uint32_t i = tree->nr; i > 0; i--) {
		struct fc_graph_node node = fc_stacks_get(tree->stacks, i);
		add(&tree->below[i], &node.sums);
		add(&tree->below[node.parent], &tree->below[i]);
	}
}

static void put_node(struct tree *tree, uint32_t parent, int64_t name,
		     const struct fc_graph_sums *sums)
{
	const struct fc_clock *clock = fc_reader_clock(tree->names->data->reader);

	if (tree->nr_put++)
		fc_stream_char(tree->out, ',');
	fc_stream_signed(tree->out, parent ? (int64_t)tree->place[parent] : -1);
	fc_stream_char(tree->out, ',');
	fc_stream_signed(tree->out, name);
	fc_stream_char(tree->out, ',');
	fc_stream_number(tree->out, sums->calls);
	fc_stream_char(tree->out, ',');
	fc_stream_number(tree->out, fc_clock_duration_ns(clock, sums->total));
	fc_stream_char(tree->out, ',');
	fc_stream_number(tree->out, fc_clock_duration_ns(clock, sums->self));
}

/* The sum of a node's children (0: of the roots) that are not shown. */
static void put_rest(struct tree *tree, uint32_t parent)
{
	struct fc_graph_sums rest = { 0 };

	for (uint32_t i = fc_stacks_first(tree->stacks, parent); i;
	     i = fc_stacks_next(tree->stacks, i))
		if (!tree->is_shown[i])
			add(&rest, &tree->below[i]);
	rest.total = rest.self;
	if (rest.calls || rest.self)
		put_node(tree, parent, tree->other, &rest);
}

static void put_all(struct tree *tree)
{
	for (uint32_t i = 1; i <= tree->nr; i++) {
		struct fc_graph_node node = fc_stacks_get(tree->stacks, i);
		if (!tree->is_shown[i])
			continue;
		tree->place[i] = tree->nr_put;
		put_node(tree, node.parent, fc_html_number(tree->names, node.func), &node.sums);
	}
	put_rest(tree, 0);
	for (uint32_t i = 1; i <= tree->nr; i++)
		if (tree->is_shown[i])
			put_rest(tree, i);
}

void fc_html_tree_put(struct fc_html_names *names, struct fc_stream *out)
{
	const struct fc_stacks *stacks = names->data->stacks;
	size_t nr = fc_stacks_nr(stacks);
	struct tree tree = {
		.names = names,
		.stacks = stacks,
		.out = out,
		.nr = (uint32_t)nr,
		.is_shown = fc_alloc(nr + 1),
		.below = fc_alloc((nr + 1) * sizeof(*tree.below)),
		.place = fc_alloc((nr + 1) * sizeof(*tree.place)),
		.other = fc_html_word(names, "[other]"),
	};

	choose(&tree);
	sum_below(&tree);
	fc_stream_text(out, "\"tree\":[");
	put_all(&tree);
	fc_stream_text(out, "],\n");
	free(tree.is_shown);
	free(tree.below);
	free(tree.place);
}
