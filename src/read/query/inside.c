/* SPDX-License-Identifier: Apache-2.0 */
/* inside.c - connects SQLite's virtual tables to a query. */
#include "read/query/inside.h"

#include <stdlib.h>

#include "base/memory.h"

int fc_vtab_connect(sqlite3 *db, void *ctx, int argc, const char *const *argv,
		    sqlite3_vtab **ret, char **err)
{
	const struct fc_vtable_aux *aux = ctx;
	int status = sqlite3_declare_vtab(db, aux->table->schema);

	if (status != SQLITE_OK)
		return status;
	struct fc_vtab *vtab = fc_alloc(sizeof(*vtab));
	vtab->query = aux->query;
	vtab->table = aux->table;
	*ret = &vtab->base;
	return SQLITE_OK;
}

int fc_vtab_disconnect(sqlite3_vtab *vtab)
{
	free(vtab);
	return SQLITE_OK;
}
