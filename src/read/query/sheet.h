/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet.h - a small table: its rows are made at once when it is read, its cells as asked for.
 *
 * A new table is a struct fc_sheet and a line in the table of tables (query.c).
 */
#ifndef FC_READ_QUERY_SHEET_H
#define FC_READ_QUERY_SHEET_H

#include "read/query/inside.h"

/* A row is a number or two into what the reader knows, or a struct that open() makes. */
struct fc_sheet {
	/*
	 * Make the rows; *nr of them, and *rows what cell() gets, freed by free(). -EINTR: it was
	 * stopped; another -errno with a sentence.
	 */
	int (*open)(struct fc_query *query, void **rows, size_t *nr);
	/* What is in a cell. -EINTR…: as above. */
	int (*cell)(struct fc_query *query, const void *rows, size_t row, int column,
		    sqlite3_context *ctx);
	int id_column; /* rows are in its order, so that one is found quickly; -1: none */
	int64_t (*id_of)(const void *rows, size_t row);
	bool is_numbered; /* the first column is the row's number, from 1 on */
	bool is_kept;	  /* rows live as long as the query: free() must not have them */
};

extern const struct fc_sheet fc_sheet_functions, fc_sheet_modules, fc_sheet_maps,
	fc_sheet_threads, fc_sheet_strands, fc_sheet_processes, fc_sheet_callers,
	fc_sheet_paths, fc_sheet_changes;
extern const char fc_functions_schema[], fc_modules_schema[], fc_maps_schema[],
	fc_threads_schema[], fc_strands_schema[], fc_processes_schema[], fc_callers_schema[],
	fc_paths_schema[], fc_changes_schema[];

#endif
