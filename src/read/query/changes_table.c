/* SPDX-License-Identifier: Apache-2.0 */
/* changes_table.c - the table of what changed from another trace; without one it is empty. */
#include <stdlib.h>

#include "read/diff/versus.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"

const char fc_changes_schema[] = "CREATE TABLE changes(\n"
				 "  place INTEGER,\n"
				 "  name TEXT,\n"
				 "  module TEXT,\n"
				 "  matters INTEGER,\n"
				 "  change_ns INTEGER,\n"
				 "  old_calls INTEGER,\n"
				 "  calls INTEGER,\n"
				 "  old_total_ns INTEGER,\n"
				 "  total_ns INTEGER,\n"
				 "  old_self_ns INTEGER,\n"
				 "  self_ns INTEGER)";

enum {
	CHANGE_PLACE,
	CHANGE_NAME,
	CHANGE_MODULE,
	CHANGE_MATTERS,
	CHANGE_NS,
	CHANGE_OLD_CALLS,
	CHANGE_CALLS,
	CHANGE_OLD_TOTAL,
	CHANGE_TOTAL,
	CHANGE_OLD_SELF,
	CHANGE_SELF,
};

static int changes_open(struct fc_query *query, void **rows, size_t *nr)
{
	const struct fc_query_opts *opts = &query->opts;

	if (!opts->than) {
		*rows = NULL;
		*nr = 0;
		return 0;
	}
	if (!query->versus) {
		const struct fc_versus_side sides[2] = { { opts->than, opts->than_namer },
							 { query->reader, opts->namer } };
		int err = fc_versus_create(sides, &query->versus);
		if (err)
			return err;
	}
	const struct fc_changes *changes = fc_versus_changes(query->versus);
	*rows = changes->at;
	*nr = changes->nr;
	return 0;
}

static int changes_cell(struct fc_query *query, const void *rows, size_t row, int column,
			sqlite3_context *ctx)
{
	const struct fc_change *change = (const struct fc_change *)rows + row;
	const struct fc_report_row *old = &change->rows[0], *now = &change->rows[1];
	const uint64_t cells[] = { old->calls,	  now->calls,	old->total_ns,
				   now->total_ns, old->self_ns, now->self_ns };

	switch (column) {
	case CHANGE_PLACE:
		return fc_cell_number(ctx, row + 1);
	case CHANGE_NAME:
		return fc_cell_string(ctx, change->name.name);
	case CHANGE_MODULE:
		return fc_cell_string(ctx, change->name.module);
	case CHANGE_MATTERS:
		return fc_cell_int(ctx, true, change->matters);
	case CHANGE_NS:
		return fc_cell_int(ctx, true, (int64_t)change->change_ns);
	default:
		return fc_cell_number(ctx, cells[column - CHANGE_OLD_CALLS]);
	}
}

const struct fc_sheet fc_sheet_changes = { .open = changes_open,
					   .cell = changes_cell,
					   .id_column = -1,
					   .is_numbered = true,
					   .is_kept = true };
