/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - fctrace report: calls and times of each function of a trace. */
#include "analyze/play.h"
#include "analyze/report.h"
#include "base/fail.h"
#include "cmd/cmd.h"
#include "cmd/demangle.h"
#include "cmd/output.h"
#include "cmd/reading.h"
#include "cmd/say.h"
#include "cmd/srclines.h"
#include "cmd/table.h"
#include "cmd/unshown.h"
#include "cmd/wait.h"

/* Without a filter no order is needed. False: said, *status is set. */
static bool sum_all(const struct fc_settings *settings, struct fc_reader *reader,
		    struct fc_report **ret, int *status)
{
	struct fc_play_opts opts = { 0 };

	if (fc_settings_filter_anything(settings)) {
		*ret = fc_report_create();
		return fc_reading_play(settings, reader, &opts, fc_report_sink(*ret), status);
	}
	if (!fc_report_crunch(reader, ret))
		return true;
	fc_say("%s", fc_fail_text());
	*status = FC_STATUS_UNUSABLE;
	return false;
}

static int run_report(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	struct fc_report *report = NULL;
	int status = 0;

	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;

	FILE *out = fc_output_open();
	struct fc_namer namer = fc_reading_namer(reader);
	bool is_played = sum_all(settings, reader, &report, &status);
	if (is_played) {
		/* Of calls that were only counted it is not known which a filter would leave. */
		if (!fc_settings_filter_anything(settings))
			fc_unshown_add(reader, report);
		fc_table_print(out, settings, report, fc_reader_clock(reader), &namer);
		fc_unshown_say(reader);
		fc_wait_say_inside(fc_report_waited(report), fc_reader_clock(reader));
	}
	fc_report_destroy(report);
	int read_status = fc_reading_close(reader);
	return fc_output_close(out, is_played ? read_status : status);
}

static const struct fc_option *const options[] = {
	&fc_option_sort,     &fc_option_rows,	 FC_OPTIONS_FILTER,
	&fc_option_demangle, &fc_option_srcline, &fc_option_tid,
	&fc_option_json,     &fc_option_help,	 NULL,
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
