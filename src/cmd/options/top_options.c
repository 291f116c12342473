/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/top_options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/options/parse.h"
#include "cmd/options/shared_options.h"

static const char *const key_names[] = {
	[FC_TOP_BY_SELF] = "self", [FC_TOP_BY_CALLS] = "calls", [FC_TOP_BY_TOTAL] = "total",
	[FC_TOP_BY_AVG] = "avg",   [FC_TOP_BY_MAX] = "max",	[FC_TOP_BY_NAME] = "name",
	[FC_TOP_NR_KEYS] = NULL,
};

const char *fc_top_key_name(enum fc_top_key key)
{
	return key_names[key];
}

/* Seconds, as top(1) takes them; or with a unit, as everywhere here. */
static int set_interval(struct fc_settings *settings, const char *arg)
{
	const double least_s = 0.1, most_s = 3600;
	char *end = NULL;
	double seconds = strtod(arg, &end);

	if (end == arg || strspn(arg, "0123456789.") == 0)
		return fc_bad_time(arg);
	if (*end) {
		uint64_t ns = 0;
		int err = fc_parse_time(arg, &ns);
		if (err)
			return err;
		seconds = (double)ns / 1e9;
	}
	if (!(seconds >= least_s && seconds <= most_s))
		return fc_fail(EINVAL, "%s: an interval is from 0.1 to 3600 seconds", arg);
	settings->top.interval_ns = (uint64_t)(seconds * 1e9);
	return 0;
}

const struct fc_option fc_option_top_interval = {
	'd', NULL, "SECONDS", "refresh so often (default 1): 0.5, 2, 500ms", set_interval,
};

static int set_intervals(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a number of refreshes", &n);
	settings->top.nr_intervals = n;
	return err;
}

const struct fc_option fc_option_top_intervals = {
	'n', NULL, "N", "end after N refreshes", set_intervals,
};

static int set_sort(struct fc_settings *settings, const char *arg)
{
	int key = 0;
	int err = fc_parse_word(arg, key_names, &key);
	settings->top.key = (enum fc_top_key)key;
	settings->top.has_key = true;
	return err;
}

const struct fc_option fc_option_top_sort = {
	's',
	NULL,
	"KEY",
	"sort by self (default), calls, total, avg, max or name; with --no-time by calls "
	"(default) or name",
	set_sort,
	"self|calls|total|avg|max|name",
};

static int set_threads(struct fc_settings *settings, const char *arg)
{
	settings->top.by_thread = true;
	return 0;
}

const struct fc_option fc_option_top_threads = {
	0, "threads", NULL, "a row for each thread instead of each function", set_threads,
};

static int set_batch(struct fc_settings *settings, const char *arg)
{
	settings->top.is_batch = true;
	return 0;
}

const struct fc_option fc_option_top_batch = {
	'b',	   "batch",
	NULL,	   "plain text, a block each time; also where stdout is no terminal",
	set_batch,
};

static int set_rows(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a number of rows", &n);
	settings->top.nr_rows = n;
	return err;
}

const struct fc_option fc_option_top_rows = {
	0, "rows", "N", "rows of a block (default 30; with --json all)", set_rows,
};

static int set_json(struct fc_settings *settings, const char *arg)
{
	settings->json = true;
	return 0;
}

const struct fc_option fc_option_top_json = {
	0, "json", NULL, "as JSON: an object a line, each time", set_json,
};

static int set_output(struct fc_settings *settings, const char *arg)
{
	if (!*arg)
		return fc_fail(EINVAL, "an empty file name");
	settings->output = arg;
	return 0;
}

const struct fc_option fc_option_top_output = {
	'o',	    NULL,
	"FILE",	    "blocks and JSON to FILE, not to stdout (-p) or stderr (PROGRAM)",
	set_output,
};

static int set_no_time(struct fc_settings *settings, const char *arg)
{
	settings->no_time = true;
	return 0;
}

const struct fc_option fc_option_top_no_time = {
	0, "no-time", NULL, "only count calls, all of them, at about 3 ns each", set_no_time,
};

static int set_budget(struct fc_settings *settings, const char *arg)
{
	return fc_option_budget.set(settings, arg);
}

const struct fc_option fc_option_top_budget = {
	0,
	"budget",
	"SHARE",
	"slow the program down by no more than SHARE (default 5%): what is called too often "
	"for that is only counted, or not seen, and marked",
	set_budget,
};
