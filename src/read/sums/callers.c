/* SPDX-License-Identifier: Apache-2.0 */
/* callers.c - sums the calls of each pair of a caller and a callee as they end. */
#include "read/sums/callers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pairs.h"
#include "calls/opens.h"
#include "trace/mark.h"

struct sums {
	uint64_t calls, total, self, once_total, once_calls;
	uint64_t wait, self_wait;
	bool is_timed;
};

struct fc_callers {
	struct fc_call_sink sink;
	size_t max_pairs;
	struct fc_pairs pairs;	      /* caller, callee */
	FC_VEC(struct sums) of;	      /* by number - 1 */
	struct fc_open_strands opens; /* counts: by pair, how many of its calls */
	uint64_t waited;	      /* ticks */
};

static struct fc_callers *callers_of(struct fc_call_sink *sink)
{
	return (struct fc_callers *)((char *)sink - offsetof(struct fc_callers, sink));
}

static uint32_t add_pair(struct fc_callers *callers, uint64_t pair)
{
	fc_vec_push(&callers->of, (struct sums){ 0 });
	return fc_pairs_add(&callers->pairs, pair);
}

static uint32_t find_or_add(struct fc_callers *callers, uint64_t pair)
{
	uint32_t number = fc_pairs_find(&callers->pairs, pair);
	return number ? number : add_pair(callers, pair);
}

static uint32_t caller_of(const struct fc_call *call)
{
	if (call->caller)
		return call->caller;
	return call->depth ? FC_CALLERS_UNKNOWN : FC_CALLERS_OUTERMOST;
}

static uint32_t number_of(struct fc_callers *callers, const struct fc_call *call)
{
	uint64_t pair = fc_pair(caller_of(call), call->func);
	uint32_t number = fc_pairs_find(&callers->pairs, pair);

	if (number)
		return number;
	if (callers->of.nr < callers->max_pairs)
		return add_pair(callers, pair);
	return find_or_add(callers, fc_pair(FC_CALLERS_BEYOND, call->func));
}

static void callers_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_callers *callers = callers_of(sink);
	struct fc_open_strand *open = fc_opens_get(&callers->opens, call->strand);
	uint32_t number = number_of(callers, call);

	(*fc_paged_at(&open->counts, number))++;
	fc_vec_push(&open->frames, (struct fc_open_frame){ .number = number });
}

static void callers_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_callers *callers = callers_of(sink);
	struct fc_open_strand *open = fc_opens_get(&callers->opens, call->strand);
	struct fc_open_frame frame = open->frames.at[--open->frames.nr];
	uint32_t nr_open = --*fc_paged_at(&open->counts, frame.number);
	struct sums *sums = &callers->of.at[frame.number - 1];
	/* An inherited call was counted in the process that made it; others were not kept. */
	bool is_counted = !call->is_inherited && !call->is_resumed;
	uint64_t calls = frame.below + is_counted;

	sums->self += call->self_ticks;
	sums->self_wait += call->self_wait_ticks;
	if (!nr_open) {
		sums->total += fc_call_ticks(call);
		sums->wait += call->wait_ticks;
	}
	if (!call->is_recursive) {
		sums->once_total += fc_call_ticks(call);
		sums->once_calls += calls;
	}
	if (is_counted) {
		sums->calls++;
		sums->is_timed |= call->left != FC_LEFT_UNSEEN && call->left != FC_LEFT_LOST;
	}
	if (open->frames.nr)
		open->frames.at[open->frames.nr - 1].below += calls;
	else
		fc_opens_put(&callers->opens, call->strand);
}

static void callers_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	callers_of(sink)->waited += fc_mark_waited(event);
}

struct fc_callers *fc_callers_create(size_t max_pairs)
{
	struct fc_callers *callers = fc_alloc(sizeof(*callers));

	callers->sink = (struct fc_call_sink){
		.enter = callers_enter,
		.leave = callers_leave,
		.event = callers_event,
		.finish = fc_sink_skip_finish,
	};
	callers->max_pairs = max_pairs;
	fc_opens_init(&callers->opens);
	return callers;
}

void fc_callers_destroy(struct fc_callers *callers)
{
	if (!callers)
		return;
	fc_opens_deinit(&callers->opens);
	fc_pairs_deinit(&callers->pairs);
	fc_vec_free(&callers->of);
	free(callers);
}

struct fc_call_sink *fc_callers_sink(struct fc_callers *callers)
{
	return &callers->sink;
}

void fc_callers_add_counted(struct fc_callers *callers, uint32_t func, uint64_t calls)
{
	if (!calls)
		return;
	uint32_t number = find_or_add(callers, fc_pair(FC_CALLERS_COUNTED, func));
	callers->of.at[number - 1].calls += calls;
}

size_t fc_callers_nr(const struct fc_callers *callers)
{
	return callers->of.nr;
}

struct fc_callers_row fc_callers_get(const struct fc_callers *callers, size_t i)
{
	uint64_t pair = callers->pairs.keys.at[i];
	const struct sums *sums = &callers->of.at[i];

	return (struct fc_callers_row){
		.caller = fc_pair_first(pair),
		.callee = fc_pair_second(pair),
		.is_timed = sums->is_timed,
		.calls = sums->calls,
		.total = sums->total,
		.self = sums->self,
		.wait = sums->wait,
		.self_wait = sums->self_wait,
		.once_total = sums->once_total,
		.once_calls = sums->once_calls,
	};
}

uint64_t fc_callers_waited(const struct fc_callers *callers)
{
	return callers->waited;
}

struct fc_name fc_callers_name(const struct fc_namer *namer, uint32_t caller)
{
	switch (caller) {
	case FC_CALLERS_UNKNOWN:
		return (struct fc_name){ "[unknown]", "" };
	case FC_CALLERS_OUTERMOST:
		return (struct fc_name){ "[outermost]", "" };
	case FC_CALLERS_COUNTED:
		return (struct fc_name){ "[only counted]", "" };
	case FC_CALLERS_BEYOND:
		return (struct fc_name){ "[others]", "" };
	default:
		return namer->name_of(namer->ctx, caller);
	}
}
