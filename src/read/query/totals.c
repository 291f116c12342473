/* SPDX-License-Identifier: Apache-2.0 */
/* totals.c - computes sums over the trace, and keeps them for the next statement. */
#include "read/query/totals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "calls/play.h"
#include "calls/waits.h"
#include "read/query/opts.h"
#include "read/sums/callers.h"
#include "read/sums/graph.h"

struct fc_query_sums {
	struct fc_reader *reader;
	const struct fc_query_opts *opts;

	struct fc_report_row *rows; /* NULL: not made yet */
	size_t nr_rows;
	bool has_hist; /* they do */
	FC_VEC(const struct fc_report_row *) by_id;

	struct fc_pair *pairs; /* NULL: not made yet */
	size_t nr_pairs;

	struct fc_path *paths; /* NULL: not made yet */
	size_t nr_paths;
};

struct fc_query_sums *fc_query_sums_create(struct fc_reader *reader,
					   const struct fc_query_opts *opts)
{
	struct fc_query_sums *sums = fc_alloc(sizeof(*sums));
	sums->reader = reader;
	sums->opts = opts;
	return sums;
}

void fc_query_sums_destroy(struct fc_query_sums *sums)
{
	if (!sums)
		return;
	free(sums->rows);
	free(sums->pairs);
	free(sums->paths);
	fc_vec_free(&sums->by_id);
	free(sums);
}

static bool is_stopped(const struct fc_query_sums *sums)
{
	return sums->opts->is_stopped && sums->opts->is_stopped(sums->opts->ctx);
}

static int play(struct fc_query_sums *sums, struct fc_call_sink *sink)
{
	struct fc_play_opts opts = { .is_enough = sums->opts->is_stopped,
				     .no_values = true,
				     .ctx = sums->opts->ctx };
	fc_play(sums->reader, &opts, sink);
	return is_stopped(sums) ? -EINTR : 0;
}

/* ---- by function ---- */

static void index_rows(struct fc_query_sums *sums)
{
	sums->by_id.nr = 0;
	for (size_t i = 0; i < sums->nr_rows; i++) {
		const struct fc_report_row *row = &sums->rows[i];
		*fc_vec_make(&sums->by_id, row->func) = row;
	}
}

static int make_rows(struct fc_query_sums *sums, bool has_hist)
{
	const struct fc_report_opts by_function = { .has_hist = has_hist };
	struct fc_report *report = NULL;
	int err = fc_report_crunch(sums->reader, &by_function, 0, &report);

	free(fc_take(sums->rows));
	for (uint32_t id = 1; !err && id <= fc_reader_max_func(sums->reader); id++)
		fc_report_add_counted(report, id, fc_reader_counted(sums->reader, id));
	if (!err)
		err = fc_report_rows(report, "func", fc_reader_clock(sums->reader),
				     &sums->opts->namer, &sums->rows, &sums->nr_rows);
	fc_report_destroy(report);
	if (!err && !sums->rows)
		sums->rows = fc_alloc(sizeof(*sums->rows));
	if (!err)
		index_rows(sums);
	sums->has_hist = has_hist;
	return err;
}

int fc_query_sums_func(struct fc_query_sums *sums, uint32_t func, bool needs_hist,
		       const struct fc_report_row **ret)
{
	bool is_there = sums->rows && (sums->has_hist || !needs_hist);
	int err = is_there ? 0 : make_rows(sums, needs_hist);
	*ret = !err && func < sums->by_id.nr ? sums->by_id.at[func] : NULL;
	return err;
}

/* ---- by caller and callee ---- */

static int by_caller(const void *a, const void *b)
{
	const struct fc_pair *x = a, *y = b;
	return fc_order(x->caller, y->caller) ?: fc_order(x->callee, y->callee);
}

/* In order; whoever is not known is one caller. */
static void take_pairs(struct fc_query_sums *sums, const struct fc_callers *callers)
{
	size_t nr = fc_callers_nr(callers), last = 0;
	struct fc_pair *pairs = fc_alloc((nr + 1) * sizeof(*pairs));

	for (size_t i = 0; i < nr; i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		uint32_t caller = row.caller <= FC_FUNC_MAX ? row.caller : 0;
		pairs[i] = (struct fc_pair){ caller, row.callee, row.calls, row.once_total };
	}
	qsort(pairs, nr, sizeof(*pairs), by_caller);
	for (size_t i = 1; i < nr; i++) {
		if (by_caller(&pairs[last], &pairs[i])) {
			pairs[++last] = pairs[i];
			continue;
		}
		pairs[last].calls += pairs[i].calls;
		pairs[last].total_ticks += pairs[i].total_ticks;
	}
	sums->pairs = pairs;
	sums->nr_pairs = nr ? last + 1 : 0;
}

static int make_pairs(struct fc_query_sums *sums)
{
	struct fc_callers *callers = fc_callers_create(SIZE_MAX);
	int err = play(sums, fc_callers_sink(callers));

	if (!err)
		take_pairs(sums, callers);
	fc_callers_destroy(callers);
	return err;
}

int fc_query_sums_pairs(struct fc_query_sums *sums, const struct fc_pair **ret, size_t *nr)
{
	int err = sums->pairs ? 0 : make_pairs(sums);
	*ret = sums->pairs;
	*nr = sums->nr_pairs;
	return err;
}

/* ---- by path ---- */

/* What is made of a graph: its nodes in another order, the children of each together. */
struct paths {
	struct fc_query_sums *sums;
	const struct fc_graph *graph;
	struct fc_path *at;
	uint8_t *is_within; /* a function that waits */
	size_t nr;
};

static struct fc_path make_path(const struct paths *paths, const struct fc_graph_node *node,
				size_t parent)
{
	const struct fc_query_opts *opts = paths->sums->opts;
	const struct fc_clock *clock = fc_reader_clock(paths->sums->reader);
	bool is_known = !fc_graph_is_pseudo(node->func);
	struct fc_path path = {
		.parent = (uint32_t)parent,
		.func = is_known ? node->func : 0,
		.level = parent ? paths->at[parent - 1].level + 1 : 0,
		.calls = node->sums.calls,
		.again = node->sums.again,
		.total_ns = fc_clock_duration_ns(clock, node->sums.total),
		.self_ns = fc_clock_duration_ns(clock, node->sums.self),
		.wait_ns = fc_clock_duration_ns(clock, node->sums.wait),
		.self_wait_ns = fc_clock_duration_ns(clock, node->sums.self_wait),
	};
	enum fc_wait wait = FC_WAIT_NONE;
	if (is_known && !(parent && paths->is_within[parent - 1]))
		wait = fc_wait_of(opts->namer.name_of(opts->namer.ctx, node->func));
	path.waits_for = fc_wait_word(wait);
	path.joined_ns = wait == FC_WAIT_END || wait == FC_WAIT_EXIT ? path.total_ns : 0;
	return path;
}

/* The children of a node, as of this path. */
static void add_children(struct paths *paths, const struct fc_graph_links *links, uint32_t of,
			 uint32_t *nodes, size_t parent)
{
	for (uint32_t child = links->first[of]; child; child = links->next[child]) {
		struct fc_graph_node node = fc_graph_get(paths->graph, child);
		if (node.is_echo)
			continue;
		struct fc_path *path = &paths->at[paths->nr];
		*path = make_path(paths, &node, parent);
		paths->is_within[paths->nr] =
			path->waits_for || (parent && paths->is_within[parent - 1]);
		nodes[paths->nr++] = child;
	}
}

static void sum_joined(struct paths *paths)
{
	for (size_t i = paths->nr; i > 0; i--) {
		const struct fc_path *path = &paths->at[i - 1];
		if (path->parent)
			paths->at[path->parent - 1].joined_ns += path->joined_ns;
	}
}

static void take_paths(struct fc_query_sums *sums, const struct fc_graph *graph)
{
	size_t most = fc_graph_nr(graph) + 1;
	struct fc_graph_links links = fc_graph_link(graph);
	fc_auto_free uint32_t *nodes = fc_alloc(most * sizeof(*nodes));
	fc_auto_free uint8_t *is_within = fc_alloc(most);
	struct paths paths = { .sums = sums,
			       .graph = graph,
			       .at = fc_alloc(most * sizeof(*paths.at)),
			       .is_within = is_within };

	add_children(&paths, &links, 0, nodes, 0);
	for (size_t i = 0; i < paths.nr; i++)
		add_children(&paths, &links, nodes[i], nodes, i + 1);
	sum_joined(&paths);
	fc_graph_links_deinit(&links);
	sums->paths = paths.at;
	sums->nr_paths = paths.nr;
}

static int make_paths(struct fc_query_sums *sums)
{
	struct fc_graph *graph = fc_graph_create(FC_GRAPH_NODES);
	int err = play(sums, fc_graph_sink(graph));

	for (uint32_t id = 1; !err && id <= fc_reader_max_func(sums->reader); id++)
		fc_graph_add_counted(graph, id, fc_reader_counted(sums->reader, id));
	if (!err)
		take_paths(sums, graph);
	fc_graph_destroy(graph);
	return err;
}

int fc_query_sums_paths(struct fc_query_sums *sums, const struct fc_path **ret, size_t *nr)
{
	int err = sums->paths ? 0 : make_paths(sums);
	*ret = sums->paths;
	*nr = sums->nr_paths;
	return err;
}
