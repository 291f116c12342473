/* SPDX-License-Identifier: Apache-2.0 */
/* print_callers.c - selects, sorts and prints pairs of a caller and a callee. */
#include "cmd/view/print_callers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/play.h"
#include "cmd/options/options.h"
#include "cmd/options/srclines.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/view/nameless_hint.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "cmd/view/unmatched.h"
#include "cmd/view/wait.h"
#include "read/sums/callers.h"

#define RATE_LEAST 0.001 /* of all calls: pairs with less are summed */

struct row {
	struct fc_callers_row of;
	struct fc_name caller, callee;
	uint64_t total_ns, self_ns, nr_all;
	uint64_t wait_ns, self_wait_ns;
	uint64_t nr_caller; /* calls of the caller, with those that were seen; 0: not known */
	double rate;	    /* calls for each of these; 0: not known */
	double share;	    /* of all calls, or of those of the function that was asked for */
};

typedef FC_VEC(struct row) rows;

struct table {
	const struct fc_settings *settings;
	struct fc_reader *reader;
	struct fc_namer namer;
	rows rows;
	uint64_t *calls_of; /* by function: its calls that were recorded */
	uint32_t nr_funcs;
	uint64_t nr_calls; /* all, of the whole trace */
	size_t nr_light;   /* rows that were left out of --top-rate, */
	uint64_t light;	   /* and their calls */
};

bool fc_callers_is_wanted(const struct fc_settings *settings)
{
	const struct fc_callers_settings *s = &settings->callers;
	return s->callers || s->callees || s->top_rate;
}

/* ---- which rows ---- */

static void sum_calls(struct table *table, const struct fc_callers *callers)
{
	table->nr_funcs = 1;
	for (size_t i = 0; i < fc_callers_nr(callers); i++) {
		uint32_t callee = fc_callers_get(callers, i).callee;
		if (callee >= table->nr_funcs)
			table->nr_funcs = callee + 1;
	}
	table->calls_of = fc_alloc(table->nr_funcs * sizeof(*table->calls_of));
	for (size_t i = 0; i < fc_callers_nr(callers); i++) {
		struct fc_callers_row row = fc_callers_get(callers, i);
		table->nr_calls += row.calls;
		if (row.caller != FC_CALLERS_COUNTED)
			table->calls_of[row.callee] += row.calls;
	}
}

static bool matches(const struct table *table, const char *glob, uint32_t func,
		    struct fc_name name)
{
	return func && func <= FC_FUNC_MAX && fc_name_match(name, glob);
}

static bool is_asked(const struct table *table, const struct row *row)
{
	const struct fc_callers_settings *s = &table->settings->callers;

	if (s->callers)
		return matches(table, s->callers, row->of.callee, row->callee);
	if (s->callees)
		return matches(table, s->callees, row->of.caller, row->caller);
	return true;
}

static struct row make_row(const struct table *table, const struct fc_callers_row *of)
{
	const struct fc_clock *clock = fc_reader_clock(table->reader);
	struct row row = { .of = *of,
			   .nr_all = table->nr_calls,
			   .total_ns = fc_clock_duration_ns(clock, of->total),
			   .self_ns = fc_clock_duration_ns(clock, of->self),
			   .wait_ns = fc_clock_duration_ns(clock, of->wait),
			   .self_wait_ns = fc_clock_duration_ns(clock, of->self_wait),
			   .caller = fc_callers_name(&table->namer, of->caller),
			   .callee = table->namer.name_of(table->namer.ctx, of->callee) };

	if (of->caller < table->nr_funcs)
		row.nr_caller = table->calls_of[of->caller];
	if (row.nr_caller)
		row.rate = (double)of->calls / (double)row.nr_caller;
	if (table->nr_calls)
		row.share = (double)of->calls / (double)table->nr_calls;
	return row;
}

static void find_rows(struct table *table, const struct fc_callers *callers)
{
	bool keeps_light = !table->settings->callers.top_rate || table->settings->json;

	sum_calls(table, callers);
	for (size_t i = 0; i < fc_callers_nr(callers); i++) {
		struct fc_callers_row of = fc_callers_get(callers, i);
		struct row row = make_row(table, &of);
		if (!is_asked(table, &row))
			continue;
		if (keeps_light || row.share >= RATE_LEAST) {
			fc_vec_push(&table->rows, row);
			continue;
		}
		table->nr_light++;
		table->light += of.calls;
	}
}

/* ---- their order ---- */

#define LARGEST_FIRST(name, field)                                                             \
	static int by_##name(const struct row *a, const struct row *b)                         \
	{                                                                                      \
		return (a->field < b->field) - (a->field > b->field);                          \
	}

LARGEST_FIRST(rate, rate)
LARGEST_FIRST(calls, of.calls)
LARGEST_FIRST(total, of.total)
LARGEST_FIRST(self, of.self)
LARGEST_FIRST(wait, of.wait)
LARGEST_FIRST(self_wait, of.self_wait)

typedef int (*compare)(const struct row *a, const struct row *b);

static const struct {
	const char *name;
	compare compare;
} orders[] = { { "total", by_total },
	       { "self", by_self },
	       { "calls", by_calls },
	       { "wait", by_wait },
	       { "self-wait", by_self_wait } };

/* The order of -s KEY, or the table's own; NULL: there is no such. */
static compare find_order(const struct fc_settings *settings)
{
	if (!settings->sort)
		return settings->callers.top_rate ? by_rate : by_total;
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (!strcmp(orders[i].name, settings->sort))
			return orders[i].compare;
	return NULL;
}

/* A sentence on an option that these tables do not have; NULL: there is none. */
static const char *find_trouble(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;

	if (!find_order(settings))
		return "-s: who calls whom is sorted by total, self, calls, wait or "
		       "self-wait";
	if (report->columns.nr || report->by != FC_BY_FUNCTION || report->hist || report->csv ||
	    fc_srclines_are_asked())
		return "--callers, --callees and --top-rate have tables of their own: they "
		       "know "
		       "no -f, --by, --hist, --csv or --srcline";
	return NULL;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct row *x = a, *y = b;
	compare first = *(compare *)ctx;

	return first(x, y) ?: by_total(x, y) ?: by_calls(x, y) ?:
	       fc_name_order(&x->caller, &y->caller) ?:
	       fc_name_order(&x->callee, &y->callee);
}

/* ---- output ---- */

static void show_rate(const void *of, uint64_t number, char ret[FC_CELL_ROOM])
{
	const struct row *row = of;

	if (row->nr_caller)
		snprintf(ret, FC_CELL_ROOM, "%.2f", row->rate);
}

static void show_share(const void *row, uint64_t number, char ret[FC_CELL_ROOM])
{
	snprintf(ret, FC_CELL_ROOM, "%.2f%%", ((const struct row *)row)->share * 100);
}

static void show_time(const void *of, uint64_t ns, char ret[FC_CELL_ROOM])
{
	const struct row *row = of;

	if (row->of.is_timed || row->of.total)
		fc_show_ns(row, ns, ret);
	else
		strcpy(ret, "-  ");
}

#define ROW(member) FC_FIELD(struct row, member)

static const struct fc_table_column columns[] = {
	{ "caller", "CALLER", ROW(caller.name), .most = 40, .place = 1 },
	{ "caller_module", NULL, ROW(caller.module) },
	{ "callee", "FUNCTION", ROW(callee.name), .most = 1, .place = 2 },
	{ "callee_module", NULL, ROW(callee.module) },
	{ "calls", "CALLS", ROW(of.calls), .width = 10 },
	{ "caller_calls", NULL, ROW(nr_caller) },
	{ "all_calls", NULL, ROW(nr_all) },
	{ NULL, "PER CALL", .width = 11, .show = show_rate },
	{ NULL, "SHARE ", .width = 7, .show = show_share },
	{ "total_ns", "TOTAL  ", ROW(total_ns), .width = 11, .show = show_time },
	{ "self_ns", "SELF  ", ROW(self_ns), .width = 11, .show = show_time },
	/* Only where the trace tells of it, and as text, where there is any. */
	{ "wait_ns", "WAIT  ", ROW(wait_ns), .width = 11, .show = show_time },
	{ "self_wait_ns", NULL, ROW(self_wait_ns) },
};

enum { NR_COLUMNS = sizeof(columns) / sizeof(columns[0]), NR_WAITS = 2 };

static bool has_waits(const struct table *table)
{
	bool is_any = table->settings->json;

	for (size_t i = 0; i < table->rows.nr && !is_any; i++)
		is_any = table->rows.at[i].wait_ns;
	return is_any && fc_reader_off_funcs(table->reader);
}

static void print_rows(FILE *out, const struct table *table, size_t nr)
{
	bool is_json = table->settings->json;
	struct fc_table printed = { out, is_json ? FC_FORM_JSON : FC_FORM_TEXT, columns,
				    NR_COLUMNS - (has_waits(table) ? 0 : NR_WAITS) };

	fc_table_print(&printed, table->rows.at, nr, sizeof(*table->rows.at));
	if (!is_json && table->nr_light && nr == table->rows.nr)
		fprintf(out,
			"%10" PRIu64 " %11s %6.2f%%  and %zu more, each with less than %.1f%% "
			"of all calls\n",
			table->light, "", (double)table->light * 100 / (double)table->nr_calls,
			table->nr_light, RATE_LEAST * 100);
}

/* Was a function called that was asked for? */
static bool is_any_called(const struct table *table, const char *glob)
{
	for (uint32_t func = 1; func < table->nr_funcs; func++)
		if (table->calls_of[func] &&
		    matches(table, glob, func, table->namer.name_of(table->namer.ctx, func)))
			return true;
	return false;
}

/* Nobody calls it, or it calls nobody. False: it is not even there. */
static bool say_empty(const struct table *table)
{
	const struct fc_callers_settings *s = &table->settings->callers;
	const char *glob = s->callers ? s->callers : s->callees;

	if (!glob)
		return true;
	if (!is_any_called(table, glob)) {
		fc_unmatched_say(s->callers ? "--callers" : "--callees", glob, table->reader);
		return false;
	}
	if (s->callees)
		fc_say("--callees %s: it called no other function", glob);
	return true;
}

static void say_nameless(FILE *out, const struct table *table, size_t nr)
{
	struct fc_nameless_shown shown = { table->reader };

	for (size_t i = 0; i < nr; i++) {
		fc_nameless_note(&shown, table->rows.at[i].of.caller);
		fc_nameless_note(&shown, table->rows.at[i].of.callee);
	}
	fc_nameless_say(&shown, out);
}

/* False: no such function was called, which is said. */
static bool print_table(FILE *out, const struct fc_settings *settings, struct fc_reader *reader,
			const struct fc_callers *callers)
{
	struct table table = { .settings = settings,
			       .reader = reader,
			       .namer = fc_reading_namer(reader) };
	compare order = find_order(settings);

	find_rows(&table, callers);
	size_t nr = table.rows.nr;
	bool is_there = nr || say_empty(&table);
	if (nr)
		qsort_r(table.rows.at, nr, sizeof(*table.rows.at), compare_rows, &order);
	nr = fc_settings_rows(settings, nr);
	if (is_there)
		print_rows(out, &table, nr);
	if (!settings->json)
		say_nameless(out, &table, nr);
	fc_vec_free(&table.rows);
	free(table.calls_of);
	return is_there;
}

static bool play(const struct fc_settings *settings, struct fc_reader *reader,
		 struct fc_callers *callers, int *status)
{
	struct fc_play_opts opts = { .no_values = true };

	if (!fc_reading_choose(settings, reader, &opts, status) ||
	    !fc_reading_play(settings, reader, &opts, fc_callers_sink(callers), status))
		return false;
	/* A filter cannot be applied to calls that were only counted: leave them out. */
	if (fc_settings_is_part(settings))
		return true;
	for (uint32_t func = 1; func <= fc_reader_max_func(reader); func++)
		fc_callers_add_counted(callers, func, fc_reader_counted(reader, func));
	return true;
}

int fc_callers_run(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = 0;

	const char *trouble = find_trouble(settings);
	if (trouble) {
		fc_say("%s", trouble);
		return FC_STATUS_USAGE;
	}
	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;
	FILE *out = fc_text_output_open(settings, !settings->json);
	struct fc_callers *callers = fc_callers_create(FC_CALLERS_PAIRS);
	bool is_played = play(settings, reader, callers, &status);
	if (is_played && !print_table(out, settings, reader, callers)) {
		status = FC_STATUS_NO;
		is_played = false;
	} else if (is_played) {
		fc_unshown_say(reader);
		fc_wait_say_inside(fc_callers_waited(callers), fc_reader_clock(reader));
	}
	fc_callers_destroy(callers);
	int read_status = fc_reading_close(reader);
	return fc_output_close(out, is_played ? read_status : status);
}
