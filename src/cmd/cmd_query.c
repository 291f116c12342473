/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_query.c - fctrace query: a trace as tables of SQL. */
#include "cmd/options/options.h"
#include "read/query/query.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/print_rows.h"
#include "cmd/view/reading.h"

static volatile sig_atomic_t is_interrupted;

struct session {
	FILE *out;
	struct fc_query *query;
	enum fc_form form;
	bool is_talk; /* somebody types */
	bool is_over; /* .quit */
	int status;
};

static void on_interrupt(int sig)
{
	is_interrupted = 1;
}

/* Ctrl-C ends what is running, not the talk. */
static void catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static bool is_stopped(void *ctx)
{
	return is_interrupted || fc_output_is_over();
}

static int on_progress(void *ctx)
{
	return is_stopped(ctx);
}

/* ---- statements ---- */

static void offer_tables(struct fc_nearest *nearest)
{
	for (size_t i = 0; fc_query_table(i); i++)
		fc_nearest_offer(nearest, fc_query_table(i), strlen(fc_query_table(i)));
}

/* Returns whether the table has a column of that name. */
static bool offer_columns_of(sqlite3 *db, const char *table, const char *name,
			     struct fc_nearest *nearest)
{
	fc_auto_free char *sql = fc_asprintf("SELECT * FROM %s", table);
	sqlite3_stmt *stmt = NULL;
	bool ret = false;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
		for (int k = 0; k < sqlite3_column_count(stmt); k++) {
			const char *column = sqlite3_column_name(stmt, k);
			fc_nearest_offer(nearest, column, strlen(column));
			ret |= !strcasecmp(column, name);
		}
	}
	sqlite3_finalize(stmt);
	return ret;
}

/* Names of columns that are alike, or the table that has one of this very name. */
static char *hint_of_column(sqlite3 *db, const char *name)
{
	struct fc_nearest nearest;

	fc_nearest_begin(&nearest, name, strlen(name));
	for (size_t i = 0; fc_query_table(i); i++) {
		const char *table = fc_query_table(i);
		if (offer_columns_of(db, table, name, &nearest))
			return fc_asprintf(
				"; the table %s has one. .schema shows all tables and columns",
				table);
	}
	return fc_nearest_hint(&nearest, "", ".schema shows all tables and columns");
}

/* Of SQLite's sentence: the name that is unknown, without that of its table. */
static bool is_unknown(const char *sentence, const char *what, const char **name)
{
	size_t len = strlen(what);
	const char *point = strrchr(sentence, '.');

	if (strncmp(sentence, what, len) != 0)
		return false;
	*name = point && point > sentence + len ? point + 1 : sentence + len;
	return true;
}

/* "; did you mean calls? ...", or "" where it is no name that is wrong. */
static char *hint_of(sqlite3 *db, const char *sentence)
{
	struct fc_nearest nearest;
	const char *name;

	if (is_unknown(sentence, "no such column: ", &name))
		return hint_of_column(db, name);
	if (!is_unknown(sentence, "no such table: ", &name))
		return fc_strdup("");
	fc_nearest_begin(&nearest, name, strlen(name));
	offer_tables(&nearest);
	return fc_nearest_hint(&nearest, "", ".schema shows all tables and columns");
}

static void say_error(struct session *session)
{
	sqlite3 *db = fc_query_db(session->query);
	int code = sqlite3_errcode(db);

	if (fc_output_is_over())
		return;
	fc_auto_free char *sentence = fc_strdup(sqlite3_errmsg(db));
	if (code == SQLITE_INTERRUPT) {
		fc_say("stopped");
	} else if (code == SQLITE_AUTH) {
		fc_say("SQL: %s: a trace is only read (--to-sqlite FILE writes its tables "
		       "into a database)",
		       sentence);
	} else {
		fc_auto_free char *hint = hint_of(db, sentence);
		fc_say("SQL: %s%s", sentence, hint);
	}
	session->status = FC_STATUS_USAGE;
}

static int run_statement(struct session *session, sqlite3_stmt *stmt)
{
	fc_say_allow_passing(true);
	struct fc_result *result = sqlite3_column_count(stmt)
					   ? fc_result_create(session->out, session->form, stmt)
					   : NULL;
	int code;

	while ((code = sqlite3_step(stmt)) == SQLITE_ROW && !is_stopped(NULL))
		if (result)
			fc_result_row(result);
	fc_result_destroy(result);
	return code == SQLITE_ROW ? SQLITE_INTERRUPT : code;
}

/* All that is in sql, up to the first error. */
static bool run_sql(struct session *session, const char *sql)
{
	sqlite3 *db = fc_query_db(session->query);

	while (*sql) {
		sqlite3_stmt *stmt = NULL;
		int code = sqlite3_prepare_v2(db, sql, -1, &stmt, &sql);
		if (code == SQLITE_OK && stmt)
			code = run_statement(session, stmt);
		if (code != SQLITE_OK && code != SQLITE_DONE)
			say_error(session);
		sqlite3_finalize(stmt);
		if (code != SQLITE_OK && code != SQLITE_DONE)
			return false;
	}
	return true;
}

/* ---- words that begin with a dot ---- */

static void show_tables(struct session *session, const char *arg)
{
	for (size_t i = 0; fc_query_table(i); i++)
		fprintf(session->out, "%s\n", fc_query_table(i));
}

static void show_schema(struct session *session, const char *arg)
{
	bool is_found = false;

	for (size_t i = 0; fc_query_table(i); i++) {
		if (*arg && sqlite3_stricmp(arg, fc_query_table(i)))
			continue;
		fprintf(session->out, "%s;\n", fc_query_schema(i));
		is_found = true;
	}
	if (is_found)
		return;
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, arg, strlen(arg));
	offer_tables(&nearest);
	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", ".tables lists them");
	fc_say("%s: no such table%s", arg, hint);
}

static void set_form(struct session *session, const char *arg)
{
	static const char *const forms[] = { "table", "csv", "json" };

	for (int i = 0; i < 3; i++) {
		if (!strcmp(arg, forms[i])) {
			session->form = (enum fc_form)i;
			return;
		}
	}
	fc_say(".mode wants table, csv or json");
}

static void quit(struct session *session, const char *arg)
{
	session->is_over = true;
}

static void show_help(struct session *session, const char *arg);

static const struct dot {
	const char *word, *help;
	void (*run)(struct session *session, const char *arg);
} dots[] = {
	{ ".tables", "what there is to ask", show_tables },
	{ ".schema", "[TABLE]: the columns", show_schema },
	{ ".mode", "table|csv|json: how rows are shown", set_form },
	{ ".help", "this text", show_help },
	{ ".quit", "the end; Ctrl-D as well", quit },
	{ ".exit", "the same", quit },
};

#define NR_DOTS (sizeof(dots) / sizeof(dots[0]))

static void show_help(struct session *session, const char *arg)
{
	for (size_t i = 0; i < NR_DOTS; i++)
		fprintf(session->out, "%-8s %s\n", dots[i].word, dots[i].help);
	fputs("Anything else is SQL, and ends with a semicolon:\n"
	      "  SELECT name, calls, self_ns FROM functions ORDER BY self_ns DESC LIMIT 10;\n",
	      session->out);
}

/* The one that a line begins with; NULL: there is none such. */
static const struct dot *find_dot(const char *line)
{
	size_t len = strcspn(line, " \t\r\n;");

	for (size_t i = 0; i < NR_DOTS; i++)
		if (strlen(dots[i].word) == len && !strncmp(dots[i].word, line, len))
			return &dots[i];
	return NULL;
}

static void run_dot(struct session *session, char *line)
{
	const struct dot *dot = find_dot(line);
	size_t len = strcspn(line, " \t\r\n;");
	char *arg = line + len + strspn(line + len, " \t");

	arg[strcspn(arg, " \t\r\n;")] = 0;
	if (dot) {
		dot->run(session, arg);
		return;
	}
	fc_say("%.*s: unknown; .help lists what there is", (int)len, line);
	session->status = FC_STATUS_USAGE;
}

/* ---- statements from stdin ---- */

static void prompt(struct session *session, bool is_more)
{
	if (!session->is_talk)
		return;
	fputs(is_more ? "    ...> " : "fctrace> ", session->out);
	fflush(session->out);
}

static bool is_blank(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

/* A line of stdin. False: enough. */
static bool take_line(struct session *session, char **sql, char *line)
{
	if (!*sql && line[strspn(line, " \t")] == '.') {
		run_dot(session, line + strspn(line, " \t"));
		return !session->is_over && (session->is_talk || !session->status);
	}
	if (!*sql && is_blank(line))
		return true;
	fc_append(sql, "%s", line);
	if (!sqlite3_complete(*sql))
		return true;
	bool is_right = run_sql(session, *sql);
	free(fc_take(*sql));
	return session->is_talk || is_right;
}

static void read_statements(struct session *session)
{
	fc_auto_free char *line = NULL, *sql = NULL;
	size_t room = 0;

	if (session->is_talk)
		fputs("SQL on this trace; .help says what else there is.\n", session->out);
	for (;;) {
		prompt(session, sql);
		is_interrupted = 0;
		if (getline(&line, &room, stdin) < 0) {
			if (!is_interrupted || !session->is_talk)
				break;
			clearerr(stdin); /* Ctrl-C at the prompt: forget what was typed */
			free(fc_take(sql));
			fputc('\n', session->out);
			continue;
		}
		if (!take_line(session, &sql, line))
			return;
	}
	if (sql && !is_interrupted)
		run_sql(session, sql); /* no semicolon behind the last one */
	if (session->is_talk)
		fputc('\n', session->out);
}

/* ---- the command ---- */

/* Which of the words is the trace, which the SQL; neither need be there. */
struct words {
	int nr_traces;
	char *trace, *sql;
};

/* An argument that is no file is taken for SQL, but a single word for a trace that is missing. */
static bool is_sql(const char *word)
{
	return access(word, F_OK) && (strpbrk(word, " \t\n;(") || find_dot(word));
}

static bool sort_words(int argc, char **argv, struct words *ret)
{
	if (argc > 2) {
		fc_say("%s: one trace and one SQL text at a time; is the SQL in quotes?",
		       argv[2]);
		return false;
	}
	*ret = (struct words){ 0 };
	if (argc == 2 || (argc == 1 && is_sql(argv[0])))
		ret->sql = argv[argc - 1];
	if (argc == 2 || (argc == 1 && !ret->sql))
		ret->trace = argv[0];
	ret->nr_traces = ret->trace != NULL;
	return true;
}

static bool is_right(const struct fc_settings *settings, const struct words *words)
{
	if (settings->json && settings->query.csv)
		fc_say("either --json or --csv, not both");
	else if (settings->query.to_sqlite && words->sql)
		fc_say("--to-sqlite writes all tables: it takes no SQL; ask the file "
		       "afterwards");
	else
		return true;
	return false;
}

static void save(struct session *session, const char *path)
{
	catch_interrupts();
	int err = fc_query_save(session->query, path);
	if (!err)
		return;
	fc_say("%s", fc_fail_text());
	session->status = FC_STATUS_NO;
}

static void serve(struct session *session, const struct fc_settings *settings, const char *sql)
{
	if (settings->query.to_sqlite) {
		save(session, settings->query.to_sqlite);
	} else if (sql && *sql == '.') {
		fc_auto_free char *line = fc_strdup(sql);
		run_dot(session, line);
	} else if (sql) {
		run_sql(session, sql);
	} else {
		session->is_talk = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
		if (session->is_talk)
			catch_interrupts();
		read_statements(session);
		if (session->is_talk)
			session->status = 0;
	}
}

static int run_query(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL, *than = NULL;
	struct words words;
	int status = FC_STATUS_USAGE;

	if (!sort_words(argc, argv, &words) || !is_right(settings, &words))
		return status;
	if (!fc_reading_open(words.nr_traces, &words.trace, &reader, &status))
		return status;
	if (!fc_reading_open_than(settings, &than, &status)) {
		fc_reading_close(reader);
		return status;
	}

	struct session session = {
		.out = fc_output_open(),
		.form = settings->json	      ? FC_FORM_JSON
			: settings->query.csv ? FC_FORM_CSV
					      : FC_FORM_TEXT,
	};
	struct fc_query_opts opts = { .namer = fc_reading_namer(reader),
				      .values = fc_reading_values(reader),
				      .is_stopped = is_stopped };
	if (than) {
		opts.than = than;
		opts.than_namer = fc_reading_namer(than);
	}
	if (fc_query_open(reader, &opts, &session.query)) {
		fc_say("%s", fc_fail_text());
		session.status = FC_STATUS_FAILED;
	} else {
		sqlite3_progress_handler(fc_query_db(session.query), 10000, on_progress, NULL);
		serve(&session, settings, words.sql);
	}
	fc_query_close(session.query);
	int than_status = than ? fc_reading_close(than) : FC_STATUS_OK;
	status = fc_reading_close(reader);
	status = status ? status : than_status;
	return fc_output_close(session.out, session.status ? session.status : status);
}

static int set_to_sqlite(struct fc_settings *settings, const char *arg)
{
	if (!*arg)
		return fc_fail(EINVAL, "needs a file name");
	settings->query.to_sqlite = arg;
	return 0;
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "csv", NULL, "as CSV: a line of names, then a line a row",
		  FC_FLAG(query.csv)),
	&fc_option_json,
	FC_OPTION(0, "to-sqlite", "FILE", "write all tables into FILE, a new SQLite database",
		  set_to_sqlite),
	&fc_option_than,
	&fc_option_demangle,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_query = {
	.name = "query",
	.usage = "[OPTIONS] [FILE] [SQL]",
	.summary = "SQL on a trace: calls, functions, threads…",
	.options = options,
	.notes =
		"FILE: a trace that `fctrace record` wrote (default fctrace.data).\n"
		"SQL: statements for SQLite, as in 'SELECT name, calls FROM functions';\n"
		"without it they are read from stdin, at a prompt. .tables and\n"
		"'.schema calls' list what there is.\n"
		"Exit status: 0; 1 output could not be written, 2 wrong usage or SQL,\n"
		"3 not a usable trace, 4 shown, but some of the trace is missing (stderr says\n"
		"what).\n",
	.run = run_query,
};
