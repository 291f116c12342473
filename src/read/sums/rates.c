/* SPDX-License-Identifier: Apache-2.0 */
/* rates.c - sums calls and times of an interval, and estimates what was not recorded. */
#include "read/sums/rates.h"

#include <stdlib.h>

#include "base/memory.h"
#include "calls/strands.h"
#include "trace/mark.h"

/* Sums since the start. total and self: of ended calls, but at an interval's end of all. */
struct cum {
	uint64_t calls;	  /* recorded entries */
	uint64_t counted; /* and calls that were counted */
	uint64_t nr_timed, timed;
	uint64_t total, self;
	/* Calls that began and ended in one interval: what others are reckoned from. */
	uint64_t nr_short, short_total, short_self;
};

struct func {
	struct cum now, before; /* before: at the interval's begin */
	uint64_t max;		/* of calls that ended in the interval */
	uint64_t nr_open, open_total, open_self, open_max;
	uint64_t state_tsc;
	uint64_t recorded_ticks, counted_ticks; /* how long it was so, in the interval */
	double last_rate;			/* calls a tick, when it was seen last */
	uint8_t state;
	bool is_entry_only;
};

struct thread {
	int pid, tid; /* tid 0: a free place */
	uint64_t calls, busy, open_busy;
	uint64_t calls_before, busy_before;
	uint32_t depth, func;
	bool has_ended;
};

/* A call that this sink was told of and that is open. */
struct told {
	uint64_t begin_tsc;
	uint32_t func;
	bool is_recursive;
};

struct strand {
	int pid, tid;
	size_t thread;
	FC_VEC(struct told) stack; /* outermost first */
	size_t nr_found;	   /* of them, among the open calls */
};

struct fc_rates {
	struct fc_call_sink sink;
	FC_VEC(struct func) funcs; /* by function id */
	FC_VEC(struct thread) threads;
	struct fc_strands strands;
	uint64_t begin_tsc; /* 0: no interval has begun */
	uint64_t first_tsc; /* of a call; 0: there was none */
	uint64_t lost, waited;
};

static struct fc_rates *rates_of(struct fc_call_sink *sink)
{
	return (struct fc_rates *)((char *)sink - offsetof(struct fc_rates, sink));
}

static struct func *func_of(struct fc_rates *rates, uint32_t func)
{
	return fc_vec_make(&rates->funcs, func);
}

/* ---- threads ---- */

static size_t find_thread(struct fc_rates *rates, int pid, int tid)
{
	size_t free_place = rates->threads.nr;

	for (size_t i = 0; i < rates->threads.nr; i++) {
		const struct thread *thread = &rates->threads.at[i];
		if (thread->tid == tid && thread->pid == pid && !thread->has_ended)
			return i;
		if (!thread->tid)
			free_place = i;
	}
	if (free_place == rates->threads.nr)
		fc_vec_push(&rates->threads, (struct thread){ 0 });
	rates->threads.at[free_place] = (struct thread){ .pid = pid, .tid = tid };
	return free_place;
}

static struct strand *strand_of(struct fc_rates *rates, const struct fc_call *call)
{
	struct strand *strand = fc_strands_make(&rates->strands, call->strand);

	if (strand->tid != call->tid || strand->pid != call->pid) {
		strand->pid = call->pid;
		strand->tid = call->tid;
		strand->thread = find_thread(rates, call->pid, call->tid);
	}
	return strand;
}

void fc_rates_task_end(struct fc_rates *rates, int pid, int tid)
{
	struct strand *strand;

	fc_strands_each (&rates->strands, strand) {
		if (strand->pid != pid || (tid && strand->tid != tid))
			continue;
		fc_vec_free(&strand->stack);
		fc_strands_drop(&rates->strands, (uint32_t)strand_id);
	}
	fc_vec_each (&rates->threads, thread)
		if (thread->pid == pid && (!tid || thread->tid == tid))
			thread->has_ended = true;
}

/* ---- calls ---- */

static void rates_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_rates *rates = rates_of(sink);
	struct strand *strand = strand_of(rates, call);
	struct func *func = func_of(rates, call->func);

	if (!rates->first_tsc)
		rates->first_tsc = call->begin_tsc;
	fc_vec_push(&strand->stack,
		    (struct told){ call->begin_tsc, call->func, call->is_recursive });
	/* An inherited call was counted in the process that made it. */
	if (call->is_inherited || call->is_resumed)
		return;
	func->now.calls++;
	rates->threads.at[strand->thread].calls++;
}

static void rates_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_rates *rates = rates_of(sink);
	struct strand *strand = strand_of(rates, call);
	struct func *func = func_of(rates, call->func);
	uint64_t ticks = fc_call_ticks(call);

	if (strand->stack.nr)
		strand->stack.nr--;
	rates->threads.at[strand->thread].busy += call->self_ticks;
	if (!call->is_recursive)
		func->now.total += ticks;
	func->now.self += call->self_ticks;
	if (call->begin_tsc >= rates->begin_tsc) {
		func->now.nr_short++;
		func->now.short_total += call->is_recursive ? 0 : ticks;
		func->now.short_self += call->self_ticks;
	}
	func->is_entry_only = call->left == FC_LEFT_UNSEEN;
	if (func->is_entry_only || !fc_call_is_own_end(call) || call->is_inherited)
		return;
	func->now.nr_timed++;
	func->now.timed += ticks;
	if (ticks > func->max)
		func->max = ticks;
}

static void rates_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_rates *rates = rates_of(sink);

	rates->lost += fc_mark_lost(event);
	rates->waited += fc_mark_waited(event);
}

struct fc_rates *fc_rates_create(void)
{
	struct fc_rates *rates = fc_alloc(sizeof(*rates));

	rates->sink = (struct fc_call_sink){
		.enter = rates_enter,
		.leave = rates_leave,
		.event = rates_event,
		.finish = fc_sink_skip_finish,
	};
	rates->strands.size = sizeof(struct strand);
	return rates;
}

void fc_rates_destroy(struct fc_rates *rates)
{
	if (!rates)
		return;
	struct strand *strand;
	fc_strands_each (&rates->strands, strand)
		fc_vec_free(&strand->stack);
	fc_strands_deinit(&rates->strands);
	fc_vec_free(&rates->funcs);
	fc_vec_free(&rates->threads);
	free(rates);
}

struct fc_call_sink *fc_rates_sink(struct fc_rates *rates)
{
	return &rates->sink;
}

/* ---- what is not recorded ---- */

static void pass_time(const struct fc_rates *rates, struct func *func, uint64_t tsc)
{
	uint64_t since =
		func->state_tsc > rates->begin_tsc ? func->state_tsc : rates->begin_tsc;
	uint64_t ticks = tsc > since ? tsc - since : 0;

	if (func->state == FC_HOOK_RECORDED)
		func->recorded_ticks += ticks;
	else if (func->state == FC_HOOK_COUNTED)
		func->counted_ticks += ticks;
	func->state_tsc = tsc;
}

void fc_rates_hooks(struct fc_rates *rates, const struct fc_hook_info *info, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct func *func = func_of(rates, info[i].func);
		pass_time(rates, func, info[i].tsc);
		func->state = (uint8_t)info[i].state;
	}
}

void fc_rates_counts(struct fc_rates *rates, const uint64_t *calls, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		/* They grow, unless the program writes over its counters. */
		if (calls[i] && calls[i] > func_of(rates, i)->now.counted)
			rates->funcs.at[i].now.counted = calls[i];
	}
}

/* ---- an interval ends ---- */

static void forget_open(struct fc_rates *rates)
{
	fc_vec_each (&rates->funcs, func)
		func->nr_open = func->open_total = func->open_self = func->open_max = 0;
	fc_vec_each (&rates->threads, thread)
		thread->open_busy = thread->depth = thread->func = 0;
	struct strand *strand;
	fc_strands_each (&rates->strands, strand)
		strand->nr_found = 0;
}

/* Those that a filter has not let through are not among the told ones, in the same order. */
static void add_open(void *ctx, const struct fc_call *call)
{
	struct fc_rates *rates = ctx;
	struct strand *strand = fc_strands_find(&rates->strands, call->strand);
	const struct told *told = strand && strand->nr_found < strand->stack.nr
					  ? &strand->stack.at[strand->nr_found]
					  : NULL;

	if (!told || told->func != call->func || told->begin_tsc != call->begin_tsc)
		return;
	strand->nr_found++;
	struct func *func = func_of(rates, call->func);
	struct thread *thread = &rates->threads.at[strand->thread];
	uint64_t ticks = fc_call_ticks(call);
	func->nr_open++;
	func->open_total += told->is_recursive ? 0 : ticks;
	func->open_self += call->self_ticks;
	if (ticks > func->open_max)
		func->open_max = ticks;
	thread->open_busy += call->self_ticks;
	thread->depth = (uint32_t)strand->nr_found;
	thread->func = call->func;
}

static uint64_t grown(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

/* Calls of the whole interval, from those that were seen in part of it. */
static void reckon_calls(struct func *func, uint64_t ticks, struct fc_rate *ret)
{
	uint64_t seen_ticks = func->recorded_ticks + func->counted_ticks;
	/* A switch takes a moment, and looks at counters come a little beside it. */
	uint64_t moment = ticks / 200;

	ret->calls = (double)ret->seen_calls;
	if (seen_ticks <= moment) {
		ret->is_unseen = !ret->seen_calls;
		ret->is_calls_reckoned = !ret->is_unseen;
		ret->last_calls = func->last_rate * (double)ticks;
		return;
	}
	func->last_rate = ret->calls / (double)seen_ticks;
	if (seen_ticks + 4 * moment >= ticks)
		return;
	ret->is_calls_reckoned = true;
	ret->calls = func->last_rate * (double)ticks;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/*
 * Calls that were not recorded are as long as the short ones that were, in the same interval: what
 * the program did before is no measure for what it does now. Nor can they be longer than the time
 * that was left to them: rest_ticks, of all threads.
 */
static void reckon_times(const struct func *func, uint64_t recorded, double rest_ticks,
			 struct fc_rate *ret)
{
	const struct cum *now = &func->now, *before = &func->before;
	double rest = ret->calls - (double)recorded;
	double nr = (double)(now->nr_short - before->nr_short);

	if (rest < 0.5)
		return;
	ret->is_times_reckoned = true;
	if (nr > 0) {
		double total = rest / nr * (double)(now->short_total - before->short_total);
		double self = rest / nr * (double)(now->short_self - before->short_self);
		ret->total_ticks += least(total, rest_ticks);
		ret->self_ticks += least(self, rest_ticks);
	} else {
		ret->has_times = func->nr_open > 0;
	}
}

static struct fc_rate make_rate(struct func *func, uint32_t id, uint64_t ticks,
				size_t nr_threads)
{
	const struct cum *now = &func->now, *before = &func->before;
	uint64_t recorded = now->calls - before->calls;
	double rest_ticks = (double)grown(func->recorded_ticks, ticks) * (double)nr_threads;
	struct fc_rate rate = {
		.func = id,
		.state = func->state,
		.is_entry_only = func->is_entry_only,
		.has_times = !func->is_entry_only,
		.total_ticks = (double)grown(before->total, now->total + func->open_total),
		.self_ticks = (double)grown(before->self, now->self + func->open_self),
		.nr_timed = now->nr_timed - before->nr_timed,
		.max_ticks = func->max,
		.nr_open = func->nr_open,
		.seen_calls = recorded + now->counted - before->counted,
		.calls_ever = now->calls + now->counted,
	};

	if (rate.nr_timed)
		rate.avg_ticks = (now->timed - before->timed) / rate.nr_timed;
	if (func->open_max > rate.max_ticks) {
		rate.max_ticks = func->open_max;
		rate.is_max_open = true;
	}
	reckon_calls(func, ticks, &rate);
	if (rate.is_unseen && !rate.nr_timed && !rate.nr_open)
		rate.has_times = false;
	if (rate.has_times)
		reckon_times(func, recorded, rest_ticks, &rate);
	return rate;
}

/* The next interval begins with what is open now. */
static void begin_next(struct func *func)
{
	func->before = func->now;
	func->before.total += func->open_total;
	func->before.self += func->open_self;
	func->max = func->recorded_ticks = func->counted_ticks = 0;
}

static size_t count_threads(const struct fc_rates *rates)
{
	size_t nr = 0;

	fc_vec_each (&rates->threads, thread)
		nr += thread->tid != 0;
	return nr;
}

static void take_threads(struct fc_rates *rates, struct fc_rates_view *ret)
{
	fc_vec_each (&rates->threads, thread) {
		uint64_t busy = thread->busy + thread->open_busy;
		struct fc_rate_thread told = {
			.pid = thread->pid,
			.tid = thread->tid,
			.calls = thread->calls - thread->calls_before,
			.busy_ticks = grown(thread->busy_before, busy),
			.depth = thread->depth,
			.func = thread->func,
		};
		if (thread->tid && (!thread->has_ended || told.calls || told.busy_ticks))
			fc_vec_push(&ret->threads, told);
		thread->calls_before = thread->calls;
		thread->busy_before = busy;
		if (thread->has_ended)
			thread->tid = 0;
	}
}

/*
 * The first interval begins with the first call, if one has come already. Of what was counted it
 * is not known since when.
 */
static void begin_first(struct fc_rates *rates, uint64_t tsc)
{
	uint64_t first = rates->first_tsc;

	rates->begin_tsc = first && first < tsc ? first : tsc ? tsc : 1;
	fc_vec_each (&rates->funcs, func)
		func->before.counted = func->now.counted;
}

bool fc_rates_close(struct fc_rates *rates, const struct fc_calls *calls, uint64_t tsc,
		    struct fc_rates_view *ret)
{
	uint64_t ticks = grown(rates->begin_tsc, tsc);

	*ret = (struct fc_rates_view){ .begin_tsc = rates->begin_tsc,
				       .end_tsc = tsc,
				       .lost = rates->lost,
				       .waited = rates->waited };
	if (!rates->begin_tsc) {
		begin_first(rates, tsc);
		return false;
	}
	size_t nr_threads = count_threads(rates);
	forget_open(rates);
	fc_calls_each_open(calls, tsc, add_open, rates);
	for (uint32_t i = 1; i < rates->funcs.nr; i++) {
		struct func *func = &rates->funcs.at[i];
		pass_time(rates, func, tsc);
		if (func->now.calls || func->now.counted || func->nr_open ||
		    func->state != FC_HOOK_RECORDED)
			fc_vec_push(&ret->funcs, make_rate(func, i, ticks, nr_threads));
		begin_next(func);
	}
	take_threads(rates, ret);
	rates->begin_tsc = tsc;
	rates->lost = rates->waited = 0;
	return true;
}

void fc_rates_view_deinit(struct fc_rates_view *view)
{
	fc_vec_free(&view->funcs);
	fc_vec_free(&view->threads);
}
