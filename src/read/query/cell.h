/* SPDX-License-Identifier: Apache-2.0 */
/* cell.h - what is put into a cell of a table. All return 0, as SQLITE_OK is. */
#ifndef FC_READ_QUERY_CELL_H
#define FC_READ_QUERY_CELL_H

#include "read/query/opts.h"

int fc_cell_number(sqlite3_context *ctx, uint64_t v);
int fc_cell_int(sqlite3_context *ctx, bool is_known, int64_t v);
/* Text that lives as long as the query; NULL: not known. */
int fc_cell_string(sqlite3_context *ctx, const char *text);
/* A time, as ns since the trace's start. */
int fc_cell_tsc(sqlite3_context *ctx, const struct fc_query *query, bool is_known,
		uint64_t tsc);
/* The name of a function; 0: not known. */
int fc_cell_func(sqlite3_context *ctx, const struct fc_query *query, uint32_t func);
/* The name of the file it is in. */
int fc_cell_module(sqlite3_context *ctx, const struct fc_query *query, uint32_t func);

#endif
