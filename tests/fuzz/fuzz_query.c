/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_query.c - any trace can be asked, and a trace can be asked anything.
 *
 * The first byte says which: 0, the rest is a trace; 1, it is a row of packets as in dress.h;
 * else it is SQL for a small trace.
 */
#include "base/fail.h"
#include "dress.h"
#include "read/query/query.h"
#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROWS_MAX  3000 /* a forged packet may tell 64 Ki records in a few bytes */
#define STEPS_MAX 200  /* times 1000 instructions of SQLite's machine */

static const char *const questions[] = {
	"SELECT * FROM calls",
	"SELECT id, name, depth FROM calls WHERE begin_ns BETWEEN 10 AND 1000 AND depth <= 2",
	"SELECT * FROM calls WHERE end_ns > 100 AND begin_ns < 200 AND tid = 7",
	"SELECT id, duration_ns FROM calls WHERE func = 2 AND begin_ns >= 50",
	"SELECT * FROM calls WHERE name GLOB 'a*' OR module = '?'",
	"SELECT * FROM functions",
	"SELECT * FROM functions WHERE id = 1",
	"SELECT * FROM callers",
	"SELECT * FROM modules",
	"SELECT * FROM maps",
	"SELECT * FROM processes",
	"SELECT * FROM threads",
	"SELECT * FROM events",
	"SELECT * FROM events WHERE kind = 'lost' AND time_ns > 10",
};

static int nr_steps;

static int on_progress(void *ctx)
{
	return ++nr_steps > STEPS_MAX;
}

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct fc_func_ref ref = fc_reader_func(ctx, func);
	return (struct fc_name){ ref.name, ref.module };
}

static bool is_stopped(void *ctx)
{
	return nr_steps > STEPS_MAX;
}

/* Look at every cell. */
static size_t look(sqlite3_stmt *stmt)
{
	size_t length = 0;
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		if (sqlite3_column_text(stmt, i))
			length += strlen((const char *)sqlite3_column_text(stmt, i));
	return length;
}

static void ask(struct fc_query *query, const char *sql)
{
	for (int nr = 0; *sql && nr < 20; nr++) {
		sqlite3_stmt *stmt = NULL;
		nr_steps = 0;
		if (sqlite3_prepare_v2(fc_query_db(query), sql, -1, &stmt, &sql) != SQLITE_OK)
			return;
		for (int i = 0; stmt && i < ROWS_MAX && sqlite3_step(stmt) == SQLITE_ROW; i++)
			if (look(stmt) == (size_t)-1)
				abort();
		sqlite3_finalize(stmt);
	}
}

static void open_and_ask(const uint8_t *bytes, size_t size, const char *sql)
{
	struct fc_reader *reader = NULL;
	struct fc_query *query = NULL;
	fc_fail_clear();
	if (fc_reader_open_memory(bytes, size, "fuzz", &reader))
		return;
	struct fc_query_opts opts = { .namer = { name_of, reader }, .is_stopped = is_stopped };
	if (fc_query_open(reader, &opts, &query))
		abort();
	sqlite3 *db = fc_query_db(query);
	sqlite3_progress_handler(db, 1000, on_progress, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000);
	for (size_t i = 0; !sql && i < sizeof(questions) / sizeof(questions[0]); i++)
		ask(query, questions[i]);
	if (sql)
		ask(query, sql);
	fc_query_close(query);
	fc_reader_close(reader);
}

/* Names, the start of process 7, and its three calls: main of greet and greet. */
static const uint8_t small[] = {
	FC_PACKET_NAMES,
	0,
	13,
	13,
	1,
	'm',
	'a',
	'i',
	'n',
	0,
	2,
	'g',
	'r',
	'e',
	'e',
	't',
	0,
	FC_PACKET_LIFE,
	0,
	7,
	7,
	2,
	14,
	14,
	0,
	0,
	9,
	0,
	FC_PACKET_EVENTS,
	0,
	35,
	35,
	1,
	1,
	7,
	0,
	0,
	0,
	0,
	6,
	3,
	10,
	75,
	0,
	2,
	2,
	0,
	0,
	6,
	6,
	3,
	3,
	0,
	0,
	0,
	0,
	0x45,
	0,
	0,
	13,
	10,
	15,
	9,
	16,
	1,
	2,
	2,
};

/* The small trace is one. */
static void check_small(void)
{
	struct fc_reader *reader = NULL;
	struct fc_totals totals;
	struct fc_bytes file = { 0 };
	dress(&file, (struct fc_slice){ small, small + sizeof(small), false });
	if (fc_reader_open_memory(file.at, file.nr, "small", &reader))
		abort();
	fc_reader_totals(reader, &totals);
	if (totals.calls != 3 || fc_reader_nr_lives(reader) != 1 ||
	    strcmp(fc_reader_func(reader, 2).name, "greet"))
		abort();
	fc_reader_close(reader);
	fc_bytes_free(&file);
}

static void ask_all(const uint8_t *bytes, size_t size)
{
	open_and_ask(bytes, size, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_checked;
	if (!is_checked)
		check_small();
	is_checked = true;
	struct fc_bytes file = { 0 };
	if (!size)
		return 0;
	if (data[0] <= 1) {
		with_trace(data, size, ask_all);
	} else {
		char *sql = strndup((const char *)data + 1, size - 1);
		dress(&file, (struct fc_slice){ small, small + sizeof(small), false });
		open_and_ask(file.at, file.nr, sql);
		free(sql);
	}
	fc_bytes_free(&file);
	return 0;
}
