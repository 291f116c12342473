/* SPDX-License-Identifier: Apache-2.0 */
/* report_options.c - parses the columns of a report, and checks which options go together. */
#include "cmd/options/report_options.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "base/list.h"
#include "cmd/options/parse.h"
#include "read/sums/report.h"

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
		if (report->columns.at[i]->need == FC_NEEDS_HIST)
			return true;
	}
	return is_all || report->hist || fc_report_keys_need_hist(settings->sort);
}

bool fc_report_settings_ask_waits(const struct fc_settings *settings)
{
	const struct fc_report_settings *report = &settings->report;

	for (size_t i = 0; i < report->columns.nr; i++) {
		if (report->columns.at[i]->need == FC_NEEDS_WAITS)
			return true;
	}
	return fc_report_keys_need_waits(settings->sort);
}
