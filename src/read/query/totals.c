/* SPDX-License-Identifier: Apache-2.0 */
/* totals.c - computes sums over the trace, and keeps them for the next statement. */
#include "read/query/totals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "calls/play.h"
#include "read/query/opts.h"
#include "read/sums/callers.h"

struct fc_query_sums {
	struct fc_reader *reader;
	const struct fc_query_opts *opts;

	struct fc_report_row *rows; /* NULL: not made yet */
	size_t nr_rows;
	FC_VEC(const struct fc_report_row *) by_id;

	struct fc_pair *pairs; /* NULL: not made yet */
	size_t nr_pairs;
};

struct fc_query_sums *fc_query_sums_create(struct fc_reader *reader,
					   const struct fc_query_opts *opts)
{
	struct fc_query_sums *sums = fc_alloc(sizeof(*sums));
	sums->reader = reader;
	sums->opts = opts;
	return sums;
}

void fc_query_sums_destroy(struct fc_query_sums *sums)
{
	if (!sums)
		return;
	free(sums->rows);
	free(sums->pairs);
	fc_vec_free(&sums->by_id);
	free(sums);
}

static bool is_stopped(const struct fc_query_sums *sums)
{
	return sums->opts->is_stopped && sums->opts->is_stopped(sums->opts->ctx);
}

static int play(struct fc_query_sums *sums, struct fc_call_sink *sink)
{
	struct fc_play_opts opts = { .is_enough = sums->opts->is_stopped,
				     .ctx = sums->opts->ctx };
	fc_play(sums->reader, &opts, sink);
	return is_stopped(sums) ? -EINTR : 0;
}

/* ---- by function ---- */

static void index_rows(struct fc_query_sums *sums)
{
	for (size_t i = 0; i < sums->nr_rows; i++) {
		const struct fc_report_row *row = &sums->rows[i];
		*fc_vec_make(&sums->by_id, row->func) = row;
	}
}

static int make_rows(struct fc_query_sums *sums)
{
	const struct fc_report_opts by_function = { 0 };
	struct fc_report *report = NULL;
	int err = fc_report_crunch(sums->reader, &by_function, 0, &report);

	for (uint32_t id = 1; !err && id <= fc_reader_max_func(sums->reader); id++)
		fc_report_add_counted(report, id, fc_reader_counted(sums->reader, id));
	if (!err)
		err = fc_report_rows(report, "func", fc_reader_clock(sums->reader),
				     &sums->opts->namer, &sums->rows, &sums->nr_rows);
	fc_report_destroy(report);
	if (!err && !sums->rows)
		sums->rows = fc_alloc(sizeof(*sums->rows));
	if (!err)
		index_rows(sums);
	return err;
}

int fc_query_sums_func(struct fc_query_sums *sums, uint32_t func,
		       const struct fc_report_row **ret)
{
	int err = sums->rows ? 0 : make_rows(sums);
	*ret = !err && func < sums->by_id.nr ? sums->by_id.at[func] : NULL;
	return err;
}

/* ---- by caller and callee ---- */

static int by_caller(const void *a, const void *b)
{
	const struct fc_pair *x = a, *y = b;
	return fc_order(x->caller, y->caller) ?: fc_order(x->callee, y->callee);
}

/* In order; whoever is not known is one caller. */
static void take_pairs(struct fc_query_sums *sums, const struct fc_callers *callers)
{
	size_t nr = fc_callers_nr(callers), last = 0;
	struct fc_pair *pairs = fc_alloc((nr + 1) * sizeof(*pairs));

	for (size_t i = 0; i < nr; i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		uint32_t caller = row.caller <= FC_FUNC_MAX ? row.caller : 0;
		pairs[i] = (struct fc_pair){ caller, row.callee, row.calls, row.once_total };
	}
	qsort(pairs, nr, sizeof(*pairs), by_caller);
	for (size_t i = 1; i < nr; i++) {
		if (by_caller(&pairs[last], &pairs[i])) {
			pairs[++last] = pairs[i];
			continue;
		}
		pairs[last].calls += pairs[i].calls;
		pairs[last].total_ticks += pairs[i].total_ticks;
	}
	sums->pairs = pairs;
	sums->nr_pairs = nr ? last + 1 : 0;
}

static int make_pairs(struct fc_query_sums *sums)
{
	struct fc_callers *callers = fc_callers_create(SIZE_MAX);
	int err = play(sums, fc_callers_sink(callers));

	if (!err)
		take_pairs(sums, callers);
	fc_callers_destroy(callers);
	return err;
}

int fc_query_sums_pairs(struct fc_query_sums *sums, const struct fc_pair **ret, size_t *nr)
{
	int err = sums->pairs ? 0 : make_pairs(sums);
	*ret = sums->pairs;
	*nr = sums->nr_pairs;
	return err;
}
