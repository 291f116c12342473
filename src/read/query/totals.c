/* SPDX-License-Identifier: Apache-2.0 */
#include "read/query/totals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/play.h"
#include "read/query/opts.h"

struct fc_query_sums {
	struct fc_reader *reader;
	const struct fc_query_opts *opts;

	struct fc_report_row *rows; /* NULL: not made yet */
	size_t nr_rows;
	FC_VEC(const struct fc_report_row *) by_id;

	struct fc_call_sink sink; /* of the pairs */
	struct fc_pair *pairs;	  /* a hash table with linear probing, then a sorted list */
	size_t nr_pairs, room;
	bool has_pairs;
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
	int err = fc_play(sums->reader, &opts, sink);
	return err ? err : is_stopped(sums) ? -EINTR : 0;
}

/* ---- by function ---- */

static void index_rows(struct fc_query_sums *sums)
{
	for (size_t i = 0; i < sums->nr_rows; i++) {
		const struct fc_report_row *row = &sums->rows[i];
		while (sums->by_id.nr <= row->func)
			fc_vec_push(&sums->by_id, NULL);
		sums->by_id.at[row->func] = row;
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

/* Where the pair is, or would be put; a callee of 0 is a free place. room is a power of two. */
static struct fc_pair *place_of(struct fc_pair *pairs, size_t room, uint32_t caller,
				uint32_t callee)
{
	uint64_t key = ((uint64_t)caller << 32 | callee) * 0x9e3779b97f4a7c15ull;
	size_t i = (key ^ key >> 32) & (room - 1);

	while (pairs[i].callee && (pairs[i].caller != caller || pairs[i].callee != callee))
		i = (i + 1) & (room - 1);
	return &pairs[i];
}

static void grow(struct fc_query_sums *sums)
{
	size_t room = sums->room ? 2 * sums->room : 1024;
	struct fc_pair *pairs = fc_alloc(room * sizeof(*pairs));

	for (size_t i = 0; i < sums->room; i++) {
		const struct fc_pair *pair = &sums->pairs[i];
		if (pair->callee)
			*place_of(pairs, room, pair->caller, pair->callee) = *pair;
	}
	free(sums->pairs);
	sums->pairs = pairs;
	sums->room = room;
}

static void on_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
}

static void on_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_query_sums *sums =
		(struct fc_query_sums *)((char *)sink - offsetof(struct fc_query_sums, sink));

	if (2 * sums->nr_pairs >= sums->room)
		grow(sums);
	struct fc_pair *pair = place_of(sums->pairs, sums->room, call->caller, call->func);
	sums->nr_pairs += !pair->callee;
	pair->caller = call->caller;
	pair->callee = call->func;
	/* As report does: an inherited call was counted in the process that made it. */
	pair->calls += !call->is_inherited && !call->is_resumed;
	if (!call->is_recursive)
		pair->total_ticks += fc_call_ticks(call);
}

static void on_event(struct fc_call_sink *sink, const struct fc_event *event)
{
}

static void on_finish(struct fc_call_sink *sink)
{
}

static int by_caller(const void *a, const void *b)
{
	const struct fc_pair *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void sort_pairs(struct fc_query_sums *sums)
{
	size_t nr = 0;
	for (size_t i = 0; i < sums->room; i++)
		if (sums->pairs[i].callee)
			sums->pairs[nr++] = sums->pairs[i];
	if (nr)
		qsort(sums->pairs, nr, sizeof(*sums->pairs), by_caller);
}

int fc_query_sums_pairs(struct fc_query_sums *sums, const struct fc_pair **ret, size_t *nr)
{
	if (!sums->has_pairs) {
		sums->sink = (struct fc_call_sink){ on_enter, on_leave, on_event, on_finish };
		int err = play(sums, &sums->sink);
		if (err) {
			free(sums->pairs);
			sums->pairs = NULL;
			sums->nr_pairs = sums->room = 0;
			return err;
		}
		sort_pairs(sums);
		sums->has_pairs = true;
	}
	*ret = sums->pairs;
	*nr = sums->nr_pairs;
	return 0;
}
