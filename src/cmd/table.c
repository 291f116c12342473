/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/table.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmd/json.h"
#include "cmd/srclines.h"

void fc_print_foreign(FILE *out, const char *text)
{
	fc_auto_free char *shown = fc_strdup(text);
	size_t len = strlen(shown);

	fc_make_printable(shown, len);
	fwrite(shown, 1, len, out);
}

static void print_time(FILE *out, uint64_t ns)
{
	static const char *const units[] = { "us", "ms", "s " };
	size_t unit = 0;

	while (ns >= 1000000 && unit < 2) {
		ns /= 1000;
		unit++;
	}
	fprintf(out, " %4llu.%03llu %s", (unsigned long long)(ns / 1000),
		(unsigned long long)(ns % 1000), units[unit]);
}

/* is_known: calls whose end was not seen have no duration. */
static void print_time_if(FILE *out, bool is_known, uint64_t ns)
{
	if (is_known)
		print_time(out, ns);
	else
		fprintf(out, " %11s", "-  ");
}

static void print_times(FILE *out, const struct fc_report_row *row)
{
	bool is_timed = row->nr_timed > 0;

	print_time_if(out, is_timed || row->total_ns, row->total_ns);
	print_time_if(out, is_timed || row->total_ns, row->self_ns);
	print_time_if(out, is_timed, row->min_ns);
	print_time_if(out, is_timed, row->avg_ns);
	print_time_if(out, is_timed, row->max_ns);
}

static const char *source_text(const struct fc_report_row *row)
{
	return row->name.source ? row->name.source->text : "?";
}

/* 0: nobody asked for it. */
static size_t widest_source(const struct fc_report_row *rows, size_t nr)
{
	size_t width = sizeof("SOURCE") - 1;

	if (!fc_srclines_are_asked())
		return 0;

	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(source_text(&rows[i]));
		if (len > width && len <= 40)
			width = len;
	}
	return width;
}

static size_t widest_module(const struct fc_report_row *rows, size_t nr)
{
	size_t width = sizeof("MODULE") - 1;

	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(rows[i].name.module);
		if (len > width && len <= 32)
			width = len;
	}
	return width;
}

void fc_print_padded(FILE *out, const char *text, int width)
{
	int len = (int)strlen(text);

	fc_print_foreign(out, text);
	fprintf(out, "%*s", len < width ? width - len : 0, "");
}

static void json_times(struct fc_json *json, const struct fc_report_row *row)
{
	fc_json_number(json, "total_ns", row->total_ns);
	fc_json_number(json, "self_ns", row->self_ns);
	fc_json_number(json, "min_ns", row->min_ns);
	fc_json_number(json, "avg_ns", row->avg_ns);
	fc_json_number(json, "max_ns", row->max_ns);
}

/* Which of the optional columns there are. */
struct columns {
	bool has_counted, has_times;
	int source; /* width, 0: not there */
};

static void print_head(FILE *out, struct columns columns, int width)
{
	fprintf(out, "%10s", "CALLS");
	if (columns.has_counted && columns.has_times)
		fprintf(out, " %11s", "COUNTED");
	if (columns.has_times)
		fprintf(out, " %11s %11s %11s %11s %11s", "TOTAL  ", "SELF  ", "MIN  ", "AVG  ",
			"MAX  ");
	fprintf(out, "  %-*s", width, "MODULE");
	if (columns.source)
		fprintf(out, "  %-*s", columns.source, "SOURCE");
	fputs("  FUNCTION\n", out);
}

static struct columns find_columns(const struct fc_settings *settings,
				   const struct fc_report_row *rows, size_t nr)
{
	struct columns columns = {
		.has_times = !settings->no_time,
		.source = (int)widest_source(rows, nr),
	};

	for (size_t i = 0; i < nr; i++)
		columns.has_counted |= rows[i].counted > 0;
	return columns;
}

static void print_text(FILE *out, const struct fc_settings *settings,
		       const struct fc_report_row *rows, size_t nr)
{
	int width = (int)widest_module(rows, nr);
	struct columns columns = find_columns(settings, rows, nr);

	print_head(out, columns, width);
	for (size_t i = 0; i < nr; i++) {
		fprintf(out, "%10llu", (unsigned long long)rows[i].calls);
		if (columns.has_counted && columns.has_times)
			fprintf(out, " %11llu", (unsigned long long)rows[i].counted);
		if (columns.has_times)
			print_times(out, &rows[i]);
		fputs("  ", out);
		fc_print_padded(out, rows[i].name.module, width);
		fputs("  ", out);
		if (columns.source) {
			fc_print_padded(out, source_text(&rows[i]), columns.source);
			fputs("  ", out);
		}
		fc_print_foreign(out, rows[i].name.name);
		fputc('\n', out);
	}
}

static void json_source(struct fc_json *json, const struct fc_source *source)
{
	if (!source)
		return;
	fc_json_string(json, "file", source->file);
	fc_json_number(json, "line", (uint64_t)source->line);
}

static void print_json(FILE *out, const struct fc_settings *settings,
		       const struct fc_report_row *rows, size_t nr)
{
	struct fc_json json = { .out = out };

	fc_json_open(&json, NULL, '[');
	for (size_t i = 0; i < nr; i++) {
		fc_json_open(&json, NULL, '{');
		fc_json_string(&json, "function", rows[i].name.name);
		fc_json_string(&json, "module", rows[i].name.module);
		json_source(&json, rows[i].name.source);
		fc_json_number(&json, "calls", rows[i].calls);
		fc_json_number(&json, "counted", rows[i].counted);
		if (!settings->no_time)
			json_times(&json, &rows[i]);
		fc_json_close(&json, '{');
	}
	fc_json_close(&json, '[');
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
	if (settings->nr_rows && settings->nr_rows < nr)
		nr = settings->nr_rows;
	if (settings->json)
		print_json(out, settings, rows, nr);
	else
		print_text(out, settings, rows, nr);
}
