/* SPDX-License-Identifier: Apache-2.0 */
/* threads_table.c - the tables of threads, and of their strands. */
#include <stdlib.h>

#include "base/memory.h"
#include "calls/kinds.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"
#include "trace/peek.h"

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
				 "  waited_ns INTEGER)";

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

/* A thread, or one of its strands. */
struct thread {
	uint32_t strand;
	uint8_t kind;
	int pid, tid;
	uint64_t begin_tsc, end_tsc; /* of its first and its last record */
	uint64_t strands;
	struct fc_strand_totals sums;
};

static struct thread thread_of(struct fc_reader *reader, size_t strand)
{
	const struct fc_strand_info *info = fc_reader_strand(reader, strand);
	size_t nr = fc_reader_nr_packets(reader, strand);
	unsigned shift = fc_reader_time_shift(reader);
	struct thread thread = {
		.strand = info->id,
		.kind = info->kind,
		.pid = info->pid,
		.tid = info->tid,
		.begin_tsc = fc_reader_packet(reader, strand, 0)->begin << shift,
		.end_tsc = fc_reader_packet(reader, strand, nr - 1)->end << shift,
		.strands = 1,
	};
	fc_reader_strand_totals(reader, strand, &thread.sums);
	return thread;
}

static int by_thread(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static void add_thread(struct thread *to, const struct thread *by)
{
	to->begin_tsc = by->begin_tsc < to->begin_tsc ? by->begin_tsc : to->begin_tsc;
	to->end_tsc = by->end_tsc > to->end_tsc ? by->end_tsc : to->end_tsc;
	to->strands += by->strands;
	to->sums.records += by->sums.records;
	to->sums.marks += by->sums.marks;
	to->sums.calls += by->sums.calls;
	to->sums.lost += by->sums.lost;
	to->sums.waits += by->sums.waits;
	to->sums.waited_ns += by->sums.waited_ns;
}

static int strands_open(struct fc_query *query, void **rows, size_t *nr)
{
	size_t nr_strands = fc_reader_nr_strands(query->reader);
	struct thread *strands = fc_alloc((nr_strands + 1) * sizeof(*strands));

	for (size_t i = 0; i < nr_strands; i++)
		strands[i] = thread_of(query->reader, i);
	*rows = strands;
	*nr = nr_strands;
	return 0;
}

static int threads_open(struct fc_query *query, void **rows, size_t *nr)
{
	size_t nr_strands, last = 0;

	strands_open(query, rows, &nr_strands);
	struct thread *threads = *rows;
	qsort(threads, nr_strands, sizeof(*threads), by_thread);
	for (size_t i = 1; i < nr_strands; i++) {
		if (by_thread(&threads[last], &threads[i]))
			threads[++last] = threads[i];
		else
			add_thread(&threads[last], &threads[i]);
	}
	*nr = nr_strands ? last + 1 : 0;
	return 0;
}

/* The columns that both have: from tid on, but for the number of strands. */
static void put_cell(struct fc_query *query, const struct thread *thread, int column,
		     sqlite3_context *ctx)
{
	const struct fc_strand_totals *sums = &thread->sums;
	const uint64_t cells[] = { sums->records - sums->marks, sums->calls, sums->lost,
				   sums->waits, sums->waited_ns };

	if (column < 2)
		sqlite3_result_int64(ctx, column ? thread->pid : thread->tid);
	else if (column < 4)
		fc_cell_tsc(ctx, query, true,
			    column == 2 ? thread->begin_tsc : thread->end_tsc);
	else
		fc_cell_number(ctx, cells[column - 4]);
}

static int threads_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	enum { STRANDS = 4 };
	const struct thread *thread = (const struct thread *)rows + row;

	if (column == STRANDS)
		fc_cell_number(ctx, thread->strands);
	else
		put_cell(query, thread, column - (column > STRANDS), ctx);
	return 0;
}

static int strands_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	const struct thread *strand = (const struct thread *)rows + row;

	if (column == 0)
		fc_cell_number(ctx, strand->strand);
	else if (column == 1)
		fc_cell_string(ctx, fc_strand_word(strand->kind));
	else
		put_cell(query, strand, column - 2, ctx);
	return 0;
}

static int64_t strand_id(const void *rows, size_t row)
{
	return ((const struct thread *)rows)[row].strand;
}

const struct fc_sheet fc_sheet_threads = { threads_open, threads_cell, -1, NULL };
const struct fc_sheet fc_sheet_strands = { strands_open, strands_cell, 0, strand_id };
