/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/crunch.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"

struct sum {
	uint64_t calls, counted, nr_timed;
	uint64_t total, self;	  /* ticks */
	uint64_t timed, min, max; /* ticks of the timed calls, recursive ones too */
};

struct fc_report {
	struct fc_call_sink sink;
	FC_VEC(struct sum) sums; /* by function id */
	uint64_t waited;	 /* ticks */
};

static struct fc_report *report_of(struct fc_call_sink *sink)
{
	return (struct fc_report *)((char *)sink - offsetof(struct fc_report, sink));
}

static struct sum *sum_of(struct fc_report *report, uint32_t func)
{
	size_t nr = report->sums.nr;

	if (func >= nr) {
		fc_vec_reserve(&report->sums, func + 1 - nr);
		memset(report->sums.at + nr, 0, (func + 1 - nr) * sizeof(struct sum));
		report->sums.nr = func + 1;
	}
	return &report->sums.at[func];
}

static void add_timed(struct sum *sum, uint64_t ticks)
{
	if (!sum->nr_timed || ticks < sum->min)
		sum->min = ticks;
	if (ticks > sum->max)
		sum->max = ticks;
	sum->timed += ticks;
	sum->nr_timed++;
}

static void report_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
}

static void report_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct sum *sum = sum_of(report_of(sink), call->func);
	uint64_t ticks = fc_call_ticks(call);

	if (!call->is_recursive)
		sum->total += ticks;
	sum->self += call->self_ticks;

	/* An inherited call was counted in the process that made it; others were not kept. */
	if (call->is_inherited || call->is_resumed)
		return;
	sum->calls++;
	if (call->left != FC_LEFT_UNSEEN && call->left != FC_LEFT_LOST)
		add_timed(sum, ticks);
}

static void report_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	if (event->mark == FC_MARK_WAITED)
		report_of(sink)->waited += event->word[0];
}

static void report_finish(struct fc_call_sink *sink)
{
}

struct fc_report *fc_report_create(void)
{
	struct fc_report *report = fc_alloc(sizeof(*report));
	report->sink = (struct fc_call_sink){
		.enter = report_enter,
		.leave = report_leave,
		.event = report_event,
		.finish = report_finish,
	};
	return report;
}

void fc_report_destroy(struct fc_report *report)
{
	if (!report)
		return;
	fc_vec_free(&report->sums);
	free(report);
}

static void merge_sum(struct sum *into, const struct sum *from)
{
	if (from->nr_timed && (!into->nr_timed || from->min < into->min))
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->calls += from->calls;
	into->counted += from->counted;
	into->nr_timed += from->nr_timed;
	into->total += from->total;
	into->self += from->self;
	into->timed += from->timed;
}

void fc_report_merge(struct fc_report *into, const struct fc_report *from)
{
	for (size_t i = 0; i < from->sums.nr; i++) {
		const struct sum *sum = &from->sums.at[i];
		if (sum->calls || sum->total || sum->self)
			merge_sum(sum_of(into, (uint32_t)i), sum);
	}
	into->waited += from->waited;
}

static struct fc_call_sink *create_sink(void *ctx)
{
	return &fc_report_create()->sink;
}

static void merge_sinks(struct fc_call_sink *into, struct fc_call_sink *from)
{
	fc_report_merge(report_of(into), report_of(from));
}

static void destroy_sink(struct fc_call_sink *sink)
{
	fc_report_destroy(report_of(sink));
}

int fc_report_crunch(struct fc_reader *reader, struct fc_report **ret)
{
	static const struct fc_crunch_opts opts = {
		.create = create_sink,
		.merge = merge_sinks,
		.destroy = destroy_sink,
	};
	struct fc_call_sink *sink = NULL;
	int err = fc_crunch(reader, &opts, &sink);

	if (!err)
		*ret = report_of(sink);
	return err;
}

uint64_t fc_report_waited(const struct fc_report *report)
{
	return report->waited;
}

struct fc_call_sink *fc_report_sink(struct fc_report *report)
{
	return &report->sink;
}

void fc_report_add_counted(struct fc_report *report, uint32_t func, uint64_t calls)
{
	if (!calls)
		return;
	struct sum *sum = sum_of(report, func);
	sum->calls += calls;
	sum->counted += calls;
}

typedef int (*compare)(const struct fc_report_row *a, const struct fc_report_row *b);

#define LARGEST_FIRST(field)                                                                   \
	static int by_##field(const struct fc_report_row *a, const struct fc_report_row *b)    \
	{                                                                                      \
		return (a->field < b->field) - (a->field > b->field);                          \
	}

LARGEST_FIRST(total_ns)
LARGEST_FIRST(self_ns)
LARGEST_FIRST(calls)
LARGEST_FIRST(min_ns)
LARGEST_FIRST(avg_ns)
LARGEST_FIRST(max_ns)

static int by_func(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return strcmp(a->name.name, b->name.name);
}

static int by_module(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return strcmp(a->name.module, b->name.module);
}

static const struct {
	const char *name;
	compare compare;
} keys_known[] = {
	{ "total", by_total_ns }, { "self", by_self_ns },  { "calls", by_calls },
	{ "min", by_min_ns },	  { "avg", by_avg_ns },	   { "max", by_max_ns },
	{ "func", by_func },	  { "module", by_module },
};

#define NR_KEYS (sizeof(keys_known) / sizeof(keys_known[0]))

struct order {
	compare by[NR_KEYS + 3];
	size_t nr;
};

static compare find_key(const char *name, size_t len)
{
	for (size_t i = 0; i < NR_KEYS; i++) {
		if (strlen(keys_known[i].name) == len && !memcmp(keys_known[i].name, name, len))
			return keys_known[i].compare;
	}
	return NULL;
}

static int parse_keys(const char *keys, struct order *ret)
{
	ret->nr = 0;
	for (const char *p = keys;; p++) {
		size_t len = strcspn(p, ",");
		compare by = find_key(p, len);
		if (!by)
			return fc_fail(EINVAL,
				       "%.*s: not a sort key; there are total, self, calls, "
				       "min, avg, max, func, module",
				       len ? (int)len : (int)strlen(keys), len ? p : keys);
		if (ret->nr < NR_KEYS)
			ret->by[ret->nr++] = by;
		p += len;
		if (!*p)
			break;
	}
	ret->by[ret->nr++] = by_total_ns;
	ret->by[ret->nr++] = by_func;
	ret->by[ret->nr++] = by_module;
	return 0;
}

int fc_report_check_keys(const char *keys)
{
	struct order order;
	return parse_keys(keys, &order);
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct fc_report_row *left = a, *right = b;

	for (size_t i = 0; i < order->nr; i++) {
		int ret = order->by[i](left, right);
		if (ret)
			return ret;
	}
	return (left->func > right->func) - (left->func < right->func);
}

static struct fc_report_row make_row(const struct sum *sum, uint32_t func,
				     const struct fc_clock *clock, const struct fc_namer *namer)
{
	uint64_t avg = sum->nr_timed ? sum->timed / sum->nr_timed : 0;

	return (struct fc_report_row){
		.func = func,
		.name = namer->name_of(namer->ctx, func),
		.calls = sum->calls,
		.counted = sum->counted,
		.nr_timed = sum->nr_timed,
		.total_ns = fc_clock_duration_ns(clock, sum->total),
		.self_ns = fc_clock_duration_ns(clock, sum->self),
		.min_ns = fc_clock_duration_ns(clock, sum->min),
		.avg_ns = fc_clock_duration_ns(clock, avg),
		.max_ns = fc_clock_duration_ns(clock, sum->max),
	};
}

int fc_report_rows(const struct fc_report *report, const char *keys,
		   const struct fc_clock *clock, const struct fc_namer *namer,
		   struct fc_report_row **ret, size_t *nr)
{
	struct order order;
	int err = parse_keys(keys, &order);
	if (err)
		return err;

	FC_VEC(struct fc_report_row) rows = { 0 };
	for (size_t i = 0; i < report->sums.nr; i++) {
		const struct sum *sum = &report->sums.at[i];
		/* Inherited calls alone (of a child that made none) still took time. */
		if (sum->calls || sum->total || sum->self)
			fc_vec_push(&rows, make_row(sum, (uint32_t)i, clock, namer));
	}
	if (rows.nr)
		qsort_r(rows.at, rows.nr, sizeof(*rows.at), compare_rows, &order);
	*ret = rows.at;
	*nr = rows.nr;
	return 0;
}
