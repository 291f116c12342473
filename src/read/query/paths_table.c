/* SPDX-License-Identifier: Apache-2.0 */
/* paths_table.c - the table of the ways to functions: who called whom, from the outermost on. */
#include "read/query/cell.h"
#include "read/query/sheet.h"
#include "read/query/values.h"

const char fc_paths_schema[] = "CREATE TABLE paths(\n"
			       "  id INTEGER,\n"
			       "  parent INTEGER,\n"
			       "  depth INTEGER,\n"
			       "  func INTEGER,\n"
			       "  name TEXT,\n"
			       "  module TEXT,\n"
			       "  calls INTEGER,\n"
			       "  recursive INTEGER,\n"
			       "  total_ns INTEGER,\n"
			       "  self_ns INTEGER,\n"
			       "  wait_ns INTEGER,\n"
			       "  self_wait_ns INTEGER,\n"
			       "  joined_ns INTEGER,\n"
			       "  waits_for TEXT)";

enum {
	PATH_ID,
	PATH_PARENT,
	PATH_DEPTH,
	PATH_FUNC,
	PATH_NAME,
	PATH_MODULE,
	PATH_CALLS,
	PATH_RECURSIVE,
	PATH_TOTAL,
	PATH_SELF,
	PATH_WAIT,
	PATH_SELF_WAIT,
	PATH_JOINED,
	PATH_WAITS_FOR,
};

static int paths_open(struct fc_query *query, void **rows, size_t *nr)
{
	const struct fc_path *paths = NULL;
	int err = fc_query_sums_paths(query->sums, &paths, nr);

	*rows = (void *)paths;
	return err;
}

static int paths_cell(struct fc_query *query, const void *rows, size_t row, int column,
		      sqlite3_context *ctx)
{
	const struct fc_path *path = (const struct fc_path *)rows + row;
	bool has_waits = fc_reader_off_funcs(query->reader);

	switch (column) {
	case PATH_ID:
		return fc_cell_number(ctx, row + 1);
	case PATH_PARENT:
		return fc_cell_number(ctx, path->parent);
	case PATH_DEPTH:
		return fc_cell_number(ctx, path->level);
	case PATH_FUNC:
		return fc_cell_int(ctx, path->func, path->func);
	case PATH_NAME:
		return fc_cell_func(ctx, query, path->func);
	case PATH_MODULE:
		return fc_cell_module(ctx, query, path->func);
	case PATH_CALLS:
		return fc_cell_number(ctx, path->calls);
	case PATH_RECURSIVE:
		return fc_cell_number(ctx, path->again);
	case PATH_TOTAL:
		return fc_cell_number(ctx, path->total_ns);
	case PATH_SELF:
		return fc_cell_number(ctx, path->self_ns);
	case PATH_WAIT:
		return fc_cell_int(ctx, has_waits, fc_int64(path->wait_ns));
	case PATH_SELF_WAIT:
		return fc_cell_int(ctx, has_waits, fc_int64(path->self_wait_ns));
	case PATH_JOINED:
		return fc_cell_number(ctx, path->joined_ns);
	default:
		return fc_cell_string(ctx, path->waits_for);
	}
}

static int64_t paths_parent(const void *rows, size_t row)
{
	return ((const struct fc_path *)rows)[row].parent;
}

const struct fc_sheet fc_sheet_paths = { .open = paths_open,
					 .cell = paths_cell,
					 .id_column = PATH_PARENT,
					 .id_of = paths_parent,
					 .is_numbered = true,
					 .is_kept = true };
