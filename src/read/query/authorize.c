/* SPDX-License-Identifier: Apache-2.0 */
/* authorize.c - what a statement may do: read the trace, keep tables in memory, no more. */
#include <string.h>

#include "read/query/inside.h"

/* These only tell, with or without an argument. */
static const char *const pragmas[] = {
	"collation_list", "compile_options", "database_list", "foreign_key_list",
	"function_list",  "index_info",	     "index_list",    "index_xinfo",
	"module_list",	  "pragma_list",     "table_info",    "table_list",
	"table_xinfo",
};

static bool is_told(const char *pragma)
{
	for (size_t i = 0; i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
		if (!sqlite3_stricmp(pragma, pragmas[i]))
			return true;
	return false;
}

int fc_authorize(void *ctx, int action, const char *a, const char *b, const char *db,
		 const char *trigger)
{
	const struct fc_query *query = ctx;

	if (query->is_saving)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_ATTACH: /* VACUUM INTO, too */
	case SQLITE_DETACH:
		return SQLITE_DENY;
	case SQLITE_PRAGMA:
		return is_told(a) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_FUNCTION:
		return b && !sqlite3_stricmp(b, "load_extension") ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_OK;
	}
}
