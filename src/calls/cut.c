/* SPDX-License-Identifier: Apache-2.0 */
/* cut.c - cuts calls to a span of time, and leaves out those outside it. */
#include "calls/cut.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/strands.h"
#include "calls/waited.h"

/* An open call, as the next sink knows it: its begin is within the span. */
struct open_call {
	struct fc_call call;
	uint64_t child_ticks; /* of calls below it, within the span */
	struct fc_waited waited;
	bool was_before; /* it began before the span */
};

struct strand {
	FC_VEC(struct open_call) stack; /* outermost first; none that began behind the span */
	size_t nr_told;			/* of these, from the outermost on */
};

struct fc_cut {
	struct fc_call_sink sink;
	struct fc_call_sink *next;
	struct fc_range range;
	struct fc_strands strands;
};

static struct fc_cut *cut_of(struct fc_call_sink *sink)
{
	return (struct fc_cut *)sink;
}

static bool is_behind(const struct fc_cut *cut, uint64_t tsc)
{
	return cut->range.to_tsc && tsc >= cut->range.to_tsc;
}

/* Its thread has done something within the span: all that is open is told. */
static void tell_open(struct fc_cut *cut, struct strand *strand)
{
	while (strand->nr_told < strand->stack.nr) {
		const struct fc_call *call = &strand->stack.at[strand->nr_told++].call;
		cut->next->enter(cut->next, call);
	}
}

/* A call that began before is one that was open when the span begins. */
static struct open_call open_of(const struct fc_cut *cut, const struct fc_call *call)
{
	struct open_call open = { .call = *call };

	open.was_before = call->begin_tsc < cut->range.from_tsc;
	if (open.was_before) {
		open.call.begin_tsc = cut->range.from_tsc;
		open.call.is_inherited = true;
		open.call.is_reopened = false;
	}
	return open;
}

static void cut_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_cut *cut = cut_of(sink);

	if (is_behind(cut, call->begin_tsc))
		return;
	struct strand *strand = fc_strands_make(&cut->strands, call->strand);
	struct open_call open = open_of(cut, call);
	fc_vec_push(&strand->stack, open);
	if (!open.was_before)
		tell_open(cut, strand);
}

/* Its end as it is within the span. */
static struct fc_call cut_end(const struct fc_cut *cut, const struct open_call *open,
			      const struct fc_call *call)
{
	struct fc_call ret = *call;
	bool ends_behind = is_behind(cut, call->end_tsc);

	ret.begin_tsc = open->call.begin_tsc;
	ret.is_inherited = open->call.is_inherited;
	ret.is_reopened = open->call.is_reopened;
	if (ends_behind) {
		ret.end_tsc = cut->range.to_tsc;
		ret.left = FC_LEFT_END;
	}
	if (ends_behind || open->was_before) {
		uint64_t ticks = fc_call_ticks(&ret);
		ret.self_ticks = ticks > open->child_ticks ? ticks - open->child_ticks : 0;
		fc_waited_end(open->waited, &ret);
	}
	return ret;
}

/* Does the innermost call reach into the span? At its very begin it may have been told already. */
static bool is_wanted(const struct fc_cut *cut, const struct strand *strand, uint64_t end_tsc)
{
	const struct open_call *open = &strand->stack.at[strand->stack.nr - 1];

	return strand->nr_told == strand->stack.nr || !open->was_before ||
	       end_tsc > cut->range.from_tsc;
}

static void cut_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_cut *cut = cut_of(sink);

	if (is_behind(cut, call->begin_tsc))
		return;
	struct strand *strand = fc_strands_make(&cut->strands, call->strand);
	if (!is_wanted(cut, strand, call->end_tsc)) {
		strand->stack.nr--;
		return;
	}
	tell_open(cut, strand);
	struct open_call open = strand->stack.at[--strand->stack.nr];
	strand->nr_told--;
	struct fc_call told = cut_end(cut, &open, call);
	if (strand->stack.nr) {
		struct open_call *outer = &strand->stack.at[strand->stack.nr - 1];
		outer->child_ticks += fc_call_ticks(&told);
		fc_waited_add(&outer->waited, &told);
	}
	cut->next->leave(cut->next, &told);
}

static void cut_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_cut *cut = cut_of(sink);

	if (!fc_range_has(&cut->range, event->tsc))
		return;
	struct strand *strand = fc_strands_find(&cut->strands, event->strand);
	if (strand)
		tell_open(cut, strand);
	cut->next->event(cut->next, event);
}

static void cut_finish(struct fc_call_sink *sink)
{
	struct fc_cut *cut = cut_of(sink);
	cut->next->finish(cut->next);
}

struct fc_cut *fc_cut_create(const struct fc_range *range, struct fc_call_sink *next)
{
	struct fc_cut *cut = fc_alloc(sizeof(*cut));

	cut->sink = (struct fc_call_sink){ cut_enter, cut_leave, cut_event, cut_finish };
	cut->next = next;
	cut->range = *range;
	cut->strands.size = sizeof(struct strand);
	return cut;
}

void fc_cut_destroy(struct fc_cut *cut)
{
	if (!cut)
		return;
	struct strand *strand;
	fc_strands_each (&cut->strands, strand)
		fc_vec_free(&strand->stack);
	fc_strands_deinit(&cut->strands);
	free(cut);
}

struct fc_call_sink *fc_cut_sink(struct fc_cut *cut)
{
	return &cut->sink;
}
