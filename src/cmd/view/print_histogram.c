/* SPDX-License-Identifier: Apache-2.0 */
/* print_histogram.c - sums durations in bars of 1, 2 and 5 times a power of ten. */
#include "cmd/view/print_histogram.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "cmd/out/table.h"

/*
 * Bars are for 1, 2 and 5 of each power of ten of ns: numbers that people think in. A bucket of
 * fc_hist is much narrower, and goes where its middle is.
 */
struct bar {
	struct fc_name name;	 /* the function's */
	uint64_t from_ns, to_ns; /* to is the next one's from */
	uint64_t nr;
};

enum { MAX_BARS = 64, BAR_WIDTH = 40 };

struct bars {
	const struct fc_clock *clock;
	struct bar at[MAX_BARS];
	size_t first, end; /* those from the first that is not empty to the last */
	uint64_t most;
};

static uint64_t next_limit(uint64_t limit)
{
	uint64_t power = 1;

	while (power <= limit / 10)
		power *= 10;
	return !limit ? 1 : limit / power == 2 ? 5 * power : 2 * limit;
}

static void bars_init(struct bars *bars, struct fc_name name, const struct fc_clock *clock)
{
	uint64_t limit = 0;

	*bars = (struct bars){ .clock = clock, .first = MAX_BARS };
	for (size_t i = 0; i < MAX_BARS; i++) {
		bars->at[i].name = name;
		bars->at[i].from_ns = limit;
		limit = limit > UINT64_MAX / 10 ? UINT64_MAX : next_limit(limit);
		bars->at[i].to_ns = limit;
	}
}

static void add_bucket(void *ctx, uint64_t from, uint64_t to, uint64_t nr)
{
	struct bars *bars = ctx;
	uint64_t ns = fc_clock_duration_ns(bars->clock, from + (to - from) / 2);
	size_t i = 0;

	while (i + 1 < MAX_BARS && ns >= bars->at[i].to_ns)
		i++;
	bars->at[i].nr += nr;
	if (i < bars->first)
		bars->first = i;
	if (i >= bars->end)
		bars->end = i + 1;
	if (bars->at[i].nr > bars->most)
		bars->most = bars->at[i].nr;
}

static struct bars bars_of(const struct fc_report_row *row, const struct fc_clock *clock)
{
	struct bars bars;

	bars_init(&bars, row->name, clock);
	if (row->hist)
		fc_hist_each(row->hist, add_bucket, &bars);
	if (!bars.end)
		bars.first = 0;
	return bars;
}

/* ---- as text ---- */

/* Limits are whole numbers of one digit and zeros: "200 us". */
static void print_limit(FILE *out, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s " };
	size_t unit = 0;

	for (; ns >= 1000 && unit < 3; unit++)
		ns /= 1000;
	fprintf(out, "%6" PRIu64 " %s", ns, units[unit]);
}

static void print_bar(FILE *out, const struct bar *bar, uint64_t most, uint64_t all)
{
	int length = (int)ceil((double)bar->nr / (double)most * BAR_WIDTH);

	print_limit(out, bar->from_ns);
	fputs(" -", out);
	print_limit(out, bar->to_ns);
	fprintf(out, "  %10" PRIu64 " %5.1f %%  |", bar->nr,
		100 * (double)bar->nr / (double)all);
	for (int i = 0; i < length; i++)
		fputc('#', out);
	fputc('\n', out);
}

static void print_stat(FILE *out, const char *name, uint64_t ns)
{
	char text[FC_CLOCK_TEXT];

	fc_clock_ns_text(ns, text);
	fprintf(out, "  %s %s", name, text);
}

static void print_text(FILE *out, const struct fc_report_row *row, const struct fc_clock *clock,
		       bool is_next)
{
	struct bars bars = bars_of(row, clock);

	if (is_next)
		fputc('\n', out);
	fc_print_foreign(out, row->name.name);
	fputs(" (", out);
	fc_print_foreign(out, row->name.module);
	fprintf(out, "): %" PRIu64 " calls, %" PRIu64 " with a known end\n", row->calls,
		row->nr_timed);
	if (!row->nr_timed)
		return;
	print_stat(out, "min", row->min_ns);
	print_stat(out, "p50", row->p50_ns);
	print_stat(out, "p90", row->p90_ns);
	print_stat(out, "p99", row->p99_ns);
	print_stat(out, "p99.9", row->p99_9_ns);
	print_stat(out, "max", row->max_ns);
	fputc('\n', out);
	for (size_t i = bars.first; i < bars.end; i++)
		print_bar(out, &bars.at[i], bars.most, row->nr_timed);
}

/* ---- as JSON and CSV ---- */

#define BAR(member) FC_FIELD(struct bar, member)

static const struct fc_table_column bar_columns[] = {
	{ "function", NULL, BAR(name.name) }, { "module", NULL, BAR(name.module) },
	{ "from_ns", NULL, BAR(from_ns) },    { "to_ns", NULL, BAR(to_ns) },
	{ "calls", NULL, BAR(nr) },
};

/* In JSON bars are in an object that has the names. */
static void json_bars(const struct fc_table *table, const char *key, const void *row)
{
	struct bars bars = bars_of(row, table->of);
	struct fc_table within = { NULL, FC_FORM_JSON, bar_columns + 2, 3, table->json, key };

	fc_table_print(&within, bars.at + bars.first, bars.end - bars.first, sizeof(*bars.at));
}

static const struct fc_table_column json_columns[] = {
	{ "function", NULL, FC_FIELD(struct fc_report_row, name.name) },
	{ "module", NULL, FC_FIELD(struct fc_report_row, name.module) },
	{ "calls", NULL, FC_FIELD(struct fc_report_row, calls) },
	{ "timed", NULL, FC_FIELD(struct fc_report_row, nr_timed) },
	{ "bars", .json = json_bars },
};

static void print_rows(FILE *out, enum fc_form form, const struct fc_report_row *rows,
		       size_t nr, const struct fc_clock *clock)
{
	struct fc_table table = { out, form, json_columns, 5, .of = clock };

	if (form == FC_FORM_JSON) {
		fc_table_print(&table, rows, nr, sizeof(*rows));
		return;
	}
	table.columns = bar_columns;
	fc_table_begin(&table);
	for (size_t i = 0; i < nr; i++) {
		struct bars bars = bars_of(&rows[i], clock);
		for (size_t k = bars.first; k < bars.end; k++)
			fc_table_row(&table, &bars.at[k]);
	}
	fc_table_end(&table);
}

/* ---- all ---- */

static size_t keep_matching(struct fc_report_row *rows, size_t nr, const char *glob)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (fc_name_match(rows[i].name, glob))
			rows[kept++] = rows[i];
	}
	return kept;
}

bool fc_histogram_print(FILE *out, const struct fc_settings *settings,
			const struct fc_report *report, const struct fc_clock *clock,
			const struct fc_namer *namer)
{
	fc_auto_free struct fc_report_row *rows = NULL;
	size_t nr = 0;

	if (fc_report_rows(report, settings->sort ? settings->sort : "total", clock, namer,
			   &rows, &nr))
		return true;
	nr = keep_matching(rows, nr, settings->report.hist);
	if (!nr)
		return false;
	nr = fc_settings_rows(settings, nr);
	if (settings->json || settings->report.csv)
		print_rows(out, settings->json ? FC_FORM_JSON : FC_FORM_CSV, rows, nr, clock);
	else
		for (size_t i = 0; i < nr; i++)
			print_text(out, &rows[i], clock, i > 0);
	return true;
}
