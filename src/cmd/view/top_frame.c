/* SPDX-License-Identifier: Apache-2.0 */
/* top_frame.c - names the rates of an interval, relates them to its length, and sorts them. */
#include "cmd/view/top_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"

static uint64_t ns_of(const struct fc_clock *clock, uint64_t ticks)
{
	return fc_clock_duration_ns(clock, ticks);
}

static struct fc_top_row make_row(const struct fc_rate *rate, const struct fc_namer *namer,
				  const struct fc_clock *clock, double ticks, double seconds)
{
	return (struct fc_top_row){
		.name = namer->name_of(namer->ctx, rate->func),
		.rate = *rate,
		.calls_per_s = rate->calls / seconds,
		.total = rate->total_ticks / ticks,
		.self = rate->self_ticks / ticks,
		.avg_ns = ns_of(clock, rate->avg_ticks),
		.max_ns = ns_of(clock, rate->max_ticks),
	};
}

static void add_rows(struct fc_top_frame *frame, const struct fc_rates_view *view,
		     const struct fc_namer *namer, const struct fc_clock *clock, double ticks)
{
	uint64_t calls = 0;

	fc_vec_each (&view->funcs, rate) {
		fc_vec_push(&frame->rows, make_row(rate, namer, clock, ticks, frame->seconds));
		calls += rate->seen_calls;
		frame->nr_counted += rate->state == FC_HOOK_COUNTED;
		frame->nr_out += rate->state == FC_HOOK_OUT;
	}
	frame->calls_per_s = (double)calls / frame->seconds;
}

static void add_threads(struct fc_top_frame *frame, const struct fc_rates_view *view,
			const struct fc_namer *namer, double ticks)
{
	fc_vec_each (&view->threads, thread) {
		struct fc_top_thread row = {
			.pid = thread->pid,
			.tid = thread->tid,
			.calls_per_s = (double)thread->calls / frame->seconds,
			.busy = (double)thread->busy_ticks / ticks,
			.depth = thread->depth,
			.has_name = thread->func,
		};
		if (thread->func)
			row.name = namer->name_of(namer->ctx, thread->func);
		fc_vec_push(&frame->threads, row);
	}
}

struct fc_top_frame *fc_top_frame_create(const struct fc_rates_view *view,
					 const struct fc_namer *namer,
					 const struct fc_clock *clock, bool has_times)
{
	struct fc_top_frame *frame = fc_alloc(sizeof(*frame));
	uint64_t ticks = view->end_tsc > view->begin_tsc ? view->end_tsc - view->begin_tsc : 1;
	uint64_t ns = ns_of(clock, ticks);

	frame->begin_s = (double)fc_clock_ns(clock, view->begin_tsc) / 1e9;
	frame->seconds = (double)(ns ? ns : 1) / 1e9;
	frame->lost = view->lost;
	frame->waited_ns = ns_of(clock, view->waited);
	frame->has_times = has_times;
	add_rows(frame, view, namer, clock, (double)ticks);
	add_threads(frame, view, namer, (double)ticks);
	return frame;
}

void fc_top_frame_destroy(struct fc_top_frame *frame)
{
	if (!frame)
		return;
	fc_vec_free(&frame->rows);
	fc_vec_free(&frame->threads);
	free(frame);
}

/* ---- order ---- */

static int larger_first(double a, double b)
{
	return fc_order(b, a);
}

/*
 * First what can be seen in its column, then what has no figure there but is called or not seen,
 * then next to nothing, and nothing.
 */
static int class_of(const struct fc_top_row *row, enum fc_top_key key, double value)
{
	bool is_share = key == FC_TOP_BY_SELF || key == FC_TOP_BY_TOTAL;
	bool is_open = !row->rate.has_times && row->rate.calls > 0;

	if (value >= (is_share ? 0.0005 : 1e-9))
		return 3;
	if ((is_share && is_open) || row->rate.is_unseen)
		return 2;
	return value > 0;
}

static double value_of(const struct fc_top_row *row, enum fc_top_key key)
{
	switch (key) {
	case FC_TOP_BY_SELF:
		return row->rate.has_times ? row->self : 0;
	case FC_TOP_BY_TOTAL:
		return row->rate.has_times ? row->total : 0;
	case FC_TOP_BY_AVG:
		return (double)row->avg_ns;
	case FC_TOP_BY_MAX:
		return (double)row->max_ns;
	case FC_TOP_BY_CALLS:
		return row->calls_per_s;
	default:
		return 0;
	}
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct fc_top_row *left = a, *right = b;
	enum fc_top_key key = *(const enum fc_top_key *)ctx;
	double x = value_of(left, key), y = value_of(right, key);
	int ret = key == FC_TOP_BY_NAME ? 0 : class_of(right, key, y) - class_of(left, key, x);

	for (size_t i = 0; !ret && key != FC_TOP_BY_NAME && i < 4; i++) {
		const double more[][2] = {
			{ x, y },
			{ left->calls_per_s, right->calls_per_s },
			{ left->rate.last_calls, right->rate.last_calls },
			{ (double)left->rate.calls_ever, (double)right->rate.calls_ever },
		};
		ret = larger_first(more[i][0], more[i][1]);
	}
	ret = ret ?: fc_name_order(&left->name, &right->name);
	return ret ?: fc_order(left->rate.func, right->rate.func);
}

static int compare_threads(const void *a, const void *b, void *ctx)
{
	const struct fc_top_thread *left = a, *right = b;
	enum fc_top_key key = *(const enum fc_top_key *)ctx;
	int ret = 0;

	if (key == FC_TOP_BY_CALLS)
		ret = larger_first(left->calls_per_s, right->calls_per_s);
	else if (key != FC_TOP_BY_NAME)
		ret = larger_first(left->busy, right->busy);
	return ret ?: fc_order(left->tid, right->tid);
}

const char *fc_top_key_name(enum fc_top_key key)
{
	static const char *const names[] = {
		[FC_TOP_BY_SELF] = "self",   [FC_TOP_BY_CALLS] = "calls",
		[FC_TOP_BY_TOTAL] = "total", [FC_TOP_BY_AVG] = "avg",
		[FC_TOP_BY_MAX] = "max",     [FC_TOP_BY_NAME] = "name",
	};
	return names[key];
}

void fc_top_frame_sort(struct fc_top_frame *frame, enum fc_top_key key)
{
	if (frame->rows.nr)
		qsort_r(frame->rows.at, frame->rows.nr, sizeof(*frame->rows.at), compare_rows,
			&key);
	if (frame->threads.nr)
		qsort_r(frame->threads.at, frame->threads.nr, sizeof(*frame->threads.at),
			compare_threads, &key);
}
