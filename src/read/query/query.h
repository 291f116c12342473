/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.h - a trace as tables of SQLite: calls, functions, callers, paths, modules, maps, threads,
 * processes, changes, events (docs/man/fctrace-query.1).
 *
 * The tables are virtual: rows are made from the trace as they are asked for, and what a WHERE
 * says of time, thread, function and depth keeps packets from being decoded (seek.h).
 */
#ifndef FC_READ_QUERY_QUERY_H
#define FC_READ_QUERY_QUERY_H

#include <sqlite3.h>

#include "read/query/opts.h"

struct fc_query;
/* reader outlives the query. -ENOMEM…, with a sentence: SQLite cannot be had. */
int fc_query_open(struct fc_reader *reader, const struct fc_query_opts *opts,
		  struct fc_query **ret);
void fc_query_close(struct fc_query *query);

/*
 * Statements are prepared and run on this one. They can read the trace and make tables in
 * memory; ATTACH, and PRAGMAs but a few that only tell, are refused.
 */
sqlite3 *fc_query_db(struct fc_query *query);

/* The tables of a trace: 0.. ; NULL behind the last. The schema is a CREATE TABLE. */
const char *fc_query_table(size_t i);
const char *fc_query_schema(size_t i);

/*
 * Write all tables into a new SQLite database, with indexes. -EEXIST: there is such a file;
 * -EIO…: it cannot be written; -ECANCELED: is_stopped. Each with a sentence; then no file is
 * left behind.
 */
int fc_query_save(struct fc_query *query, const char *path);

#endif
