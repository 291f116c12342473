/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_diff.c - fctrace diff: what changed from one trace to another, in numbers and in flow. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/vec.h"
#include "base/visited.h"
#include "calls/play.h"
#include "calls/tee.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/parse.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/view/print_changes.h"
#include "cmd/view/print_flow.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "read/diff/changes.h"
#include "read/diff/flow.h"
#include "read/diff/groups.h"
#include "read/diff/twins.h"

#define PASSES_MOST 3 /* over both traces, when memory does not suffice for all at once */
#define WANTED_MOST 4096
#define MEMORY	    (512ull << 20) /* unless --memory says it */

/* One side of the comparison: one or more traces of the same program. */
struct side {
	size_t nr;
	struct fc_reader **readers;
	struct fc_changes_run *runs;
	struct fc_costs **costs;
	struct fc_flow *flow; /* of the first */
};

struct diff {
	const struct fc_settings *settings;
	struct fc_group_of_traces paths[2];
	struct side sides[2];
	struct fc_twins *twins;
	struct fc_subtrees *trees;
	struct fc_kins kins;
	struct fc_visited seen; /* while looking for what was not kept */
	size_t nr_wanted;
};

/* ---- reading ---- */

/* No FILE: the last two recordings; one: against the last. */
static bool find_paths(struct diff *diff, int argc, char **argv, int *status)
{
	char *both[2] = { argc ? argv[0] : FC_DEFAULT_TRACE ".old", FC_DEFAULT_TRACE };
	int err = fc_groups_parse(argc > 1 ? argc : 2, argc > 1 ? argv : both, diff->paths);

	if (!err)
		return true;
	fc_say("%s", fc_fail_text());
	*status = err == -EINVAL ? FC_STATUS_USAGE : FC_STATUS_UNUSABLE;
	return false;
}

static bool open_side(struct diff *diff, int nr, int *status)
{
	struct side *side = &diff->sides[nr];
	struct fc_group_of_traces *paths = &diff->paths[nr];

	side->readers = fc_alloc(paths->nr * sizeof(*side->readers));
	side->runs = fc_alloc(paths->nr * sizeof(*side->runs));
	side->costs = fc_alloc(paths->nr * sizeof(*side->costs));
	for (; side->nr < paths->nr; side->nr++) {
		struct fc_reader **reader = &side->readers[side->nr];
		if (!fc_reading_open(1, &paths->at[side->nr], reader, status))
			return false;
		side->runs[side->nr].clock = fc_reader_clock(*reader);
		side->runs[side->nr].namer = fc_reading_namer(*reader);
	}
	return true;
}

struct run {
	const struct diff *diff;
	int side;
	size_t nr;
};

static uint32_t number_of(void *ctx, uint32_t func)
{
	const struct run *run = ctx;
	return fc_twins_number(run->diff->twins, run->side, run->nr, func);
}

/* 0: it is no part of the flow that is asked for. */
static uint32_t number_in_flow(void *ctx, uint32_t func)
{
	const struct run *run = ctx;
	const struct diff *diff = run->diff;

	if (diff->settings->diff.modules) {
		struct fc_namer namer = diff->sides[run->side].runs[run->nr].namer;
		if (!fc_changes_are_of_module(diff->settings,
					      namer.name_of(namer.ctx, func).module))
			return 0;
	}
	uint32_t number = number_of(ctx, func);
	const struct fc_twin *twin = fc_twins_get(diff->twins, number);
	return twin && twin->any ? 0 : number;
}

static uint64_t memory_of(const struct fc_settings *settings)
{
	return settings->diff.memory ? settings->diff.memory : MEMORY;
}

static void settle(struct run *run)
{
	const struct side *side = &run->diff->sides[run->side];

	fc_costs_settle(side->costs[run->nr], side->runs[run->nr].clock, number_of, run);
}

static struct fc_report_opts report_opts_of(const struct fc_settings *settings,
					    const struct fc_reader *reader)
{
	return (struct fc_report_opts){ .has_hist = fc_changes_need_hist(settings),
					.off_funcs = fc_reader_off_funcs(reader) };
}

/* Sum a run's costs: with all CPUs, or in order of time if there is a filter. */
static bool read_costs(struct diff *diff, int nr, size_t nr_run, int *status)
{
	const struct fc_settings *settings = diff->settings;
	struct side *side = &diff->sides[nr];
	struct run run = { diff, nr, nr_run };
	struct fc_reader *reader = side->readers[nr_run];
	struct fc_costs **costs = &side->costs[nr_run];
	struct fc_report_opts opts = report_opts_of(settings, reader);
	struct fc_play_opts play_opts = { .no_values = true };

	if (fc_settings_filter_anything(settings)) {
		*costs = fc_costs_create(&opts);
		if (!fc_reading_play(settings, reader, &play_opts, fc_costs_sink(*costs),
				     status))
			return false;
	} else if (fc_costs_crunch(reader, &opts, costs)) {
		fc_say("%s", fc_fail_text());
		*status = FC_STATUS_UNUSABLE;
		return false;
	}
	settle(&run);
	return true;
}

/* The first run of a side: its trees, and the first time what it cost. */
static bool read_flow(struct diff *diff, int nr, bool is_again, int *status)
{
	struct side *side = &diff->sides[nr];
	struct run run = { diff, nr, 0 };
	struct fc_flow_opts opts = {
		.trees = diff->trees,
		.number_of = number_in_flow,
		.ctx = &run,
		.limit_runs = memory_of(diff->settings) / 4 / sizeof(struct fc_run),
	};
	struct fc_report_opts report_opts = report_opts_of(diff->settings, side->readers[0]);
	struct fc_play_opts play_opts = { .no_values = true };
	struct fc_tee tee;

	fc_flow_destroy(side->flow);
	side->flow = fc_flow_create(&opts);
	if (!side->costs[0])
		side->costs[0] = fc_costs_create(&report_opts);
	fc_tee_init(&tee, fc_flow_sink(side->flow), fc_costs_sink(side->costs[0]));
	bool is_read = fc_reading_play(diff->settings, side->readers[0], &play_opts,
				       is_again ? tee.to[0] : &tee.sink, status);
	if (is_read && !is_again)
		settle(&run);
	return is_read;
}

/* ---- trees ---- */

static struct fc_run root_of(void *ctx, int side, uint32_t strand)
{
	const struct diff *diff = ctx;
	struct fc_run root = { 0 };

	fc_flow_root(diff->sides[side].flow, strand, &root);
	return root;
}

static uint32_t begin_of(void *ctx, int side, uint32_t strand)
{
	const struct diff *diff = ctx;
	struct fc_run root = root_of(ctx, side, strand);
	const struct fc_subtree *tree =
		root.hash ? fc_subtrees_find(diff->trees, root.hash) : NULL;

	if (!tree)
		return root.hash ? UINT32_MAX : 0;
	return tree->nr_runs ? fc_what_number(fc_subtrees_runs(diff->trees, tree)->what) + 1
			     : 0;
}

static bool want_unknown(void *ctx, const struct fc_align_step *step)
{
	struct diff *diff = ctx;

	if (step->kind == FC_CHANGED)
		return fc_visited_add(&diff->seen, step->a.hash, step->b.hash);
	if (step->kind == FC_UNKNOWN && fc_what_number(step->a.what) != FC_WHAT_REST) {
		fc_subtrees_want(diff->trees, step->a.hash);
		fc_subtrees_want(diff->trees, step->b.hash);
		diff->nr_wanted++;
	}
	return true;
}

static bool has_many_wanted(void *ctx)
{
	const struct diff *diff = ctx;
	return diff->nr_wanted > WANTED_MOST || fc_output_is_over();
}

/* Whether there are trees that differ and were not kept; those are wanted now. */
static bool find_unknown(struct diff *diff)
{
	struct fc_align_opts opts = { .trees = diff->trees,
				      .tell = want_unknown,
				      .is_enough = has_many_wanted,
				      .ctx = diff };

	diff->nr_wanted = 0;
	if (!fc_subtrees_has_forgotten(diff->trees))
		return false;
	fc_vec_each (&diff->kins, kin) {
		struct fc_run a = root_of(diff, 0, kin->strand[0]);
		struct fc_run b = root_of(diff, 1, kin->strand[1]);
		if (a.hash && b.hash && a.hash != b.hash && !has_many_wanted(diff))
			fc_align(&opts, a, b);
	}
	fc_visited_deinit(&diff->seen);
	return diff->nr_wanted > 0;
}

static void match_threads(struct diff *diff)
{
	struct fc_kin_opts opts = { .readers = { diff->sides[0].readers[0],
						 diff->sides[1].readers[0] },
				    .begin_of = begin_of,
				    .ctx = diff };

	fc_kin_find(&opts, &diff->kins);
}

static bool read_flows(struct diff *diff, int *status)
{
	for (int pass = 0; pass < PASSES_MOST; pass++) {
		for (int i = 0; i < 2; i++)
			if (!read_flow(diff, i, pass > 0, status))
				return false;
		if (!pass)
			match_threads(diff);
		if (pass == PASSES_MOST - 1 || !find_unknown(diff))
			return true;
	}
	return true;
}

static bool read_all(struct diff *diff, int *status)
{
	bool has_flow = !diff->settings->diff.functions;

	if (has_flow && !read_flows(diff, status))
		return false;
	/* Flows are compared of the first runs only; of the others only costs. */
	for (int i = 0; i < 2 && !diff->settings->diff.flow; i++)
		for (size_t k = has_flow; k < diff->sides[i].nr; k++)
			if (!read_costs(diff, i, k, status))
				return false;
	return true;
}

/* ---- showing ---- */

static void find_changes(struct diff *diff, struct fc_changes *ret)
{
	struct fc_changes_opts opts = {
		.twins = diff->twins,
		.keys = diff->settings->diff.sort,
	};

	for (int i = 0; i < 2; i++) {
		struct side *side = &diff->sides[i];
		opts.runs[i] = side->runs;
		opts.nr_runs[i] = diff->settings->diff.flow ? 1 : side->nr;
		for (size_t k = 0; k < opts.nr_runs[i]; k++) {
			side->runs[k].costs = side->costs[k];
			/* A filter cannot be applied to calls that were only counted: leave them out. */
			if (!fc_settings_filter_anything(diff->settings))
				fc_unshown_add(side->readers[k],
					       fc_costs_report(side->costs[k]));
		}
	}
	fc_changes_find(&opts, ret);
}

/* Records are lost at random places, which alone makes runs differ: warn. */
static void print_lost(const struct diff *diff, FILE *out)
{
	for (int i = 0; i < 2; i++) {
		const struct side *side = &diff->sides[i];
		uint64_t lost = 0;
		for (size_t k = 0; k < side->nr; k++) {
			struct fc_totals totals;
			fc_reader_totals(side->readers[k], &totals);
			lost += totals.lost;
		}
		if (lost)
			fprintf(out,
				"%c lost %" PRIu64 " records: differences may come of that.\n",
				i ? 'B' : 'A', lost);
	}
}

static void print_sums(FILE *out, const struct fc_flow_sums *sums)
{
	if (!sums->nr_other) {
		fprintf(out, "The flow of calls is the same in %s%zu thread%s.\n",
			sums->nr_kin > 1 ? "all " : "", sums->nr_kin,
			sums->nr_kin == 1 ? "" : "s");
		return;
	}
	fprintf(out,
		"The flow of calls differs at %s%" PRIu64 " place%s, in %zu of %zu thread%s",
		sums->is_stopped ? "more than " : "", sums->places,
		sums->places == 1 ? "" : "s", sums->nr_other, sums->nr_kin,
		sums->nr_kin == 1 ? "" : "s");
	fputs(sums->is_stopped ? "; --changes=0 shows all.\n" : ".\n", out);
	if (sums->nr_cut)
		fprintf(out,
			"%" PRIu64 " long lists of calls differ too much to be compared to the "
			"end: more is shown as gone and new than is.\n",
			sums->nr_cut);
}

static struct fc_flow_view view_of(struct diff *diff)
{
	return (struct fc_flow_view){ .settings = diff->settings,
				      .trees = diff->trees,
				      .twins = diff->twins,
				      .namers = { diff->sides[0].runs[0].namer,
						  diff->sides[1].runs[0].namer },
				      .root_of = root_of,
				      .ctx = diff };
}

/* Functions without a name, in files of which the builds differ. */
static void print_passed_over(FILE *out, const struct fc_changes *changes)
{
	for (size_t i = 0; i < changes->nr; i++) {
		const struct fc_change *change = &changes->at[i];
		if (!change->is_any)
			continue;
		fc_print_foreign(out, change->name.name);
		fputs(": functions without a name are passed over here, as the builds of their "
		      "file differ\n",
		      out);
	}
}

static void print_side(FILE *out, const char *head, const struct fc_group_of_traces *paths)
{
	fputs(head, out);
	fc_print_foreign(out, paths->at[0]);
	if (paths->nr > 1)
		fprintf(out, " and %zu more run%s", paths->nr - 1, paths->nr > 2 ? "s" : "");
	fputc('\n', out);
}

static void print_first(FILE *out, const struct fc_group_of_traces paths[2])
{
	if (paths[0].nr == 1 && paths[1].nr == 1)
		return;
	fputs("The flow of calls is that of the first run of each: ", out);
	fc_print_foreign(out, paths[0].at[0]);
	fputs(", ", out);
	fc_print_foreign(out, paths[1].at[0]);
	fputc('\n', out);
}

static bool show_text(struct diff *diff, FILE *out, const struct fc_changes *changes)
{
	struct fc_flow_view view = view_of(diff);
	struct fc_flow_sums sums = { 0 };
	size_t nr = 0;

	print_side(out, "--- A: ", &diff->paths[0]);
	print_side(out, "+++ B: ", &diff->paths[1]);
	fputc('\n', out);
	if (!diff->settings->diff.flow)
		nr = fc_changes_print(out, diff->settings, changes);
	if (diff->settings->diff.functions)
		return nr > 0;
	if (!diff->settings->diff.flow)
		fputc('\n', out);
	print_passed_over(out, changes);
	print_first(out, diff->paths);
	fc_flow_print(out, &view, &diff->kins, &sums);
	print_sums(out, &sums);
	print_lost(diff, out);
	return sums.nr_other > 0;
}

static void json_runs(struct fc_json *json, const char *key,
		      const struct fc_group_of_traces *paths)
{
	fc_json_open(json, key, '[');
	fc_vec_each (paths, path)
		fc_json_string(json, NULL, *path);
	fc_json_close(json, '[');
}

static bool show_json(struct diff *diff, FILE *out, const struct fc_changes *changes)
{
	struct fc_json json = { .out = out };
	struct fc_flow_view view = view_of(diff);
	struct fc_flow_sums sums = { 0 };
	bool is_other = false;

	fc_json_open(&json, NULL, '{');
	fc_json_string(&json, "a", diff->paths[0].at[0]);
	fc_json_string(&json, "b", diff->paths[1].at[0]);
	json_runs(&json, "runs_a", &diff->paths[0]);
	json_runs(&json, "runs_b", &diff->paths[1]);
	if (!diff->settings->diff.flow)
		is_other = fc_changes_json(&json, diff->settings, changes) > 0;
	if (!diff->settings->diff.functions) {
		fc_flow_json(&json, &view, &diff->kins, &sums);
		is_other = sums.nr_other > 0;
		fc_json_bool(&json, "is_same_flow", !sums.nr_other);
		fc_json_bool(&json, "is_complete", !sums.is_stopped && !sums.nr_cut);
		fc_json_number(&json, "threads", sums.nr_kin);
		fc_json_number(&json, "threads_that_differ", sums.nr_other);
	}
	fc_json_close(&json, '{');
	return is_other;
}

static int show(struct diff *diff, FILE *out)
{
	struct fc_changes changes = { 0 };
	bool is_other;

	find_changes(diff, &changes);
	if (diff->settings->diff.csv)
		is_other = fc_changes_csv(out, diff->settings, &changes) > 0;
	else if (diff->settings->json)
		is_other = show_json(diff, out, &changes);
	else
		is_other = show_text(diff, out, &changes);
	fc_changes_deinit(&changes);
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < diff->sides[i].nr; k++)
			fc_unshown_say(diff->sides[i].readers[k]);
	return is_other ? FC_STATUS_NO : FC_STATUS_OK;
}

/* Closes the readers; the worst of what they say is what to exit with. */
static int side_deinit(struct side *side, int status)
{
	fc_flow_destroy(side->flow);
	for (size_t i = 0; i < side->nr; i++) {
		fc_costs_destroy(side->costs[i]);
		int own = fc_reading_close(side->readers[i]);
		status = own > status ? own : status;
	}
	free(side->readers);
	free(side->runs);
	free(side->costs);
	return status;
}

static int diff_deinit(struct diff *diff, int status)
{
	fc_twins_destroy(diff->twins);
	fc_subtrees_destroy(diff->trees);
	fc_vec_free(&diff->kins);
	fc_visited_deinit(&diff->seen);
	for (int i = 0; i < 2; i++)
		status = side_deinit(&diff->sides[i], status);
	fc_groups_deinit(diff->paths);
	return status;
}

static struct fc_twins *find_twins(const struct diff *diff)
{
	const struct fc_twins_side sides[2] = {
		{ diff->sides[0].readers, diff->sides[0].nr },
		{ diff->sides[1].readers, diff->sides[1].nr },
	};
	return fc_twins_create(sides);
}

static int run_diff(const struct fc_settings *settings, int argc, char **argv)
{
	struct diff diff = { .settings = settings };
	int status = FC_STATUS_OK;

	if (!find_paths(&diff, argc, argv, &status) || !open_side(&diff, 0, &status) ||
	    !open_side(&diff, 1, &status))
		return diff_deinit(&diff, status);
	FILE *out = fc_text_output_open(settings, !settings->json && !settings->diff.csv);
	diff.twins = find_twins(&diff);
	diff.trees = fc_subtrees_create(memory_of(settings) / 2);
	if (read_all(&diff, &status))
		status = show(&diff, out);
	status = diff_deinit(&diff, status);
	return fc_output_close(out, status);
}

static int set_sort(struct fc_settings *settings, const char *arg)
{
	settings->diff.sort = arg;
	return fc_changes_check_keys(arg);
}

static int put_fields(const struct fc_option *option, void *at, const char *arg)
{
	return fc_columns_parse(arg, "a field", at);
}

static int set_csv(struct fc_settings *settings, const char *arg)
{
	settings->diff.csv = settings->diff.functions = true;
	return 0;
}

static int set_memory(struct fc_settings *settings, const char *arg)
{
	int err = fc_parse_size(arg, &settings->diff.memory);

	if (!err && settings->diff.memory < 16 << 20)
		return fc_fail(EINVAL, "%s: too small; 16M is the least", arg);
	return err;
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "functions", NULL, "only the table of functions", FC_FLAG(diff.functions)),
	FC_OPTION(0, "flow", NULL, "only where the flow of calls differs", FC_FLAG(diff.flow)),
	FC_OPTION('s', NULL, "KEYS",
		  "sort by the change of self, total, calls, avg, min, max or percent (of "
		  "self), or by func or module, or by several: -s calls,self (default: what "
		  "changed most in its own time)",
		  set_sort, .words = "total,self,calls,avg,min,max,percent,func,module"),
	FC_OPTION('f', NULL, "FIELDS",
		  "show these of " FC_STAT_NAMES(", ") " (default calls,self)",
		  FC_PUT(put_fields, struct fc_columns, diff.fields),
		  .words = FC_STAT_NAMES(",")),
	&fc_option_rows,
	FC_OPTION(0, "min", "TIME", "no functions whose self time changed by less than TIME",
		  FC_TIME(diff.min_ns)),
	FC_OPTION(0, "all", NULL, "also functions that changed by no more than the noise",
		  FC_FLAG(diff.all)),
	FC_OPTION(0, "context", "N", "show N equal calls around each change (default 2)",
		  FC_COUNT(diff.context, "a number of calls")),
	FC_OPTION(0, "changes", "N",
		  "stop after N changes of the flow (default 100, 0: show all)",
		  FC_COUNT(diff.places, "a number of changes")),
	FC_OPTION(0, "lines", "N",
		  "show N lines of what was added or is missing (default 20, 0: all)",
		  FC_COUNT(diff.lines, "a number of lines")),
	FC_OPTIONS_FILTER,
	FC_OPTION('m', NULL, "GLOB", "only functions of files that match, as in 'libz*'",
		  FC_GLOBS(diff.modules)),
	FC_OPTION(0, "memory", "SIZE", "take about so much memory for the flow (default 512M)",
		  set_memory),
	&fc_option_demangle,
	FC_OPTIONS_TEXT,
	&fc_option_json,
	FC_OPTION(0, "csv", NULL, "the table of functions as CSV", set_csv),
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_diff = {
	.name = "diff",
	.usage = "[OPTIONS] [A [B] | A... vs B...]",
	.summary = "what changed from one trace to another",
	.options = options,
	.notes = "A, B: traces that `fctrace record` wrote (default: fctrace.data.old,\n"
		 "fctrace.data). A quoted pattern stands for several runs, which tell changes\n"
		 "from noise: fctrace diff 'old*.data' 'new*.data'. Without quotes put vs "
		 "between\n"
		 "them: fctrace diff old*.data vs new*.data\n"
		 "Exit status: 0 the flow of calls is the same; 1 it differs, or output could\n"
		 "not be written; 2 wrong usage, 3 not a usable trace, 4 shown, but some of a\n"
		 "trace is missing (stderr says what).\n",
	.run = run_diff,
};
