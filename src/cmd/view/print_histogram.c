/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/view/print_histogram.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/csv.h"
#include "base/vec.h"
#include "cmd/out/json.h"
#include "cmd/view/table.h"

/*
 * Bars are for 1, 2 and 5 of each power of ten of ns: numbers that people think in. A bucket of
 * fc_hist is much narrower, and goes where its middle is.
 */
struct bar {
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

static void bars_init(struct bars *bars, const struct fc_clock *clock)
{
	uint64_t limit = 0;

	*bars = (struct bars){ .clock = clock, .first = MAX_BARS };
	for (size_t i = 0; i < MAX_BARS; i++) {
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

	bars_init(&bars, clock);
	if (row->hist)
		fc_hist_each(row->hist, add_bucket, &bars);
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

static void print_json(struct fc_json *json, const struct fc_report_row *row,
		       const struct fc_clock *clock)
{
	struct bars bars = bars_of(row, clock);

	fc_json_open(json, NULL, '{');
	fc_json_string(json, "function", row->name.name);
	fc_json_string(json, "module", row->name.module);
	fc_json_number(json, "calls", row->calls);
	fc_json_number(json, "timed", row->nr_timed);
	fc_json_open(json, "bars", '[');
	for (size_t i = bars.first; i < bars.end; i++) {
		fc_json_open(json, NULL, '{');
		fc_json_number(json, "from_ns", bars.at[i].from_ns);
		fc_json_number(json, "to_ns", bars.at[i].to_ns);
		fc_json_number(json, "calls", bars.at[i].nr);
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
	fc_json_close(json, '{');
}

static void csv_head(struct fc_csv *csv)
{
	static const char *const heads[] = { "function", "module", "from_ns", "to_ns",
					     "calls" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		fc_csv_string(csv, heads[i]);
	fc_csv_end_row(csv);
}

static void csv_rows(struct fc_csv *csv, const struct fc_report_row *row,
		     const struct fc_clock *clock)
{
	struct bars bars = bars_of(row, clock);

	for (size_t i = bars.first; i < bars.end; i++) {
		fc_csv_string(csv, row->name.name);
		fc_csv_string(csv, row->name.module);
		fc_csv_number(csv, bars.at[i].from_ns);
		fc_csv_number(csv, bars.at[i].to_ns);
		fc_csv_number(csv, bars.at[i].nr);
		fc_csv_end_row(csv);
	}
}

static void print_csv(FILE *out, const struct fc_report_row *rows, size_t nr,
		      const struct fc_clock *clock)
{
	struct fc_csv csv;

	fc_csv_open(&csv, out);
	csv_head(&csv);
	for (size_t i = 0; i < nr; i++)
		csv_rows(&csv, &rows[i], clock);
	fc_csv_close(&csv);
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
	struct fc_json json = { .out = out };
	size_t nr = 0;

	if (fc_report_rows(report, settings->sort ? settings->sort : "total", clock, namer,
			   &rows, &nr))
		return true;
	nr = keep_matching(rows, nr, settings->report.hist);
	if (!nr)
		return false;
	nr = fc_settings_rows(settings, nr);
	if (settings->report.csv && !settings->json) {
		print_csv(out, rows, nr, clock);
		return true;
	}
	if (settings->json)
		fc_json_open(&json, NULL, '[');
	for (size_t i = 0; i < nr; i++) {
		if (settings->json)
			print_json(&json, &rows[i], clock);
		else
			print_text(out, &rows[i], clock, i > 0);
	}
	if (settings->json)
		fc_json_close(&json, '[');
	return true;
}
