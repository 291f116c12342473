/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/filter.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/recursion.h"
#include "analyze/strands.h"
#include "base/memory.h"
#include "base/vec.h"

/* What the globs say of a function, asked once. */
enum { ASKED = 1, ONLY = 2, EXCEPT = 4 };

/*
 * The open calls of a strand, outermost first. Calls that are told to the next sink are a
 * prefix of the visible ones: who tells a call tells its callers first.
 *
 *	main  work  step  leaf
 *	told  told  held  held         nr_settled = 2
 */
struct open_call {
	struct fc_call call; /* depth and is_recursive as the next sink sees them */
	bool is_under;	     /* at or beneath a -F match */
	bool is_out;	     /* at or beneath a -N match, or of another thread */
	bool is_visible;     /* of those: within -D too; to be told, unless shorter than -t */
};

struct strand {
	FC_VEC(struct open_call) stack;
	size_t nr_settled; /* outermost calls that are told, or never will be */
	struct fc_recursion recursion;
};

struct fc_filter {
	struct fc_call_sink sink;
	struct fc_call_sink *next;
	struct fc_filter_opts opts;
	struct fc_strands strands;
	FC_VEC(uint8_t) answers; /* by function id */
};

static struct fc_filter *filter_of(struct fc_call_sink *sink)
{
	return (struct fc_filter *)((char *)sink - offsetof(struct fc_filter, sink));
}

static bool matches_one(const struct fc_filter *filter, uint32_t func, char **globs)
{
	for (; globs && *globs; globs++) {
		if (filter->opts.match(filter->opts.ctx, func, *globs))
			return true;
	}
	return false;
}

static uint8_t answer(struct fc_filter *filter, uint32_t func)
{
	size_t nr = filter->answers.nr;

	if (func >= nr) {
		fc_vec_reserve(&filter->answers, func + 1 - nr);
		memset(filter->answers.at + nr, 0, func + 1 - nr);
		filter->answers.nr = func + 1;
	}
	uint8_t *known = &filter->answers.at[func];
	if (!*known)
		*known = ASKED | (matches_one(filter, func, filter->opts.only) ? ONLY : 0) |
			 (matches_one(filter, func, filter->opts.except) ? EXCEPT : 0);
	return *known;
}

static bool is_other_thread(const struct fc_filter *filter, int tid)
{
	return filter->opts.tid && filter->opts.tid != tid;
}

/* Where the call stands beneath the one that is open around it (NULL: none is). */
static struct open_call judge(struct fc_filter *filter, const struct fc_call *call,
			      const struct open_call *outer)
{
	const struct fc_filter_opts *opts = &filter->opts;
	bool asks = opts->only || opts->except;
	uint8_t said = asks ? answer(filter, call->func) : 0;
	struct open_call ret = { .call = *call };

	ret.is_under = !opts->only || (outer && outer->is_under) || (said & ONLY);
	ret.is_out = (outer && outer->is_out) || (said & EXCEPT) ||
		     is_other_thread(filter, call->tid);
	bool counts = outer && outer->is_under && !outer->is_out;
	ret.call.depth = counts ? outer->call.depth + 1 : 0;
	ret.is_visible = ret.is_under && !ret.is_out &&
			 (!opts->depth || ret.call.depth < opts->depth);
	return ret;
}

static void tell_held(struct fc_filter *filter, struct strand *strand)
{
	while (strand->nr_settled < strand->stack.nr) {
		struct open_call *held = &strand->stack.at[strand->nr_settled++];
		if (held->is_visible)
			filter->next->enter(filter->next, &held->call);
	}
}

static void filter_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_filter *filter = filter_of(sink);
	struct strand *strand = fc_strands_make(&filter->strands, call->strand);
	size_t nr = strand->stack.nr;
	struct open_call open =
		judge(filter, call, nr ? &strand->stack.at[nr - 1] : NULL);

	/* Recursion counts among the calls that are shown: totals are made of these. */
	if (open.is_visible)
		open.call.is_recursive = fc_recursion_enter(&strand->recursion, call->func) > 0;
	fc_vec_push(&strand->stack, open);
	if (!filter->opts.min_ticks)
		tell_held(filter, strand);
}

static bool is_long(const struct fc_filter *filter, const struct fc_call *call)
{
	return call->left != FC_LEFT_UNSEEN && fc_call_ticks(call) >= filter->opts.min_ticks;
}

static void filter_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_filter *filter = filter_of(sink);
	struct strand *strand = fc_strands_make(&filter->strands, call->strand);
	struct open_call open = strand->stack.at[strand->stack.nr - 1];

	if (open.is_visible && is_long(filter, call))
		tell_held(filter, strand);
	bool is_told = open.is_visible && strand->nr_settled == strand->stack.nr;

	strand->stack.nr--;
	if (strand->nr_settled > strand->stack.nr)
		strand->nr_settled = strand->stack.nr;
	if (open.is_visible)
		fc_recursion_leave(&strand->recursion, call->func);
	if (!is_told)
		return;

	struct fc_call told = *call;
	told.depth = open.call.depth;
	told.is_recursive = open.call.is_recursive;
	filter->next->leave(filter->next, &told);
}

static void filter_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_filter *filter = filter_of(sink);

	if (is_other_thread(filter, event->tid))
		return;
	/* A call with a gap in it is shown, however short: nobody knows what it did. */
	struct strand *strand = fc_strands_find(&filter->strands, event->strand);
	if (strand)
		tell_held(filter, strand);
	filter->next->event(filter->next, event);
}

static void filter_finish(struct fc_call_sink *sink)
{
	struct fc_filter *filter = filter_of(sink);
	filter->next->finish(filter->next);
}

struct fc_filter *fc_filter_create(const struct fc_filter_opts *opts,
				   struct fc_call_sink *next)
{
	struct fc_filter *filter = fc_alloc(sizeof(*filter));

	filter->sink = (struct fc_call_sink){
		.enter = filter_enter,
		.leave = filter_leave,
		.event = filter_event,
		.finish = filter_finish,
	};
	filter->next = next;
	filter->opts = *opts;
	filter->strands.size = sizeof(struct strand);
	return filter;
}

void fc_filter_destroy(struct fc_filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->strands.nr; i++) {
		struct strand *strand = filter->strands.at[i];
		if (!strand)
			continue;
		fc_vec_free(&strand->stack);
		fc_recursion_deinit(&strand->recursion);
	}
	fc_strands_deinit(&filter->strands);
	fc_vec_free(&filter->answers);
	free(filter);
}

struct fc_call_sink *fc_filter_sink(struct fc_filter *filter)
{
	return &filter->sink;
}
