/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/diff_options.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/fail.h"
#include "base/list.h"
#include "calls/wanted.h"
#include "cmd/options/parse.h"
#include "read/diff/changes.h"

int fc_diff_fields_parse(const char *list, struct fc_diff_fields *ret)
{
	struct fc_item item;

	ret->nr = 0;
	for (const char *p = list; fc_list_next(&p, &item);) {
		const struct fc_stat *stat = fc_stat_find(item.at, item.len);
		if (!stat)
			return fc_list_unknown(list, item, "a field", fc_stat_names());
		if (ret->nr == FC_MAX_COLUMNS)
			return fc_fail(EINVAL, "%s: more than %d fields", list, FC_MAX_COLUMNS);
		ret->at[ret->nr++] = stat;
	}
	return 0;
}

static int set_sort(struct fc_settings *settings, const char *arg)
{
	settings->diff.sort = arg;
	return fc_changes_check_keys(arg);
}

const struct fc_option fc_option_diff_sort = {
	's',
	NULL,
	"KEYS",
	"sort by the change of total (default), self, calls, avg, min, max or percent, or by "
	"func or module; or by several: -s calls,self",
	set_sort,
	"total,self,calls,avg,min,max,percent,func,module",
};

static int set_fields(struct fc_settings *settings, const char *arg)
{
	settings->diff.fields = arg;
	struct fc_diff_fields fields;
	return fc_diff_fields_parse(arg, &fields);
}

const struct fc_option fc_option_diff_fields = {
	'f',
	NULL,
	"FIELDS",
	"show these of calls, counted, timed, total, self, min, avg, max, stdev, p50, p90, "
	"p99, p99.9 (default "
	"calls,total)",
	set_fields,
	"calls,counted,timed,total,self,min,avg,max,stdev,p50,p90,p99,p99.9",
};

static int set_modules(struct fc_settings *settings, const char *arg)
{
	return fc_globs_add(&settings->diff.modules, arg);
}

const struct fc_option fc_option_diff_modules = {
	'm', NULL, "GLOB", "only functions of files that match, as in 'libz*'", set_modules,
};

static int set_min(struct fc_settings *settings, const char *arg)
{
	return fc_parse_time(arg, &settings->diff.min_ns);
}

const struct fc_option fc_option_diff_min = {
	0, "min", "TIME", "no functions whose total changed by less than TIME", set_min,
};

static int set_all(struct fc_settings *settings, const char *arg)
{
	settings->diff.all = true;
	return 0;
}

const struct fc_option fc_option_diff_all = {
	0, "all", NULL, "also functions that changed by no more than the noise", set_all,
};

static int set_functions(struct fc_settings *settings, const char *arg)
{
	settings->diff.functions = true;
	return 0;
}

const struct fc_option fc_option_diff_functions = {
	0, "functions", NULL, "only the table of functions", set_functions,
};

static int set_flow(struct fc_settings *settings, const char *arg)
{
	settings->diff.flow = true;
	return 0;
}

const struct fc_option fc_option_diff_flow = {
	0, "flow", NULL, "only where the flow of calls differs", set_flow,
};

static int set_csv(struct fc_settings *settings, const char *arg)
{
	settings->diff.csv = settings->diff.functions = true;
	return 0;
}

const struct fc_option fc_option_diff_csv = {
	0, "csv", NULL, "the table of functions as CSV", set_csv,
};

/* 0, too, is a number here. */
static int set_number(const char *arg, const char *what, bool *is_set, size_t *ret)
{
	unsigned long n = 0;
	int err = strcmp(arg, "0") ? fc_parse_number(arg, INT_MAX, what, &n) : 0;

	*is_set = true;
	*ret = n;
	return err;
}

static int set_context(struct fc_settings *settings, const char *arg)
{
	return set_number(arg, "a number of calls", &settings->diff.has_context,
			  &settings->diff.context);
}

const struct fc_option fc_option_diff_context = {
	0, "context", "N", "show N equal calls around each change (default 2)", set_context,
};

static int set_places(struct fc_settings *settings, const char *arg)
{
	return set_number(arg, "a number of changes", &settings->diff.has_places,
			  &settings->diff.places);
}

const struct fc_option fc_option_diff_places = {
	0,	    "changes",
	"N",	    "stop after N changes of the flow (default 100, 0: show all)",
	set_places,
};

static int set_lines(struct fc_settings *settings, const char *arg)
{
	return set_number(arg, "a number of lines", &settings->diff.has_lines,
			  &settings->diff.lines);
}

const struct fc_option fc_option_diff_lines = {
	0,	   "lines",
	"N",	   "show N lines of what was added or is missing (default 20, 0: all)",
	set_lines,
};

static int set_memory(struct fc_settings *settings, const char *arg)
{
	int err = fc_parse_size(arg, &settings->diff.memory);

	if (!err && settings->diff.memory < 16 << 20)
		return fc_fail(EINVAL, "%s: too small; 16M is the least", arg);
	return err;
}

const struct fc_option fc_option_diff_memory = {
	0,	    "memory", "SIZE", "take about so much memory for the flow (default 512M)",
	set_memory,
};
