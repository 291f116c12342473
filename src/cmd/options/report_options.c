/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/report_options.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/list.h"
#include "cmd/options/parse.h"
#include "read/sums/report.h"

static int set_sort(struct fc_settings *settings, const char *arg)
{
	settings->sort = arg;
	return fc_report_check_keys(arg);
}

const struct fc_option fc_option_report_sort = {
	's',
	NULL,
	"KEYS",
	"sort by total (default) or another column, func or module, or by several: -s "
	"self,calls",
	set_sort,
	"calls,counted,timed,total,self,min,avg,max,stdev,p50,p90,p99,p99.9,func,module,pid,"
	"tid",
};

static int set_columns(struct fc_settings *settings, const char *arg)
{
	struct fc_report_settings *report = &settings->report;

	struct fc_item item;

	report->nr_columns = 0;
	for (const char *p = arg; fc_list_next(&p, &item);) {
		const struct fc_stat *stat = fc_stat_find(item.at, item.len);
		if (!stat)
			return fc_list_unknown(arg, item, "a column", fc_stat_names());
		if (report->nr_columns == FC_MAX_COLUMNS)
			return fc_fail(EINVAL, "%s: more than %d columns", arg, FC_MAX_COLUMNS);
		report->columns[report->nr_columns++] = stat;
	}
	return 0;
}

const struct fc_option fc_option_report_columns = {
	'f',
	NULL,
	"COLUMNS",
	"show these, as in -f calls,total,p99: calls, counted, timed, total, self, min, avg, "
	"max, stdev, p50, p90, p99, p99.9",
	set_columns,
	"calls,counted,timed,total,self,min,avg,max,stdev,p50,p90,p99,p99.9",
};

static int set_by(struct fc_settings *settings, const char *arg)
{
	static const char *const words[] = { "function", "module", "thread",
					     "process",	 "file",   NULL };
	int by = 0;
	int err = fc_parse_word(arg, words, &by);

	settings->report.by = (enum fc_by)by;
	return err;
}

const struct fc_option fc_option_by = {
	0,
	"by",
	"WHAT",
	"a row for each function (default), module, thread, process or file of the source",
	set_by,
	"function|module|thread|process|file",
};

static int set_hist(struct fc_settings *settings, const char *arg)
{
	settings->report.hist = arg;
	return fc_glob_check(arg);
}

const struct fc_option fc_option_hist = {
	0,	  "hist",
	"GLOB",	  "how the durations of the calls of functions that match are spread",
	set_hist,
};

static int set_csv(struct fc_settings *settings, const char *arg)
{
	settings->report.csv = true;
	return 0;
}

const struct fc_option fc_option_csv = { 0, "csv", NULL, "as CSV, times in ns", set_csv };

int fc_report_check_live_keys(const char *keys)
{
	int err = fc_report_check_keys(keys);

	if (!err && fc_report_keys_need_hist(keys))
		return fc_fail(EINVAL,
			       "%s: percentiles are known of a trace that is read: record, "
			       "then fctrace report",
			       keys);
	return err;
}

int fc_report_settings_check(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;

	if (report->csv && settings->json)
		return fc_fail(EINVAL, "--json and --csv: one of both");
	if (report->hist && report->by != FC_BY_FUNCTION)
		return fc_fail(EINVAL, "--hist is of functions, and --by is not");
	if (report->hist && report->nr_columns)
		return fc_fail(EINVAL, "--hist has no columns to choose with -f");
	return 0;
}

bool fc_report_settings_need_hist(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;
	bool is_all = !report->nr_columns && (settings->json || report->csv);

	for (size_t i = 0; i < report->nr_columns; i++) {
		if (report->columns[i]->needs_hist)
			return true;
	}
	return is_all || report->hist || fc_report_keys_need_hist(settings->sort);
}
