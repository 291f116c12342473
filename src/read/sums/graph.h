/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - a sink that sums calls by their paths: one node for each way to a function.
 *
 *	trace                             nodes
 *	main() { a() { b(); } b(); b(); } main 1
 *	                                    a 1
 *	                                      b 1
 *	                                    b 2
 *
 * Recursion, direct or not, is folded. A call of a function that is open further out in its
 * strand counts at the node of that open call, and so does what it calls. Where it came from
 * there is an echo, a node without children:
 *
 *	expr() { term() { expr() { term(); } } }      expr 2, 1 of them recursive
 *	                                                term 2, 1 of them recursive
 *	                                                  expr again: 1
 *
 * So no path is longer than there are functions, and at most one node of a function is open in
 * a strand at a time. Over all nodes but echoes, calls, totals and self times of a function add
 * up to those of report.h, exactly.
 */
#ifndef FC_READ_SUMS_GRAPH_H
#define FC_READ_SUMS_GRAPH_H

#include "calls/call.h"

/* In place of a function. */
enum fc_graph_pseudo {
	FC_GRAPH_UNKNOWN = 0, /* it was entered within a gap: nobody knows what it was */
	FC_GRAPH_BEYOND = FC_FUNC_MAX + 1, /* a root: functions on paths beyond the limit */
	FC_GRAPH_COUNTED,		   /* a root: calls that were only counted */
	FC_GRAPH_OUTERMOST,		   /* of a reversed graph: nobody called it */
	FC_GRAPH_DEEPER, /* of a reversed graph: callers beyond the limit; of stacks: calls */
	FC_GRAPH_TASK,	 /* and beyond: of stacks a root, a task */
};

static inline bool fc_graph_is_pseudo(uint32_t func)
{
	return func == FC_GRAPH_UNKNOWN || func > FC_FUNC_MAX;
}

struct fc_graph_sums {
	uint64_t calls; /* without those that a forked child inherited */
	uint64_t again; /* of these, recursive ones */
	uint64_t total; /* ticks in it and below; recursive calls count once. Of an echo: in its
			   calls, which are part of the total of a node further out */
	uint64_t self;	/* ticks in it; of an echo 0 */
	uint64_t wait;	/* of total, off the CPU */
	uint64_t self_wait; /* of that, directly in it; of an echo 0 */
};

struct fc_graph_node {
	uint32_t parent; /* 0: it is a root */
	uint32_t func;	 /* or an fc_graph_pseudo */
	bool is_echo;
	bool is_timed; /* the end of one of its calls was seen */
	struct fc_graph_sums sums;
};

/* A graph has at most so many nodes, and one more for each function. About 80 bytes each. */
#define FC_GRAPH_NODES (2u << 20)

struct fc_graph_opts {
	uint32_t max_nodes;
	/* Of stacks (stacks.h): recursion is not folded, what is deeper is below FC_GRAPH_DEEPER. */
	uint32_t max_levels; /* 0: of none */
	/* The number of the task of a strand's outermost call, its root. NULL: roots are functions. */
	uint32_t (*task_of)(void *ctx, const struct fc_call *call);
	void *ctx;
};

struct fc_graph;
/* Paths beyond max_nodes are summed by function, below FC_GRAPH_BEYOND. */
struct fc_graph *fc_graph_create(uint32_t max_nodes);
struct fc_graph *fc_graph_create_as(const struct fc_graph_opts *opts);
void fc_graph_destroy(struct fc_graph *graph);
/* Its finish() gives pseudo nodes the total of what is below them. */
struct fc_call_sink *fc_graph_sink(struct fc_graph *graph);

/* So many calls more, of which nothing else is known. */
void fc_graph_add_counted(struct fc_graph *graph, uint32_t func, uint64_t calls);

/* Nodes are 1..nr; a parent has a smaller number than its children. */
uint32_t fc_graph_nr(const struct fc_graph *graph);
struct fc_graph_node fc_graph_get(const struct fc_graph *graph, uint32_t node);
/* By number, in order: a node's first child (0: the first root) and the one behind it; 0: none. */
struct fc_graph_links {
	uint32_t *first, *next;
};

struct fc_graph_links fc_graph_link(const struct fc_graph *graph);
void fc_graph_links_deinit(struct fc_graph_links *links);
/* Those of stacks, after finish(). */
const struct fc_graph_links *fc_graph_links(const struct fc_graph *graph);

/* Calls on paths beyond the limit. */
uint64_t fc_graph_nr_beyond(const struct fc_graph *graph);
/* Ticks that the program waited for fctrace: they are inside the times of its calls. */
uint64_t fc_graph_waited(const struct fc_graph *graph);

/*
 * For who makes a graph by hand: the child of a node (0: a root), made if need be; and more
 * sums of a node.
 */
uint32_t fc_graph_child(struct fc_graph *graph, uint32_t parent, uint32_t func);
void fc_graph_add(struct fc_graph *graph, uint32_t node, const struct fc_graph_sums *sums,
		  bool is_timed);

#endif
