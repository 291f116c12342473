/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks.h - a sink that sums calls by the whole stack they stand on: what flame graphs show.
 *
 *	trace                             nodes
 *	main() { a() { b(); a(); } }      a.out
 *	                                    main 1
 *	                                      a 1
 *	                                        b 1
 *	                                        a 1
 *
 * Unlike in graph.h recursion is not folded. The roots are tasks: the programs that ran, or their
 * threads. What is below so many levels counts by function below FC_GRAPH_DEEPER, and stacks
 * beyond the limit by function below the root FC_GRAPH_BEYOND; the order of calls is not known
 * there, so the total of such a node is its self time. Over all nodes, calls and self times of a
 * function add up to those of report.h, exactly; totals of nodes without one of the same function
 * further out do, where nothing is below these two.
 */
#ifndef FC_READ_SUMS_STACKS_H
#define FC_READ_SUMS_STACKS_H

#include "calls/names.h"
#include "read/sums/graph.h"

/* About 96 bytes a node; and one more for each function, at most. */
#define FC_STACKS_NODES	 (1u << 20)
#define FC_STACKS_LEVELS 1000

struct fc_stacks_opts {
	uint32_t max_nodes, max_levels;
	bool by_thread; /* each thread is a task, not each program */
};

struct fc_stacks;
struct fc_stacks *fc_stacks_create(const struct fc_stacks_opts *opts);
void fc_stacks_destroy(struct fc_stacks *stacks);
/* Its finish() gives pseudo nodes the total of what is below them. */
struct fc_call_sink *fc_stacks_sink(struct fc_stacks *stacks);
/* Programs are named by what is told of their lives between the calls. */
void fc_stacks_life(struct fc_stacks *stacks, const struct fc_life_info *life);

/* Its nodes; no more than their parents, functions, calls, totals and self times are of use. */
const struct fc_graph *fc_stacks_graph(const struct fc_stacks *stacks);

static inline uint32_t fc_stacks_nr(const struct fc_stacks *stacks)
{
	return fc_graph_nr(fc_stacks_graph(stacks));
}

static inline struct fc_graph_node fc_stacks_get(const struct fc_stacks *stacks, uint32_t node)
{
	return fc_graph_get(fc_stacks_graph(stacks), node);
}

/* After finish(): the first child of a node (0: the first root) and the one behind it; 0: none. */
static inline uint32_t fc_stacks_first(const struct fc_stacks *stacks, uint32_t node)
{
	return fc_graph_links(fc_stacks_graph(stacks))->first[node];
}

static inline uint32_t fc_stacks_next(const struct fc_stacks *stacks, uint32_t node)
{
	return fc_graph_links(fc_stacks_graph(stacks))->next[node];
}

/* A function, or what stands in place of one. Lives as long as stacks and the namer. */
struct fc_name fc_stacks_name(struct fc_stacks *stacks, const struct fc_namer *namer,
			      uint32_t func);

#endif
