/* SPDX-License-Identifier: Apache-2.0 */
/* cell.c - passes values to SQLite. */
#include "read/query/cell.h"

#include "read/query/inside.h"
#include "read/query/values.h"

int fc_cell_number(sqlite3_context *ctx, uint64_t v)
{
	return fc_cell_int(ctx, true, fc_int64(v));
}

int fc_cell_int(sqlite3_context *ctx, bool is_known, int64_t v)
{
	if (is_known)
		sqlite3_result_int64(ctx, v);
	else
		sqlite3_result_null(ctx);
	return 0;
}

int fc_cell_string(sqlite3_context *ctx, const char *text)
{
	sqlite3_result_text(ctx, text, -1, SQLITE_STATIC);
	return 0;
}

int fc_cell_tsc(sqlite3_context *ctx, const struct fc_query *query, bool is_known, uint64_t tsc)
{
	return fc_cell_int(ctx, is_known,
			   fc_int64(fc_clock_ns(fc_reader_clock(query->reader), tsc)));
}

int fc_cell_func(sqlite3_context *ctx, const struct fc_query *query, uint32_t func)
{
	struct fc_namer namer = query->opts.namer;
	return fc_cell_string(ctx, func ? namer.name_of(namer.ctx, func).name : NULL);
}

int fc_cell_module(sqlite3_context *ctx, const struct fc_query *query, uint32_t func)
{
	struct fc_namer namer = query->opts.namer;
	return fc_cell_string(ctx, func ? namer.name_of(namer.ctx, func).module : NULL);
}
