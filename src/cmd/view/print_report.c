/* SPDX-License-Identifier: Apache-2.0 */
/* print_report.c - chooses the columns of the report, and writes what only people read. */
#include "cmd/view/print_report.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cmd/options/report_options.h"
#include "cmd/options/srclines.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "read/sums/stat.h"

enum { MAX_NAMES = 16 };

struct view {
	struct fc_table_column columns[MAX_NAMES + FC_MAX_COLUMNS];
	size_t nr;
	enum fc_by by;
	double all_self_ns; /* of all rows, also those that are not shown */
};

/* ---- names ---- */

/* A call with its arguments, one of them, or its result; a thread with its name. */
static void print_name(const struct fc_table *table, const void *of)
{
	const struct fc_report_row *row = of;
	enum fc_by by = ((const struct view *)table->of)->by;

	fc_print_foreign(table->out, row->name.name);
	if (fc_by_is_value(by) && (!row->value || by == FC_BY_RESULT))
		fputs(fc_name_parens(row->name), table->out);
	if (!row->value)
		return;
	if (by == FC_BY_RESULT)
		fputs(" = ", table->out);
	else if (by == FC_BY_VALUE || by == FC_BY_THREAD)
		fputs(by == FC_BY_VALUE ? "(" : " (", table->out);
	else
		fprintf(table->out, "(arg%d = ", by - FC_BY_ARG1 + 1);
	fc_print_foreign(table->out, row->value);
	fputs(by == FC_BY_RESULT ? "" : ")", table->out);
}

/* ---- columns ---- */

static void show_source(const void *row, uint64_t number, char ret[FC_CELL_ROOM])
{
	strcpy(ret, "?");
}

/* The kinds of tables, as bits: a column may stand in several. */
enum {
	FUNCTIONS = 1,
	VALUES = 2, /* and functions */
	MODULES = 4,
	THREADS = 8,
	PROCESSES = 16,
	FILES = 32,
	SOURCES = 64, /* beside functions */
};

#define ROW(member) FC_FIELD(struct fc_report_row, member)
#define SOURCE(member)                                                                         \
	FC_FIELD(struct fc_source, member),                                                    \
		.through = offsetof(struct fc_report_row, name.source) + 1

/* The columns that name a row; its numbers come behind them. */
static const struct {
	struct fc_table_column column;
	int of;
} names[] = {
	{ { "function", NULL, ROW(name.name) }, FUNCTIONS },
	{ { "module", "MODULE", ROW(name.module), .most = 32, .place = 1,
	    .tone = fc_table_tone_dim },
	  FUNCTIONS | MODULES },
	{ { "value", NULL, ROW(value) }, VALUES },
	{ { "file", NULL, SOURCE(file) }, SOURCES },
	{ { "line", NULL, SOURCE(line) }, SOURCES },
	{ { NULL, "SOURCE", SOURCE(text), .show = show_source, .most = 40, .place = 1 },
	  SOURCES },
	{ { "file", "FILE", ROW(name.name), .most = 1, .place = 1 }, FILES },
	{ { "pid", "PID", ROW(pid), .width = 8, .place = 1 }, THREADS | PROCESSES },
	{ { "tid", "TID", ROW(tid), .width = 8, .place = 1 }, THREADS },
	{ { "program", NULL, ROW(name.name) }, THREADS },
	{ { "program", "PROGRAM", ROW(name.name), .most = 1, .place = 1 }, PROCESSES },
	{ { "name", "PROGRAM (NAME)", ROW(value), .print = print_name, .most = 1, .place = 1 },
	  THREADS },
	{ { NULL, "FUNCTION", .print = print_name, .most = 1, .place = 1 }, FUNCTIONS },
};

enum { NR_NAMES = sizeof(names) / sizeof(names[0]) };
_Static_assert((int)NR_NAMES <= (int)MAX_NAMES, "a view has room for them");

static void add_names(struct view *view, enum fc_by by)
{
	static const int kinds[] = {
		[FC_BY_FUNCTION] = FUNCTIONS, [FC_BY_MODULE] = MODULES,
		[FC_BY_THREAD] = THREADS,     [FC_BY_PROCESS] = PROCESSES,
		[FC_BY_FILE] = FILES,
	};
	int of = fc_by_is_value(by) ? FUNCTIONS | VALUES : kinds[by];

	if (of & FUNCTIONS && fc_srclines_are_asked())
		of |= SOURCES;
	for (size_t i = 0; i < NR_NAMES; i++)
		if (names[i].of & of)
			view->columns[view->nr++] = names[i].column;
}

/* Calls whose end was not seen have no duration. */
static void show_timed(const void *row, uint64_t ns, char ret[FC_CELL_ROOM])
{
	if (((const struct fc_report_row *)row)->nr_timed)
		fc_show_ns(row, ns, ret);
	else
		strcpy(ret, "-  ");
}

static void show_time(const void *row, uint64_t ns, char ret[FC_CELL_ROOM])
{
	if (((const struct fc_report_row *)row)->total_ns)
		fc_show_ns(row, ns, ret);
	else
		show_timed(row, ns, ret);
}

/* Of a trace that does not tell of waits. */
static void show_wait(const void *row, uint64_t ns, char ret[FC_CELL_ROOM])
{
	if (((const struct fc_report_row *)row)->has_waits)
		show_time(row, ns, ret);
	else
		strcpy(ret, "-  ");
}

/* What one call took; sums are of no use without what they are a part of. */
static enum fc_tone tone_of_call(const struct fc_table *table, const void *row, uint64_t ns)
{
	return ((const struct fc_report_row *)row)->nr_timed ? fc_tone_of_ns(ns)
							     : FC_TONE_PLAIN;
}

static enum fc_tone tone_of_self(const struct fc_table *table, const void *row, uint64_t ns)
{
	double whole = ((const struct view *)table->of)->all_self_ns;

	return whole > 0 ? fc_tone_of_share(100 * (double)ns / whole) : FC_TONE_PLAIN;
}

static void add_stat(struct view *view, const struct fc_stat *stat, bool is_first, int rank)
{
	bool is_number = stat->kind == FC_STAT_NUMBER;

	view->columns[view->nr++] = (struct fc_table_column){
		.key = stat->key,
		.head = stat->head,
		.field = FC_FIELD_U64,
		.at = stat->offset,
		.width = 11 + (is_first ? (is_number ? -1 : 1) : 0),
		.rank = rank,
		.show = stat->need == FC_NEEDS_WAITS ? show_wait
			: stat->kind == FC_STAT_TIME ? show_time
			: is_number		     ? NULL
						     : show_timed,
		.tone = stat->offset == offsetof(struct fc_report_row, self_ns) ? tone_of_self
			: !is_number && stat->kind != FC_STAT_TIME		? tone_of_call
										: NULL,
	};
}

static void add_default_stats(struct view *view, const struct fc_settings *settings,
			      const struct fc_report_row *rows, size_t nr)
{
	/* Least missed where a terminal is narrow: min, max, then avg. */
	static const struct {
		const char *name;
		int rank;
	} times[] = { { "total" },     { "self" },   { "cpu", 4 }, { "wait" },
		      { "self-wait" }, { "min", 1 }, { "avg", 3 }, { "max", 2 } };
	bool has_counted = false, has_waits = fc_report_settings_ask_waits(settings);
	bool has_self_wait = settings->sort && strstr(settings->sort, "self-wait");

	for (size_t i = 0; i < nr; i++) {
		has_counted |= rows[i].counted > 0;
		has_waits |= rows[i].wait_ns > 0;
	}
	add_stat(view, fc_stat_find("calls", 5), true, 0);
	if (settings->no_time)
		return;
	if (has_counted)
		add_stat(view, fc_stat_find("counted", 7), false, 0);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const struct fc_stat *stat = fc_stat_find(times[i].name, strlen(times[i].name));
		if (stat->need == FC_NEEDS_WAITS && !has_waits)
			continue;
		if (strcmp(stat->name, "self-wait") || has_self_wait)
			add_stat(view, stat, false, times[i].rank);
	}
}

/* All that are known: for programs, which do not mind how wide they are. */
static void add_all_stats(struct view *view, const struct fc_settings *settings, bool has_waits)
{
	bool has_hist = fc_report_settings_need_hist(settings) && !settings->summary;

	for (size_t i = 0; i < FC_NR_STATS; i++) {
		const struct fc_stat *stat = &fc_stats[i];
		bool is_time = stat->kind != FC_STAT_NUMBER;
		if ((stat->need == FC_NEEDS_HIST && !has_hist) ||
		    (stat->need == FC_NEEDS_WAITS && !has_waits))
			continue;
		if (!is_time || !settings->no_time)
			add_stat(view, stat, !i, 0);
	}
}

void fc_report_print(FILE *out, const struct fc_settings *settings,
		     const struct fc_report *report, const struct fc_clock *clock,
		     const struct fc_namer *namer)
{
	fc_auto_free struct fc_report_row *rows = NULL;
	size_t nr = 0;

	/* The keys were checked when the option was read. */
	const char *keys = settings->no_time ? "calls" : "total";
	if (fc_report_rows(report, settings->sort ? settings->sort : keys, clock, namer, &rows,
			   &nr))
		return;
	double all_self = 0;
	for (size_t i = 0; i < nr; i++)
		all_self += (double)rows[i].self_ns;
	nr = fc_settings_rows(settings, nr);
	const struct fc_report_settings *asked = &settings->report;
	enum fc_form form = settings->json ? FC_FORM_JSON
			    : asked->csv   ? FC_FORM_CSV
					   : FC_FORM_TEXT;
	struct view view = { .by = asked->by, .all_self_ns = all_self };
	bool has_waits = nr && rows[0].has_waits;
	if (nr && !has_waits && fc_report_settings_ask_waits(settings))
		fc_say("no waits were recorded; --waits records when threads are off the CPU");
	add_names(&view, asked->by);
	for (size_t i = 0; i < asked->columns.nr; i++)
		add_stat(&view, asked->columns.at[i], !i, 0);
	if (!asked->columns.nr && form != FC_FORM_TEXT)
		add_all_stats(&view, settings, has_waits);
	else if (!asked->columns.nr)
		add_default_stats(&view, settings, rows, nr);
	struct fc_table table = { out,	   form,	view.columns,
				  view.nr, .of = &view, .fits_terminal = true };
	fc_table_print(&table, rows, nr, sizeof(*rows));
}
