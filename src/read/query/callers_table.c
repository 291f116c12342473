/* SPDX-License-Identifier: Apache-2.0 */
/* callers_table.c - the table of who called whom. */
#include <string.h>

#include "base/memory.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"

const char fc_callers_schema[] = "CREATE TABLE callers(\n"
				 "  caller INTEGER,\n"
				 "  caller_name TEXT,\n"
				 "  callee INTEGER,\n"
				 "  callee_name TEXT,\n"
				 "  calls INTEGER,\n"
				 "  total_ns INTEGER)";

static int callers_open(struct fc_query *query, void **rows, size_t *nr)
{
	const struct fc_pair *pairs = NULL;
	int err = fc_query_sums_pairs(query->sums, &pairs, nr);
	if (err)
		return err;
	struct fc_pair *copy = fc_alloc((*nr + 1) * sizeof(*copy));
	if (*nr)
		memcpy(copy, pairs, *nr * sizeof(*copy));
	*rows = copy;
	return 0;
}

static int callers_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	const struct fc_pair *pair = (const struct fc_pair *)rows + row;
	const struct fc_clock *clock = fc_reader_clock(query->reader);
	uint32_t func = column < 2 ? pair->caller : pair->callee;

	if (column == 4)
		return fc_cell_number(ctx, pair->calls);
	if (column == 5)
		return fc_cell_number(ctx, fc_clock_duration_ns(clock, pair->total_ticks));
	return column % 2 ? fc_cell_func(ctx, query, func) : fc_cell_int(ctx, func, func);
}

static int64_t callers_id(const void *rows, size_t row)
{
	return ((const struct fc_pair *)rows)[row].caller;
}

const struct fc_sheet fc_sheet_callers = { callers_open, callers_cell, 0, callers_id };
