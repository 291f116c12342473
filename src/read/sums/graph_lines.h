/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_lines.h - the lines of a graph, from the roots down: the weightiest first, and what is
 * too light or too deep summed into one line, so that nothing is left out.
 */
#ifndef FC_READ_SUMS_GRAPH_LINES_H
#define FC_READ_SUMS_GRAPH_LINES_H

#include "calls/names.h"
#include "read/sums/graph.h"

struct fc_graph_view_opts {
	uint32_t levels;  /* 0: all */
	double min;	  /* a share of the whole, 0..1: what is lighter is summed */
	bool by_calls;	  /* weights are calls, in the node and below it; else total times */
	bool is_reversed; /* it comes from fc_graph_reverse(): what is below is not more */
	struct fc_namer namer; /* nodes of the same weight go by name */
};

enum fc_graph_line_kind {
	FC_GRAPH_LINE_NODE,
	FC_GRAPH_LINE_REST,	   /* the sum of nodes with all below them; not of echoes */
	FC_GRAPH_LINE_REST_ECHOES, /* the sum of echoes */
};

struct fc_graph_line {
	enum fc_graph_line_kind kind;
	uint32_t number; /* of the node; 0 for a sum */
	uint32_t level;	 /* 0: a root */
	bool is_last;	 /* no more lines below the same parent */
	uint64_t weight;
	uint64_t nr;		   /* nodes in a sum */
	struct fc_graph_node node; /* of a sum: parent, is_timed, is_echo and sums */
};

struct fc_graph_view;
/* graph outlives the view. */
struct fc_graph_view *fc_graph_view_create(const struct fc_graph *graph,
					   const struct fc_graph_view_opts *opts);
void fc_graph_view_destroy(struct fc_graph_view *view);
/* The sums of all that is there: calls, total (of the roots) and self. */
struct fc_graph_sums fc_graph_view_whole(const struct fc_graph_view *view);
/* The sums that weights are a share of. */
uint64_t fc_graph_view_weight(const struct fc_graph_view *view);
/* Such a share, in percent. */
double fc_graph_share(const struct fc_graph_view *view, uint64_t weight);
/* The next line, in order of a tree that is printed; false: no more. */
bool fc_graph_view_next(struct fc_graph_view *view, struct fc_graph_line *ret);

/* A function, or what a graph has in place of one. */
struct fc_name fc_graph_name(const struct fc_namer *namer, uint32_t func);

/* A graph of so many nodes is too large to read: light ones are summed if nothing is said. */
#define FC_GRAPH_LARGE_NODES 500
#define FC_GRAPH_LARGE_MIN   0.001

#endif
