/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite3.h - what the functions of SQLite are given and return: see libc.h. */

enum sqlite3_result {
	SQLITE_OK = 0,
	SQLITE_ERROR = 1,
	SQLITE_INTERNAL = 2,
	SQLITE_PERM = 3,
	SQLITE_ABORT = 4,
	SQLITE_BUSY = 5,
	SQLITE_LOCKED = 6,
	SQLITE_NOMEM = 7,
	SQLITE_READONLY = 8,
	SQLITE_INTERRUPT = 9,
	SQLITE_IOERR = 10,
	SQLITE_CORRUPT = 11,
	SQLITE_NOTFOUND = 12,
	SQLITE_FULL = 13,
	SQLITE_CANTOPEN = 14,
	SQLITE_PROTOCOL = 15,
	SQLITE_EMPTY = 16,
	SQLITE_SCHEMA = 17,
	SQLITE_TOOBIG = 18,
	SQLITE_CONSTRAINT = 19,
	SQLITE_MISMATCH = 20,
	SQLITE_MISUSE = 21,
	SQLITE_NOLFS = 22,
	SQLITE_AUTH = 23,
	SQLITE_FORMAT = 24,
	SQLITE_RANGE = 25,
	SQLITE_NOTADB = 26,
	SQLITE_NOTICE = 27,
	SQLITE_WARNING = 28,
	SQLITE_ROW = 100,
	SQLITE_DONE = 101,
	SQLITE_ERROR_MISSING_COLLSEQ = 257,
	SQLITE_ERROR_RETRY = 513,
	SQLITE_ERROR_SNAPSHOT = 769,
	SQLITE_IOERR_READ = 266,
	SQLITE_IOERR_SHORT_READ = 522,
	SQLITE_IOERR_WRITE = 778,
	SQLITE_IOERR_FSYNC = 1034,
	SQLITE_IOERR_DIR_FSYNC = 1290,
	SQLITE_IOERR_TRUNCATE = 1546,
	SQLITE_IOERR_FSTAT = 1802,
	SQLITE_IOERR_UNLOCK = 2058,
	SQLITE_IOERR_RDLOCK = 2314,
	SQLITE_IOERR_DELETE = 2570,
	SQLITE_IOERR_BLOCKED = 2826,
	SQLITE_IOERR_NOMEM = 3082,
	SQLITE_IOERR_ACCESS = 3338,
	SQLITE_IOERR_CHECKRESERVEDLOCK = 3594,
	SQLITE_IOERR_LOCK = 3850,
	SQLITE_IOERR_CLOSE = 4106,
	SQLITE_IOERR_DIR_CLOSE = 4362,
	SQLITE_IOERR_SHMOPEN = 4618,
	SQLITE_IOERR_SHMSIZE = 4874,
	SQLITE_IOERR_SHMLOCK = 5130,
	SQLITE_IOERR_SHMMAP = 5386,
	SQLITE_IOERR_SEEK = 5642,
	SQLITE_IOERR_DELETE_NOENT = 5898,
	SQLITE_IOERR_MMAP = 6154,
	SQLITE_IOERR_GETTEMPPATH = 6410,
	SQLITE_IOERR_CONVPATH = 6666,
	SQLITE_IOERR_VNODE = 6922,
	SQLITE_IOERR_AUTH = 7178,
	SQLITE_IOERR_BEGIN_ATOMIC = 7434,
	SQLITE_IOERR_COMMIT_ATOMIC = 7690,
	SQLITE_IOERR_ROLLBACK_ATOMIC = 7946,
	SQLITE_IOERR_DATA = 8202,
	SQLITE_IOERR_CORRUPTFS = 8458,
	SQLITE_LOCKED_SHAREDCACHE = 262,
	SQLITE_LOCKED_VTAB = 518,
	SQLITE_BUSY_RECOVERY = 261,
	SQLITE_BUSY_SNAPSHOT = 517,
	SQLITE_BUSY_TIMEOUT = 773,
	SQLITE_CANTOPEN_NOTEMPDIR = 270,
	SQLITE_CANTOPEN_ISDIR = 526,
	SQLITE_CANTOPEN_FULLPATH = 782,
	SQLITE_CANTOPEN_CONVPATH = 1038,
	SQLITE_CANTOPEN_DIRTYWAL = 1294,
	SQLITE_CANTOPEN_SYMLINK = 1550,
	SQLITE_CORRUPT_VTAB = 267,
	SQLITE_CORRUPT_SEQUENCE = 523,
	SQLITE_CORRUPT_INDEX = 779,
	SQLITE_READONLY_RECOVERY = 264,
	SQLITE_READONLY_CANTLOCK = 520,
	SQLITE_READONLY_ROLLBACK = 776,
	SQLITE_READONLY_DBMOVED = 1032,
	SQLITE_READONLY_CANTINIT = 1288,
	SQLITE_READONLY_DIRECTORY = 1544,
	SQLITE_ABORT_ROLLBACK = 516,
	SQLITE_CONSTRAINT_CHECK = 275,
	SQLITE_CONSTRAINT_COMMITHOOK = 531,
	SQLITE_CONSTRAINT_FOREIGNKEY = 787,
	SQLITE_CONSTRAINT_FUNCTION = 1043,
	SQLITE_CONSTRAINT_NOTNULL = 1299,
	SQLITE_CONSTRAINT_PRIMARYKEY = 1555,
	SQLITE_CONSTRAINT_TRIGGER = 1811,
	SQLITE_CONSTRAINT_UNIQUE = 2067,
	SQLITE_CONSTRAINT_VTAB = 2323,
	SQLITE_CONSTRAINT_ROWID = 2579,
	SQLITE_CONSTRAINT_PINNED = 2835,
	SQLITE_CONSTRAINT_DATATYPE = 3091,
	SQLITE_NOTICE_RECOVER_WAL = 283,
	SQLITE_NOTICE_RECOVER_ROLLBACK = 539,
	SQLITE_WARNING_AUTOINDEX = 284,
	SQLITE_AUTH_USER = 279,
	SQLITE_OK_LOAD_PERMANENTLY = 256,
	SQLITE_OK_SYMLINK = 512,
} __attribute__((annotate("fails(nonzero, not 100,101)")));

typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_backup sqlite3_backup;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef unsigned long long sqlite_uint64;
typedef sqlite_uint64 sqlite3_uint64;
typedef long long sqlite_int64;
typedef sqlite_int64 sqlite3_int64;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_blob sqlite3_blob;
typedef const char *sqlite3_filename;
typedef struct sqlite3_module sqlite3_module;
typedef struct sqlite3_file sqlite3_file;
typedef struct sqlite3_mutex sqlite3_mutex;
typedef struct sqlite3_rtree_geometry sqlite3_rtree_geometry;
typedef double sqlite3_rtree_dbl;
typedef struct sqlite3_rtree_query_info sqlite3_rtree_query_info;
typedef struct sqlite3_str sqlite3_str;
typedef __builtin_va_list va_list;
typedef struct sqlite3_vfs sqlite3_vfs;
typedef struct sqlite3_index_info sqlite3_index_info;

void *sqlite3_aggregate_context(sqlite3_context *, int nBytes)
	__attribute__((annotate("fails(never)")));
int sqlite3_aggregate_count(sqlite3_context *);
int sqlite3_auto_extension(void (*xEntryPoint)(void));
int sqlite3_autovacuum_pages(sqlite3 *db,
			     unsigned int (*)(void *, const char *, unsigned int, unsigned int,
					      unsigned int),
			     void *, void (*)(void *));
enum sqlite3_result sqlite3_backup_finish(sqlite3_backup *p);
sqlite3_backup *sqlite3_backup_init(sqlite3 *pDest, const char *zDestName, sqlite3 *pSource,
				    const char *zSourceName);
int sqlite3_backup_pagecount(sqlite3_backup *p);
int sqlite3_backup_remaining(sqlite3_backup *p);
enum sqlite3_result sqlite3_backup_step(sqlite3_backup *p, int nPage);
enum sqlite3_result sqlite3_bind_blob(sqlite3_stmt *, int, const void *, int n,
				      void (*)(void *));
enum sqlite3_result sqlite3_bind_blob64(sqlite3_stmt *, int, const void *, sqlite3_uint64,
					void (*)(void *));
enum sqlite3_result sqlite3_bind_double(sqlite3_stmt *, int, double);
enum sqlite3_result sqlite3_bind_int(sqlite3_stmt *, int, int);
enum sqlite3_result sqlite3_bind_int64(sqlite3_stmt *, int, sqlite3_int64);
enum sqlite3_result sqlite3_bind_null(sqlite3_stmt *, int);
int sqlite3_bind_parameter_count(sqlite3_stmt *);
int sqlite3_bind_parameter_index(sqlite3_stmt *, const char *zName);
const char *sqlite3_bind_parameter_name(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
enum sqlite3_result sqlite3_bind_pointer(sqlite3_stmt *, int, void *, const char *,
					 void (*)(void *));
enum sqlite3_result sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, void (*)(void *));
enum sqlite3_result sqlite3_bind_text16(sqlite3_stmt *, int, const void *, int,
					void (*)(void *));
enum sqlite3_result sqlite3_bind_text64(sqlite3_stmt *, int, const char *, sqlite3_uint64,
					void (*)(void *), unsigned char encoding);
enum sqlite3_result sqlite3_bind_value(sqlite3_stmt *, int, const sqlite3_value *);
enum sqlite3_result sqlite3_bind_zeroblob(sqlite3_stmt *, int, int n);
enum sqlite3_result sqlite3_bind_zeroblob64(sqlite3_stmt *, int, sqlite3_uint64);
int sqlite3_blob_bytes(sqlite3_blob *);
enum sqlite3_result sqlite3_blob_close(sqlite3_blob *);
enum sqlite3_result sqlite3_blob_open(sqlite3 *, const char *zDb, const char *zTable,
				      const char *zColumn, sqlite3_int64 iRow, int flags,
				      sqlite3_blob **ppBlob)
	__attribute__((access(write_only, 7)));
enum sqlite3_result sqlite3_blob_read(sqlite3_blob *, void *Z, int N, int iOffset)
	__attribute__((access(write_only, 2, 3)));
enum sqlite3_result sqlite3_blob_reopen(sqlite3_blob *, sqlite3_int64);
enum sqlite3_result sqlite3_blob_write(sqlite3_blob *, const void *z, int n, int iOffset)
	__attribute__((access(read_only, 2, 3)));
enum sqlite3_result sqlite3_busy_handler(sqlite3 *, int (*)(void *, int), void *);
enum sqlite3_result sqlite3_busy_timeout(sqlite3 *, int ms);
int sqlite3_cancel_auto_extension(void (*xEntryPoint)(void));
int sqlite3_changes(sqlite3 *);
sqlite3_int64 sqlite3_changes64(sqlite3 *);
enum sqlite3_result sqlite3_clear_bindings(sqlite3_stmt *);
enum sqlite3_result sqlite3_close(sqlite3 *);
enum sqlite3_result sqlite3_close_v2(sqlite3 *);
int sqlite3_collation_needed(sqlite3 *, void *,
			     void (*)(void *, sqlite3 *, int eTextRep, const char *));
int sqlite3_collation_needed16(sqlite3 *, void *,
			       void (*)(void *, sqlite3 *, int eTextRep, const void *));
const void *sqlite3_column_blob(sqlite3_stmt *, int iCol)
	__attribute__((annotate("fails(never)")));
int sqlite3_column_bytes(sqlite3_stmt *, int iCol);
int sqlite3_column_bytes16(sqlite3_stmt *, int iCol);
int sqlite3_column_count(sqlite3_stmt *pStmt);
const char *sqlite3_column_database_name(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_column_database_name16(sqlite3_stmt *, int);
const char *sqlite3_column_decltype(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_column_decltype16(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
double sqlite3_column_double(sqlite3_stmt *, int iCol);
int sqlite3_column_int(sqlite3_stmt *, int iCol) __attribute__((annotate("fails(never)")));
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *, int iCol)
	__attribute__((annotate("fails(never)")));
const char *sqlite3_column_name(sqlite3_stmt *, int N);
const void *sqlite3_column_name16(sqlite3_stmt *, int N);
const char *sqlite3_column_origin_name(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_column_origin_name16(sqlite3_stmt *, int);
const char *sqlite3_column_table_name(sqlite3_stmt *, int)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_column_table_name16(sqlite3_stmt *, int);
const unsigned char *sqlite3_column_text(sqlite3_stmt *, int iCol)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_column_text16(sqlite3_stmt *, int iCol)
	__attribute__((annotate("fails(never)")));
int sqlite3_column_type(sqlite3_stmt *, int iCol);
sqlite3_value *sqlite3_column_value(sqlite3_stmt *, int iCol);
void *sqlite3_commit_hook(sqlite3 *, int (*)(void *), void *)
	__attribute__((annotate("fails(never)")));
const char *sqlite3_compileoption_get(int N);
int sqlite3_compileoption_used(const char *zOptName);
int sqlite3_complete(const char *sql);
int sqlite3_complete16(const void *sql);
enum sqlite3_result sqlite3_config(int, ...);
sqlite3 *sqlite3_context_db_handle(sqlite3_context *);
enum sqlite3_result
sqlite3_create_collation(sqlite3 *, const char *zName, int eTextRep, void *pArg,
			 int (*xCompare)(void *, int, const void *, int, const void *));
enum sqlite3_result
sqlite3_create_collation16(sqlite3 *, const void *zName, int eTextRep, void *pArg,
			   int (*xCompare)(void *, int, const void *, int, const void *));
enum sqlite3_result
sqlite3_create_collation_v2(sqlite3 *, const char *zName, int eTextRep, void *pArg,
			    int (*xCompare)(void *, int, const void *, int, const void *),
			    void (*xDestroy)(void *));
sqlite3_filename sqlite3_create_filename(const char *zDatabase, const char *zJournal,
					 const char *zWal, int nParam, const char **azParam);
enum sqlite3_result
sqlite3_create_function(sqlite3 *db, const char *zFunctionName, int nArg, int eTextRep,
			void *pApp, void (*xFunc)(sqlite3_context *, int, sqlite3_value **),
			void (*xStep)(sqlite3_context *, int, sqlite3_value **),
			void (*xFinal)(sqlite3_context *));
enum sqlite3_result
sqlite3_create_function16(sqlite3 *db, const void *zFunctionName, int nArg, int eTextRep,
			  void *pApp, void (*xFunc)(sqlite3_context *, int, sqlite3_value **),
			  void (*xStep)(sqlite3_context *, int, sqlite3_value **),
			  void (*xFinal)(sqlite3_context *));
enum sqlite3_result
sqlite3_create_function_v2(sqlite3 *db, const char *zFunctionName, int nArg, int eTextRep,
			   void *pApp, void (*xFunc)(sqlite3_context *, int, sqlite3_value **),
			   void (*xStep)(sqlite3_context *, int, sqlite3_value **),
			   void (*xFinal)(sqlite3_context *), void (*xDestroy)(void *));
enum sqlite3_result sqlite3_create_module(sqlite3 *db, const char *zName,
					  const sqlite3_module *p, void *pClientData);
enum sqlite3_result sqlite3_create_module_v2(sqlite3 *db, const char *zName,
					     const sqlite3_module *p, void *pClientData,
					     void (*xDestroy)(void *));
enum sqlite3_result sqlite3_create_window_function(
	sqlite3 *db, const char *zFunctionName, int nArg, int eTextRep, void *pApp,
	void (*xStep)(sqlite3_context *, int, sqlite3_value **),
	void (*xFinal)(sqlite3_context *), void (*xValue)(sqlite3_context *),
	void (*xInverse)(sqlite3_context *, int, sqlite3_value **), void (*xDestroy)(void *));
int sqlite3_data_count(sqlite3_stmt *pStmt);
sqlite3_file *sqlite3_database_file_object(const char *);
int sqlite3_db_cacheflush(sqlite3 *);
enum sqlite3_result sqlite3_db_config(sqlite3 *, int op, ...);
sqlite3_filename sqlite3_db_filename(sqlite3 *db, const char *zDbName)
	__attribute__((annotate("fails(never)")));
sqlite3 *sqlite3_db_handle(sqlite3_stmt *);
sqlite3_mutex *sqlite3_db_mutex(sqlite3 *);
const char *sqlite3_db_name(sqlite3 *db, int N) __attribute__((annotate("fails(never)")));
int sqlite3_db_readonly(sqlite3 *db, const char *zDbName);
int sqlite3_db_release_memory(sqlite3 *);
int sqlite3_db_status(sqlite3 *, int op, int *pCur, int *pHiwtr, int resetFlg);
int sqlite3_declare_vtab(sqlite3 *, const char *zSQL);
int sqlite3_deserialize(sqlite3 *db, const char *zSchema, unsigned char *pData,
			sqlite3_int64 szDb, sqlite3_int64 szBuf, unsigned mFlags);
int sqlite3_drop_modules(sqlite3 *db, const char **azKeep);
int sqlite3_enable_load_extension(sqlite3 *db, int onoff);
int sqlite3_enable_shared_cache(int);
enum sqlite3_result sqlite3_errcode(sqlite3 *db) __attribute__((annotate("fails(never)")));
const char *sqlite3_errmsg(sqlite3 *);
const void *sqlite3_errmsg16(sqlite3 *);
int sqlite3_error_offset(sqlite3 *db) __attribute__((annotate("fails(never)")));
const char *sqlite3_errstr(int);
enum sqlite3_result sqlite3_exec(sqlite3 *, const char *sql,
				 int (*callback)(void *, int, char **, char **), void *,
				 char **errmsg) __attribute__((access(write_only, 5)));
char *sqlite3_expanded_sql(sqlite3_stmt *pStmt) __attribute__((annotate("fails(never)")));
int sqlite3_expired(sqlite3_stmt *);
int sqlite3_extended_errcode(sqlite3 *db);
int sqlite3_extended_result_codes(sqlite3 *, int onoff);
int sqlite3_file_control(sqlite3 *, const char *zDbName, int op, void *);
const char *sqlite3_filename_database(sqlite3_filename);
const char *sqlite3_filename_journal(sqlite3_filename);
const char *sqlite3_filename_wal(sqlite3_filename);
enum sqlite3_result sqlite3_finalize(sqlite3_stmt *pStmt);
void sqlite3_free(void *);
void sqlite3_free_filename(sqlite3_filename);
void sqlite3_free_table(char **result);
int sqlite3_get_autocommit(sqlite3 *);
void *sqlite3_get_auxdata(sqlite3_context *, int N) __attribute__((annotate("fails(never)")));
enum sqlite3_result sqlite3_get_table(sqlite3 *db, const char *zSql, char ***pazResult,
				      int *pnRow, int *pnColumn, char **pzErrmsg);
int sqlite3_global_recover(void);
sqlite3_int64 sqlite3_hard_heap_limit64(sqlite3_int64 N)
	__attribute__((annotate("fails(never)")));
enum sqlite3_result sqlite3_initialize(void);
void sqlite3_interrupt(sqlite3 *);
int sqlite3_keyword_check(const char *, int);
int sqlite3_keyword_count(void);
int sqlite3_keyword_name(int, const char **, int *);
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *) __attribute__((annotate("fails(never)")));
const char *sqlite3_libversion(void);
int sqlite3_libversion_number(void);
int sqlite3_limit(sqlite3 *, int id, int newVal) __attribute__((annotate("fails(never)")));
enum sqlite3_result sqlite3_load_extension(sqlite3 *db, const char *zFile, const char *zProc,
					   char **pzErrMsg);
void sqlite3_log(int iErrCode, const char *zFormat, ...);
void *sqlite3_malloc(int);
void *sqlite3_malloc64(sqlite3_uint64);
int sqlite3_memory_alarm(void (*)(void *, sqlite3_int64, int), void *, sqlite3_int64);
sqlite3_int64 sqlite3_memory_highwater(int resetFlag);
sqlite3_int64 sqlite3_memory_used(void);
char *sqlite3_mprintf(const char *, ...);
sqlite3_uint64 sqlite3_msize(void *);
sqlite3_mutex *sqlite3_mutex_alloc(int);
void sqlite3_mutex_enter(sqlite3_mutex *);
void sqlite3_mutex_free(sqlite3_mutex *);
void sqlite3_mutex_leave(sqlite3_mutex *);
int sqlite3_mutex_try(sqlite3_mutex *);
sqlite3_stmt *sqlite3_next_stmt(sqlite3 *pDb, sqlite3_stmt *pStmt)
	__attribute__((annotate("fails(never)")));
enum sqlite3_result sqlite3_open(const char *filename, sqlite3 **ppDb)
	__attribute__((access(write_only, 2)));
enum sqlite3_result sqlite3_open16(const void *filename, sqlite3 **ppDb)
	__attribute__((access(write_only, 2)));
enum sqlite3_result sqlite3_open_v2(const char *filename, sqlite3 **ppDb, int flags,
				    const char *zVfs) __attribute__((access(write_only, 2)));
int sqlite3_os_end(void);
int sqlite3_os_init(void);
int sqlite3_overload_function(sqlite3 *, const char *zFuncName, int nArg);
enum sqlite3_result sqlite3_prepare(sqlite3 *db, const char *zSql, int nByte,
				    sqlite3_stmt **ppStmt, const char **pzTail)
	__attribute__((access(write_only, 4)));
enum sqlite3_result sqlite3_prepare16(sqlite3 *db, const void *zSql, int nByte,
				      sqlite3_stmt **ppStmt, const void **pzTail);
enum sqlite3_result sqlite3_prepare16_v2(sqlite3 *db, const void *zSql, int nByte,
					 sqlite3_stmt **ppStmt, const void **pzTail);
enum sqlite3_result sqlite3_prepare16_v3(sqlite3 *db, const void *zSql, int nByte,
					 unsigned int prepFlags, sqlite3_stmt **ppStmt,
					 const void **pzTail);
enum sqlite3_result sqlite3_prepare_v2(sqlite3 *db, const char *zSql, int nByte,
				       sqlite3_stmt **ppStmt, const char **pzTail)
	__attribute__((access(write_only, 4)));
enum sqlite3_result sqlite3_prepare_v3(sqlite3 *db, const char *zSql, int nByte,
				       unsigned int prepFlags, sqlite3_stmt **ppStmt,
				       const char **pzTail)
	__attribute__((access(write_only, 5)));
void *sqlite3_profile(sqlite3 *, void (*xProfile)(void *, const char *, sqlite3_uint64), void *)
	__attribute__((annotate("fails(never)")));
void sqlite3_progress_handler(sqlite3 *, int, int (*)(void *), void *);
void sqlite3_randomness(int N, void *P);
void *sqlite3_realloc(void *, int);
void *sqlite3_realloc64(void *, sqlite3_uint64);
int sqlite3_release_memory(int);
enum sqlite3_result sqlite3_reset(sqlite3_stmt *pStmt);
void sqlite3_reset_auto_extension(void);
void sqlite3_result_blob(sqlite3_context *, const void *, int, void (*)(void *));
void sqlite3_result_blob64(sqlite3_context *, const void *, sqlite3_uint64, void (*)(void *));
void sqlite3_result_double(sqlite3_context *, double);
void sqlite3_result_error(sqlite3_context *, const char *, int);
void sqlite3_result_error16(sqlite3_context *, const void *, int);
void sqlite3_result_error_code(sqlite3_context *, int);
void sqlite3_result_error_nomem(sqlite3_context *);
void sqlite3_result_error_toobig(sqlite3_context *);
void sqlite3_result_int(sqlite3_context *, int);
void sqlite3_result_int64(sqlite3_context *, sqlite3_int64);
void sqlite3_result_null(sqlite3_context *);
void sqlite3_result_pointer(sqlite3_context *, void *, const char *, void (*)(void *));
void sqlite3_result_subtype(sqlite3_context *, unsigned int);
void sqlite3_result_text(sqlite3_context *, const char *, int, void (*)(void *));
void sqlite3_result_text16(sqlite3_context *, const void *, int, void (*)(void *));
void sqlite3_result_text16be(sqlite3_context *, const void *, int, void (*)(void *));
void sqlite3_result_text16le(sqlite3_context *, const void *, int, void (*)(void *));
void sqlite3_result_text64(sqlite3_context *, const char *, sqlite3_uint64, void (*)(void *),
			   unsigned char encoding);
void sqlite3_result_value(sqlite3_context *, sqlite3_value *);
void sqlite3_result_zeroblob(sqlite3_context *, int n);
int sqlite3_result_zeroblob64(sqlite3_context *, sqlite3_uint64 n);
void *sqlite3_rollback_hook(sqlite3 *, void (*)(void *), void *)
	__attribute__((annotate("fails(never)")));
int sqlite3_rtree_geometry_callback(sqlite3 *db, const char *zGeom,
				    int (*xGeom)(sqlite3_rtree_geometry *, int,
						 sqlite3_rtree_dbl *, int *),
				    void *pContext);
int sqlite3_rtree_query_callback(sqlite3 *db, const char *zQueryFunc,
				 int (*xQueryFunc)(sqlite3_rtree_query_info *), void *pContext,
				 void (*xDestructor)(void *));
unsigned char *sqlite3_serialize(sqlite3 *db, const char *zSchema, sqlite3_int64 *piSize,
				 unsigned int mFlags);
int sqlite3_set_authorizer(sqlite3 *,
			   int (*xAuth)(void *, int, const char *, const char *, const char *,
					const char *),
			   void *pUserData);
void sqlite3_set_auxdata(sqlite3_context *, int N, void *, void (*)(void *));
void sqlite3_set_last_insert_rowid(sqlite3 *, sqlite3_int64);
enum sqlite3_result sqlite3_shutdown(void);
int sqlite3_sleep(int);
char *sqlite3_snprintf(int, char *, const char *, ...);
void sqlite3_soft_heap_limit(int N);
sqlite3_int64 sqlite3_soft_heap_limit64(sqlite3_int64 N)
	__attribute__((annotate("fails(never)")));
const char *sqlite3_sourceid(void);
const char *sqlite3_sql(sqlite3_stmt *pStmt) __attribute__((annotate("fails(never)")));
int sqlite3_status(int op, int *pCurrent, int *pHighwater, int resetFlag);
int sqlite3_status64(int op, sqlite3_int64 *pCurrent, sqlite3_int64 *pHighwater, int resetFlag);
enum sqlite3_result sqlite3_step(sqlite3_stmt *);
int sqlite3_stmt_busy(sqlite3_stmt *);
int sqlite3_stmt_isexplain(sqlite3_stmt *pStmt);
int sqlite3_stmt_readonly(sqlite3_stmt *pStmt);
int sqlite3_stmt_status(sqlite3_stmt *, int op, int resetFlg);
void sqlite3_str_append(sqlite3_str *, const char *zIn, int N);
void sqlite3_str_appendall(sqlite3_str *, const char *zIn);
void sqlite3_str_appendchar(sqlite3_str *, int N, char C);
void sqlite3_str_appendf(sqlite3_str *, const char *zFormat, ...);
int sqlite3_str_errcode(sqlite3_str *);
char *sqlite3_str_finish(sqlite3_str *);
int sqlite3_str_length(sqlite3_str *);
sqlite3_str *sqlite3_str_new(sqlite3 *);
void sqlite3_str_reset(sqlite3_str *);
char *sqlite3_str_value(sqlite3_str *);
void sqlite3_str_vappendf(sqlite3_str *, const char *zFormat, va_list);
int sqlite3_strglob(const char *zGlob, const char *zStr);
int sqlite3_stricmp(const char *, const char *) __attribute__((annotate("fails(never)")));
int sqlite3_strlike(const char *zGlob, const char *zStr, unsigned int cEsc);
int sqlite3_strnicmp(const char *, const char *, int) __attribute__((annotate("fails(never)")));
int sqlite3_system_errno(sqlite3 *);
int sqlite3_table_column_metadata(sqlite3 *db, const char *zDbName, const char *zTableName,
				  const char *zColumnName, const char **pzDataType,
				  const char **pzCollSeq, int *pNotNull, int *pPrimaryKey,
				  int *pAutoinc);
int sqlite3_test_control(int op, ...);
void sqlite3_thread_cleanup(void);
int sqlite3_threadsafe(void);
int sqlite3_total_changes(sqlite3 *);
sqlite3_int64 sqlite3_total_changes64(sqlite3 *);
void *sqlite3_trace(sqlite3 *, void (*xTrace)(void *, const char *), void *)
	__attribute__((annotate("fails(never)")));
int sqlite3_trace_v2(sqlite3 *, unsigned uMask,
		     int (*xCallback)(unsigned, void *, void *, void *), void *pCtx);
int sqlite3_transfer_bindings(sqlite3_stmt *, sqlite3_stmt *);
int sqlite3_txn_state(sqlite3 *, const char *zSchema);
int sqlite3_unlock_notify(sqlite3 *pBlocked, void (*xNotify)(void **apArg, int nArg),
			  void *pNotifyArg);
void *sqlite3_update_hook(sqlite3 *,
			  void (*)(void *, int, const char *, const char *, sqlite3_int64),
			  void *) __attribute__((annotate("fails(never)")));
int sqlite3_uri_boolean(sqlite3_filename z, const char *zParam, int bDefault)
	__attribute__((annotate("fails(never)")));
sqlite3_int64 sqlite3_uri_int64(sqlite3_filename, const char *, sqlite3_int64)
	__attribute__((annotate("fails(never)")));
const char *sqlite3_uri_key(sqlite3_filename z, int N)
	__attribute__((annotate("fails(never)")));
const char *sqlite3_uri_parameter(sqlite3_filename z, const char *zParam)
	__attribute__((annotate("fails(never)")));
void *sqlite3_user_data(sqlite3_context *) __attribute__((annotate("fails(never)")));
const void *sqlite3_value_blob(sqlite3_value *) __attribute__((annotate("fails(never)")));
int sqlite3_value_bytes(sqlite3_value *);
int sqlite3_value_bytes16(sqlite3_value *);
double sqlite3_value_double(sqlite3_value *);
sqlite3_value *sqlite3_value_dup(const sqlite3_value *);
int sqlite3_value_encoding(sqlite3_value *);
void sqlite3_value_free(sqlite3_value *);
int sqlite3_value_frombind(sqlite3_value *);
int sqlite3_value_int(sqlite3_value *) __attribute__((annotate("fails(never)")));
sqlite3_int64 sqlite3_value_int64(sqlite3_value *) __attribute__((annotate("fails(never)")));
int sqlite3_value_nochange(sqlite3_value *);
int sqlite3_value_numeric_type(sqlite3_value *);
void *sqlite3_value_pointer(sqlite3_value *, const char *)
	__attribute__((annotate("fails(never)")));
unsigned int sqlite3_value_subtype(sqlite3_value *);
const unsigned char *sqlite3_value_text(sqlite3_value *)
	__attribute__((annotate("fails(never)")));
const void *sqlite3_value_text16(sqlite3_value *) __attribute__((annotate("fails(never)")));
const void *sqlite3_value_text16be(sqlite3_value *) __attribute__((annotate("fails(never)")));
const void *sqlite3_value_text16le(sqlite3_value *) __attribute__((annotate("fails(never)")));
int sqlite3_value_type(sqlite3_value *);
sqlite3_vfs *sqlite3_vfs_find(const char *zVfsName);
int sqlite3_vfs_register(sqlite3_vfs *, int makeDflt);
int sqlite3_vfs_unregister(sqlite3_vfs *);
char *sqlite3_vmprintf(const char *, va_list);
char *sqlite3_vsnprintf(int, char *, const char *, va_list);
const char *sqlite3_vtab_collation(sqlite3_index_info *, int);
int sqlite3_vtab_config(sqlite3 *, int op, ...);
int sqlite3_vtab_distinct(sqlite3_index_info *);
int sqlite3_vtab_in(sqlite3_index_info *, int iCons, int bHandle);
int sqlite3_vtab_in_first(sqlite3_value *pVal, sqlite3_value **ppOut);
int sqlite3_vtab_in_next(sqlite3_value *pVal, sqlite3_value **ppOut);
int sqlite3_vtab_nochange(sqlite3_context *);
int sqlite3_vtab_on_conflict(sqlite3 *);
int sqlite3_vtab_rhs_value(sqlite3_index_info *, int, sqlite3_value **ppVal);
int sqlite3_wal_autocheckpoint(sqlite3 *db, int N);
enum sqlite3_result sqlite3_wal_checkpoint(sqlite3 *db, const char *zDb);
enum sqlite3_result sqlite3_wal_checkpoint_v2(sqlite3 *db, const char *zDb, int eMode,
					      int *pnLog, int *pnCkpt);
void *sqlite3_wal_hook(sqlite3 *, int (*)(void *, sqlite3 *, const char *, int), void *)
	__attribute__((annotate("fails(never)")));
