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
 * threads. What is below so many levels counts by function below FC_STACKS_DEEPER, and stacks
 * beyond the limit by function below the root FC_STACKS_OTHER; the order of calls is not known
 * there, so the total of such a node is its self time. Over all nodes, calls and self times of a
 * function add up to those of report.h, exactly; totals of nodes without one of the same function
 * further out do, where nothing is below these two.
 */
#ifndef FC_READ_SUMS_STACKS_H
#define FC_READ_SUMS_STACKS_H

#include "calls/call.h"
#include "calls/names.h"

/* In place of a function. */
enum fc_stacks_pseudo {
	FC_STACKS_UNKNOWN = 0, /* it was entered within a gap: nobody knows what it was */
	FC_STACKS_OTHER = FC_FUNC_MAX + 1, /* a root: functions on stacks beyond the limit */
	FC_STACKS_DEEPER,		   /* functions on stacks of too many levels */
	FC_STACKS_TASK,			   /* and beyond: a root, a task */
};

/* About 72 bytes a node; and one more for each function, at most. */
#define FC_STACKS_NODES	 (1u << 20)
#define FC_STACKS_LEVELS 1000

struct fc_stacks_opts {
	uint32_t max_nodes, max_levels;
	bool by_thread; /* each thread is a task, not each program */
};

struct fc_stack_sums {
	uint64_t calls; /* without those that a forked child inherited */
	uint64_t total; /* ticks in it and below */
	uint64_t self;	/* ticks in it */
};

struct fc_stack_node {
	uint32_t parent; /* 0: it is a root */
	uint32_t func;	 /* or an fc_stacks_pseudo */
	struct fc_stack_sums sums;
};

struct fc_stacks;
struct fc_stacks *fc_stacks_create(const struct fc_stacks_opts *opts);
void fc_stacks_destroy(struct fc_stacks *stacks);
/* Its finish() gives pseudo nodes the total of what is below them. */
struct fc_call_sink *fc_stacks_sink(struct fc_stacks *stacks);
/* Programs are named by what is told of their lives between the calls. */
void fc_stacks_life(struct fc_stacks *stacks, const struct fc_life_info *life);

/* Nodes are 1..nr; a parent has a smaller number than its children. */
uint32_t fc_stacks_nr(const struct fc_stacks *stacks);
struct fc_stack_node fc_stacks_get(const struct fc_stacks *stacks, uint32_t node);
/* Calls on stacks beyond the limit of nodes. */
uint64_t fc_stacks_nr_other(const struct fc_stacks *stacks);

/* After finish(): the first child of a node (0: the first root) and the one behind it; 0: none. */
uint32_t fc_stacks_first(const struct fc_stacks *stacks, uint32_t node);
uint32_t fc_stacks_next(const struct fc_stacks *stacks, uint32_t node);

static inline bool fc_stacks_is_pseudo(uint32_t func)
{
	return func == FC_STACKS_UNKNOWN || func > FC_FUNC_MAX;
}

/* A function, or what stands in place of one. Lives as long as stacks and the namer. */
struct fc_name fc_stacks_name(struct fc_stacks *stacks, const struct fc_namer *namer,
			      uint32_t func);

#endif
