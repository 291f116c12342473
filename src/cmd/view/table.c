/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/view/table.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmd/options/srclines.h"
#include "cmd/out/json.h"
#include "read/sums/stat.h"
#include "trace/clock.h"

void fc_print_foreign(FILE *out, const char *text)
{
	fc_auto_free char *shown = fc_strdup(text);
	size_t len = strlen(shown);

	fc_make_printable(shown, len);
	fwrite(shown, 1, len, out);
}

void fc_print_padded(FILE *out, const char *text, int width)
{
	int len = (int)strlen(text);

	fc_print_foreign(out, text);
	fprintf(out, "%*s", len < width ? width - len : 0, "");
}

void fc_print_widen(int *width, const char *text, size_t most)
{
	size_t len = strlen(text);

	if (len > (size_t)*width && len <= most)
		*width = (int)len;
}

void fc_print_duration(FILE *out, bool is_known, uint64_t ns)
{
	char text[FC_CLOCK_TEXT] = "-  ";

	if (is_known)
		fc_clock_ns_cell(ns, text);
	fprintf(out, " %11s", text);
}

/* Calls whose end was not seen have no duration. */
static bool is_known(const struct fc_stat *stat, const struct fc_report_row *row)
{
	return stat->kind == FC_STAT_NUMBER || row->nr_timed ||
	       (stat->kind == FC_STAT_TIME && row->total_ns);
}

static const char *source_text(const struct fc_report_row *row)
{
	return row->name.source ? row->name.source->text : "?";
}

/* ---- columns ---- */

struct columns {
	const struct fc_stat *stats[FC_MAX_COLUMNS];
	size_t nr;
	enum fc_by by;
	int module_width;
	int source_width; /* 0: not there */
};

static void add_column(struct columns *columns, const char *name)
{
	columns->stats[columns->nr++] = fc_stat_find(name, strlen(name));
}

static void drop_column(struct columns *columns, const char *name)
{
	size_t nr = 0;

	for (size_t i = 0; i < columns->nr; i++) {
		if (strcmp(columns->stats[i]->name, name))
			columns->stats[nr++] = columns->stats[i];
	}
	columns->nr = nr;
}

static int column_width(const struct columns *columns, size_t i)
{
	return columns->stats[i]->kind == FC_STAT_NUMBER && !i ? 10 : 12;
}

/* Of the terminal that stdout is; 0: it is none. */
static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

static int left_of(const struct columns *columns, int width)
{
	for (size_t i = 0; i < columns->nr; i++)
		width -= column_width(columns, i);
	if (columns->source_width)
		width -= columns->source_width + 2;
	return width - 2 - columns->module_width - 2;
}

/* What is least missed goes until there is room for a name. */
static void fit_terminal(struct columns *columns)
{
	static const char *const droppable[] = { "min", "max", "avg" };
	const int name_width = 20;
	int width = terminal_width();

	for (size_t i = 0; i < sizeof(droppable) / sizeof(droppable[0]); i++) {
		if (!width || left_of(columns, width) >= name_width)
			return;
		drop_column(columns, droppable[i]);
	}
}

static void default_columns(struct columns *columns, const struct fc_settings *settings,
			    const struct fc_report_row *rows, size_t nr)
{
	static const char *const times[] = { "total", "self", "min", "avg", "max" };
	bool has_counted = false;

	for (size_t i = 0; i < nr; i++)
		has_counted |= rows[i].counted > 0;
	add_column(columns, "calls");
	if (settings->no_time)
		return;
	if (has_counted)
		add_column(columns, "counted");
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		add_column(columns, times[i]);
	fit_terminal(columns);
}

/* All that are known: for programs, which do not mind how wide they are. */
static void all_columns(struct columns *columns, const struct fc_settings *settings)
{
	bool has_hist = fc_report_settings_need_hist(settings) && !settings->summary;

	for (size_t i = 0; i < FC_NR_STATS; i++) {
		const struct fc_stat *stat = &fc_stats[i];
		bool is_time = stat->kind != FC_STAT_NUMBER;
		if ((!is_time || !settings->no_time) && (!stat->needs_hist || has_hist))
			columns->stats[columns->nr++] = stat;
	}
}

static bool is_of_functions(const struct columns *columns)
{
	return columns->by == FC_BY_FUNCTION || fc_by_is_value(columns->by);
}

static void find_widths(struct columns *columns, const struct fc_report_row *rows, size_t nr)
{
	bool has_source = is_of_functions(columns) && fc_srclines_are_asked();

	columns->module_width = sizeof("MODULE") - 1;
	columns->source_width = has_source ? sizeof("SOURCE") - 1 : 0;
	for (size_t i = 0; i < nr; i++) {
		fc_print_widen(&columns->module_width, rows[i].name.module, 32);
		if (has_source)
			fc_print_widen(&columns->source_width, source_text(&rows[i]), 40);
	}
}

static struct columns find_columns(const struct fc_settings *settings,
				   const struct fc_report_row *rows, size_t nr)
{
	const struct fc_report_settings *report = &settings->report;
	struct columns columns = { .by = report->by };

	find_widths(&columns, rows, nr);
	for (size_t i = 0; i < report->columns.nr; i++)
		columns.stats[columns.nr++] = report->columns.at[i];
	if (columns.nr)
		return columns;
	if (settings->json || report->csv)
		all_columns(&columns, settings);
	else
		default_columns(&columns, settings, rows, nr);
	return columns;
}

/* ---- as text ---- */

static void print_head(FILE *out, const struct columns *columns)
{
	for (size_t i = 0; i < columns->nr; i++)
		fprintf(out, "%*s", column_width(columns, i), columns->stats[i]->head);
	switch (columns->by) {
	case FC_BY_FUNCTION:
	default: /* and by values */
		fprintf(out, "  %-*s", columns->module_width, "MODULE");
		if (columns->source_width)
			fprintf(out, "  %-*s", columns->source_width, "SOURCE");
		fputs("  FUNCTION\n", out);
		break;
	case FC_BY_MODULE:
		fputs("  MODULE\n", out);
		break;
	case FC_BY_THREAD:
		fprintf(out, " %8s %8s  %s\n", "PID", "TID", "PROGRAM (NAME)");
		break;
	case FC_BY_PROCESS:
		fprintf(out, " %8s  %s\n", "PID", "PROGRAM");
		break;
	case FC_BY_FILE:
		fputs("  FILE\n", out);
		break;
	}
}

/* A call: with its arguments, one of them, or its result. */
static void print_value(FILE *out, enum fc_by by, const struct fc_report_row *row)
{
	if (!row->value || by == FC_BY_RESULT)
		fputs(fc_name_parens(row->name), out);
	else if (by == FC_BY_VALUE)
		fputc('(', out);
	else
		fprintf(out, "(arg%d = ", by - FC_BY_ARG1 + 1);
	if (!row->value)
		return;
	fputs(by == FC_BY_RESULT ? " = " : "", out);
	fc_print_foreign(out, row->value);
	fputs(by == FC_BY_RESULT ? "" : ")", out);
}

static void print_name(FILE *out, const struct columns *columns,
		       const struct fc_report_row *row)
{
	if (columns->by == FC_BY_THREAD || columns->by == FC_BY_PROCESS)
		fprintf(out, " %8d", row->pid);
	if (columns->by == FC_BY_THREAD)
		fprintf(out, " %8d", row->tid);
	fputs("  ", out);
	if (is_of_functions(columns)) {
		fc_print_padded(out, row->name.module, columns->module_width);
		fputs("  ", out);
	}
	if (columns->source_width) {
		fc_print_padded(out, source_text(row), columns->source_width);
		fputs("  ", out);
	}
	fc_print_foreign(out, columns->by == FC_BY_MODULE ? row->name.module : row->name.name);
	if (fc_by_is_value(columns->by))
		print_value(out, columns->by, row);
	if (columns->by == FC_BY_THREAD && row->value) {
		fputs(" (", out);
		fc_print_foreign(out, row->value);
		fputc(')', out);
	}
	fputc('\n', out);
}

static void print_stat(FILE *out, const struct fc_stat *stat, int width,
		       const struct fc_report_row *row)
{
	uint64_t value = fc_stat_get(stat, row);

	if (stat->kind == FC_STAT_NUMBER)
		fprintf(out, "%*llu", width, (unsigned long long)value);
	else
		fc_print_duration(out, is_known(stat, row), value);
}

static void print_text(FILE *out, const struct columns *columns,
		       const struct fc_report_row *rows, size_t nr)
{
	print_head(out, columns);
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < columns->nr; k++)
			print_stat(out, columns->stats[k], column_width(columns, k), &rows[i]);
		print_name(out, columns, &rows[i]);
	}
}

/* ---- as JSON and CSV ---- */

static void json_source(struct fc_json *json, const struct fc_source *source)
{
	if (!source)
		return;
	fc_json_string(json, "file", source->file);
	fc_json_number(json, "line", (uint64_t)source->line);
}

static void json_name(struct fc_json *json, const struct columns *columns,
		      const struct fc_report_row *row)
{
	enum fc_by by = columns->by;

	if (is_of_functions(columns))
		fc_json_string(json, "function", row->name.name);
	if (is_of_functions(columns) || by == FC_BY_MODULE)
		fc_json_string(json, "module", row->name.module);
	if (fc_by_is_value(by) && row->value)
		fc_json_string(json, "value", row->value);
	else if (fc_by_is_value(by))
		fc_json_null(json, "value");
	json_source(json, row->name.source);
	if (by == FC_BY_FILE)
		fc_json_string(json, "file", row->name.name);
	if (by == FC_BY_THREAD || by == FC_BY_PROCESS)
		fc_json_number(json, "pid", (uint64_t)row->pid);
	if (by == FC_BY_THREAD)
		fc_json_number(json, "tid", (uint64_t)row->tid);
	if (by == FC_BY_THREAD || by == FC_BY_PROCESS)
		fc_json_string(json, "program", row->name.name);
	if (by == FC_BY_THREAD && row->value)
		fc_json_string(json, "name", row->value);
	else if (by == FC_BY_THREAD)
		fc_json_null(json, "name");
}

static void print_json(FILE *out, const struct columns *columns,
		       const struct fc_report_row *rows, size_t nr)
{
	struct fc_json json = { .out = out };

	fc_json_open(&json, NULL, '[');
	for (size_t i = 0; i < nr; i++) {
		fc_json_open(&json, NULL, '{');
		json_name(&json, columns, &rows[i]);
		for (size_t k = 0; k < columns->nr; k++)
			fc_json_number(&json, columns->stats[k]->key,
				       fc_stat_get(columns->stats[k], &rows[i]));
		fc_json_close(&json, '{');
	}
	fc_json_close(&json, '[');
}

static void csv_head(struct fc_csv *csv, const struct columns *columns)
{
	static const char *const heads[][5] = {
		/* up to a NULL */
		[FC_BY_FUNCTION] = { "function", "module" },
		[FC_BY_MODULE] = { "module" },
		[FC_BY_THREAD] = { "pid", "tid", "program", "name" },
		[FC_BY_PROCESS] = { "pid", "program" },
		[FC_BY_FILE] = { "file" },
		[FC_BY_VALUE] = { "function", "module", "value" },
	};
	enum fc_by by = fc_by_is_value(columns->by) ? FC_BY_VALUE : columns->by;

	for (const char *const *head = heads[by]; *head; head++)
		fc_csv_string(csv, *head);
	if (columns->source_width) {
		fc_csv_string(csv, "file");
		fc_csv_string(csv, "line");
	}
	for (size_t i = 0; i < columns->nr; i++)
		fc_csv_string(csv, columns->stats[i]->key);
	fc_csv_end_row(csv);
}

static void csv_source(struct fc_csv *csv, const struct fc_source *source)
{
	fc_csv_string(csv, source ? source->file : "");
	if (source)
		fc_csv_number(csv, (uint64_t)source->line);
	else
		fc_csv_string(csv, "");
}

static void csv_name(struct fc_csv *csv, const struct columns *columns,
		     const struct fc_report_row *row)
{
	enum fc_by by = columns->by;

	if (by == FC_BY_THREAD || by == FC_BY_PROCESS)
		fc_csv_number(csv, (uint64_t)row->pid);
	if (by == FC_BY_THREAD)
		fc_csv_number(csv, (uint64_t)row->tid);
	if (by != FC_BY_MODULE)
		fc_csv_string(csv, row->name.name);
	if (is_of_functions(columns) || by == FC_BY_MODULE)
		fc_csv_string(csv, row->name.module);
	if (fc_by_is_value(by) || by == FC_BY_THREAD)
		fc_csv_string(csv, row->value ? row->value : "");
	if (columns->source_width)
		csv_source(csv, row->name.source);
}

static void print_csv(FILE *out, const struct columns *columns,
		      const struct fc_report_row *rows, size_t nr)
{
	struct fc_csv csv;

	fc_csv_open(&csv, out);
	csv_head(&csv, columns);
	for (size_t i = 0; i < nr; i++) {
		csv_name(&csv, columns, &rows[i]);
		for (size_t k = 0; k < columns->nr; k++)
			fc_csv_number(&csv, fc_stat_get(columns->stats[k], &rows[i]));
		fc_csv_end_row(&csv);
	}
	fc_csv_close(&csv);
}

void fc_table_print(FILE *out, const struct fc_settings *settings,
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
	nr = fc_settings_rows(settings, nr);
	struct columns columns = find_columns(settings, rows, nr);
	if (settings->json)
		print_json(out, &columns, rows, nr);
	else if (settings->report.csv)
		print_csv(out, &columns, rows, nr);
	else
		print_text(out, &columns, rows, nr);
}
