/* SPDX-License-Identifier: Apache-2.0 */
/* inside.h - what the virtual tables of this room share. */
#ifndef FC_READ_QUERY_INSIDE_H
#define FC_READ_QUERY_INSIDE_H

#include "read/query/opts.h"
#include "read/query/totals.h"

struct fc_query {
	sqlite3 *db;
	struct fc_reader *reader;
	struct fc_query_opts opts;
	struct fc_query_sums *sums;
	struct fc_versus *versus; /* NULL: not compared yet */
	bool is_saving;		  /* ATTACH and the like are ours now */
};

/* One row of the table of tables: what it is called and how SQLite reads it. */
struct fc_vtable {
	const char *name, *schema;
	const sqlite3_module *module;
	const void *sheet; /* struct fc_sheet, for fc_sheet_module */
};

/* The aux pointer of sqlite3_create_module(). */
struct fc_vtable_aux {
	struct fc_query *query;
	const struct fc_vtable *table;
};

struct fc_vtab {
	sqlite3_vtab base;
	struct fc_query *query;
	const struct fc_vtable *table;
};

static inline struct fc_query *fc_vtab_query(const sqlite3_vtab_cursor *cursor)
{
	return ((const struct fc_vtab *)cursor->pVtab)->query;
}

int fc_vtab_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
		    sqlite3_vtab **ret, char **err);
int fc_vtab_disconnect(sqlite3_vtab *vtab);

extern const sqlite3_module fc_calls_module, fc_events_module, fc_sheet_module;
extern const char fc_calls_schema[], fc_events_schema[];

/* SQLite's authorizer: which actions a statement may take. */
int fc_authorize(void *query, int action, const char *a, const char *b, const char *db,
		 const char *trigger);

#endif
