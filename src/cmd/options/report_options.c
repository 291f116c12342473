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
	.words = FC_STAT_NAMES(",") ",func,module,pid,tid",
};

int fc_columns_parse(const char *list, const char *what, struct fc_columns *ret)
{
	struct fc_item item;

	ret->nr = 0;
	for (const char *p = list; fc_list_next(&p, &item);) {
		const struct fc_stat *stat = fc_stat_find(item.at, item.len);
		if (!stat)
			return fc_list_unknown(list, item, what, FC_STAT_NAMES(", "));
		if (ret->nr == FC_MAX_COLUMNS)
			return fc_fail(EINVAL, "%s: more than %d %ss", list, FC_MAX_COLUMNS,
				       what + strlen("a "));
		ret->at[ret->nr++] = stat;
	}
	return 0;
}

static int put_columns(const struct fc_option *option, void *at, const char *arg)
{
	return fc_columns_parse(arg, "a column", at);
}

const struct fc_option fc_option_report_columns = {
	'f',
	NULL,
	"COLUMNS",
	"show these, as in -f calls,total,p99: " FC_STAT_NAMES(", "),
	FC_PUT(put_columns, struct fc_columns, report.columns),
	.words = FC_STAT_NAMES(","),
};

const struct fc_option fc_option_by = {
	0,
	"by",
	"WHAT",
	"a row for each function (default), module, thread, process or file of the source",
	FC_WORD(report.by),
	.words = "function|module|thread|process|file",
};

const struct fc_option fc_option_hist = {
	0,
	"hist",
	"GLOB",
	"how the durations of the calls of functions that match are spread",
	FC_GLOB(report.hist),
};

const struct fc_option fc_option_csv = { 0, "csv", NULL, "as CSV, times in ns",
					 FC_FLAG(report.csv) };

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

const struct fc_option fc_option_callers = {
	0,	     "callers", "FUNC", "who calls FUNC, how often, and what time that takes",
	set_callers,
};

static int set_callees(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, arg);
	settings->callers.callees = arg;
	return err ? err : fc_glob_check(arg);
}

const struct fc_option fc_option_callees = {
	0,	     "callees", "FUNC", "whom FUNC calls, how often, and what time that takes",
	set_callees,
};

static int set_top_rate(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, "");
	settings->callers.top_rate = true;
	return err;
}

const struct fc_option fc_option_top_rate = {
	0,
	"top-rate",
	NULL,
	"what is called too often: functions by their calls for each call of the caller",
	set_top_rate,
};

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
	if (report->hist && report->columns.nr)
		return fc_fail(EINVAL, "--hist has no columns to choose with -f");
	return 0;
}

bool fc_report_settings_need_hist(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;
	bool is_all = !report->columns.nr && (settings->json || report->csv);

	for (size_t i = 0; i < report->columns.nr; i++) {
		if (report->columns.at[i]->needs_hist)
			return true;
	}
	return is_all || report->hist || fc_report_keys_need_hist(settings->sort);
}
