/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c - builds the subtrees of each strand from its calls, and folds repetitions. */
#include "read/diff/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/strands.h"
#include "trace/mark.h"

#define LIST_SHARE 8 /* of all lists together that a call's own list may take */

/* An open call, or what is around the outermost one. */
struct frame {
	uint32_t number; /* 0: not looked at; what it calls counts for the call around */
	uint32_t first;	 /* of its runs; they end where those of the next frame begin */
	uint64_t hash;	 /* of the calls that it made, in order */
	uint64_t calls;	 /* that it made, with all below */
	uint32_t sketch[FC_SKETCH];
};

/* The calls that an open call's list does not hold. */
struct rest {
	size_t frame;
	uint64_t hash, calls;
};

struct strand {
	FC_VEC(struct frame) stack;
	FC_VEC(struct fc_run) runs;
	FC_VEC(struct rest) rests; /* outermost first */
	bool is_closed;
	struct fc_run root;
};

struct fc_flow {
	struct fc_call_sink sink;
	struct fc_flow_opts opts;
	struct fc_strands strands;
	size_t nr_runs; /* of all strands */
};

static struct fc_flow *flow_of(struct fc_call_sink *sink)
{
	return (struct fc_flow *)((char *)sink - offsetof(struct fc_flow, sink));
}

static void push(struct strand *strand, uint32_t number)
{
	struct frame frame = { .number = number, .first = (uint32_t)strand->runs.nr };

	memset(frame.sketch, 0xff, sizeof(frame.sketch));
	fc_vec_push(&strand->stack, frame);
}

static struct strand *strand_of(struct fc_flow *flow, uint32_t id)
{
	struct strand *strand = fc_strands_make(&flow->strands, id);

	if (strand && !strand->stack.nr)
		push(strand, FC_WHAT_ROOT);
	return strand;
}

/* The innermost frame that is looked at. */
static struct frame *frame_of(struct strand *strand)
{
	struct frame *frame = &strand->stack.at[strand->stack.nr - 1];

	while (!frame->number && frame > strand->stack.at)
		frame--;
	return frame;
}

static void sketch_add(uint32_t *sketch, const uint32_t *other)
{
	for (int i = 0; i < FC_SKETCH; i++)
		sketch[i] = other[i] < sketch[i] ? other[i] : sketch[i];
}

static void sketch_add_hash(uint32_t *sketch, uint64_t hash)
{
	uint64_t low = hash * 0x9fb21c651e98df25ull, high = hash * 0xc2b2ae3d27d4eb4full;
	uint32_t own[FC_SKETCH] = { (uint32_t)(low >> 32),
				    (uint32_t)low ^ (uint32_t)(hash >> 32),
				    (uint32_t)(high >> 32), (uint32_t)high ^ (uint32_t)hash };
	sketch_add(sketch, own);
}

static bool has_room(const struct fc_flow *flow, const struct strand *strand,
		     const struct frame *frame)
{
	return strand->runs.nr - frame->first < flow->opts.limit_runs / LIST_SHARE + 1 &&
	       flow->nr_runs < flow->opts.limit_runs;
}

/* NULL: its list holds all. */
static struct rest *rest_of(struct strand *strand, const struct frame *frame)
{
	size_t i = (size_t)(frame - strand->stack.at);
	struct rest *last = strand->rests.nr ? &strand->rests.at[strand->rests.nr - 1] : NULL;

	return last && last->frame == i ? last : NULL;
}

static void append_to_rest(struct strand *strand, const struct frame *frame,
			   const struct fc_subtree *tree)
{
	struct rest *rest = rest_of(strand, frame);

	if (!rest) {
		struct rest first = { .frame = (size_t)(frame - strand->stack.at) };
		fc_vec_push(&strand->rests, first);
		rest = &strand->rests.at[strand->rests.nr - 1];
	}
	rest->hash = fc_mix(rest->hash, tree->hash);
	rest->calls += tree->calls;
}

/* The call around made this one. */
static void append(struct fc_flow *flow, struct strand *strand, const struct fc_subtree *tree)
{
	struct frame *frame = frame_of(strand);
	struct fc_run *last =
		strand->runs.nr > frame->first ? &strand->runs.at[strand->runs.nr - 1] : NULL;

	frame->hash = fc_mix(frame->hash, tree->hash);
	frame->calls += tree->calls;
	sketch_add(frame->sketch, tree->sketch);
	if (rest_of(strand, frame) || !has_room(flow, strand, frame)) {
		append_to_rest(strand, frame, tree);
	} else if (last && last->hash == tree->hash && last->nr < UINT32_MAX) {
		last->nr++;
	} else {
		fc_vec_push(&strand->runs, (struct fc_run){ tree->hash, tree->what, 1 });
		flow->nr_runs++;
	}
}

/* All that is no call of a function: no list, so many calls. */
static struct fc_subtree special(uint32_t number, uint64_t hash, uint64_t calls)
{
	struct fc_subtree tree = { .hash = fc_mix(hash, number + 1),
				   .calls = calls,
				   .what = fc_what(number, FC_ENDED_WELL) };

	memset(tree.sketch, 0xff, sizeof(tree.sketch));
	return tree;
}

/* What the list does not hold stands for itself at its end. */
static void append_rest(struct fc_flow *flow, struct strand *strand)
{
	const struct rest *last = &strand->rests.at[--strand->rests.nr];
	struct fc_subtree rest = special(FC_WHAT_REST, last->hash, last->calls);

	fc_subtrees_add(flow->opts.trees, &rest, NULL);
	fc_vec_push(&strand->runs, (struct fc_run){ rest.hash, rest.what, 1 });
	flow->nr_runs++;
}

/* The innermost frame ends: its tree. */
static struct fc_subtree pop(struct fc_flow *flow, struct strand *strand, enum fc_ended ended)
{
	struct frame *frame = &strand->stack.at[--strand->stack.nr];
	struct fc_subtree tree = { .what = fc_what(frame->number, ended),
				   .calls = frame->calls + 1 };

	if (rest_of(strand, frame))
		append_rest(flow, strand);
	tree.hash = fc_mix(fc_mix(frame->hash, frame->calls), tree.what + 1);
	tree.nr_runs = (uint32_t)(strand->runs.nr - frame->first);
	memcpy(tree.sketch, frame->sketch, sizeof(tree.sketch));
	sketch_add_hash(tree.sketch, tree.hash);
	fc_subtrees_add(flow->opts.trees, &tree,
			tree.nr_runs ? &strand->runs.at[frame->first] : NULL);
	strand->runs.nr = frame->first;
	flow->nr_runs -= tree.nr_runs;
	return tree;
}

static enum fc_ended ended_of(const struct fc_call *call)
{
	switch (call->left) {
	case FC_LEFT_POP:
		return FC_ENDED_LEFT;
	case FC_LEFT_LOST:
		return FC_ENDED_LOST;
	case FC_LEFT_END:
		return FC_ENDED_NEVER;
	default:
		return FC_ENDED_WELL;
	}
}

static void flow_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_flow *flow = flow_of(sink);
	struct strand *strand = strand_of(flow, call->strand);

	if (strand)
		push(strand, flow->opts.number_of(flow->opts.ctx, call->func));
}

static void flow_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_flow *flow = flow_of(sink);
	struct strand *strand = strand_of(flow, call->strand);

	if (!strand || strand->stack.nr < 2)
		return;
	if (!strand->stack.at[strand->stack.nr - 1].number) {
		strand->stack.nr--;
		return;
	}
	struct fc_subtree tree = pop(flow, strand, ended_of(call));
	append(flow, strand, &tree);
}

static void flow_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_flow *flow = flow_of(sink);

	if (event->mark != FC_MARK_LOST)
		return;
	struct strand *strand = strand_of(flow, event->strand);
	struct fc_subtree lost =
		special(FC_WHAT_LOST, fc_mark_lost(event), fc_mark_lost(event));
	if (!strand)
		return;
	fc_subtrees_add(flow->opts.trees, &lost, NULL);
	append(flow, strand, &lost);
}

static void strand_deinit(struct strand *strand)
{
	fc_vec_free(&strand->stack);
	fc_vec_free(&strand->runs);
	fc_vec_free(&strand->rests);
}

static void flow_finish(struct fc_call_sink *sink)
{
	struct fc_flow *flow = flow_of(sink);

	struct strand *strand;

	fc_strands_each (&flow->strands, strand) {
		if (strand->stack.nr != 1 || strand->is_closed)
			continue;
		struct fc_subtree root = pop(flow, strand, FC_ENDED_WELL);
		strand->root = (struct fc_run){ root.hash, root.what, 1 };
		strand->is_closed = true;
		strand_deinit(strand);
	}
}

struct fc_flow *fc_flow_create(const struct fc_flow_opts *opts)
{
	struct fc_flow *flow = fc_alloc(sizeof(*flow));

	flow->sink = (struct fc_call_sink){
		.enter = flow_enter,
		.leave = flow_leave,
		.event = flow_event,
		.finish = flow_finish,
	};
	flow->opts = *opts;
	flow->strands.size = sizeof(struct strand);
	return flow;
}

void fc_flow_destroy(struct fc_flow *flow)
{
	if (!flow)
		return;
	struct strand *strand;
	fc_strands_each (&flow->strands, strand)
		strand_deinit(strand);
	fc_strands_deinit(&flow->strands);
	free(flow);
}

struct fc_call_sink *fc_flow_sink(struct fc_flow *flow)
{
	return &flow->sink;
}

bool fc_flow_root(const struct fc_flow *flow, uint32_t strand_id, struct fc_run *ret)
{
	const struct strand *strand = fc_strands_find(&flow->strands, strand_id);

	if (!strand || !strand->is_closed)
		return false;
	*ret = strand->root;
	return true;
}
