/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_root_calls.c - fctrace requests: the calls of a function that repeats, and what the slowest did. */
#include "read/requests/root_calls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/view/reading.h"
#include "cmd/view/unmatched.h"
#include "read/requests/beside.h"

enum { DEFAULT_ROWS = 10, TIMES_OUTLIER = 10 };

#define DEFAULT_MIN 0.01

struct view {
	FILE *out;
	const struct fc_settings *settings;
	struct fc_reader *reader;
	const struct fc_clock *clock;
	struct fc_requests_opts opts;
	struct fc_requests requests;
};

static uint64_t ns_of(const struct view *view, const struct fc_root_call *request)
{
	return fc_clock_duration_ns(view->clock, fc_request_ticks(request));
}

/* ---- numbers ---- */

static const struct share {
	const char *key, *word;
	double share;
} shares[] = {
	{ "p50_ns", "median", 0.5 },	{ "p90_ns", "p90", 0.9 },   { "p99_ns", "p99", 0.99 },
	{ "p99_9_ns", "p99.9", 0.999 }, { "max_ns", "longest", 1 },
};

#define NR_SHARES (sizeof(shares) / sizeof(shares[0]))

static uint64_t median_ticks(const struct view *view)
{
	return fc_request_ticks(fc_requests_at(&view->requests, 0.5));
}

static size_t nr_outliers(const struct view *view)
{
	return fc_requests_slower(&view->requests, median_ticks(view) * TIMES_OUTLIER);
}

static uint64_t sum_ns(const struct view *view)
{
	uint64_t ticks = 0;

	fc_vec_each (&view->requests.list, request)
		ticks += fc_request_ticks(request);
	return fc_clock_duration_ns(view->clock, ticks);
}

static double times_of(const struct view *view, const struct fc_root_call *request)
{
	uint64_t median = median_ticks(view);

	return (double)fc_request_ticks(request) / (double)(median ? median : 1);
}

static size_t nr_rows(const struct view *view)
{
	bool is_table = view->settings->json || view->settings->requests.csv;
	uint32_t most = fc_count_or(view->settings->requests.rows, is_table ? 0 : DEFAULT_ROWS);
	size_t nr = view->requests.list.nr;

	return most && most < nr ? most : nr;
}

/* ---- rows ---- */

struct row {
	uint64_t nr, begin_ns, duration_ns, strand;
	const char *name;
	char times[24];
	int tid, pid;
};

static struct row make_row(const struct view *view, const struct fc_root_call *request)
{
	struct row row = {
		.nr = request->nr,
		.begin_ns = fc_clock_ns(view->clock, request->begin_tsc),
		.duration_ns = ns_of(view, request),
		.strand = request->strand,
		.name = view->opts.namer.name_of(view->opts.namer.ctx, request->func).name,
		.tid = request->tid,
		.pid = request->pid,
	};
	snprintf(row.times, sizeof(row.times), "%.1f", times_of(view, request));
	return row;
}

static void print_times(const void *row, uint64_t number, char ret[FC_CELL_ROOM])
{
	snprintf(ret, FC_CELL_ROOM, "%s", ((const struct row *)row)->times);
}

static void json_times(const struct fc_table *table, const char *key, const void *row)
{
	fc_json_literal(table->json, key, ((const struct row *)row)->times);
}

static const struct fc_table_column columns[] = {
	{ "nr", "#", FC_FIELD(struct row, nr), .width = 8 },
	{ "begin_ns", "BEGIN", FC_FIELD(struct row, begin_ns), .width = 12,
	  .show = fc_show_ns },
	{ "duration_ns", "DURATION", FC_FIELD(struct row, duration_ns), .width = 12,
	  .show = fc_show_ns },
	{ "times_median", "MEDIANS", FC_FIELD(struct row, nr), .width = 9, .show = print_times,
	  .json = json_times },
	{ "tid", "TID", FC_FIELD(struct row, tid), .width = 8 },
	{ "pid", NULL, FC_FIELD(struct row, pid) },
	{ "strand", NULL, FC_FIELD(struct row, strand) },
	{ "function", "FUNCTION", FC_FIELD(struct row, name), .most = 40 },
};

static void print_rows(struct view *view, enum fc_form form, struct fc_json *json)
{
	size_t nr = nr_rows(view);
	struct row *rows = fc_alloc((nr + 1) * sizeof(*rows));
	struct fc_table table = { view->out, form, FC_COLUMNS(columns), .json = json,
				  .key = json ? "requests" : NULL };

	for (size_t i = 0; i < nr; i++)
		rows[i] = make_row(view, &view->requests.list.at[i]);
	fc_table_print(&table, rows, nr, sizeof(*rows));
	free(rows);
}

/* ---- the median and the slowest ---- */

static void find_beside(struct view *view, struct fc_beside *ret)
{
	const struct fc_root_call *ends[2] = { fc_requests_at(&view->requests, 0.5),
					       fc_requests_at(&view->requests, 1) };
	struct fc_graph *graphs[2];
	const uint32_t funcs[2] = { ends[0]->func, ends[1]->func };
	struct fc_share min = view->settings->requests.min;

	for (int i = 0; i < 2; i++)
		graphs[i] = fc_request_graph(view->reader, &view->opts, ends[i]);
	fc_beside_make((const struct fc_graph *const *)graphs, funcs,
		       min.is_asked ? min.part : DEFAULT_MIN, ret);
	for (int i = 0; i < 2; i++)
		fc_graph_destroy(graphs[i]);
}

static void print_side(const struct view *view, const struct fc_beside_line *line, int side)
{
	char text[FC_CLOCK_TEXT] = "-";

	if (line->calls[side])
		fc_clock_ns_cell(fc_clock_duration_ns(view->clock, line->total[side]), text);
	fprintf(view->out, "%8" PRIu64 " %12s ", line->calls[side], text);
}

static void print_line(const struct view *view, const struct fc_beside_line *line)
{
	print_side(view, line, 0);
	print_side(view, line, 1);
	fprintf(view->out, " %*s", (int)line->level * 2, "");
	if (line->func) {
		struct fc_name name =
			view->opts.namer.name_of(view->opts.namer.ctx, line->func);
		fc_print_foreign(view->out, name.name);
		fprintf(view->out, "%s\n", fc_name_parens(name));
	} else {
		fprintf(view->out, "... %zu more function%s\n", line->nr_light,
			line->nr_light == 1 ? "" : "s");
	}
}

static void print_beside(struct view *view)
{
	struct fc_beside beside = { 0 };

	find_beside(view, &beside);
	fprintf(view->out, "\nThe median (#%" PRIu64 ") and the slowest (#%" PRIu64 "):\n",
		fc_requests_at(&view->requests, 0.5)->nr,
		fc_requests_at(&view->requests, 1)->nr);
	fprintf(view->out, "%8s %12s %8s %12s  %s\n", "CALLS", "MEDIAN", "CALLS", "SLOWEST",
		"FUNCTION");
	fc_vec_each (&beside.list, line)
		print_line(view, line);
	fc_beside_deinit(&beside);
}

static void json_beside(struct view *view, struct fc_json *json)
{
	static const char *const keys[2][2] = { { "median_calls", "median_ns" },
						{ "slowest_calls", "slowest_ns" } };
	struct fc_beside beside = { 0 };

	find_beside(view, &beside);
	fc_json_open(json, "tree", '[');
	fc_vec_each (&beside.list, line) {
		fc_json_open(json, NULL, '{');
		fc_json_number(json, "level", line->level);
		fc_json_string(
			json, "function",
			line->func ? view->opts.namer.name_of(view->opts.namer.ctx, line->func)
					     .name
				   : NULL);
		for (int side = 0; side < 2; side++) {
			fc_json_number(json, keys[side][0], line->calls[side]);
			fc_json_number(json, keys[side][1],
				       fc_clock_duration_ns(view->clock, line->total[side]));
		}
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
	fc_beside_deinit(&beside);
}

/* ---- */

static void print_text(struct view *view)
{
	char text[FC_CLOCK_TEXT];

	fprintf(view->out, "%zu request%s of ", view->requests.list.nr,
		view->requests.list.nr == 1 ? "" : "s");
	fc_print_foreign(view->out, view->opts.root);
	for (size_t i = 0; i < NR_SHARES; i++) {
		fc_clock_ns_text(ns_of(view, fc_requests_at(&view->requests, shares[i].share)),
				 text);
		fprintf(view->out, "%s %s %s", i ? "," : ":", shares[i].word, text);
	}
	fc_clock_ns_text(sum_ns(view), text);
	fprintf(view->out, "; together %s\n%zu took more than %d times the median\n\n", text,
		nr_outliers(view), TIMES_OUTLIER);
	print_rows(view, FC_FORM_TEXT, NULL);
	print_beside(view);
}

static void print_json(struct view *view)
{
	struct fc_json json = { .out = view->out };

	fc_json_open(&json, NULL, '{');
	fc_json_string(&json, "root", view->opts.root);
	fc_json_number(&json, "count", view->requests.list.nr);
	for (size_t i = 0; i < NR_SHARES; i++)
		fc_json_number(&json, shares[i].key,
			       ns_of(view, fc_requests_at(&view->requests, shares[i].share)));
	fc_json_number(&json, "total_ns", sum_ns(view));
	fc_json_number(&json, "outliers", nr_outliers(view));
	print_rows(view, FC_FORM_JSON, &json);
	json_beside(view, &json);
	fc_json_close(&json, '{');
}

static bool is_stopped(void *ctx)
{
	return fc_output_is_over();
}

static int show(struct view *view)
{
	if (!fc_requests_find(view->reader, &view->opts, &view->requests)) {
		fc_unmatched_say("--root", view->opts.root, view->reader);
		return FC_STATUS_NO;
	}
	if (view->settings->requests.csv)
		print_rows(view, FC_FORM_CSV, NULL);
	else if (view->settings->json)
		print_json(view);
	else
		print_text(view);
	return FC_STATUS_OK;
}

static int run_requests(const struct fc_settings *settings, int argc, char **argv)
{
	struct view view = { .settings = settings };
	int status = FC_STATUS_OK;

	if (!settings->requests.root) {
		fc_say("no root given: name the function that is called once for each request, "
		       "as "
		       "in --root handle_request; fctrace report --top-rate shows what "
		       "repeats");
		return FC_STATUS_USAGE;
	}
	if (!fc_reading_open(argc, argv, &view.reader, &status))
		return status;
	view.out = fc_text_output_open(settings, !settings->json && !settings->requests.csv);
	view.clock = fc_reader_clock(view.reader);
	view.opts = (struct fc_requests_opts){ .root = settings->requests.root,
					       .namer = fc_reading_namer(view.reader),
					       .is_stopped = is_stopped };
	status = show(&view);
	fc_requests_deinit(&view.requests);
	int read_status = fc_reading_close(view.reader);
	return fc_output_close(view.out, status ? status : read_status);
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "root", "FUNC", "a request is a call of FUNC, a name or a pattern",
		  FC_GLOB(requests.root)),
	FC_OPTION('n', NULL, "N",
		  "the N slowest (default 10, 0: all; with --json and --csv all)",
		  FC_COUNT(requests.rows, "a number of rows")),
	FC_OPTION(0, "min", "PERCENT",
		  "of the trees: functions with less than this share of the slowest are summed "
		  "(default 1)",
		  FC_SHARE(requests.min)),
	FC_OPTIONS_TEXT,
	&fc_option_json,
	FC_OPTION(0, "csv", NULL, "the rows as CSV, times in ns", FC_FLAG(requests.csv)),
	&fc_option_demangle,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_requests = {
	.name = "requests",
	.usage = "--root FUNC [OPTIONS] [FILE]",
	.summary = "calls that repeat: durations, and why the slowest was slow",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.run = run_requests,
};
