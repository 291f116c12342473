/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - adds each path to a function to a graph that begins at that function. */
#include "read/sums/reverse.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"

/* Paths that end at a node of the reversed graph: who called it is nobody. */
struct end {
	uint32_t node;
	bool is_timed;
	struct fc_graph_sums sums;
};

struct reversal {
	const struct fc_graph *from;
	struct fc_graph *to;
	FC_VEC(struct end) ends;
};

static void add_path(struct reversal *reversal, const struct fc_graph_node *node)
{
	uint32_t at = fc_graph_child(reversal->to, 0, node->func), caller = node->parent;

	fc_graph_add(reversal->to, at, &node->sums, node->is_timed);
	for (unsigned int level = 0; caller; level++) {
		struct fc_graph_node outer = fc_graph_get(reversal->from, caller);
		bool is_deep = level == FC_REVERSE_LEVELS;
		at = fc_graph_child(reversal->to, at, is_deep ? FC_GRAPH_DEEPER : outer.func);
		fc_graph_add(reversal->to, at, &node->sums, node->is_timed);
		if (is_deep)
			return;
		caller = outer.parent;
	}
	fc_vec_push(&reversal->ends, (struct end){ at, node->is_timed, node->sums });
}

/* Where some paths end and others go on, those that end get a line of their own. */
static void add_ends(struct reversal *reversal)
{
	uint32_t nr = fc_graph_nr(reversal->to);
	fc_auto_free bool *has_callers = fc_alloc((size_t)nr + 1);

	for (uint32_t i = 1; i <= nr; i++)
		has_callers[fc_graph_get(reversal->to, i).parent] = true;
	fc_vec_each (&reversal->ends, end) {
		if (!has_callers[end->node])
			continue;
		uint32_t at = fc_graph_child(reversal->to, end->node, FC_GRAPH_OUTERMOST);
		fc_graph_add(reversal->to, at, &end->sums, end->is_timed);
	}
}

struct fc_graph *fc_graph_reverse(const struct fc_graph *graph,
				  bool (*is_wanted)(void *ctx, uint32_t func), void *ctx)
{
	struct reversal reversal = { .from = graph, .to = fc_graph_create(FC_GRAPH_NODES) };

	for (uint32_t i = 1; i <= fc_graph_nr(graph); i++) {
		struct fc_graph_node node = fc_graph_get(graph, i);
		bool is_function = node.func && node.func <= FC_FUNC_MAX && !node.is_echo;
		if (is_function && is_wanted(ctx, node.func))
			add_path(&reversal, &node);
	}
	add_ends(&reversal);
	fc_vec_free(&reversal.ends);
	return reversal.to;
}
