/* SPDX-License-Identifier: Apache-2.0 */
/* sheet.c - the virtual table of SQLite behind all small tables. */
#include "read/query/sheet.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "read/query/values.h"

struct cursor {
	sqlite3_vtab_cursor base;
	void *rows;
	size_t next, nr; /* the next row, and the end of those asked for */
	size_t all;
};

static const struct fc_sheet *sheet_of(const sqlite3_vtab_cursor *cursor)
{
	return ((const struct fc_vtab *)cursor->pVtab)->table->sheet;
}

/* SQLite's error for -errno. */
static int error_of(sqlite3_vtab *vtab, int err)
{
	if (!err)
		return SQLITE_OK;
	if (err == -EINTR)
		return SQLITE_INTERRUPT;
	sqlite3_free(vtab->zErrMsg);
	vtab->zErrMsg = sqlite3_mprintf("%s", fc_fail_text());
	return SQLITE_ERROR;
}

/* How rows are found: idxNum. */
enum { ALL, BY_ID, BY_NUMBER };

static int way_to(const struct fc_sheet *sheet, int column)
{
	if (sheet->is_numbered && column == 0)
		return BY_NUMBER;
	return sheet->id_column >= 0 && sheet->id_column == column ? BY_ID : ALL;
}

static int sheet_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	const struct fc_sheet *sheet = ((struct fc_vtab *)vtab)->table->sheet;

	info->estimatedCost = 1e5;
	info->estimatedRows = 10000;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
		int way = way_to(sheet, constraint->iColumn);
		if (way == ALL || !constraint->usable ||
		    constraint->op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = way;
		info->estimatedCost = 20;
		info->estimatedRows = 1;
		break;
	}
	return SQLITE_OK;
}

static int sheet_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret)
{
	struct cursor *cursor = fc_alloc(sizeof(*cursor));
	*ret = &cursor->base;
	return SQLITE_OK;
}

static int sheet_close(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	if (!sheet_of(base)->is_kept)
		free(cursor->rows);
	free(cursor);
	return SQLITE_OK;
}

/* Only the rows with an id within these bounds. */
static void find_id(struct cursor *cursor, const struct fc_bounds *bounds)
{
	const struct fc_sheet *sheet = sheet_of(&cursor->base);
	size_t low = 0, high = cursor->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (sheet->id_of(cursor->rows, middle) < bounds->min)
			low = middle + 1;
		else
			high = middle;
	}
	cursor->next = low;
	while (high < cursor->nr && sheet->id_of(cursor->rows, high) <= bounds->max)
		high++;
	cursor->nr = high;
}

/* Only the row with this number. */
static void find_number(struct cursor *cursor, const struct fc_bounds *bounds)
{
	bool is_there = bounds->min == bounds->max && bounds->min > 0 &&
			(uint64_t)bounds->min <= cursor->all;

	cursor->next = is_there ? (size_t)bounds->min - 1 : 0;
	cursor->nr = is_there ? cursor->next + 1 : 0;
}

static int sheet_filter(sqlite3_vtab_cursor *base, int idx_num, const char *idx_str, int argc,
			sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;

	/* Rows stay as they are: a join asks for this table again and again. */
	if (!cursor->rows) {
		fc_fail_clear();
		int err = sheet_of(base)->open(fc_vtab_query(base), &cursor->rows, &cursor->nr);
		if (err)
			return error_of(base->pVtab, err);
		cursor->all = cursor->nr;
	}
	cursor->next = 0;
	cursor->nr = cursor->all;
	if (idx_num && argc == 1) {
		struct fc_bounds bounds = fc_bounds_all();
		fc_bounds_narrow(&bounds, '=', argv[0]);
		if (idx_num == BY_NUMBER)
			find_number(cursor, &bounds);
		else
			find_id(cursor, &bounds);
	}
	return SQLITE_OK;
}

static int sheet_next(sqlite3_vtab_cursor *base)
{
	((struct cursor *)base)->next++;
	return SQLITE_OK;
}

static int sheet_eof(sqlite3_vtab_cursor *base)
{
	const struct cursor *cursor = (struct cursor *)base;
	return cursor->next >= cursor->nr;
}

static int sheet_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int column)
{
	const struct cursor *cursor = (struct cursor *)base;
	fc_fail_clear();
	int err = sheet_of(base)->cell(fc_vtab_query(base), cursor->rows, cursor->next, column,
				       ctx);
	return error_of(base->pVtab, err);
}

static int sheet_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
	*ret = (sqlite3_int64)((struct cursor *)base)->next + 1;
	return SQLITE_OK;
}

const sqlite3_module fc_sheet_module = {
	.xConnect = fc_vtab_connect,
	.xBestIndex = sheet_best_index,
	.xDisconnect = fc_vtab_disconnect,
	.xOpen = sheet_open,
	.xClose = sheet_close,
	.xFilter = sheet_filter,
	.xNext = sheet_next,
	.xEof = sheet_eof,
	.xColumn = sheet_column,
	.xRowid = sheet_rowid,
};
