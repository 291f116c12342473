/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_report.c - fctrace report: calls and times of each function of a trace. */
#include <errno.h>

#include "base/fail.h"
#include "calls/play.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/srclines.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/nameless_hint.h"
#include "cmd/view/print_callers.h"
#include "cmd/view/print_histogram.h"
#include "cmd/view/print_locks.h"
#include "cmd/view/print_report.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "cmd/view/unmatched.h"
#include "cmd/view/wait.h"
#include "read/sums/report.h"

/* Do filters, values or a span need the calls in order of time? --tid alone does not. */
static bool needs_order(const struct fc_settings *settings)
{
	return settings->only || settings->except || settings->depth || settings->min_ns ||
	       settings->leading || settings->only_modules || settings->pid ||
	       settings->span.text || fc_by_is_value(settings->report.by);
}

/* False: said, *status is set. */
static bool sum_in_order(const struct fc_settings *settings, struct fc_reader *reader,
			 const struct fc_report_opts *opts, struct fc_report **ret, int *status)
{
	struct fc_play_opts play = { .group = fc_grouping_recursion(opts->grouping) };

	if (!fc_reading_choose(settings, reader, &play, status))
		return false;
	*ret = fc_report_create_as(opts);
	return fc_reading_play(settings, reader, &play, fc_report_sink(*ret), status);
}

static bool sum_all(const struct fc_settings *settings, struct fc_reader *reader,
		    const struct fc_report_opts *opts, struct fc_report **ret, int *status)
{
	if (needs_order(settings))
		return sum_in_order(settings, reader, opts, ret, status);
	if (!fc_reading_has_thread(settings, reader, status))
		return false;
	if (!fc_report_crunch(reader, opts, settings->tid, ret))
		return true;
	fc_say("%s", fc_fail_text());
	*status = FC_STATUS_UNUSABLE;
	return false;
}

/* For people: who reads JSON or CSV does not read what is said of names. */
static bool has_rows_of_functions(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;

	return !report->hist && !report->csv && !settings->json &&
	       (report->by == FC_BY_FUNCTION || fc_by_is_value(report->by));
}

/* False: said, *status is set. */
static bool show(FILE *out, const struct fc_settings *settings, struct fc_reader *reader,
		 struct fc_report *report, int *status)
{
	const struct fc_clock *clock = fc_reader_clock(reader);
	struct fc_nameless_shown nameless = { reader };
	struct fc_namer namer = has_rows_of_functions(settings) ? fc_nameless_namer(&nameless)
								: fc_reading_namer(reader);

	/* A filter cannot be applied to calls that were only counted: leave them out. */
	if (!fc_settings_is_part(settings))
		fc_unshown_add(reader, report);
	if (!settings->report.hist) {
		fc_report_print(out, settings, report, clock, &namer);
	} else if (!fc_histogram_print(out, settings, report, clock, &namer)) {
		fc_unmatched_say("--hist", settings->report.hist, reader);
		*status = FC_STATUS_NO;
		return false;
	}
	fc_nameless_say(&nameless, out);
	fc_unshown_say(reader);
	fc_wait_say_inside(fc_report_waited(report), clock);
	return true;
}

/* False: it has been said why not. */
static bool has_values(const struct fc_settings *settings, const struct fc_reader *reader)
{
	bool ret = !fc_by_is_value(settings->report.by) || fc_reader_nr_values(reader);

	if (!ret)
		fc_say("--by: this trace has no arguments and results; "
		       "fctrace record -a records them");
	return ret;
}

static struct fc_grouping *create_grouping(const struct fc_settings *settings,
					   struct fc_reader *reader)
{
	struct fc_namer namer = fc_reading_namer(reader);
	enum fc_by by = settings->report.by;

	return fc_by_is_value(by)
		       ? fc_grouping_create_of_values(fc_reading_values(reader), &namer, by)
		       : fc_grouping_create(reader, &namer, by);
}

static void say_others(const struct fc_settings *settings, const struct fc_grouping *grouping)
{
	uint64_t nr = fc_grouping_nr_others(grouping);

	if (nr)
		fc_say("--by: there are too many different values: %llu calls are in the rows "
		       "\"<other values>\"; -F and -N choose functions",
		       (unsigned long long)nr);
}

static int run_report(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	struct fc_report *report = NULL;
	int status = 0;

	if (fc_report_settings_check(settings)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_USAGE;
	}
	if (settings->report.locks)
		return fc_locks_run(settings, argc, argv);
	if (fc_callers_is_wanted(settings))
		return fc_callers_run(settings, argc, argv);
	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;

	if (!has_values(settings, reader)) {
		fc_reading_close(reader);
		return FC_STATUS_NO;
	}

	FILE *out = fc_text_output_open(settings, !settings->json && !settings->report.csv);
	if (settings->report.by == FC_BY_FILE)
		fc_srclines_ask();
	struct fc_grouping *grouping = create_grouping(settings, reader);
	struct fc_report_opts opts = { grouping, fc_report_settings_need_hist(settings),
				       fc_reader_off_funcs(reader) };
	bool is_shown = sum_all(settings, reader, &opts, &report, &status) &&
			show(out, settings, reader, report, &status);
	say_others(settings, grouping);
	fc_report_destroy(report);
	fc_grouping_destroy(grouping);
	int read_status = fc_reading_close(reader);
	return fc_output_close(out, is_shown ? read_status : status);
}

static int set_sort(struct fc_settings *settings, const char *arg)
{
	settings->sort = arg;
	return fc_report_check_keys(arg);
}

static int put_columns(const struct fc_option *option, void *at, const char *arg)
{
	return fc_columns_parse(arg, "a column", at);
}

/* Each is a table of its own. */
static int check_first(const struct fc_settings *settings, const char *arg)
{
	const struct fc_callers_settings *s = &settings->callers;

	if (s->callers || s->callees || s->top_rate)
		return fc_fail(EINVAL, "%s: one of --callers, --callees and --top-rate, once",
			       arg);
	return 0;
}

static int set_callers(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, arg);
	settings->callers.callers = arg;
	return err ? err : fc_glob_check(arg);
}

static int set_callees(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, arg);
	settings->callers.callees = arg;
	return err ? err : fc_glob_check(arg);
}

static int set_top_rate(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, "");
	settings->callers.top_rate = true;
	return err;
}

static const struct fc_option *const options[] = {
	FC_OPTION('s', NULL, "KEYS",
		  "sort by total (default) or another column, func, module or value, or by "
		  "several: "
		  "-s self,calls",
		  set_sort, .words = FC_STAT_NAMES(",") ",func,module,value,pid,tid"),
	&fc_option_rows,
	FC_OPTION('f', NULL, "COLUMNS",
		  "show these, as in -f calls,total,p99: " FC_STAT_NAMES(", "),
		  FC_PUT(put_columns, struct fc_columns, report.columns),
		  .words = FC_STAT_NAMES(",")),
	FC_OPTION(0, "by", "WHAT",
		  "a row for each function (default), module, thread, process, file of the "
		  "source, "
		  "function and value (its arguments), one argument, or result",
		  FC_WORD(report.by),
		  .words = "function|module|thread|process|file|value|arg1|arg2|arg3|arg4|arg5|"
			   "arg6|result"),
	FC_OPTION(0, "hist", "GLOB",
		  "how the durations of the calls of functions that match are spread",
		  FC_GLOB(report.hist)),
	FC_OPTION(0, "callers", "FUNC", "who calls FUNC, how often, and what time that takes",
		  set_callers),
	FC_OPTION(0, "callees", "FUNC", "whom FUNC calls, how often, and what time that takes",
		  set_callees),
	FC_OPTION(0, "top-rate", NULL,
		  "what is called too often: functions by their calls for each call of the "
		  "caller",
		  set_top_rate),
	FC_OPTION(0, "locks", NULL,
		  "locks that threads waited for: how often, how long, who had them, who woke",
		  FC_FLAG(report.locks)),
	FC_OPTIONS_PART,
	&fc_option_demangle,
	&fc_option_srcline,
	FC_OPTIONS_TEXT,
	&fc_option_json,
	FC_OPTION(0, "csv", NULL, "as CSV, times in ns", FC_FLAG(report.csv)),
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_report = {
	.name = "report",
	.usage = "[OPTIONS] [FILE]",
	.summary = "calls and times of each function of a trace",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.run = run_report,
};
