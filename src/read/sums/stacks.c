/* SPDX-License-Identifier: Apache-2.0 */
/* stacks.c - gives each program or thread a root in a graph of stacks, and names the roots. */
#include "read/sums/stacks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pairs.h"
#include "calls/programs.h"

struct fc_stacks {
	struct fc_graph *graph;
	bool by_thread;
	struct fc_programs programs;
	struct fc_pairs tasks;	/* (program, tid or 0) */
	FC_VEC(char *) names;	/* of tasks, by number - 1; NULL: not asked for yet */
	int last_pid, last_tid; /* the task of... */
	uint32_t last_task;	/* 0: none */
};

static uint32_t task_of(void *ctx, const struct fc_call *call)
{
	struct fc_stacks *stacks = ctx;

	if (stacks->last_task && stacks->last_pid == call->pid && stacks->last_tid == call->tid)
		return stacks->last_task;
	uint32_t program = fc_programs_of(&stacks->programs, call->pid);
	uint64_t pair = fc_pair(program, stacks->by_thread ? (uint32_t)call->tid : 0);

	stacks->last_pid = call->pid;
	stacks->last_tid = call->tid;
	stacks->last_task = fc_pairs_number(&stacks->tasks, pair);
	return stacks->last_task;
}

void fc_stacks_life(struct fc_stacks *stacks, const struct fc_life_info *life)
{
	fc_programs_life(&stacks->programs, life);
	stacks->last_task = 0;
}

static const char *name_of_task(struct fc_stacks *stacks, uint32_t task)
{
	uint64_t pair = fc_pairs_get(&stacks->tasks, task);
	const char *program = fc_programs_name(&stacks->programs, fc_pair_first(pair));

	char **name = fc_vec_make(&stacks->names, task - 1);

	if (!*name)
		*name = stacks->by_thread
				? fc_asprintf("%s [%d]", program, (int)fc_pair_second(pair))
				: fc_strdup(program);
	return *name;
}

struct fc_name fc_stacks_name(struct fc_stacks *stacks, const struct fc_namer *namer,
			      uint32_t func)
{
	switch (func) {
	case FC_GRAPH_UNKNOWN:
		return (struct fc_name){ "[unknown]", "" };
	case FC_GRAPH_BEYOND:
		return (struct fc_name){ "[other]", "" };
	case FC_GRAPH_DEEPER:
		return (struct fc_name){ "[deeper]", "" };
	}
	if (func >= FC_GRAPH_TASK)
		return (struct fc_name){ name_of_task(stacks, func - FC_GRAPH_TASK), "" };
	return namer->name_of(namer->ctx, func);
}

struct fc_stacks *fc_stacks_create(const struct fc_stacks_opts *opts)
{
	struct fc_stacks *stacks = fc_alloc(sizeof(*stacks));
	const struct fc_graph_opts graph_opts = { .max_nodes = opts->max_nodes,
						  .max_levels = opts->max_levels,
						  .task_of = task_of,
						  .ctx = stacks };

	stacks->by_thread = opts->by_thread;
	stacks->graph = fc_graph_create_as(&graph_opts);
	return stacks;
}

void fc_stacks_destroy(struct fc_stacks *stacks)
{
	if (!stacks)
		return;
	fc_graph_destroy(stacks->graph);
	fc_programs_deinit(&stacks->programs);
	fc_pairs_deinit(&stacks->tasks);
	fc_vec_each (&stacks->names, name)
		free(*name);
	fc_vec_free(&stacks->names);
	free(stacks);
}

struct fc_call_sink *fc_stacks_sink(struct fc_stacks *stacks)
{
	return fc_graph_sink(stacks->graph);
}

const struct fc_graph *fc_stacks_graph(const struct fc_stacks *stacks)
{
	return stacks->graph;
}
