/* SPDX-License-Identifier: Apache-2.0 */
/* cell.h - what is put into a cell of a table. */
#ifndef FC_READ_QUERY_CELL_H
#define FC_READ_QUERY_CELL_H

#include "read/query/opts.h"

void fc_cell_number(sqlite3_context *ctx, uint64_t v);
/* Text that lives as long as the query; NULL: not known. */
void fc_cell_string(sqlite3_context *ctx, const char *text);
/* A time, as ns since the trace's start. */
void fc_cell_tsc(sqlite3_context *ctx, const struct fc_query *query, bool is_known,
		 uint64_t tsc);
/* The name of a function; 0: not known. */
void fc_cell_func(sqlite3_context *ctx, const struct fc_query *query, uint32_t func);
/* Of the file it is in. */
void fc_cell_module(sqlite3_context *ctx, const struct fc_query *query, uint32_t func);

#endif
