/* SPDX-License-Identifier: Apache-2.0 */
#include "read/query/cell.h"

#include "read/query/inside.h"
#include "read/query/values.h"

void fc_cell_number(sqlite3_context *ctx, uint64_t v)
{
	sqlite3_result_int64(ctx, fc_int64(v));
}

void fc_cell_string(sqlite3_context *ctx, const char *text)
{
	sqlite3_result_text(ctx, text, -1, SQLITE_STATIC);
}

void fc_cell_tsc(sqlite3_context *ctx, const struct fc_query *query, bool is_known,
		 uint64_t tsc)
{
	if (is_known)
		fc_cell_number(ctx, fc_clock_ns(fc_reader_clock(query->reader), tsc));
	else
		sqlite3_result_null(ctx);
}

void fc_cell_func(sqlite3_context *ctx, const struct fc_query *query, uint32_t func)
{
	struct fc_namer namer = query->opts.namer;
	fc_cell_string(ctx, func ? namer.name_of(namer.ctx, func).name : NULL);
}

void fc_cell_module(sqlite3_context *ctx, const struct fc_query *query, uint32_t func)
{
	struct fc_namer namer = query->opts.namer;
	fc_cell_string(ctx, func ? namer.name_of(namer.ctx, func).module : NULL);
}
