/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/graph_options.h"

#include <errno.h>
#include <limits.h>

#include "base/fail.h"
#include "cmd/options/parse.h"

static int set_glob(const char **glob, const char *arg)
{
	if (*glob)
		return fc_fail(EINVAL, "%s: once is enough; a glob can name several functions",
			       arg);
	*glob = arg;
	return fc_glob_check(arg);
}

static int set_from(struct fc_settings *settings, const char *arg)
{
	return set_glob(&settings->graph.from, arg);
}

const struct fc_option fc_option_graph_from = {
	0,
	"from",
	"FUNC",
	"what FUNC calls, all ways to it taken together; a glob, as 'png_*' or 'libpng*:*'",
	set_from,
};

static int set_to(struct fc_settings *settings, const char *arg)
{
	return set_glob(&settings->graph.to, arg);
}

const struct fc_option fc_option_graph_to = {
	0,
	"to",
	"FUNC",
	"who leads to FUNC: its callers, theirs, and so on, each with its part of FUNC's calls "
	"and times",
	set_to,
};

static int set_levels(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a number of levels", &n);
	settings->graph.levels = (uint32_t)n;
	return err;
}

const struct fc_option fc_option_graph_depth = {
	0, "depth", "N", "N levels of the tree; what is deeper is summed", set_levels,
};

static int set_min(struct fc_settings *settings, const char *arg)
{
	double percent = 0;
	int err = fc_parse_percent(arg, &percent);
	settings->graph.min = percent / 100;
	settings->graph.has_min = true;
	return err;
}

const struct fc_option fc_option_graph_min = {
	0,
	"min",
	"PERCENT",
	"what has less than this share of the whole is summed (default 0, and 0.1 for a graph "
	"of "
	"more than 500 nodes; 0 for --json)",
	set_min,
};

static int set_by_calls(struct fc_settings *settings, const char *arg)
{
	settings->graph.by_calls = true;
	return 0;
}

const struct fc_option fc_option_graph_by_calls = {
	0, "by-calls", NULL, "order and share by numbers of calls, not by time", set_by_calls,
};

static int set_dot(struct fc_settings *settings, const char *arg)
{
	settings->graph.dot = true;
	return 0;
}

const struct fc_option fc_option_graph_dot = {
	0, "dot", NULL, "for graphviz: fctrace graph --dot | dot -Tsvg >graph.svg", set_dot,
};
