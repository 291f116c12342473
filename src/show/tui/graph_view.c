/* SPDX-License-Identifier: Apache-2.0 */
/* graph_view.c - who calls whom as a tree that is folded: the sums of fctrace graph. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "read/sums/graph_lines.h"
#include "show/tui/app.h"
#include "show/tui/jumps.h"
#include "show/tui/rows.h"
#include "show/tui/sums.h"
#include "show/tui/tree_text.h"

struct row {
	uint32_t node;
	uint32_t level;
};

struct fc_paths {
	const struct fc_errand *errand; /* whose graph this is, and its number */
	uint64_t errand_nr;
	bool has_graph;
	uint32_t nr;	      /* nodes */
	uint64_t whole;	      /* ticks: of the roots */
	uint32_t *first;      /* by node, and of 0 the roots: where its children begin */
	uint32_t *children;   /* the weightiest first */
	uint8_t *is_unfolded; /* by node */
	FC_VEC(struct row) rows;
	struct fc_list list;
};

static void reset(struct fc_app *app)
{
	struct fc_paths *paths = app->paths;

	if (!paths)
		return;
	free(paths->first);
	free(paths->children);
	free(paths->is_unfolded);
	fc_vec_free(&paths->rows);
	free(paths);
	app->paths = NULL;
}

/* ---- the tree ---- */

static int by_weight(const void *a, const void *b, void *ctx)
{
	struct fc_graph_node x = fc_graph_get(ctx, *(const uint32_t *)a);
	struct fc_graph_node y = fc_graph_get(ctx, *(const uint32_t *)b);

	return fc_order(y.sums.total, x.sums.total) ?: fc_order(y.sums.calls, x.sums.calls);
}

/* Rows of what is unfolded, in order of a tree; levels may be many: without recursion. */
static void make_rows(struct fc_paths *paths)
{
	FC_VEC(struct row) rest = { 0 };

	paths->rows.nr = 0;
	for (uint32_t i = paths->first[1]; i-- > paths->first[0];)
		fc_vec_push(&rest, (struct row){ paths->children[i], 0 });
	while (rest.nr) {
		struct row row = rest.at[--rest.nr];
		fc_vec_push(&paths->rows, row);
		if (!paths->is_unfolded[row.node])
			continue;
		for (uint32_t i = paths->first[row.node + 1]; i-- > paths->first[row.node];)
			fc_vec_push(&rest, (struct row){ paths->children[i], row.level + 1 });
	}
	fc_vec_free(&rest);
	paths->list.nr = paths->rows.nr;
}

static void take_graph(struct fc_paths *paths)
{
	const struct fc_graph *graph = fc_errand_graph(paths->errand);

	if (paths->has_graph || !fc_errand_is_done(paths->errand) || !graph)
		return;
	uint32_t nr = fc_graph_nr(graph);
	paths->has_graph = true;
	paths->nr = nr;
	paths->first = fc_alloc((nr + 3) * sizeof(*paths->first));
	paths->children = fc_alloc((nr + 1) * sizeof(*paths->children));
	paths->is_unfolded = fc_alloc(nr + 1);
	for (uint32_t i = 1; i <= nr; i++)
		paths->first[fc_graph_get(graph, i).parent + 2]++;
	for (uint32_t i = 1; i <= nr + 1; i++)
		paths->first[i + 1] += paths->first[i];
	for (uint32_t i = 1; i <= nr; i++) {
		struct fc_graph_node node = fc_graph_get(graph, i);
		paths->children[paths->first[node.parent + 1]++] = i;
		paths->whole += node.parent ? 0 : node.sums.total;
	}
	for (uint32_t i = 0; i <= nr; i++)
		qsort_r(paths->children + paths->first[i],
			paths->first[i + 1] - paths->first[i], sizeof(uint32_t), by_weight,
			(void *)graph);
	make_rows(paths);
}

/* The graph of what is looked at by now, if it is there. */
static struct fc_paths *settle(struct fc_app *app)
{
	const struct fc_errand *errand = fc_sums_of(app, FC_ERRAND_PATHS);

	if (app->paths && app->paths->errand_nr != fc_errand_nr(errand))
		reset(app);
	if (!app->paths)
		app->paths = fc_alloc(sizeof(*app->paths));
	app->paths->errand = errand;
	app->paths->errand_nr = fc_errand_nr(errand);
	take_graph(app->paths);
	return app->paths;
}

static bool has_children(const struct fc_paths *paths, uint32_t node)
{
	return paths->first[node + 1] > paths->first[node];
}

/* ---- to draw ---- */

static void draw_row(const struct fc_app *app, size_t nr, int row, enum fc_look look)
{
	const struct fc_paths *paths = app->paths;
	const struct row *at = &paths->rows.at[nr];
	const struct fc_clock *clock = fc_reader_clock(app->opts->reader);
	struct fc_graph_node node = fc_graph_get(fc_errand_graph(paths->errand), at->node);
	char calls[FC_TREE_CELL], total[FC_TREE_CELL] = "-  ", self[FC_TREE_CELL] = "-  ";
	char share[FC_TREE_CELL] = "", text[FC_ROW_ROOM];

	snprintf(calls, sizeof(calls), "%" PRIu64, node.sums.calls);
	if (node.is_timed || node.sums.total) {
		fc_clock_ns_cell(fc_clock_duration_ns(clock, node.sums.total), total);
		snprintf(share, sizeof(share), "%.2f%%",
			 paths->whole ? 100 * (double)node.sums.total / (double)paths->whole
				      : 0);
	}
	if (!node.is_echo)
		fc_clock_ns_cell(fc_clock_duration_ns(clock, node.sums.self), self);
	const struct fc_cell cells[] = {
		{ 12, calls }, { 13, total }, { 13, self }, { 9, share }
	};
	uint32_t level = at->level < 100 ? at->level : 100;
	snprintf(text, sizeof(text), "%*s%c %s%s", (int)level * 2, "",
		 !has_children(paths, at->node) ? ' '
		 : paths->is_unfolded[at->node] ? '-'
						: '+',
		 fc_graph_name(&app->opts->namer, node.func).name,
		 node.is_echo ? "  (recursion)" : "");
	fc_list_row(row, look, cells, 4, text);
}

static void draw(struct fc_app *app, int row, int height)
{
	static const struct fc_cell heads[] = {
		{ 12, "CALLS" }, { 13, "TOTAL" }, { 13, "SELF" }, { 9, "SHARE" }
	};
	struct fc_paths *paths = settle(app);

	if (fc_app_draw_wait(paths->errand, row))
		return;
	fc_list_row(row, FC_LOOK_HEAD, heads, 4, "  FUNCTION");
	fc_list_draw(&paths->list, row, height, draw_row, app);
}

/* ---- keys ---- */

static void set_unfolded(struct fc_paths *paths, uint32_t node, bool is_unfolded)
{
	paths->is_unfolded[node] = is_unfolded && has_children(paths, node);
	make_rows(paths);
}

static void go_out(struct fc_paths *paths)
{
	uint32_t level = paths->rows.at[paths->list.selected].level;

	while (level && paths->rows.at[paths->list.selected].level >= level)
		paths->list.selected--;
}

/* A node's number is less than those below it. */
static void unfold_all(struct fc_paths *paths, uint32_t node)
{
	const struct fc_graph *graph = fc_errand_graph(paths->errand);
	uint8_t *is_below = fc_alloc(paths->nr + 1);

	is_below[node] = 1;
	for (uint32_t i = node; i <= paths->nr; i++) {
		is_below[i] |= is_below[fc_graph_get(graph, i).parent];
		if (is_below[i] && has_children(paths, i))
			paths->is_unfolded[i] = 1;
	}
	free(is_below);
	make_rows(paths);
}

static bool row_key(struct fc_app *app, uint32_t node, int key)
{
	struct fc_paths *paths = app->paths;
	uint32_t func = fc_graph_get(fc_errand_graph(paths->errand), node).func;
	bool is_unfolded = paths->is_unfolded[node];

	switch (key) {
	case FC_KEY_ENTER:
	case ' ':
		set_unfolded(paths, node, !is_unfolded);
		return true;
	case FC_KEY_RIGHT:
		if (is_unfolded)
			paths->list.selected++;
		else
			set_unfolded(paths, node, true);
		return true;
	case FC_KEY_LEFT:
		if (is_unfolded)
			set_unfolded(paths, node, false);
		else
			go_out(paths);
		return true;
	case '*':
		unfold_all(paths, node);
		return true;
	case 'L':
		fc_jump_longest(app, func <= FC_FUNC_MAX ? func : 0);
		return true;
	case '.':
	case ',':
		fc_jump_call_of(app, func <= FC_FUNC_MAX ? func : 0, key == ',');
		return true;
	default:
		return false;
	}
}

static bool key(struct fc_app *app, int key)
{
	struct fc_paths *paths = settle(app);

	if (!paths->has_graph)
		return false;
	if (fc_list_key(&paths->list, key, app->page))
		return true;
	return paths->rows.nr && row_key(app, paths->rows.at[paths->list.selected].node, key);
}

static const char *const help[] = {
	"Graph: calls summed by the paths that lead to them, as fctrace graph has them;",
	"with + or r in the tree only of the time that is shown there",
	"",
	"  Enter Space         unfold or fold  Right      unfold, go in",
	"  Left                fold, go out    *          unfold all below",
	"  L                   the function's longest call, in the tree",
	"  . ,                 its next call in the tree, its last one",
	NULL,
};

const struct fc_view fc_view_graph = {
	.name = "Graph",
	.keys = "Enter unfold  * all below  L longest  . , next, last call",
	.help = help,
	.draw = draw,
	.key = key,
	.reset = reset,
};
