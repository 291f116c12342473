/* SPDX-License-Identifier: Apache-2.0 */
/* graph_lines.c - walks a graph, sorts children, and sums up those that are not shown. */
#include "read/sums/graph_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

struct item {
	uint32_t number;
	uint64_t weight;
};

struct rest {
	uint64_t nr;
	uint64_t weight;
	bool is_timed;
	struct fc_graph_sums sums;
};

/* The children of one node, and which of them comes next. */
struct level {
	uint32_t parent;
	FC_VEC(struct item) shown;
	size_t next;
	struct rest nodes, echoes;
};

struct fc_graph_view {
	const struct fc_graph *graph;
	struct fc_graph_view_opts opts;
	struct fc_graph_links links;
	uint64_t *below; /* by number: calls in it and below; NULL: not needed */
	struct fc_graph_sums whole;
	uint64_t whole_weight;
	FC_VEC(struct level) levels;
};

static bool is_summed_below(const struct fc_graph_view *view)
{
	return !view->opts.is_reversed;
}

static uint64_t weight_of(const struct fc_graph_view *view, uint32_t number,
			  const struct fc_graph_node *node)
{
	if (!view->opts.by_calls)
		return node->sums.total;
	return view->below && !node->is_echo ? view->below[number] : node->sums.calls;
}

/* Backwards, so that sums of what is below are made in one go. */
static void sum_below(struct fc_graph_view *view)
{
	uint32_t nr = fc_graph_nr(view->graph);

	view->below = fc_alloc(((size_t)nr + 1) * sizeof(uint64_t));
	for (uint32_t i = nr; i > 0; i--) {
		struct fc_graph_node node = fc_graph_get(view->graph, i);
		if (node.is_echo)
			continue;
		view->below[i] += node.sums.calls;
		view->below[node.parent] += view->below[i];
	}
}

static void add_up(struct fc_graph_view *view)
{
	for (uint32_t i = 1; i <= fc_graph_nr(view->graph); i++) {
		struct fc_graph_node node = fc_graph_get(view->graph, i);
		if (node.is_echo || (view->opts.is_reversed && node.parent))
			continue;
		view->whole.calls += node.sums.calls;
		view->whole.again += node.sums.again;
		view->whole.self += node.sums.self;
		view->whole.total += node.parent ? 0 : node.sums.total;
		view->whole.wait += node.parent ? 0 : node.sums.wait;
		view->whole.self_wait += node.sums.self_wait;
	}
	view->whole_weight = view->opts.by_calls ? view->whole.calls : view->whole.total;
}

/* The node behind this one when all below top is gone through; 0: that was the last. */
static uint32_t next_below(const struct fc_graph_view *view, uint32_t top, uint32_t at)
{
	if (view->links.first[at])
		return view->links.first[at];
	while (at != top && !view->links.next[at])
		at = fc_graph_get(view->graph, at).parent;
	return at == top ? 0 : view->links.next[at];
}

static void add_sums(struct rest *rest, const struct fc_graph_node *node)
{
	rest->nr++;
	rest->is_timed |= node->is_timed;
	rest->sums.calls += node->sums.calls;
	rest->sums.again += node->sums.again;
	rest->sums.self += node->sums.self;
	rest->sums.self_wait += node->sums.self_wait;
}

/* An echo below a node that is summed says nothing any more: its calls are counted elsewhere. */
static void hide(const struct fc_graph_view *view, struct level *level, const struct item *top,
		 const struct fc_graph_node *node)
{
	struct rest *rest = node->is_echo ? &level->echoes : &level->nodes;

	rest->sums.total += node->sums.total;
	rest->sums.wait += node->sums.wait;
	rest->weight += top->weight;
	add_sums(rest, node);
	if (!is_summed_below(view))
		return;
	for (uint32_t at = next_below(view, top->number, top->number); at;
	     at = next_below(view, top->number, at)) {
		struct fc_graph_node below = fc_graph_get(view->graph, at);
		if (!below.is_echo)
			add_sums(rest, &below);
	}
}

static bool is_too_light(const struct fc_graph_view *view, uint64_t weight)
{
	return (double)weight < view->opts.min * (double)view->whole_weight;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct fc_graph_view *view = ctx;
	const struct item *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	struct fc_graph_node left = fc_graph_get(view->graph, x->number),
			     right = fc_graph_get(view->graph, y->number);
	if (left.sums.calls != right.sums.calls)
		return left.sums.calls < right.sums.calls ? 1 : -1;
	const struct fc_namer *namer = &view->opts.namer;
	int order = strcmp(namer->name_of(namer->ctx, left.func).name,
			   namer->name_of(namer->ctx, right.func).name);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void open_level(struct fc_graph_view *view, uint32_t parent)
{
	bool is_too_deep = view->opts.levels && view->levels.nr >= view->opts.levels;
	struct level level = { .parent = parent };

	for (uint32_t at = view->links.first[parent]; at; at = view->links.next[at]) {
		struct fc_graph_node node = fc_graph_get(view->graph, at);
		struct item item = { at, weight_of(view, at, &node) };
		if (is_too_deep || is_too_light(view, item.weight))
			hide(view, &level, &item, &node);
		else
			fc_vec_push(&level.shown, item);
	}
	if (level.shown.nr)
		qsort_r(level.shown.at, level.shown.nr, sizeof(*level.shown.at), compare, view);
	fc_vec_push(&view->levels, level);
}

struct fc_graph_view *fc_graph_view_create(const struct fc_graph *graph,
					   const struct fc_graph_view_opts *opts)
{
	struct fc_graph_view *view = fc_alloc(sizeof(*view));

	view->graph = graph;
	view->opts = *opts;
	view->links = fc_graph_link(graph);
	if (opts->by_calls && is_summed_below(view))
		sum_below(view);
	add_up(view);
	open_level(view, 0);
	return view;
}

void fc_graph_view_destroy(struct fc_graph_view *view)
{
	if (!view)
		return;
	fc_vec_each (&view->levels, level)
		fc_vec_free(&level->shown);
	fc_vec_free(&view->levels);
	fc_graph_links_deinit(&view->links);
	free(view->below);
	free(view);
}

struct fc_graph_sums fc_graph_view_whole(const struct fc_graph_view *view)
{
	return view->whole;
}

uint64_t fc_graph_view_weight(const struct fc_graph_view *view)
{
	return view->whole_weight;
}

static bool has_more(const struct level *level)
{
	return level->next < level->shown.nr || level->nodes.nr || level->echoes.nr;
}

static void tell_node(struct fc_graph_view *view, struct fc_graph_line *ret)
{
	size_t nr = view->levels.nr;
	struct level *level = &view->levels.at[nr - 1];
	struct item item = level->shown.at[level->next++];

	*ret = (struct fc_graph_line){
		.kind = FC_GRAPH_LINE_NODE,
		.number = item.number,
		.level = (uint32_t)nr - 1,
		.is_last = !has_more(level),
		.weight = item.weight,
		.node = fc_graph_get(view->graph, item.number),
	};
	if (view->links.first[item.number])
		open_level(view, item.number);
}

static void tell_rest(const struct fc_graph_view *view, struct level *level, struct rest *rest,
		      struct fc_graph_line *ret)
{
	bool is_echoes = rest == &level->echoes;

	*ret = (struct fc_graph_line){
		.kind = is_echoes ? FC_GRAPH_LINE_REST_ECHOES : FC_GRAPH_LINE_REST,
		.level = (uint32_t)view->levels.nr - 1,
		.weight = rest->weight,
		.nr = rest->nr,
		.node = { .parent = level->parent,
			  .is_echo = is_echoes,
			  .is_timed = rest->is_timed,
			  .sums = rest->sums },
	};
	rest->nr = 0;
	ret->is_last = !has_more(level);
}

bool fc_graph_view_next(struct fc_graph_view *view, struct fc_graph_line *ret)
{
	while (view->levels.nr) {
		struct level *level = &view->levels.at[view->levels.nr - 1];
		if (level->next < level->shown.nr) {
			tell_node(view, ret);
			return true;
		}
		if (level->nodes.nr || level->echoes.nr) {
			tell_rest(view, level, level->nodes.nr ? &level->nodes : &level->echoes,
				  ret);
			return true;
		}
		fc_vec_free(&level->shown);
		view->levels.nr--;
	}
	return false;
}

struct fc_name fc_graph_name(const struct fc_namer *namer, uint32_t func)
{
	switch (func) {
	case FC_GRAPH_UNKNOWN:
		return (struct fc_name){ "[unknown]", "" };
	case FC_GRAPH_BEYOND:
		return (struct fc_name){ "[other paths]", "" };
	case FC_GRAPH_COUNTED:
		return (struct fc_name){ "[only counted]", "" };
	case FC_GRAPH_OUTERMOST:
		return (struct fc_name){ "[outermost]", "" };
	case FC_GRAPH_DEEPER:
		return (struct fc_name){ "[callers further out]", "" };
	default:
		return namer->name_of(namer->ctx, func);
	}
}

double fc_graph_share(const struct fc_graph_view *view, uint64_t weight)
{
	uint64_t whole = fc_graph_view_weight(view);
	return whole ? (double)weight * 100 / (double)whole : 0;
}
