/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - the tree of call paths, and the sums of its nodes. */
#include "read/sums/graph.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pairs.h"
#include "base/vec.h"
#include "calls/opens.h"
#include "trace/mark.h"

/* A node's pair is (parent, function), with this bit in the function of an echo. */
#define ECHO (1u << 31)

struct node {
	struct fc_graph_sums sums;
	uint32_t last_child; /* that was called; 0: none. Most calls go where the last went */
	uint16_t level;	     /* of stacks; 0: a root */
	bool is_timed;
	bool is_loose; /* of stacks: below DEEPER or BEYOND */
};

struct fc_graph {
	struct fc_call_sink sink;
	struct fc_graph_opts opts;
	struct fc_pairs pairs;
	FC_VEC(struct node) nodes; /* by number - 1 */
	struct fc_open_strands
		opens;	 /* numbers: of a function's node; counts: of an echo's calls */
	uint32_t beyond; /* the root of paths beyond the limit; 0: none yet */
	uint64_t waited; /* ticks */
	struct fc_graph_links links;
};

static bool is_folded(const struct fc_graph *graph)
{
	return !graph->opts.max_levels;
}

static struct fc_graph *graph_of(struct fc_call_sink *sink)
{
	return (struct fc_graph *)((char *)sink - offsetof(struct fc_graph, sink));
}

static struct node *node_at(struct fc_graph *graph, uint32_t number)
{
	return &graph->nodes.at[number - 1];
}

static uint32_t parent_of(const struct fc_graph *graph, uint32_t number)
{
	return fc_pair_first(fc_pairs_get(&graph->pairs, number));
}

static uint32_t add_node(struct fc_graph *graph, uint64_t pair)
{
	uint32_t parent = fc_pair_first(pair);
	struct node node = { .last_child = 0 };

	if (parent && !is_folded(graph)) {
		uint32_t in = fc_pair_second(fc_pairs_get(&graph->pairs, parent));
		node.level = (uint16_t)(node_at(graph, parent)->level + 1);
		node.is_loose = in == FC_GRAPH_DEEPER || in == FC_GRAPH_BEYOND;
	}
	fc_vec_push(&graph->nodes, node);
	return fc_pairs_add(&graph->pairs, pair);
}

static uint32_t find_or_add(struct fc_graph *graph, uint64_t pair)
{
	uint32_t number = fc_pairs_find(&graph->pairs, pair);
	return number ? number : add_node(graph, pair);
}

/* A path that there is no room for: functions count by themselves. */
static uint32_t beyond(struct fc_graph *graph, uint32_t func)
{
	if (!graph->beyond)
		graph->beyond = find_or_add(graph, fc_pair(0, FC_GRAPH_BEYOND));
	return find_or_add(graph, fc_pair(graph->beyond, func));
}

static bool is_full(const struct fc_graph *graph)
{
	return graph->nodes.nr >= graph->opts.max_nodes;
}

static uint32_t find_child(struct fc_graph *graph, uint32_t parent, uint32_t func)
{
	uint64_t pair = fc_pair(parent, func);
	uint32_t number = fc_pairs_find(&graph->pairs, pair);

	if (number)
		return number;
	return is_full(graph) ? beyond(graph, func) : add_node(graph, pair);
}

/* What a loose node calls stands beside it, for its order is not known. */
static uint32_t place_of(struct fc_graph *graph, uint32_t parent)
{
	const struct node *node = node_at(graph, parent);

	if (node->is_loose)
		return parent_of(graph, parent);
	if (is_folded(graph) || node->level < graph->opts.max_levels)
		return parent;
	uint32_t deeper = find_child(graph, parent, FC_GRAPH_DEEPER);
	/* There may be no room for the node that gathers what is deeper. */
	return node_at(graph, deeper)->is_loose ? graph->beyond : deeper;
}

uint32_t fc_graph_child(struct fc_graph *graph, uint32_t parent, uint32_t func)
{
	uint32_t last = parent ? node_at(graph, parent)->last_child : 0;

	if (last && fc_pairs_get(&graph->pairs, last) == fc_pair(parent, func))
		return last;
	uint32_t child = find_child(graph, parent ? place_of(graph, parent) : 0, func);
	if (parent)
		node_at(graph, parent)->last_child = child;
	return child;
}

/* 0: there is no room for it. */
static uint32_t echo_of(struct fc_graph *graph, uint32_t parent, uint32_t func)
{
	uint64_t pair = fc_pair(parent, func | ECHO);
	uint32_t number = fc_pairs_find(&graph->pairs, pair);

	return number || is_full(graph) ? number : add_node(graph, pair);
}

/* ---- the sink ---- */

/* What a strand's outermost calls are below. */
static uint32_t root_of(struct fc_graph *graph, const struct fc_call *call)
{
	const struct fc_graph_opts *opts = &graph->opts;

	return opts->task_of ? fc_graph_child(graph, 0,
					      FC_GRAPH_TASK + opts->task_of(opts->ctx, call))
			     : 0;
}

/* The node that calls it; 0: it is a root. */
static uint32_t caller_of(struct fc_graph *graph, const struct fc_open_strand *open,
			  const struct fc_call *call)
{
	uint32_t nr = (uint32_t)open->frames.nr;
	uint32_t outer = nr ? open->frames.at[nr - 1].number : root_of(graph, call);
	bool is_unknown = !call->caller && call->depth;

	return is_unknown ? fc_graph_child(graph, outer, FC_GRAPH_UNKNOWN) : outer;
}

/* A recursive call: the node of the one further out, and where this one came from. */
static struct fc_open_frame enter_again(struct fc_graph *graph, struct fc_open_strand *open,
					uint32_t caller, uint32_t func)
{
	struct fc_open_frame frame = { .number = *fc_paged_at(&open->numbers, func),
				       .is_again = true };

	if (parent_of(graph, frame.number) != caller)
		frame.echo = echo_of(graph, caller, func);
	if (frame.echo)
		(*fc_paged_at(&open->counts, frame.echo))++;
	return frame;
}

static void graph_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_graph *graph = graph_of(sink);
	struct fc_open_strand *open = fc_opens_get(&graph->opens, call->strand);
	uint32_t caller = caller_of(graph, open, call);
	if (call->is_recursive && is_folded(graph)) {
		fc_vec_push(&open->frames, enter_again(graph, open, caller, call->func));
		return;
	}
	uint32_t node = fc_graph_child(graph, caller, call->func);
	if (is_folded(graph))
		*fc_paged_at(&open->numbers, call->func) = node;
	fc_vec_push(&open->frames, (struct fc_open_frame){ .number = node });
}

static bool is_seen_end(const struct fc_call *call)
{
	return call->left != FC_LEFT_UNSEEN && call->left != FC_LEFT_LOST;
}

static __attribute__((noinline)) void add_waits(struct node *node, const struct fc_call *call,
						bool is_again)
{
	uint64_t waited = call->wait_ticks;

	if (node->is_loose)
		waited = call->is_off_cpu ? call->self_ticks : 0;
	if (!is_again)
		node->sums.wait += waited;
	node->sums.self_wait += call->self_wait_ticks;
}

static void leave_echo(struct fc_graph *graph, struct fc_open_strand *open, uint32_t echo,
		       const struct fc_call *call, uint64_t calls)
{
	struct node *node = node_at(graph, echo);
	uint32_t nr_open = --*fc_paged_at(&open->counts, echo);

	node->sums.calls += calls;
	node->sums.again += calls;
	node->is_timed |= is_seen_end(call);
	if (nr_open)
		return;
	node->sums.total += fc_call_ticks(call);
	node->sums.wait += call->wait_ticks;
}

static void graph_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_graph *graph = graph_of(sink);
	struct fc_open_strand *open = fc_opens_get(&graph->opens, call->strand);
	struct fc_open_frame frame = open->frames.at[--open->frames.nr];
	struct node *node = node_at(graph, frame.number);
	/* An inherited call was counted in the process that made it; others were not kept. */
	uint64_t calls = !call->is_inherited && !call->is_resumed;

	node->sums.calls += calls;
	node->sums.self += call->self_ticks;
	node->is_timed |= calls && is_seen_end(call);
	if (frame.is_again)
		node->sums.again += calls;
	else
		node->sums.total += node->is_loose ? call->self_ticks : fc_call_ticks(call);
	if (__builtin_expect(call->wait_ticks != 0, 0))
		add_waits(node, call, frame.is_again);
	if (frame.echo)
		leave_echo(graph, open, frame.echo, call, calls);
	if (!open->frames.nr)
		fc_opens_put(&graph->opens, call->strand);
}

static void graph_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	graph_of(sink)->waited += fc_mark_waited(event);
}

/* Children come behind their parents: so what is below a pseudo node has its total already. */
static void graph_finish(struct fc_call_sink *sink)
{
	struct fc_graph *graph = graph_of(sink);

	for (uint32_t i = (uint32_t)graph->nodes.nr; i > 0; i--) {
		struct fc_graph_node node = fc_graph_get(graph, i);
		if (!node.parent || node.is_echo)
			continue;
		struct fc_graph_node parent = fc_graph_get(graph, node.parent);
		if (!fc_graph_is_pseudo(parent.func))
			continue;
		node_at(graph, node.parent)->sums.total += node.sums.total;
		node_at(graph, node.parent)->sums.wait += node.sums.wait;
		node_at(graph, node.parent)->is_timed |= node.is_timed;
	}
	if (!is_folded(graph))
		graph->links = fc_graph_link(graph);
}

/* ---- */

struct fc_graph *fc_graph_create(uint32_t max_nodes)
{
	return fc_graph_create_as(&(struct fc_graph_opts){ .max_nodes = max_nodes });
}

struct fc_graph *fc_graph_create_as(const struct fc_graph_opts *opts)
{
	struct fc_graph *graph = fc_alloc(sizeof(*graph));

	graph->sink = (struct fc_call_sink){
		.enter = graph_enter,
		.leave = graph_leave,
		.event = graph_event,
		.finish = graph_finish,
	};
	graph->opts = *opts;
	fc_opens_init(&graph->opens);
	return graph;
}

void fc_graph_destroy(struct fc_graph *graph)
{
	if (!graph)
		return;
	fc_opens_deinit(&graph->opens);
	fc_pairs_deinit(&graph->pairs);
	fc_vec_free(&graph->nodes);
	fc_graph_links_deinit(&graph->links);
	free(graph);
}

struct fc_call_sink *fc_graph_sink(struct fc_graph *graph)
{
	return &graph->sink;
}

void fc_graph_add_counted(struct fc_graph *graph, uint32_t func, uint64_t calls)
{
	if (!calls)
		return;
	uint32_t root = find_or_add(graph, fc_pair(0, FC_GRAPH_COUNTED));
	uint32_t node = find_or_add(graph, fc_pair(root, func));
	node_at(graph, node)->sums.calls += calls;
}

uint32_t fc_graph_nr(const struct fc_graph *graph)
{
	return (uint32_t)graph->nodes.nr;
}

struct fc_graph_node fc_graph_get(const struct fc_graph *graph, uint32_t number)
{
	uint64_t pair = fc_pairs_get(&graph->pairs, number);
	const struct node *node = &graph->nodes.at[number - 1];

	return (struct fc_graph_node){
		.parent = fc_pair_first(pair),
		.func = fc_pair_second(pair) & ~ECHO,
		.is_echo = fc_pair_second(pair) & ECHO,
		.is_timed = node->is_timed,
		.sums = node->sums,
	};
}

/* Backwards, so that children come in order. */
struct fc_graph_links fc_graph_link(const struct fc_graph *graph)
{
	size_t nr = graph->nodes.nr + 1;
	struct fc_graph_links links = { fc_alloc(nr * sizeof(uint32_t)),
					fc_alloc(nr * sizeof(uint32_t)) };

	for (uint32_t i = (uint32_t)nr - 1; i > 0; i--) {
		links.next[i] = links.first[parent_of(graph, i)];
		links.first[parent_of(graph, i)] = i;
	}
	return links;
}

const struct fc_graph_links *fc_graph_links(const struct fc_graph *graph)
{
	return &graph->links;
}

void fc_graph_links_deinit(struct fc_graph_links *links)
{
	free(links->first);
	free(links->next);
}

uint64_t fc_graph_nr_beyond(const struct fc_graph *graph)
{
	uint64_t calls = 0;

	for (uint32_t i = graph->beyond; graph->beyond && i <= graph->nodes.nr; i++)
		if (parent_of(graph, i) == graph->beyond)
			calls += graph->nodes.at[i - 1].sums.calls;
	return calls;
}

uint64_t fc_graph_waited(const struct fc_graph *graph)
{
	return graph->waited;
}

void fc_graph_add(struct fc_graph *graph, uint32_t number, const struct fc_graph_sums *sums,
		  bool is_timed)
{
	struct node *node = node_at(graph, number);

	node->sums.calls += sums->calls;
	node->sums.again += sums->again;
	node->sums.total += sums->total;
	node->sums.self += sums->self;
	node->sums.wait += sums->wait;
	node->sums.self_wait += sums->self_wait;
	node->is_timed |= is_timed;
}
