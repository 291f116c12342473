/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - events become calls: each strand's stack of open calls, and what is told as they begin and end. */
#include "calls/call.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "trace/pending.h"
#include "calls/recursion.h"
#include "calls/strands.h"
#include "calls/chains.h"
#include "calls/waited.h"
#include "trace/mark.h"
#include "trace/off_funcs.h"
#include "values/recorded.h"

/*
 * An open call, no more than that: a recursion may be a million deep. func 0: it was entered within a
 * gap, so nothing is known but that it is open. Its self_ticks are those of the calls that it has made,
 * and its waits those of calls that have ended.
 */
struct frame {
	struct fc_call call;
};

struct strand {
	uint32_t id;
	int pid, tid;
	uint8_t kind; /* enum fc_strand_kind */
	struct fc_announced announced;
	struct fc_recursion recursion;
	struct fc_pending pending;
	FC_VEC(struct frame) stack; /* outermost first */
};

struct fc_calls {
	struct fc_call_sink *sink;
	struct fc_chains *chains;	      /* between; NULL: none */
	const uint32_t *group;		      /* NULL: each function is one */
	const struct fc_values *values;	      /* NULL: nobody asks for results of chains */
	const struct fc_off_funcs *off_funcs; /* NULL: nobody asks who waits */
	FC_VEC(uint8_t) has_result; /* by function: ASKED, NOT_ASKED; 0: not looked up yet */
	struct fc_strands strands;
	struct strand *last; /* events come in runs of one strand */
};

enum { NOT_ASKED = 1, ASKED };

struct fc_calls *fc_calls_create(struct fc_call_sink *sink)
{
	struct fc_calls *calls = fc_alloc(sizeof(*calls));
	calls->sink = sink;
	calls->strands.size = sizeof(struct strand);
	return calls;
}

static void free_values(const struct frame *frame)
{
	fc_call_values_free_own((struct fc_call_values *)frame->call.values);
}

static void deinit_strand(struct strand *strand)
{
	fc_recursion_deinit(&strand->recursion);
	fc_pending_deinit(&strand->pending);
	fc_vec_each (&strand->stack, frame)
		free_values(frame);
	fc_vec_free(&strand->stack);
}

void fc_calls_destroy(struct fc_calls *calls)
{
	if (!calls)
		return;
	struct strand *strand;
	fc_strands_each (&calls->strands, strand)
		deinit_strand(strand);
	fc_strands_deinit(&calls->strands);
	fc_vec_free(&calls->has_result);
	fc_chains_destroy(calls->chains);
	free(calls);
}

void fc_calls_hold_chains(struct fc_calls *calls, bool is_ordered)
{
	calls->chains = fc_chains_create(calls->sink, is_ordered);
}

void fc_calls_set_values(struct fc_calls *calls, const struct fc_values *values)
{
	calls->values = values;
}

void fc_calls_set_off_funcs(struct fc_calls *calls, const struct fc_off_funcs *off_funcs)
{
	calls->off_funcs = off_funcs;
}

static inline bool has_waits(const struct fc_calls *calls)
{
	return calls->off_funcs && calls->off_funcs->is.nr;
}

void fc_calls_pass_time(struct fc_calls *calls, uint64_t now_tsc, uint64_t ticks)
{
	if (calls->chains)
		fc_chains_pass_time(calls->chains, now_tsc > ticks ? now_tsc - ticks : 0);
}

/* Mostly no chain is open, and nothing waits. */
static inline bool waits(const struct fc_calls *calls)
{
	return calls->chains && calls->chains->nr_waiting;
}

static inline void tell_enter(struct fc_calls *calls, const struct fc_call *call)
{
	if (__builtin_expect(waits(calls), 0))
		fc_chains_enter(calls->chains, call);
	else
		calls->sink->enter(calls->sink, call);
}

/* True: its values are not the frame's any more, since who knows of its begin may look at them yet. */
static inline bool tell_leave(struct fc_calls *calls, const struct fc_call *call)
{
	bool begins = call->left == FC_LEFT_TAIL && call->values && calls->chains;
	if (__builtin_expect(begins || waits(calls), 0)) {
		fc_chains_leave(calls->chains, call);
		return true;
	}
	calls->sink->leave(calls->sink, call);
	return false;
}

static inline void tell_event(struct fc_calls *calls, const struct fc_event *event)
{
	if (__builtin_expect(waits(calls), 0))
		fc_chains_event(calls->chains, event);
	else
		calls->sink->event(calls->sink, event);
}

static void tell_all(const struct fc_calls *calls)
{
	if (calls->chains)
		fc_chains_pass_time(calls->chains, UINT64_MAX);
}

void fc_calls_set_group(struct fc_calls *calls, const uint32_t *group)
{
	calls->group = group;
}

static uint32_t group_of(const struct fc_calls *calls, uint32_t func)
{
	return calls->group ? calls->group[func] : func;
}

void fc_calls_set_sink(struct fc_calls *calls, struct fc_call_sink *sink)
{
	tell_all(calls);
	calls->sink = sink;
	if (calls->chains)
		calls->chains->next = sink;
}

/*
 * As it would be told if it ended then; inner: the call that it has open, NULL: none; waited: all that
 * calls beneath it have.
 */
static struct fc_call until(const struct frame *frame, const struct frame *inner,
			    uint64_t waited, uint64_t tsc)
{
	struct fc_call call = frame->call;
	uint64_t below = frame->call.self_ticks;

	call.end_tsc = tsc > call.begin_tsc ? tsc : call.begin_tsc;
	call.left = FC_LEFT_END;
	if (inner && tsc > inner->call.begin_tsc)
		below += tsc - inner->call.begin_tsc;
	uint64_t ticks = fc_call_ticks(&call);
	call.self_ticks = ticks > below ? ticks - below : 0;
	uint64_t own = frame->call.self_wait_ticks;
	if (inner && inner->call.is_off_cpu && tsc > inner->call.begin_tsc)
		own += tsc - inner->call.begin_tsc;
	fc_waited_end((struct fc_waited){ waited, own }, &call);
	return call;
}

/* What all open calls, or those around one that is off the CPU, have waited until then. */
static uint64_t waited_until(const struct strand *strand, uint64_t tsc)
{
	uint64_t ret = 0;

	for (size_t k = 0; k < strand->stack.nr; k++) {
		const struct fc_call *call = &strand->stack.at[k].call;
		if (call->is_off_cpu)
			return ret + (tsc > call->begin_tsc ? tsc - call->begin_tsc : 0);
		ret += call->wait_ticks;
	}
	return ret;
}

void fc_calls_each_open(const struct fc_calls *calls, uint64_t tsc,
			void (*fn)(void *ctx, const struct fc_call *call), void *ctx)
{
	tell_all(calls);
	const struct strand *strand;
	fc_strands_each (&calls->strands, strand) {
		uint64_t waited = waited_until(strand, tsc);
		for (size_t k = 0; k < strand->stack.nr; k++) {
			const struct frame *frame = &strand->stack.at[k];
			bool is_inner = k + 1 == strand->stack.nr;
			if (frame->call.func) {
				struct fc_call call =
					until(frame, is_inner ? NULL : frame + 1, waited, tsc);
				fn(ctx, &call);
			}
			waited -= waited < frame->call.wait_ticks ? waited
								  : frame->call.wait_ticks;
		}
	}
}

static struct strand *strand_of(struct fc_calls *calls, const struct fc_event *event)
{
	struct strand *strand = calls->last;

	if (!strand || strand->id != event->strand) {
		strand = fc_strands_make(&calls->strands, event->strand);
		if (!strand)
			return NULL;
		strand->id = event->strand;
		calls->last = strand;
	}
	/* What is written is not read at once at another width: that would wait for it. */
	if (strand->pid != event->pid || strand->tid != event->tid ||
	    strand->kind != event->strand_kind) {
		strand->pid = event->pid;
		strand->tid = event->tid;
		strand->kind = event->strand_kind;
	}
	return strand;
}

static struct frame *top_of(struct strand *strand)
{
	return strand->stack.nr ? &strand->stack.at[strand->stack.nr - 1] : NULL;
}

/* The frame of a new innermost call, which the caller fills. */
static struct frame *push(struct strand *strand)
{
	if (strand->stack.nr == strand->stack.room)
		fc_vec_reserve(&strand->stack, 1);
	return &strand->stack.at[strand->stack.nr++];
}

/* It and its words are the frame's own. */
static struct fc_call_values *values_of(struct frame *frame)
{
	if (!frame->call.values)
		frame->call.values = fc_alloc(sizeof(*frame->call.values));
	return (struct fc_call_values *)frame->call.values;
}

/* told_at: how many calls were open before its record; one more than now if it took one's place. */
static __attribute__((noinline)) void take_args(struct strand *strand, struct frame *frame,
						size_t told_at)
{
	struct fc_pending_values args =
		fc_pending_take(&strand->pending, frame->call.func, false, (uint32_t)told_at);
	if (!args.words)
		return;
	struct fc_call_values *values = values_of(frame);
	values->args = args.words;
	values->nr_args = args.nr;
}

/*
 * func: by whose stub it returned, the first of a chain of tail calls. What that has kept for its exit
 * is the last one's, if that has kept anything.
 */
static __attribute__((noinline)) void take_result(struct strand *strand, uint32_t func)
{
	struct frame *frame = top_of(strand);
	if (!frame)
		return;
	struct fc_pending_values result =
		fc_pending_take(&strand->pending, func, true, frame->call.depth + 1);
	if (!result.words && func != frame->call.func)
		result = fc_pending_take(&strand->pending, frame->call.func, true,
					 frame->call.depth + 1);
	if (!result.words)
		return;
	struct fc_call_values *values = values_of(frame);
	values->result = result.words;
	values->nr_result = result.nr;
}

static void enter(struct fc_calls *calls, struct strand *strand, const struct fc_event *event,
		  enum fc_left left, enum fc_since since, size_t told_at)
{
	uint32_t func = event->func <= FC_FUNC_MAX ? event->func : 0;
	uint32_t depth = (uint32_t)strand->stack.nr;
	struct frame *frame = push(strand);

	frame->call = (struct fc_call){
		.func = func,
		.strand = strand->id,
		.pid = strand->pid,
		.tid = strand->tid,
		.depth = depth,
		.caller = depth ? frame[-1].call.func : 0,
		.begin_tsc = event->tsc,
		.left = left,
		.is_recursive =
			fc_recursion_enter(&strand->recursion, group_of(calls, func)) > 0,
		.is_inherited = since == FC_SINCE_FORK,
		.is_resumed = since == FC_SINCE_KEPT,
		.is_reopened = since == FC_SINCE_READ,
		.is_off_cpu = fc_off_funcs_has(calls->off_funcs, func),
	};
	if (__builtin_expect(strand->pending.values.nr != 0, 0))
		take_args(strand, frame, told_at);
	if (func)
		tell_enter(calls, &frame->call);
}

static __attribute__((noinline)) bool has_result(struct fc_calls *calls, uint32_t func)
{
	uint8_t *known = fc_vec_make(&calls->has_result, func);
	if (!*known)
		*known = fc_values_ends_with(calls->values, func, FC_PARAM_RESULT) ? ASKED
										   : NOT_ASKED;
	return *known == ASKED;
}

/* The innermost call ended: what it waited is known, and the call around it has waited as long. */
static __attribute__((noinline)) void leave_waits(struct strand *strand)
{
	struct fc_call *call = &top_of(strand)->call;

	fc_waited_end((struct fc_waited){ call->wait_ticks, call->self_wait_ticks }, call);
	if (strand->stack.nr < 2)
		return;
	struct fc_call *outer = &strand->stack.at[strand->stack.nr - 2].call;
	struct fc_waited waited = { outer->wait_ticks, outer->self_wait_ticks };
	fc_waited_add(&waited, call);
	outer->wait_ticks = waited.ticks;
	outer->self_wait_ticks = waited.self_ticks;
}

static void leave(struct fc_calls *calls, struct strand *strand, uint64_t tsc,
		  enum fc_left left)
{
	struct frame *frame = top_of(strand);
	struct fc_call *call = &frame->call;

	call->end_tsc = tsc > call->begin_tsc ? tsc : call->begin_tsc;
	uint64_t ticks = fc_call_ticks(call);
	call->self_ticks = ticks > frame->call.self_ticks ? ticks - frame->call.self_ticks : 0;
	call->left = left;
	if (__builtin_expect(has_waits(calls), 0))
		leave_waits(strand);
	if (left == FC_LEFT_TAIL && calls->values && !call->values &&
	    has_result(calls, call->func))
		values_of(frame); /* its result is that of the last of its chain */

	fc_recursion_leave(&strand->recursion, group_of(calls, call->func));
	strand->stack.nr--;
	struct frame *outer = top_of(strand);
	if (outer)
		outer->call.self_ticks += ticks;
	if (!call->func || !tell_leave(calls, call))
		free_values(frame);
}

static void leave_to(struct fc_calls *calls, struct strand *strand, size_t depth, uint64_t tsc,
		     enum fc_left left)
{
	while (strand->stack.nr > depth)
		leave(calls, strand, tsc, left);
}

/* Calls that were entered within the gap and are still open: known by their number only. */
static void enter_unknown(const struct fc_calls *calls, struct strand *strand, uint64_t nr,
			  uint64_t tsc)
{
	for (; nr; nr--) {
		fc_recursion_enter(&strand->recursion, group_of(calls, 0));
		*push(strand) = (struct frame){ .call = { .begin_tsc = tsc } };
	}
}

/* Any record but those that fc_calls_feed() does itself. */
static void step(struct fc_calls *calls, struct strand *strand, const struct fc_event *event)
{
	enum fc_since since = fc_announced_next(&strand->announced, event);
	size_t told_at = strand->stack.nr;
	struct fc_effect effect = fc_effect_of(event, told_at);

	if (event->kind == FC_MARK && event->mark == FC_MARK_VALUES)
		fc_pending_add(&strand->pending, event, (uint32_t)told_at);
	else if (event->kind == FC_MARK && event->mark == FC_MARK_MORE)
		fc_pending_more(&strand->pending, event, (uint32_t)told_at);
	if (event->kind == FC_EXIT && strand->pending.values.nr)
		take_result(strand, event->func);

	leave_to(calls, strand, effect.stay, event->tsc, effect.left);
	if (effect.entered == FC_ENTERED_UNSEEN) {
		enter(calls, strand, event, FC_LEFT_UNSEEN, since, told_at);
		leave(calls, strand, event->tsc, FC_LEFT_UNSEEN);
	} else if (effect.entered) {
		enter(calls, strand, event, FC_LEFT_RETURN, since, told_at);
	}
	if (event->kind != FC_MARK)
		return;
	if (fc_mark_word(event->mark))
		tell_event(calls, event);
	enter_unknown(calls, strand, effect.unknown, event->tsc);
	if (event->mark == FC_MARK_END)
		fc_calls_strand_end(calls, strand->id, event->tsc);
}

void fc_calls_feed(struct fc_calls *calls, const struct fc_event *event)
{
	struct strand *strand = strand_of(calls, event);
	if (!strand)
		return;
	bool is_plain = !strand->announced.nr;
	if (event->kind == FC_ENTRY && is_plain)
		enter(calls, strand, event, FC_LEFT_RETURN, FC_SINCE_ITSELF, strand->stack.nr);
	else if (event->kind == FC_EXIT && is_plain && strand->stack.nr &&
		 !strand->pending.values.nr)
		leave(calls, strand, event->tsc, FC_LEFT_RETURN);
	else
		step(calls, strand, event);
}

void fc_calls_strand_end(struct fc_calls *calls, uint32_t id, uint64_t tsc)
{
	struct strand *strand = fc_strands_find(&calls->strands, id);
	if (!strand)
		return;
	leave_to(calls, strand, 0, tsc, FC_LEFT_END);
	if (calls->last == strand)
		calls->last = NULL;
	deinit_strand(strand);
	fc_strands_drop(&calls->strands, id);
}

/* A signal's stack is younger than the one whose calls it interrupted: it ends first. */
void fc_calls_task_end(struct fc_calls *calls, int pid, int tid, uint64_t tsc)
{
	for (size_t i = calls->strands.nr; i-- > 0;) {
		struct strand *strand = calls->strands.at[i];
		if (strand && strand->pid == pid &&
		    (!tid || (strand->tid == tid && fc_strand_ends_with_thread(strand->kind))))
			fc_calls_strand_end(calls, (uint32_t)i, tsc);
	}
}

void fc_calls_finish(struct fc_calls *calls, uint64_t tsc)
{
	for (size_t i = calls->strands.nr; i-- > 0;)
		fc_calls_strand_end(calls, (uint32_t)i, tsc);
	tell_all(calls);
	calls->sink->finish(calls->sink);
}

void fc_sink_skip_call(struct fc_call_sink *sink, const struct fc_call *call)
{
}

void fc_sink_skip_event(struct fc_call_sink *sink, const struct fc_event *event)
{
}

void fc_sink_skip_finish(struct fc_call_sink *sink)
{
}
