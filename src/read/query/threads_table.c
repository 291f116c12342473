/* SPDX-License-Identifier: Apache-2.0 */
/* threads_table.c - the tables of threads, and of their strands. */
#include "calls/kinds.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"
#include "read/sums/processes.h"

const char fc_threads_schema[] = "CREATE TABLE threads(\n"
				 "  tid INTEGER,\n"
				 "  pid INTEGER,\n"
				 "  begin_ns INTEGER,\n"
				 "  end_ns INTEGER,\n"
				 "  strands INTEGER,\n"
				 "  records INTEGER,\n"
				 "  calls INTEGER,\n"
				 "  lost INTEGER,\n"
				 "  waits INTEGER,\n"
				 "  waited_ns INTEGER,\n"
				 "  name TEXT)";

const char fc_strands_schema[] = "CREATE TABLE strands(\n"
				 "  strand INTEGER,\n"
				 "  kind TEXT,\n"
				 "  tid INTEGER,\n"
				 "  pid INTEGER,\n"
				 "  begin_ns INTEGER,\n"
				 "  end_ns INTEGER,\n"
				 "  records INTEGER,\n"
				 "  calls INTEGER,\n"
				 "  lost INTEGER,\n"
				 "  waits INTEGER,\n"
				 "  waited_ns INTEGER)";

static int strands_open(struct fc_query *query, void **rows, size_t *nr)
{
	struct fc_task *strands;

	*nr = fc_tasks_strands(query->reader, &strands);
	*rows = strands;
	return 0;
}

static int threads_open(struct fc_query *query, void **rows, size_t *nr)
{
	struct fc_task *threads;

	*nr = fc_tasks_threads(query->reader, &threads);
	*rows = threads;
	return 0;
}

/* The columns that both have: from tid on, but for the number of strands. */
static int put_cell(struct fc_query *query, const struct fc_task *thread, int column,
		    sqlite3_context *ctx)
{
	const struct fc_strand_totals *sums = &thread->sums;
	const uint64_t cells[] = { sums->records - sums->marks, sums->calls, sums->lost,
				   sums->waits, sums->waited_ns };

	if (column < 2)
		return fc_cell_int(ctx, true, column ? thread->pid : thread->tid);
	if (column < 4)
		return fc_cell_tsc(ctx, query, true,
				   column == 2 ? thread->begin_tsc : thread->end_tsc);
	return fc_cell_number(ctx, cells[column - 4]);
}

static int threads_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	enum { STRANDS = 4, NAME = 10 };
	const struct fc_task *thread = (const struct fc_task *)rows + row;

	if (column == STRANDS)
		return fc_cell_number(ctx, thread->nr_strands);
	if (column == NAME)
		return fc_cell_string(ctx, thread->name);
	return put_cell(query, thread, column - (column > STRANDS), ctx);
}

static int strands_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	const struct fc_task *strand = (const struct fc_task *)rows + row;

	if (column == 0)
		return fc_cell_number(ctx, strand->strand);
	if (column == 1)
		return fc_cell_string(ctx, fc_strand_word(strand->kind));
	return put_cell(query, strand, column - 2, ctx);
}

static int64_t strand_id(const void *rows, size_t row)
{
	return ((const struct fc_task *)rows)[row].strand;
}

const struct fc_sheet fc_sheet_threads = { threads_open, threads_cell, -1, NULL };
const struct fc_sheet fc_sheet_strands = { strands_open, strands_cell, 0, strand_id };
