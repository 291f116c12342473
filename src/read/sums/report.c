/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - sums calls by row, and sorts and names the rows. */
#include "read/sums/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/vec.h"
#include "read/sums/crunch.h"
#include "read/sums/nested.h"
#include "read/sums/stat.h"
#include "trace/mark.h"

/* The sums that each call changes: one line of the cache. */
struct sum {
	uint64_t nr_timed;
	uint64_t total, self;		 /* ticks */
	uint64_t timed, min, max;	 /* ticks of the timed calls, recursive ones too */
	unsigned __int128 timed_squares; /* and the sum of their squares */
};

/* The rest of a row. */
struct rare {
	uint64_t nr_untimed; /* calls */
	uint64_t counted;
	uint64_t wait, self_wait; /* ticks */
	struct fc_hist *hist;
	struct fc_report_when when; /* with has_hist */
};

/* Rows stand in pages that exist once one of them is told of: a damaged id may be any. */
enum { PAGE_BITS = 9, PAGE_ROWS = 1 << PAGE_BITS };

struct page {
	struct sum sums[PAGE_ROWS];
	struct rare rares[PAGE_ROWS];
};

struct fc_report {
	struct fc_call_sink sink;
	struct fc_report_opts opts;
	FC_VEC(struct page *) pages; /* by function id, or row of the grouping */
	uint64_t waited;	     /* ticks */
	struct fc_nested nested;     /* by values */
};

static struct fc_report *report_of(struct fc_call_sink *sink)
{
	return (struct fc_report *)((char *)sink - offsetof(struct fc_report, sink));
}

/* ---- summing ---- */

static __attribute__((noinline)) struct page *make_page(struct fc_report *report, uint32_t row)
{
	struct page **page = fc_vec_make(&report->pages, row >> PAGE_BITS);

	if (!*page)
		*page = fc_alloc(sizeof(**page));
	return *page;
}

static inline struct page *page_of(struct fc_report *report, uint32_t row)
{
	size_t i = row >> PAGE_BITS;
	struct page *page = i < report->pages.nr ? report->pages.at[i] : NULL;
	return __builtin_expect(!page, 0) ? make_page(report, row) : page;
}

static inline size_t in_page(uint32_t row)
{
	return row & (PAGE_ROWS - 1);
}

static __attribute__((noinline)) struct fc_hist *make_hist(struct rare *rare)
{
	return rare->hist = fc_alloc(sizeof(*rare->hist));
}

static inline void add_timed(struct sum *sum, uint64_t ticks)
{
	if (!sum->nr_timed || ticks < sum->min)
		sum->min = ticks;
	if (ticks > sum->max)
		sum->max = ticks;
	sum->timed += ticks;
	sum->timed_squares += (unsigned __int128)ticks * ticks;
	sum->nr_timed++;
}

/* Before the call is in sum. */
static void add_when(struct fc_report_when *when, const struct sum *sum,
		     const struct fc_call *call)
{
	bool is_first = !sum->nr_timed;

	if (is_first || call->begin_tsc < when->first_tsc)
		when->first_tsc = call->begin_tsc;
	if (is_first || call->begin_tsc > when->last_tsc)
		when->last_tsc = call->begin_tsc;
	if (!is_first && fc_call_ticks(call) <= sum->max)
		return;
	when->longest_tsc = call->begin_tsc;
	when->longest_strand = call->strand;
}

static __attribute__((noinline)) void add_waits(struct rare *rare, const struct fc_call *call)
{
	if (!call->is_recursive)
		rare->wait += call->wait_ticks;
	rare->self_wait += call->self_wait_ticks;
}

static inline __attribute__((always_inline)) void
add_call(struct fc_report *report, uint32_t row, const struct fc_call *call)
{
	struct page *page = page_of(report, row);
	struct sum *sum = &page->sums[in_page(row)];
	uint64_t ticks = fc_call_ticks(call);

	if (!call->is_recursive)
		sum->total += ticks;
	sum->self += call->self_ticks;
	if (__builtin_expect(call->wait_ticks != 0, 0))
		add_waits(&page->rares[in_page(row)], call);

	/* An inherited call was counted in the process that made it; others were not kept. */
	if (call->is_inherited || call->is_resumed)
		return;
	if (call->left == FC_LEFT_UNSEEN || call->left == FC_LEFT_LOST) {
		page->rares[in_page(row)].nr_untimed++;
		return;
	}
	if (report->opts.has_hist) {
		struct rare *rare = &page->rares[in_page(row)];
		add_when(&rare->when, sum, call);
		fc_hist_add(rare->hist ? rare->hist : make_hist(rare), ticks);
	}
	add_timed(sum, ticks);
}

static void report_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	add_call(report_of(sink), call->func, call);
}

static void report_leave_group(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_report *report = report_of(sink);
	add_call(report, fc_grouping_row(report->opts.grouping, call), call);
}

static void report_enter_value(struct fc_call_sink *sink, const struct fc_call *call)
{
	fc_nested_enter(&report_of(sink)->nested, call);
}

/* The row is known only now: what was counted of calls of it within this one is taken back. */
static void report_leave_value(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_report *report = report_of(sink);
	uint32_t row = fc_grouping_row(report->opts.grouping, call);
	struct fc_within within = fc_nested_leave(&report->nested, call, row);
	struct fc_call outermost = *call;
	outermost.is_recursive = false;
	add_call(report, row, &outermost);
	struct page *page = page_of(report, row);
	struct rare *rare = &page->rares[in_page(row)];
	page->sums[in_page(row)].total -= within.ticks;
	rare->wait -= within.wait_ticks < rare->wait ? within.wait_ticks : rare->wait;
}

static void report_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	report_of(sink)->waited += fc_mark_waited(event);
}

struct fc_report *fc_report_create_as(const struct fc_report_opts *opts)
{
	struct fc_report *report = fc_alloc(sizeof(*report));
	report->opts = *opts;
	report->sink = (struct fc_call_sink){
		.enter = fc_sink_skip_call,
		.leave = opts->grouping ? report_leave_group : report_leave,
		.event = report_event,
		.finish = fc_sink_skip_finish,
	};
	if (fc_grouping_is_of_values(opts->grouping)) {
		report->sink.enter = report_enter_value;
		report->sink.leave = report_leave_value;
	}
	fc_nested_init(&report->nested);
	return report;
}

struct fc_report *fc_report_create(void)
{
	static const struct fc_report_opts opts = { 0 };
	return fc_report_create_as(&opts);
}

static void free_page(struct page *page)
{
	for (size_t i = 0; page && i < PAGE_ROWS; i++) {
		if (!page->rares[i].hist)
			continue;
		fc_hist_deinit(page->rares[i].hist);
		free(page->rares[i].hist);
	}
	free(page);
}

void fc_report_destroy(struct fc_report *report)
{
	if (!report)
		return;
	fc_vec_each (&report->pages, page)
		free_page(*page);
	fc_vec_free(&report->pages);
	fc_nested_deinit(&report->nested);
	free(report);
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
	const struct fc_grouping *grouping = report->opts.grouping;
	uint32_t row = grouping ? fc_grouping_row_of_func(grouping, func) : func;

	if (!calls || !row)
		return;
	page_of(report, row)->rares[in_page(row)].counted += calls;
}

/* ---- merging ---- */

/* Before the sums themselves are. */
static void merge_when(struct fc_report_when *into, const struct sum *into_sum,
		       const struct fc_report_when *from, const struct sum *from_sum)
{
	bool is_first = !into_sum->nr_timed;

	if (!from_sum->nr_timed)
		return;
	if (is_first || from->first_tsc < into->first_tsc)
		into->first_tsc = from->first_tsc;
	if (is_first || from->last_tsc > into->last_tsc)
		into->last_tsc = from->last_tsc;
	if (!is_first && from_sum->max <= into_sum->max)
		return;
	into->longest_tsc = from->longest_tsc;
	into->longest_strand = from->longest_strand;
}

static void merge_sum(struct sum *into, const struct sum *from)
{
	if (from->nr_timed && (!into->nr_timed || from->min < into->min))
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->nr_timed += from->nr_timed;
	into->total += from->total;
	into->self += from->self;
	into->timed += from->timed;
	into->timed_squares += from->timed_squares;
}

static void merge_rare(struct rare *into, const struct rare *from)
{
	into->nr_untimed += from->nr_untimed;
	into->counted += from->counted;
	into->wait += from->wait;
	into->self_wait += from->self_wait;
	if (from->hist)
		fc_hist_merge(into->hist ? into->hist : make_hist(into), from->hist);
}

void fc_report_merge(struct fc_report *into, const struct fc_report *from)
{
	for (size_t i = 0; i < from->pages.nr; i++) {
		const struct page *page = from->pages.at[i];
		struct page *to = page ? page_of(into, (uint32_t)(i << PAGE_BITS)) : NULL;
		for (size_t k = 0; page && k < PAGE_ROWS; k++) {
			merge_when(&to->rares[k].when, &to->sums[k], &page->rares[k].when,
				   &page->sums[k]);
			merge_sum(&to->sums[k], &page->sums[k]);
			merge_rare(&to->rares[k], &page->rares[k]);
		}
	}
	into->waited += from->waited;
}

static struct fc_call_sink *create_sink(void *ctx)
{
	return &fc_report_create_as(ctx)->sink;
}

static void merge_sinks(struct fc_call_sink *into, struct fc_call_sink *from)
{
	fc_report_merge(report_of(into), report_of(from));
}

static void destroy_sink(struct fc_call_sink *sink)
{
	fc_report_destroy(report_of(sink));
}

int fc_report_crunch(struct fc_reader *reader, const struct fc_report_opts *opts, int tid,
		     struct fc_report **ret)
{
	struct fc_report_opts copy = *opts;
	copy.off_funcs = fc_reader_off_funcs(reader);
	const struct fc_crunch_opts crunch = {
		.create = create_sink,
		.merge = merge_sinks,
		.destroy = destroy_sink,
		.ctx = &copy,
		.group = fc_grouping_recursion(opts->grouping),
		.tid = tid,
	};
	struct fc_call_sink *sink = NULL;
	int err = fc_crunch(reader, &crunch, &sink);

	if (!err)
		*ret = report_of(sink);
	return err;
}

/* ---- order ---- */

typedef int (*compare)(const struct fc_report_row *a, const struct fc_report_row *b);

static int by_func(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return strcmp(a->name.name, b->name.name);
}

static int by_module(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return strcmp(a->name.module, b->name.module);
}

static int by_value(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return strcmp(a->value ? a->value : "", b->value ? b->value : "");
}

static int by_pid(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int by_tid(const struct fc_report_row *a, const struct fc_report_row *b)
{
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static const struct {
	const char *name;
	compare compare;
} words_known[] = {
	{ "func", by_func }, { "module", by_module }, { "value", by_value },
	{ "pid", by_pid },   { "tid", by_tid },
};

/* One of both. */
struct key {
	const struct fc_stat *stat; /* largest first */
	compare compare;
};

enum { MAX_KEYS = 24 };

struct order {
	struct key keys[MAX_KEYS + 6];
	size_t nr;
};

static struct key find_key(const char *name, size_t len)
{
	struct key key = { .stat = fc_stat_find(name, len) };

	for (size_t i = 0; i < sizeof(words_known) / sizeof(words_known[0]); i++) {
		if (strlen(words_known[i].name) == len &&
		    !memcmp(words_known[i].name, name, len))
			key.compare = words_known[i].compare;
	}
	return key;
}

static int parse_keys(const char *keys, struct order *ret)
{
	static const char *const last[] = { "total", "func", "module", "value", "pid", "tid" };

	struct fc_item item;
	ret->nr = 0;
	for (const char *p = keys; fc_list_next(&p, &item);) {
		struct key key = find_key(item.at, item.len);
		if (!key.stat && !key.compare)
			return fc_list_unknown(
				keys, item, "a sort key",
				FC_STAT_NAMES(", ") ", func, module, value, pid, tid");
		if (ret->nr < MAX_KEYS)
			ret->keys[ret->nr++] = key;
	}
	for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++)
		ret->keys[ret->nr++] = find_key(last[i], strlen(last[i]));
	return 0;
}

int fc_report_check_keys(const char *keys)
{
	struct order order;
	return parse_keys(keys, &order);
}

static bool keys_need(const char *keys, enum fc_stat_need need)
{
	struct order order;

	if (!keys || parse_keys(keys, &order))
		return false;
	for (size_t i = 0; i < order.nr; i++) {
		if (order.keys[i].stat && order.keys[i].stat->need == need)
			return true;
	}
	return false;
}

bool fc_report_keys_need_hist(const char *keys)
{
	return keys_need(keys, FC_NEEDS_HIST);
}

bool fc_report_keys_need_waits(const char *keys)
{
	return keys_need(keys, FC_NEEDS_WAITS);
}

static int compare_stat(const struct fc_stat *stat, const struct fc_report_row *a,
			const struct fc_report_row *b)
{
	uint64_t x = fc_stat_get(stat, a), y = fc_stat_get(stat, b);
	return (x < y) - (x > y);
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct fc_report_row *left = a, *right = b;

	for (size_t i = 0; i < order->nr; i++) {
		const struct key *key = &order->keys[i];
		int ret = key->stat ? compare_stat(key->stat, left, right)
				    : key->compare(left, right);
		if (ret)
			return ret;
	}
	return (left->func > right->func) - (left->func < right->func);
}

/* ---- rows ---- */

/* The deviation of all timed calls: they are no sample. */
static uint64_t stdev_of(const struct sum *sum)
{
	long double nr = sum->nr_timed;
	if (!sum->nr_timed)
		return 0;
	long double mean = (long double)sum->timed / nr;
	long double variance = (long double)sum->timed_squares / nr - mean * mean;
	return variance > 0 ? (uint64_t)sqrtl(variance) : 0;
}

static uint64_t percentile(const struct fc_clock *clock, const struct sum *sum,
			   const struct fc_hist *hist, double share)
{
	return fc_clock_duration_ns(clock, fc_hist_percentile(hist, share, sum->min, sum->max));
}

static void add_percentiles(struct fc_report_row *row, const struct sum *sum,
			    const struct fc_clock *clock)
{
	if (!row->hist)
		return;
	row->p50_ns = percentile(clock, sum, row->hist, 0.5);
	row->p90_ns = percentile(clock, sum, row->hist, 0.9);
	row->p99_ns = percentile(clock, sum, row->hist, 0.99);
	row->p99_9_ns = percentile(clock, sum, row->hist, 0.999);
}

/* A damaged trace may have told of longer waits than there was time. */
static void set_waits(const struct fc_report *report, struct fc_report_row *row,
		      const struct sum *sum, const struct rare *rare,
		      const struct fc_clock *clock)
{
	const struct fc_off_funcs *off_funcs = report->opts.off_funcs;

	row->has_waits = off_funcs && off_funcs->is.nr;
	if (!row->has_waits)
		return;
	row->wait_ns =
		fc_clock_duration_ns(clock, rare->wait < sum->total ? rare->wait : sum->total);
	row->cpu_ns = row->total_ns - row->wait_ns;
	row->self_wait_ns = fc_clock_duration_ns(clock, rare->self_wait);
}

static void name_row(struct fc_report_row *row, const struct fc_grouping *grouping,
		     const struct fc_namer *namer)
{
	if (!grouping) {
		row->name = namer->name_of(namer->ctx, row->func);
		return;
	}
	struct fc_group group = fc_grouping_group(grouping, row->func);
	row->name = group.name;
	row->value = group.value;
	row->pid = group.pid;
	row->tid = group.tid;
}

static struct fc_report_row make_row(const struct fc_report *report, uint32_t nr,
				     const struct fc_clock *clock, const struct fc_namer *namer)
{
	const struct page *page = report->pages.at[nr >> PAGE_BITS];
	const struct sum *sum = &page->sums[in_page(nr)];
	const struct rare *rare = &page->rares[in_page(nr)];
	struct fc_report_row row = {
		.func = nr,
		.calls = sum->nr_timed + rare->nr_untimed + rare->counted,
		.counted = rare->counted,
		.nr_timed = sum->nr_timed,
		.total_ns = fc_clock_duration_ns(clock, sum->total),
		.self_ns = fc_clock_duration_ns(clock, sum->self),
		.min_ns = fc_clock_duration_ns(clock, sum->min),
		.max_ns = fc_clock_duration_ns(clock, sum->max),
		.stdev_ns = fc_clock_duration_ns(clock, stdev_of(sum)),
		.hist = rare->hist,
		.when = rare->when,
	};

	if (sum->nr_timed)
		row.avg_ns = fc_clock_duration_ns(clock, sum->timed / sum->nr_timed);
	add_percentiles(&row, sum, clock);
	set_waits(report, &row, sum, rare, clock);
	name_row(&row, report->opts.grouping, namer);
	return row;
}

/* Inherited calls alone (of a child that made none) still took time. */
static bool is_empty(const struct page *page, size_t i)
{
	const struct sum *sum = &page->sums[i];
	const struct rare *rare = &page->rares[i];

	return !sum->nr_timed && !sum->total && !sum->self && !rare->nr_untimed &&
	       !rare->counted;
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
	for (size_t i = 0; i < report->pages.nr << PAGE_BITS; i++) {
		const struct page *page = report->pages.at[i >> PAGE_BITS];
		if (page && !is_empty(page, i & (PAGE_ROWS - 1)))
			fc_vec_push(&rows, make_row(report, (uint32_t)i, clock, namer));
	}
	if (rows.nr)
		qsort_r(rows.at, rows.nr, sizeof(*rows.at), compare_rows, &order);
	*ret = rows.at;
	*nr = rows.nr;
	return 0;
}
