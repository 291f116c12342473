/* SPDX-License-Identifier: Apache-2.0 */
/* changes.c - pairs the rows of both sides, takes medians of runs, and sorts the changes. */
#include "read/diff/changes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "read/diff/timekinds.h"
#include "read/diff/subtree.h"
#include "read/sums/stat.h"

#define NONE UINT32_MAX

/* Functions are numbered anew here: only those that were called. */
struct finding {
	const struct fc_changes_opts *opts;
	struct fc_changes *ret;
	uint32_t *places;	       /* by number of twins: in ret, or NONE */
	struct fc_report_row *rows[2]; /* those of a function: one for each run */
	struct fc_cost *costs[2];      /* the same */
};

/* ---- functions that were called ---- */

static struct fc_change *add_change(struct finding *finding, uint32_t number,
				    const struct fc_report_row *row)
{
	const struct fc_twin *twin = fc_twins_get(finding->opts->twins, number);
	struct fc_change change = { .number = number, .name = row->name };

	change.is_any = twin && twin->any;
	if (change.is_any)
		change.name.name = twin->any;
	finding->places[number] = (uint32_t)finding->ret->nr;
	fc_vec_push(finding->ret, change);
	return &finding->ret->at[finding->ret->nr - 1];
}

struct rows {
	struct fc_report_row *at;
	size_t nr;
};

static int read_rows(struct finding *finding, int side, size_t run, struct rows *ret)
{
	const struct fc_changes_run *from = &finding->opts->runs[side][run];
	int err = fc_report_rows(fc_costs_report(from->costs), "total", from->clock,
				 &from->namer, &ret->at, &ret->nr);

	for (size_t i = 0; !err && i < ret->nr; i++) {
		uint32_t number =
			fc_twins_number(finding->opts->twins, side, run, ret->at[i].func);
		uint32_t place = finding->places[number];
		struct fc_change *change = place == NONE
						   ? add_change(finding, number, &ret->at[i])
						   : &finding->ret->at[place];
		change->is_there[side] = true;
	}
	return err;
}

/* ---- what they cost in each run ---- */

/* Functions that share a name are one. */
static void merge_row(struct fc_report_row *to, const struct fc_report_row *row)
{
	uint64_t timed = to->avg_ns * to->nr_timed + row->avg_ns * row->nr_timed;

	/* How times are spread is that of the one with the most calls. */
	if (row->nr_timed > to->nr_timed) {
		to->stdev_ns = row->stdev_ns;
		to->p50_ns = row->p50_ns;
		to->p90_ns = row->p90_ns;
		to->p99_ns = row->p99_ns;
		to->p99_9_ns = row->p99_9_ns;
	}

	if (row->nr_timed && (!to->nr_timed || row->min_ns < to->min_ns))
		to->min_ns = row->min_ns;
	if (row->max_ns > to->max_ns)
		to->max_ns = row->max_ns;
	to->calls += row->calls;
	to->counted += row->counted;
	to->nr_timed += row->nr_timed;
	to->total_ns += row->total_ns;
	to->self_ns += row->self_ns;
	to->avg_ns = to->nr_timed ? timed / to->nr_timed : 0;
}

static void take_rows(struct finding *finding, int side, size_t run, const struct rows *rows)
{
	size_t nr_runs = finding->opts->nr_runs[side];

	for (size_t i = 0; i < rows->nr; i++) {
		uint32_t number =
			fc_twins_number(finding->opts->twins, side, run, rows->at[i].func);
		size_t at = finding->places[number] * nr_runs + run;
		struct fc_report_row *row = &finding->rows[side][at];
		merge_row(row, &rows->at[i]);
		finding->costs[side][at].calls = row->calls;
	}
}

static void take_costs(struct finding *finding, int side, size_t run)
{
	size_t nr, nr_runs = finding->opts->nr_runs[side];
	const struct fc_cost *from =
		fc_costs_settled(finding->opts->runs[side][run].costs, &nr);

	for (size_t i = 0; i < nr; i++) {
		uint32_t place = finding->places[from[i].number];
		if (place == NONE) /* it took no time, and no call of it began */
			continue;
		struct fc_cost *to = &finding->costs[side][place * nr_runs + run];
		uint64_t calls = to->calls;
		*to = from[i];
		to->calls = calls;
	}
}

static int take_runs(struct finding *finding)
{
	struct rows *rows[2];
	int err = 0;

	for (int side = 0; side < 2; side++) {
		size_t nr = finding->opts->nr_runs[side];
		rows[side] = fc_alloc(nr * sizeof(*rows[side]));
		for (size_t i = 0; !err && i < nr; i++)
			err = read_rows(finding, side, i, &rows[side][i]);
	}
	for (int side = 0; side < 2; side++) {
		size_t nr = finding->opts->nr_runs[side], all = finding->ret->nr * nr + 1;
		finding->rows[side] = fc_alloc(all * sizeof(*finding->rows[side]));
		finding->costs[side] = fc_alloc(all * sizeof(*finding->costs[side]));
		for (size_t i = 0; i < nr; i++) {
			if (!err) {
				take_rows(finding, side, i, &rows[side][i]);
				take_costs(finding, side, i);
			}
			free(rows[side][i].at);
		}
		free(rows[side]);
	}
	return err;
}

/* ---- the medians ---- */

static int by_size(const void *a, const void *b)
{
	return fc_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Of each number: of an even number of runs the lower of the two in the middle. */
static void take_medians(const struct fc_report_row *rows, size_t nr, uint64_t *room,
			 struct fc_report_row *ret)
{
	*ret = rows[0];
	for (size_t k = 0; k < FC_NR_STATS; k++) {
		for (size_t i = 0; i < nr; i++)
			room[i] = fc_stat_get(&fc_stats[k], &rows[i]);
		qsort(room, nr, sizeof(*room), by_size);
		*(uint64_t *)((char *)ret + fc_stats[k].offset) = room[(nr - 1) / 2];
	}
}

static void find_medians(struct finding *finding)
{
	for (int side = 0; side < 2; side++) {
		size_t nr = finding->opts->nr_runs[side];
		uint64_t *room = fc_alloc(nr * sizeof(*room));
		for (size_t i = 0; i < finding->ret->nr; i++)
			take_medians(&finding->rows[side][i * nr], nr, room,
				     &finding->ret->at[i].rows[side]);
		free(room);
	}
}

static int by_value(const void *a, const void *b)
{
	return fc_order(*(const double *)a, *(const double *)b);
}

static void find_apart(struct finding *finding, int side)
{
	size_t nr = finding->opts->nr_runs[side];
	double *ends = fc_alloc(nr * sizeof(*ends)), *loaders = fc_alloc(nr * sizeof(*loaders));

	for (size_t i = 0; i < finding->ret->nr; i++) {
		bool is_loader = fc_kind_of_time(finding->ret->at[i].name) == FC_TIME_LOADER;
		for (size_t k = 0; k < nr; k++) {
			const struct fc_cost *cost = &finding->costs[side][i * nr + k];
			ends[k] += cost->cut_ns;
			loaders[k] += is_loader ? cost->sum_ns : 0;
		}
	}
	qsort(ends, nr, sizeof(*ends), by_value);
	qsort(loaders, nr, sizeof(*loaders), by_value);
	finding->ret->apart[side] =
		(struct fc_changes_apart){ ends[(nr - 1) / 2], loaders[(nr - 1) / 2] };
	free(ends);
	free(loaders);
}

/* ---- what matters ---- */

static void take_verdict(struct fc_change *change, const struct fc_judged *judged)
{
	bool is_both = change->is_there[0] && change->is_there[1];

	change->matters = judged->has_other_calls || judged->has_other_time;
	change->is_unsure = judged->is_unsure;
	change->change_ns = judged->change_ns;
	change->weight = fabs(judged->change_ns);
	if (!is_both)
		change->weight *= 2;
	if (judged->kind == FC_TIME_WAIT || judged->kind == FC_TIME_JOIN)
		change->weight /= 2;
}

static void judge_all(struct finding *finding)
{
	struct fc_changes *changes = finding->ret;
	const size_t *nr_runs = finding->opts->nr_runs;
	struct fc_judged *judged = fc_alloc((changes->nr + 1) * sizeof(*judged));

	for (size_t i = 0; i < changes->nr; i++) {
		judged[i] = (struct fc_judged){
			.costs = { &finding->costs[0][i * nr_runs[0]],
				   &finding->costs[1][i * nr_runs[1]] },
			.kind = fc_kind_of_time(changes->at[i].name),
		};
	}
	fc_noise_judge(judged, changes->nr, nr_runs, &changes->noise);
	for (size_t i = 0; i < changes->nr; i++)
		take_verdict(&changes->at[i], &judged[i]);
	free(judged);
}

/* ---- their order ---- */

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

typedef int (*compare)(const struct fc_change *a, const struct fc_change *b);

#define LARGEST_CHANGE_FIRST(field)                                                            \
	static int by_##field(const struct fc_change *a, const struct fc_change *b)            \
	{                                                                                      \
		uint64_t left = distance(a->rows[0].field, a->rows[1].field);                  \
		uint64_t right = distance(b->rows[0].field, b->rows[1].field);                 \
		return (left < right) - (left > right);                                        \
	}

LARGEST_CHANGE_FIRST(total_ns)
LARGEST_CHANGE_FIRST(self_ns)
LARGEST_CHANGE_FIRST(calls)
LARGEST_CHANGE_FIRST(avg_ns)
LARGEST_CHANGE_FIRST(min_ns)
LARGEST_CHANGE_FIRST(max_ns)

static double log_ratio(uint64_t before, uint64_t after)
{
	return log((double)after + 1) - log((double)before + 1);
}

static int by_percent(const struct fc_change *a, const struct fc_change *b)
{
	double left = fabs(log_ratio(a->rows[0].self_ns, a->rows[1].self_ns));
	double right = fabs(log_ratio(b->rows[0].self_ns, b->rows[1].self_ns));
	return (left < right) - (left > right);
}

static int by_weight(const struct fc_change *a, const struct fc_change *b)
{
	return fc_order(b->weight, a->weight);
}

static int by_func(const struct fc_change *a, const struct fc_change *b)
{
	return strcmp(a->name.name, b->name.name);
}

static int by_module(const struct fc_change *a, const struct fc_change *b)
{
	return strcmp(a->name.module, b->name.module);
}

static const struct {
	const char *name;
	compare compare;
} keys_known[] = {
	{ "total", by_total_ns },  { "self", by_self_ns }, { "calls", by_calls },
	{ "avg", by_avg_ns },	   { "min", by_min_ns },   { "max", by_max_ns },
	{ "percent", by_percent }, { "func", by_func },	   { "module", by_module },
};

#define NR_KEYS (sizeof(keys_known) / sizeof(keys_known[0]))

struct order {
	compare by[NR_KEYS + 4];
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
	struct fc_item item;

	ret->nr = 0;
	for (const char *p = keys; p && fc_list_next(&p, &item);) {
		compare by = find_key(item.at, item.len);
		if (!by)
			return fc_list_unknown(keys, item, "a sort key",
					       "total, self, calls, avg, min, max, percent, "
					       "func, module");
		if (ret->nr < NR_KEYS)
			ret->by[ret->nr++] = by;
	}
	ret->by[ret->nr++] = by_weight;
	ret->by[ret->nr++] = by_calls;
	ret->by[ret->nr++] = by_func;
	ret->by[ret->nr++] = by_module;
	return 0;
}

int fc_changes_check_keys(const char *keys)
{
	struct order order;
	return parse_keys(keys, &order);
}

static int compare_changes(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct fc_change *left = a, *right = b;

	for (size_t i = 0; i < order->nr; i++) {
		int ret = order->by[i](left, right);
		if (ret)
			return ret;
	}
	return (left->number > right->number) - (left->number < right->number);
}

int fc_changes_find(const struct fc_changes_opts *opts, struct fc_changes *ret)
{
	struct order order;
	struct finding finding = { .opts = opts, .ret = ret };
	uint32_t end = fc_twins_end(opts->twins);
	int err = parse_keys(opts->keys, &order);
	if (err)
		return err;

	memcpy(ret->nr_runs, opts->nr_runs, sizeof(ret->nr_runs));
	finding.places = fc_alloc((size_t)end * sizeof(*finding.places));
	for (uint32_t i = 0; i < end; i++)
		finding.places[i] = NONE;
	err = take_runs(&finding);
	find_medians(&finding);
	for (int side = 0; side < 2; side++)
		find_apart(&finding, side);
	judge_all(&finding);
	for (int side = 0; side < 2; side++) {
		free(finding.rows[side]);
		free(finding.costs[side]);
	}
	free(finding.places);
	if (ret->nr)
		qsort_r(ret->at, ret->nr, sizeof(*ret->at), compare_changes, &order);
	return err;
}

void fc_changes_deinit(struct fc_changes *changes)
{
	fc_vec_free(changes);
}
