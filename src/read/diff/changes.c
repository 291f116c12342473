/* SPDX-License-Identifier: Apache-2.0 */
#include "read/diff/changes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/vec.h"
#include "read/diff/subtree.h"

#define LEAST_NOISE 0.1 /* as a logarithm: some 10 % */
#define LEAST_NS    1000
#define LEAST_SHARE 0.01 /* of the run */

/* ---- rows of both traces ---- */

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

static int take_rows(const struct fc_changes_opts *opts, int side, struct fc_change *by_number,
		     uint64_t *run)
{
	fc_auto_free struct fc_report_row *rows = NULL;
	size_t nr = 0;
	int err = fc_report_rows(opts->reports[side], "total", opts->clocks[side],
				 &opts->namers[side], &rows, &nr);

	for (size_t i = 0; !err && i < nr; i++) {
		uint32_t number = fc_twins_number(opts->twins, side, rows[i].func);
		struct fc_change *change = &by_number[number];
		*run += rows[i].self_ns;
		if (change->is_there[side]) {
			merge_row(&change->rows[side], &rows[i]);
			continue;
		}
		change->number = number;
		change->is_there[side] = true;
		change->name = rows[i].name;
		const struct fc_twin *twin = fc_twins_get(opts->twins, number);
		change->is_any = twin && twin->any;
		if (change->is_any)
			change->name.name = twin->any;
		change->rows[side] = rows[i];
	}
	return err;
}

/* ---- what matters ---- */

struct ratio {
	double log;
	double weight;
};

static int compare_ratios(const void *a, const void *b)
{
	const struct ratio *left = a, *right = b;
	return (left->log > right->log) - (left->log < right->log);
}

static double median(struct ratio *ratios, size_t nr)
{
	double sum = 0, half = 0;

	for (size_t i = 0; i < nr; i++)
		sum += ratios[i].weight;
	if (nr)
		qsort(ratios, nr, sizeof(*ratios), compare_ratios);
	for (size_t i = 0; i < nr; i++) {
		half += ratios[i].weight;
		if (half >= sum / 2)
			return ratios[i].log;
	}
	return 0;
}

static double log_ratio(uint64_t before, uint64_t after)
{
	return log((double)after + 1) - log((double)before + 1);
}

static void find_noise(struct fc_changes *changes)
{
	struct ratio *ratios = fc_alloc((changes->nr + 1) * sizeof(*ratios));
	size_t nr = 0;

	for (size_t i = 0; i < changes->nr; i++) {
		const struct fc_report_row *rows = changes->at[i].rows;
		if (!rows[0].calls || rows[0].calls != rows[1].calls)
			continue;
		ratios[nr].log = log_ratio(rows[0].self_ns, rows[1].self_ns);
		ratios[nr++].weight = (double)rows[0].self_ns + (double)rows[1].self_ns;
	}
	double pace = median(ratios, nr);
	for (size_t i = 0; i < nr; i++)
		ratios[i].log = fabs(ratios[i].log - pace);
	double noise = 3 * median(ratios, nr);
	free(ratios);
	changes->pace = exp(pace);
	changes->noise = exp(noise > LEAST_NOISE ? noise : LEAST_NOISE) - 1;
}

/* By more than the noise, whether or not all else took longer. */
static bool is_longer(const struct fc_changes *changes, uint64_t before, uint64_t after)
{
	uint64_t change = after > before ? after - before : before - after;
	uint64_t run = changes->run[0] > changes->run[1] ? changes->run[0] : changes->run[1];

	double own = fabs(log_ratio(before, after));
	double paced = fabs(log_ratio(before, after) - log(changes->pace));

	return (own < paced ? own : paced) > log(1 + changes->noise) && change >= LEAST_NS &&
	       (double)change >= LEAST_SHARE * (double)run;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t without_longest(const struct fc_report_row *row)
{
	return row->total_ns > row->max_ns ? row->total_ns - row->max_ns : 0;
}

/* A thread that had to wait for its CPU makes one call long, not all. */
static bool is_one_call(const struct fc_report_row rows[2])
{
	return rows[0].calls > 2 && rows[1].calls > 2 &&
	       distance(without_longest(&rows[0]), without_longest(&rows[1])) <
		       distance(rows[0].total_ns, rows[1].total_ns) / 2;
}

static bool does_matter(const struct fc_changes *changes, const struct fc_change *change)
{
	const struct fc_report_row *rows = change->rows;

	return rows[0].calls != rows[1].calls || change->is_there[0] != change->is_there[1] ||
	       (!is_one_call(rows) && (is_longer(changes, rows[0].self_ns, rows[1].self_ns) ||
				       is_longer(changes, rows[0].total_ns, rows[1].total_ns)));
}

/* ---- their order ---- */

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

static int by_percent(const struct fc_change *a, const struct fc_change *b)
{
	double left = fabs(log_ratio(a->rows[0].total_ns, a->rows[1].total_ns));
	double right = fabs(log_ratio(b->rows[0].total_ns, b->rows[1].total_ns));
	return (left < right) - (left > right);
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
	for (const char *p = keys; fc_list_next(&p, &item);) {
		compare by = find_key(item.at, item.len);
		if (!by)
			return fc_list_unknown(keys, item, "a sort key",
					       "total, self, calls, avg, min, max, percent, "
					       "func, module");
		if (ret->nr < NR_KEYS)
			ret->by[ret->nr++] = by;
	}
	ret->by[ret->nr++] = by_total_ns;
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
	uint32_t end = fc_twins_end(opts->twins);
	int err = parse_keys(opts->keys, &order);
	if (err)
		return err;

	struct fc_change *by_number = fc_alloc((size_t)end * sizeof(*by_number));
	for (int side = 0; !err && side < 2; side++)
		err = take_rows(opts, side, by_number, &ret->run[side]);
	for (uint32_t i = FC_WHAT_FIRST; !err && i < end; i++)
		if (by_number[i].is_there[0] || by_number[i].is_there[1])
			fc_vec_push(ret, by_number[i]);
	free(by_number);
	find_noise(ret);
	fc_vec_each (ret, change)
		change->matters = does_matter(ret, change);
	if (ret->nr)
		qsort_r(ret->at, ret->nr, sizeof(*ret->at), compare_changes, &order);
	return err;
}

void fc_changes_deinit(struct fc_changes *changes)
{
	fc_vec_free(changes);
}
