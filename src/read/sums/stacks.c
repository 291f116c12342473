/* SPDX-License-Identifier: Apache-2.0 */
#include "read/sums/stacks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pairs.h"
#include "calls/opens.h"
#include "calls/programs.h"

struct node {
	struct fc_stack_sums sums;
	uint32_t last_child;  /* that was called; 0: none. Most calls go where the last went */
	uint16_t level;	      /* 0: a root */
	bool is_loose;	      /* below DEEPER or OTHER */
	uint32_t first, next; /* once all is there: children of one parent */
};

struct fc_stacks {
	struct fc_call_sink sink;
	struct fc_stacks_opts opts;
	struct fc_pairs pairs;	      /* (parent, function) */
	FC_VEC(struct node) nodes;    /* by number - 1 */
	struct fc_open_strands opens; /* numbers of nodes */
	uint32_t other;		      /* 0: none yet */
	uint32_t first;		      /* root */

	struct fc_programs programs;
	struct fc_pairs tasks;	/* (program, tid or 0) */
	FC_VEC(char *) names;	/* of tasks, by number - 1; NULL: not asked for yet */
	int last_pid, last_tid; /* the task of... */
	uint32_t last_task;	/* 0: none */
};

static struct fc_stacks *stacks_of(struct fc_call_sink *sink)
{
	return (struct fc_stacks *)((char *)sink - offsetof(struct fc_stacks, sink));
}

static struct node *node_at(struct fc_stacks *stacks, uint32_t number)
{
	return &stacks->nodes.at[number - 1];
}

static uint32_t add_node(struct fc_stacks *stacks, uint32_t parent, uint32_t func)
{
	struct node node = { 0 };

	if (parent) {
		const struct node *outer = node_at(stacks, parent);
		uint32_t in = fc_pair_second(fc_pairs_get(&stacks->pairs, parent));
		node.level = (uint16_t)(outer->level + 1);
		node.is_loose = in == FC_STACKS_DEEPER || in == FC_STACKS_OTHER;
	}
	fc_vec_push(&stacks->nodes, node);
	return fc_pairs_add(&stacks->pairs, fc_pair(parent, func));
}

static uint32_t find_or_add(struct fc_stacks *stacks, uint32_t parent, uint32_t func)
{
	uint32_t number = fc_pairs_find(&stacks->pairs, fc_pair(parent, func));
	return number ? number : add_node(stacks, parent, func);
}

/* A stack that there is no room for: functions count by themselves. */
static uint32_t other(struct fc_stacks *stacks, uint32_t func)
{
	if (!stacks->other)
		stacks->other = find_or_add(stacks, 0, FC_STACKS_OTHER);
	return find_or_add(stacks, stacks->other, func);
}

static uint32_t find_child(struct fc_stacks *stacks, uint32_t parent, uint32_t func)
{
	uint32_t number = fc_pairs_find(&stacks->pairs, fc_pair(parent, func));

	if (number)
		return number;
	return stacks->nodes.nr < stacks->opts.max_nodes ? add_node(stacks, parent, func)
							 : other(stacks, func);
}

static uint32_t parent_of(const struct fc_stacks *stacks, uint32_t number)
{
	return fc_pair_first(fc_pairs_get(&stacks->pairs, number));
}

/* What a loose node calls stands beside it, for its order is not known. */
static uint32_t place_of(struct fc_stacks *stacks, uint32_t parent)
{
	const struct node *node = node_at(stacks, parent);

	if (node->is_loose)
		return parent_of(stacks, parent);
	if (node->level < stacks->opts.max_levels)
		return parent;
	return find_child(stacks, parent, FC_STACKS_DEEPER);
}

static uint32_t child_of(struct fc_stacks *stacks, uint32_t parent, uint32_t func)
{
	uint32_t last = parent ? node_at(stacks, parent)->last_child : 0;

	if (last && fc_pairs_get(&stacks->pairs, last) == fc_pair(parent, func))
		return last;
	uint32_t place = parent ? place_of(stacks, parent) : 0;
	/* There was no room for the node that gathers what is deeper. */
	if (place && node_at(stacks, place)->is_loose)
		place = stacks->other;
	uint32_t child = find_child(stacks, place, func);
	if (parent)
		node_at(stacks, parent)->last_child = child;
	return child;
}

/* ---- tasks ---- */

static uint32_t task_of(struct fc_stacks *stacks, const struct fc_call *call)
{
	if (stacks->last_task && stacks->last_pid == call->pid && stacks->last_tid == call->tid)
		return stacks->last_task;
	uint32_t program = fc_programs_of(&stacks->programs, call->pid);
	uint64_t pair = fc_pair(program, stacks->opts.by_thread ? (uint32_t)call->tid : 0);

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

	while (stacks->names.nr < task)
		fc_vec_push(&stacks->names, NULL);
	char **name = &stacks->names.at[task - 1];
	if (!*name)
		*name = stacks->opts.by_thread
				? fc_asprintf("%s [%d]", program, (int)fc_pair_second(pair))
				: fc_strdup(program);
	return *name;
}

struct fc_name fc_stacks_name(struct fc_stacks *stacks, const struct fc_namer *namer,
			      uint32_t func)
{
	switch (func) {
	case FC_STACKS_UNKNOWN:
		return (struct fc_name){ "[unknown]", "" };
	case FC_STACKS_OTHER:
		return (struct fc_name){ "[other]", "" };
	case FC_STACKS_DEEPER:
		return (struct fc_name){ "[deeper]", "" };
	}
	if (func >= FC_STACKS_TASK)
		return (struct fc_name){ name_of_task(stacks, func - FC_STACKS_TASK), "" };
	return namer->name_of(namer->ctx, func);
}

/* ---- the sink ---- */

/* The node that calls it. */
static uint32_t caller_of(struct fc_stacks *stacks, const struct fc_open_strand *open,
			  const struct fc_call *call)
{
	size_t nr = open->frames.nr;
	uint32_t outer = nr ? open->frames.at[nr - 1].number
			    : child_of(stacks, 0, FC_STACKS_TASK + task_of(stacks, call));
	bool is_unknown = !call->caller && call->depth;

	return is_unknown ? child_of(stacks, outer, FC_STACKS_UNKNOWN) : outer;
}

static void stacks_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_stacks *stacks = stacks_of(sink);
	struct fc_open_strand *open = fc_opens_get(&stacks->opens, call->strand);
	uint32_t node = child_of(stacks, caller_of(stacks, open, call), call->func);

	fc_vec_push(&open->frames, (struct fc_open_frame){ .number = node });
}

static void stacks_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_stacks *stacks = stacks_of(sink);
	struct fc_open_strand *open = fc_opens_get(&stacks->opens, call->strand);
	struct node *node = node_at(stacks, open->frames.at[--open->frames.nr].number);

	/* An inherited call was counted in the process that made it; others were not kept. */
	node->sums.calls += !call->is_inherited && !call->is_resumed;
	node->sums.self += call->self_ticks;
	node->sums.total += node->is_loose ? call->self_ticks : fc_call_ticks(call);
	if (!open->frames.nr)
		fc_opens_put(&stacks->opens, call->strand);
}

/* Children come behind their parents: so what is below a pseudo node has its total already. */
static void stacks_finish(struct fc_call_sink *sink)
{
	struct fc_stacks *stacks = stacks_of(sink);

	for (uint32_t i = (uint32_t)stacks->nodes.nr; i > 0; i--) {
		struct node *node = node_at(stacks, i);
		uint32_t parent = parent_of(stacks, i);
		struct node *outer = parent ? node_at(stacks, parent) : NULL;
		uint32_t *first = outer ? &outer->first : &stacks->first;

		node->next = *first;
		*first = i;
		if (outer && fc_stacks_is_pseudo(fc_stacks_get(stacks, parent).func))
			outer->sums.total += node->sums.total;
	}
}

/* ---- */

struct fc_stacks *fc_stacks_create(const struct fc_stacks_opts *opts)
{
	struct fc_stacks *stacks = fc_alloc(sizeof(*stacks));

	stacks->sink = (struct fc_call_sink){
		.enter = stacks_enter,
		.leave = stacks_leave,
		.event = fc_sink_skip_event,
		.finish = stacks_finish,
	};
	stacks->opts = *opts;
	fc_opens_init(&stacks->opens);
	return stacks;
}

void fc_stacks_destroy(struct fc_stacks *stacks)
{
	if (!stacks)
		return;
	fc_opens_deinit(&stacks->opens);
	fc_pairs_deinit(&stacks->pairs);
	fc_vec_free(&stacks->nodes);
	fc_programs_deinit(&stacks->programs);
	fc_pairs_deinit(&stacks->tasks);
	fc_vec_each (&stacks->names, name)
		free(*name);
	fc_vec_free(&stacks->names);
	free(stacks);
}

struct fc_call_sink *fc_stacks_sink(struct fc_stacks *stacks)
{
	return &stacks->sink;
}

uint32_t fc_stacks_nr(const struct fc_stacks *stacks)
{
	return (uint32_t)stacks->nodes.nr;
}

struct fc_stack_node fc_stacks_get(const struct fc_stacks *stacks, uint32_t number)
{
	uint64_t pair = fc_pairs_get(&stacks->pairs, number);

	return (struct fc_stack_node){
		.parent = fc_pair_first(pair),
		.func = fc_pair_second(pair),
		.sums = stacks->nodes.at[number - 1].sums,
	};
}

uint64_t fc_stacks_nr_other(const struct fc_stacks *stacks)
{
	uint64_t calls = 0;

	for (uint32_t i = stacks->other ? fc_stacks_first(stacks, stacks->other) : 0; i;
	     i = fc_stacks_next(stacks, i))
		calls += stacks->nodes.at[i - 1].sums.calls;
	return calls;
}

uint32_t fc_stacks_first(const struct fc_stacks *stacks, uint32_t node)
{
	return node ? stacks->nodes.at[node - 1].first : stacks->first;
}

uint32_t fc_stacks_next(const struct fc_stacks *stacks, uint32_t node)
{
	return stacks->nodes.at[node - 1].next;
}
