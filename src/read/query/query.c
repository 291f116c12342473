/* SPDX-License-Identifier: Apache-2.0 */
/* query.c - registers the tables with SQLite, and saves them as a database. */
#include "read/query/query.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/place.h"
#include "read/diff/versus.h"
#include "read/query/inside.h"
#include "read/query/sheet.h"

static const struct fc_vtable tables[] = {
	{ "calls", fc_calls_schema, &fc_calls_module, NULL },
	{ "functions", fc_functions_schema, &fc_sheet_module, &fc_sheet_functions },
	{ "callers", fc_callers_schema, &fc_sheet_module, &fc_sheet_callers },
	{ "paths", fc_paths_schema, &fc_sheet_module, &fc_sheet_paths },
	{ "modules", fc_modules_schema, &fc_sheet_module, &fc_sheet_modules },
	{ "maps", fc_maps_schema, &fc_sheet_module, &fc_sheet_maps },
	{ "processes", fc_processes_schema, &fc_sheet_module, &fc_sheet_processes },
	{ "threads", fc_threads_schema, &fc_sheet_module, &fc_sheet_threads },
	{ "strands", fc_strands_schema, &fc_sheet_module, &fc_sheet_strands },
	{ "changes", fc_changes_schema, &fc_sheet_module, &fc_sheet_changes },
	{ "events", fc_events_schema, &fc_events_module, NULL },
};

#define NR_TABLES (sizeof(tables) / sizeof(tables[0]))

const char *fc_query_table(size_t i)
{
	return i < NR_TABLES ? tables[i].name : NULL;
}

const char *fc_query_schema(size_t i)
{
	return i < NR_TABLES ? tables[i].schema : NULL;
}

/* ---- open and close ---- */

static int failed(const struct fc_query *query)
{
	return fc_fail(EIO, "SQLite: %s", sqlite3_errmsg(query->db));
}

static int add_tables(struct fc_query *query)
{
	for (size_t i = 0; i < NR_TABLES; i++) {
		struct fc_vtable_aux *aux = fc_alloc(sizeof(*aux));
		*aux = (struct fc_vtable_aux){ query, &tables[i] };
		if (sqlite3_create_module_v2(query->db, tables[i].name, tables[i].module, aux,
					     free) != SQLITE_OK)
			return failed(query);
	}
	return 0;
}

int fc_query_open(struct fc_reader *reader, const struct fc_query_opts *opts,
		  struct fc_query **ret)
{
	struct fc_query *query = fc_alloc(sizeof(*query));

	query->reader = reader;
	query->opts = *opts;
	query->sums = fc_query_sums_create(reader, &query->opts);
	int err = sqlite3_open_v2(":memory:", &query->db,
				  SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK
			  ? failed(query)
			  : add_tables(query);
	if (err) {
		fc_query_close(query);
		return err;
	}
	sqlite3_set_authorizer(query->db, fc_authorize, query);
	*ret = query;
	return 0;
}

void fc_query_close(struct fc_query *query)
{
	if (!query)
		return;
	sqlite3_close(query->db);
	fc_query_sums_destroy(query->sums);
	fc_versus_destroy(query->versus);
	free(query);
}

sqlite3 *fc_query_db(struct fc_query *query)
{
	return query->db;
}

/* ---- save ---- */

static int run(struct fc_query *query, char *sql)
{
	int status = sql ? sqlite3_exec(query->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
	sqlite3_free(sql);
	return status;
}

/* The schema's CREATE TABLE, for the other database. */
static char *create_in(const struct fc_vtable *table, const char *db)
{
	return sqlite3_mprintf("CREATE TABLE %s.%s", db,
			       table->schema + strlen("CREATE TABLE "));
}

static int save_table(struct fc_query *query, const struct fc_vtable *table)
{
	int status = run(query, create_in(table, "saved"));
	/* main.: else it would be read from where it is written to. */
	return status != SQLITE_OK ? status
				   : run(query, sqlite3_mprintf("INSERT INTO saved.%s SELECT * "
								"FROM main.%s",
								table->name, table->name));
}

static int save_indexes(struct fc_query *query)
{
	static const char *const indexes[][2] = {
		{ "calls", "func" },   { "calls", "begin_ns" }, { "calls", "tid" },
		{ "functions", "id" }, { "events", "time_ns" },
	};
	int status = SQLITE_OK;

	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]) && !status; i++)
		status = run(query, sqlite3_mprintf("CREATE INDEX saved.%s_%s ON %s(%s)",
						    indexes[i][0], indexes[i][1], indexes[i][0],
						    indexes[i][1]));
	return status;
}

/* The file is new and nobody else's: if we die, it is worth nothing anyhow. */
static int save_all(struct fc_query *query, const char *path)
{
	int status = run(query, sqlite3_mprintf("ATTACH %Q AS saved", path));
	if (!status)
		status = run(query, sqlite3_mprintf("PRAGMA saved.journal_mode = OFF;"
						    "PRAGMA saved.synchronous = OFF;"
						    "BEGIN"));
	for (size_t i = 0; i < NR_TABLES && !status; i++)
		status = save_table(query, &tables[i]);
	if (!status)
		status = save_indexes(query);
	return status ? status : run(query, sqlite3_mprintf("COMMIT; DETACH saved"));
}

/*
 * SQLite opens files by name, and others may put something else in the place of ours: what it
 * opens while it writes is that very file, or a new one for a while.
 */
static struct stat saved;

static int open_saved(const char *path, int flags, int mode)
{
	struct stat st;
	char link[64];
	if (flags & O_EXCL)
		return open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
	fc_auto_close int found = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (found < 0 || fstat(found, &st))
		return -1;
	if (st.st_dev != saved.st_dev || st.st_ino != saved.st_ino) {
		errno = EACCES;
		return -1;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	return open(link, (flags & ~(O_CREAT | O_NOFOLLOW)) | O_CLOEXEC, mode);
}

/* NULL: as it was. */
static void open_by(int (*open_file)(const char *path, int flags, int mode))
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	if (vfs && vfs->iVersion >= 3)
		vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_file);
}

/* A file of that name that was not there. */
static int make_new(const char *path, struct fc_place *place)
{
	int fd = fc_place_find(path, place);
	if (!fd)
		fd = fc_place_open(place, O_CREAT | O_EXCL | O_WRONLY, 0666);
	if (fd >= 0) {
		fstat(fd, &saved);
		return close(fd);
	}
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	if (fd == -EEXIST)
		return fc_fail(EEXIST,
			       "%s exists, and is left as it is: remove it, or say another "
			       "name",
			       path);
	return fc_fail(-fd, "cannot make %s: %s", path, why);
}

int fc_query_save(struct fc_query *query, const char *path)
{
	struct fc_place place;
	int err = make_new(path, &place);
	if (err) {
		fc_place_deinit(&place);
		return err;
	}
	/* An absolute path or ./: else "file:x" would be an URI, ":memory:" no file. */
	fc_auto_free char *plain = *path == '/' ? fc_strdup(path) : fc_asprintf("./%s", path);
	query->is_saving = true;
	open_by(open_saved);
	int status = save_all(query, plain);
	open_by(NULL);
	if (status == SQLITE_INTERRUPT)
		err = fc_fail(ECANCELED, "%s: stopped, and removed", path);
	else if (status)
		err = fc_fail(EIO, "cannot write %s: %s", path, sqlite3_errmsg(query->db));
	if (status) {
		sqlite3_exec(query->db, "ROLLBACK", NULL, NULL, NULL);
		sqlite3_exec(query->db, "DETACH saved", NULL, NULL, NULL);
		unlinkat(place.folder, place.name, 0);
	}
	fc_place_deinit(&place);
	query->is_saving = false;
	return err;
}
