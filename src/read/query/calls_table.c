/* SPDX-License-Identifier: Apache-2.0 */
/* calls_table.c - the table of calls: a scan of the trace for each time that it is read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "calls/kinds.h"
#include "read/query/cell.h"
#include "read/query/funcset.h"
#include "read/query/inside.h"
#include "read/query/seek.h"
#include "trace/peek.h"
#include "values/recorded_scalar.h"
#include "values/recorded_text.h"

const char fc_calls_schema[] = "CREATE TABLE calls(\n"
			       "  id INTEGER,\n"
			       "  func INTEGER,\n"
			       "  name TEXT,\n"
			       "  module TEXT,\n"
			       "  begin_ns INTEGER,\n"
			       "  end_ns INTEGER,\n"
			       "  duration_ns INTEGER,\n"
			       "  self_ns INTEGER,\n"
			       "  wait_ns INTEGER,\n"
			       "  self_wait_ns INTEGER,\n"
			       "  depth INTEGER,\n"
			       "  caller INTEGER,\n"
			       "  caller_name TEXT,\n"
			       "  strand INTEGER,\n"
			       "  tid INTEGER,\n"
			       "  pid INTEGER,\n"
			       "  ended TEXT,\n"
			       "  recursive INTEGER,\n"
			       "  entered INTEGER,\n"
			       "  args TEXT,\n"
			       "  result,\n"
			       "  arg1,\n"
			       "  arg2,\n"
			       "  arg3,\n"
			       "  arg4,\n"
			       "  arg5,\n"
			       "  arg6)";

enum {
	ID,
	FUNC,
	NAME,
	MODULE,
	BEGIN_NS,
	END_NS,
	DURATION_NS,
	SELF_NS,
	WAIT_NS,
	SELF_WAIT_NS,
	DEPTH,
	CALLER,
	CALLER_NAME,
	STRAND,
	TID,
	PID,
	ENDED,
	RECURSIVE,
	ENTERED,
	ARGS,
	RESULT,
	ARG1,
	ARG6 = ARG1 + 5,
	NR_COLUMNS,
};

#define RANGE "=<>lg"

/* The operators that are worth something before a packet is decoded. */
static const char *const pushed[NR_COLUMNS] = {
	[FUNC] = RANGE,	 [NAME] = "=G",	 [MODULE] = "=G", [BEGIN_NS] = RANGE, [END_NS] = RANGE,
	[DEPTH] = RANGE, [STRAND] = "=", [TID] = "=",	  [PID] = "=",
};

enum { NEEDS_SELF = 1, NEEDS_VALUES = 2 }; /* idxNum */

struct cursor {
	sqlite3_vtab_cursor base;
	struct fc_scan *scan;
	struct fc_funcset funcs;
	struct fc_scan_row row;
	bool is_over;
};

static bool has_both(unsigned has)
{
	return fc_has(has, '=') || ((fc_has(has, '<') || fc_has(has, 'l')) &&
				    (fc_has(has, '>') || fc_has(has, 'g')));
}

/* The estimates for the planner: how many rows and how much work remain. */
static void guess(const unsigned *has, double nr_strands, double *rows, double *cost)
{
	double share = 1;

	if (has[STRAND] || has[TID] || has[PID])
		share /= nr_strands > 1 ? nr_strands : 1.1;
	if (has_both(has[BEGIN_NS]) || has_both(has[END_NS]) || (has[BEGIN_NS] && has[END_NS]))
		share *= 0.01;
	else if (has[BEGIN_NS] || has[END_NS])
		share *= 0.5;
	*rows *= share;
	*cost *= share;
	/* A packet that may hold a function is decoded whole. */
	if (has[FUNC] || has[NAME]) {
		*rows *= 0.01;
		*cost *= 0.5;
	}
	if (has[MODULE] || has[DEPTH]) {
		*rows *= 0.3;
		*cost *= 0.9;
	}
}

static int calls_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	struct fc_reader *reader = ((struct fc_vtab *)vtab)->query->reader;
	unsigned has[NR_COLUMNS] = { 0 };
	double rows = (double)fc_reader_nr_calls(reader) + 1, cost = 10 * rows + 1000;

	if (fc_constraints_take(info, pushed, NR_COLUMNS, has) < 0)
		return SQLITE_NOMEM;
	guess(has, (double)fc_reader_nr_strands(reader), &rows, &cost);
	info->estimatedRows = (sqlite3_int64)rows + 1;
	info->estimatedCost = cost + 100;
	info->idxNum =
		(info->colUsed & (1ull << SELF_NS | 1ull << WAIT_NS | 1ull << SELF_WAIT_NS)
			 ? NEEDS_SELF
			 : 0) |
		(info->colUsed >> ARGS ? NEEDS_VALUES : 0);
	return SQLITE_OK;
}

static int calls_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret)
{
	struct cursor *cursor = fc_alloc(sizeof(*cursor));
	*ret = &cursor->base;
	return SQLITE_OK;
}

static void end_scan(struct cursor *cursor)
{
	fc_scan_destroy(cursor->scan);
	fc_funcset_deinit(&cursor->funcs);
	cursor->scan = NULL;
}

static int calls_close(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	end_scan(cursor);
	free(cursor);
	return SQLITE_OK;
}

/* The bounds of each column, by the constraints. */
static void take_constraint(struct cursor *cursor, struct fc_bounds *bounds, int column,
			    char letter, sqlite3_value *value)
{
	if (column == NAME || column == MODULE)
		fc_funcset_keep_named(&cursor->funcs, fc_vtab_query(&cursor->base),
				      column == MODULE, letter, value);
	else
		fc_bounds_narrow(&bounds[column], letter, value);
}

static bool is_any_empty(const struct fc_bounds *bounds)
{
	for (int i = 0; i < NR_COLUMNS; i++)
		if (fc_bounds_is_empty(&bounds[i]))
			return true;
	return bounds[BEGIN_NS].max < 0 || bounds[END_NS].max < 0 || bounds[DEPTH].max < 0;
}

/* False: not a number that can be anything's id. */
static bool take_id(const struct fc_bounds *bounds, int64_t max, bool *has, int64_t *ret)
{
	*has = bounds->min == bounds->max;
	*ret = bounds->min;
	return !*has || (bounds->min >= -max && bounds->min <= max);
}

static bool take_ids(struct fc_scan_want *want, const struct fc_bounds *bounds)
{
	int64_t strand = 0, tid = 0, pid = 0;
	bool is_right = take_id(&bounds[STRAND], UINT32_MAX, &want->has_strand, &strand) &&
			take_id(&bounds[TID], INT32_MAX, &want->has_tid, &tid) &&
			take_id(&bounds[PID], INT32_MAX, &want->has_pid, &pid);
	want->strand = (uint32_t)strand;
	want->tid = (int)tid;
	want->pid = (int)pid;
	return is_right;
}

static void take_bounds(struct cursor *cursor, struct fc_scan_want *want,
			const struct fc_bounds *bounds)
{
	struct fc_reader *reader = fc_vtab_query(&cursor->base)->reader;
	const struct fc_clock *clock = fc_reader_clock(reader);
	const struct fc_bounds *depth = &bounds[DEPTH], *func = &bounds[FUNC];

	fc_ticks_of_bounds(clock, &bounds[BEGIN_NS], &want->begin_min, &want->begin_max);
	fc_ticks_of_bounds(clock, &bounds[END_NS], &want->end_min, &want->end_max);
	want->depth_min = depth->min <= 0	    ? 0
			  : depth->min > UINT32_MAX ? UINT32_MAX
						    : (uint32_t)depth->min;
	want->depth_max = depth->max > UINT32_MAX ? UINT32_MAX : (uint32_t)depth->max;
	if (func->min != INT64_MIN || func->max != INT64_MAX)
		fc_funcset_keep_ids(&cursor->funcs, reader, func);
	want->funcs = cursor->funcs.bits;
	want->nr_funcs = cursor->funcs.nr;
}

static int calls_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct fc_query_opts *opts = &fc_vtab_query(base)->opts;

	cursor->is_over = !cursor->scan || fc_scan_next(cursor->scan, &cursor->row) != 1;
	if (cursor->is_over && opts->is_stopped && opts->is_stopped(opts->ctx))
		return SQLITE_INTERRUPT;
	return SQLITE_OK;
}

static int calls_filter(sqlite3_vtab_cursor *base, int idx_num, const char *idx_str, int argc,
			sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct fc_query *query = fc_vtab_query(base);
	struct fc_scan_want want = fc_scan_want_all();
	struct fc_bounds bounds[NR_COLUMNS];

	end_scan(cursor);
	for (int i = 0; i < NR_COLUMNS; i++)
		bounds[i] = fc_bounds_all();
	for (int i = 0; i < argc; i++, idx_str += FC_CONSTRAINT_CHARS)
		take_constraint(cursor, bounds, idx_str[0] - 'a', idx_str[1], argv[i]);
	if (!is_any_empty(bounds) && take_ids(&want, bounds)) {
		take_bounds(cursor, &want, bounds);
		want.needs_self = idx_num & NEEDS_SELF;
		want.needs_values = idx_num & NEEDS_VALUES;
		want.values = query->opts.values;
		want.is_stopped = query->opts.is_stopped;
		want.ctx = query->opts.ctx;
		cursor->scan = fc_scan_create(query->reader, &want);
	}
	return calls_next(base);
}

static int calls_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->is_over;
}

static int result_time(sqlite3_context *ctx, const struct fc_query *query,
		       const struct fc_call *call, int column)
{
	const struct fc_clock *clock = fc_reader_clock(query->reader);
	bool is_known = call->left != FC_LEFT_UNSEEN;

	if (column == BEGIN_NS || column == END_NS)
		return fc_cell_tsc(ctx, query, is_known || column == BEGIN_NS,
				   column == BEGIN_NS ? call->begin_tsc : call->end_tsc);
	if (column == WAIT_NS || column == SELF_WAIT_NS)
		is_known &= fc_reader_off_funcs(query->reader) != NULL;
	uint64_t ticks = column == DURATION_NS ? fc_call_ticks(call)
			 : column == SELF_NS   ? call->self_ticks
			 : column == WAIT_NS   ? call->wait_ticks
					       : call->self_wait_ticks;
	return fc_cell_int(ctx, is_known, fc_int64(fc_clock_duration_ns(clock, ticks)));
}

static int result_scalar(sqlite3_context *ctx, const struct fc_scalar *scalar)
{
	if (scalar->kind == FC_SCALAR_FLOAT)
		sqlite3_result_double(ctx, scalar->real);
	else if (scalar->kind == FC_SCALAR_TEXT)
		sqlite3_result_text(ctx, scalar->text.at, (int)scalar->text.nr,
				    SQLITE_TRANSIENT);
	else
		fc_cell_int(ctx, scalar->kind == FC_SCALAR_INT, scalar->number);
	return SQLITE_OK;
}

/* args, result, or arg1 to arg6. */
static int result_value(sqlite3_context *ctx, const struct fc_query *query,
			const struct fc_call *call, int column)
{
	const struct fc_call_values *of = call->values;
	const struct fc_values *values = query->opts.values;
	if (!of || !values)
		return fc_cell_int(ctx, false, 0);
	struct fc_scalar scalar;
	struct fc_value_words args = fc_call_args(of);
	struct fc_value_words result = fc_call_result(of);
	bool is_known = column == ARGS ? fc_values_args_text(values, args, result, &scalar.text)
			: column == RESULT ? fc_values_result(values, result, &scalar)
					   : fc_values_arg(values, args, result,
							   (uint32_t)(column - ARG1), &scalar);
	if (column == ARGS)
		scalar.kind = FC_SCALAR_TEXT;
	if (!is_known)
		scalar.kind = FC_SCALAR_NONE;
	/* Set by those above; it is too large to be cleared for each. */
	/* cppcheck-suppress ctuuninitvar */
	return result_scalar(ctx, &scalar);
}

static int calls_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int column)
{
	const struct cursor *cursor = (struct cursor *)base;
	const struct fc_query *query = fc_vtab_query(base);
	const struct fc_call *call = &cursor->row.call;

	switch (column) {
	case ID:
		return fc_cell_number(ctx, cursor->row.id);
	case FUNC:
		return fc_cell_number(ctx, call->func);
	case NAME:
		return fc_cell_func(ctx, query, call->func);
	case MODULE:
		return fc_cell_module(ctx, query, call->func);
	case DEPTH:
		return fc_cell_number(ctx, call->depth);
	case CALLER:
		return fc_cell_int(ctx, call->caller, call->caller);
	case CALLER_NAME:
		return fc_cell_func(ctx, query, call->caller);
	case STRAND:
		return fc_cell_number(ctx, call->strand);
	case TID:
		return fc_cell_int(ctx, true, call->tid);
	case PID:
		return fc_cell_int(ctx, true, call->pid);
	case ENDED:
		return fc_cell_string(ctx, fc_left_word(call->left));
	case RECURSIVE:
		return fc_cell_int(ctx, true, call->is_recursive);
	case ENTERED:
		return fc_cell_int(ctx, true, !call->is_inherited && !call->is_resumed);
	default:
		return column >= ARGS ? result_value(ctx, query, call, column)
				      : result_time(ctx, query, call, column);
	}
}

static int calls_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
	*ret = fc_int64(((struct cursor *)base)->row.id);
	return SQLITE_OK;
}

const sqlite3_module fc_calls_module = {
	.xConnect = fc_vtab_connect,
	.xBestIndex = calls_best_index,
	.xDisconnect = fc_vtab_disconnect,
	.xOpen = calls_open,
	.xClose = calls_close,
	.xFilter = calls_filter,
	.xNext = calls_next,
	.xEof = calls_eof,
	.xColumn = calls_column,
	.xRowid = calls_rowid,
};
