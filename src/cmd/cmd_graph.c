/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_graph.c - fctrace graph: calls and times of a trace, by the paths that lead to them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calls/filter.h"
#include "calls/play.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/text_output.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/view/nameless_hint.h"
#include "cmd/view/print_graph.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "cmd/view/unmatched.h"
#include "cmd/view/wait.h"
#include "read/sums/graph.h"
#include "read/sums/graph_lines.h"
#include "read/sums/reverse.h"

static bool is_enough(void *ctx)
{
	return fc_output_is_over();
}

/* Only what is at or below calls of --from. */
static bool play_from(const struct fc_settings *settings, struct fc_reader *reader,
		      const struct fc_play_opts *play_opts, struct fc_call_sink *sink,
		      int *status)
{
	struct fc_namer namer = fc_reading_namer(reader);
	char *only[] = { (char *)settings->graph.from, NULL };
	struct fc_filter_opts opts = {
		.only = only, .is_ordered = true, .match = fc_namer_match, .ctx = &namer
	};
	struct fc_filter *filter = fc_filter_create(&opts, sink);
	bool is_played =
		fc_reading_play(settings, reader, play_opts, fc_filter_sink(filter), status);

	if (is_played && !fc_filter_has_matched(filter, 0)) {
		fc_unmatched_say("--from", settings->graph.from, reader);
		*status = FC_STATUS_NO;
		is_played = false;
	}
	fc_filter_destroy(filter);
	return is_played;
}

static bool play(const struct fc_settings *settings, struct fc_reader *reader,
		 struct fc_graph *graph, int *status)
{
	struct fc_play_opts play_opts = { .is_enough = is_enough, .no_values = true };

	if (!fc_reading_choose(settings, reader, &play_opts, status))
		return false;
	if (settings->graph.from)
		return play_from(settings, reader, &play_opts, fc_graph_sink(graph), status);
	if (!fc_reading_play(settings, reader, &play_opts, fc_graph_sink(graph), status))
		return false;
	/* A filter cannot be applied to calls that were only counted: leave them out. */
	if (fc_settings_is_part(settings))
		return true;
	for (uint32_t func = 1; func <= fc_reader_max_func(reader); func++)
		fc_graph_add_counted(graph, func, fc_reader_counted(reader, func));
	return true;
}

/* Whether a function matches --to, asked once for each. */
struct wanted {
	const char *glob;
	struct fc_namer namer;
	uint8_t *answers; /* by function: 0 not asked, 1 no, 2 yes */
	uint32_t nr;
};

static bool is_wanted(void *ctx, uint32_t func)
{
	struct wanted *wanted = ctx;

	if (func >= wanted->nr)
		return fc_namer_match(&wanted->namer, func, wanted->glob);
	uint8_t *answer = &wanted->answers[func];
	if (!*answer)
		*answer = fc_namer_match(&wanted->namer, func, wanted->glob) ? 2 : 1;
	return *answer == 2;
}

/* NULL: no function that was called matches. */
static struct fc_graph *reverse(const char *glob, struct fc_reader *reader,
				const struct fc_graph *graph)
{
	struct wanted wanted = { .glob = glob,
				 .namer = fc_reading_namer(reader),
				 .nr = fc_reader_max_func(reader) + 1 };
	wanted.answers = fc_alloc(wanted.nr);
	struct fc_graph *reversed = fc_graph_reverse(graph, is_wanted, &wanted);

	free(wanted.answers);
	if (fc_graph_nr(reversed))
		return reversed;
	fc_unmatched_say("--to", glob, reader);
	fc_graph_destroy(reversed);
	return NULL;
}

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return fc_graph_name(ctx, func);
}

static double find_min(const struct fc_settings *settings, const struct fc_graph *graph)
{
	if (settings->graph.min.is_asked)
		return settings->graph.min.part;
	return !settings->json && fc_graph_nr(graph) > FC_GRAPH_LARGE_NODES ? FC_GRAPH_LARGE_MIN
									    : 0;
}

static void print(FILE *out, const struct fc_settings *settings, struct fc_reader *reader,
		  const struct fc_graph *graph)
{
	bool is_text = !settings->json && !settings->graph.dot;
	struct fc_nameless_shown nameless = { reader };
	struct fc_namer namer =
		is_text ? fc_nameless_namer(&nameless) : fc_reading_namer(reader);
	struct fc_graph_view_opts opts = {
		.levels = settings->graph.levels,
		.min = find_min(settings, graph),
		.by_calls = settings->graph.by_calls,
		.is_reversed = settings->graph.to,
		.namer = { name_of, &namer },
	};
	struct fc_graph_print print = {
		.out = out,
		.reader = reader,
		.namer = namer,
		.view = fc_graph_view_create(graph, &opts),
		.by_calls = settings->graph.by_calls,
		.is_reversed = settings->graph.to,
	};

	if (settings->json)
		fc_graph_print_json(&print);
	else if (settings->graph.dot)
		fc_graph_print_dot(&print);
	else
		fc_graph_print_text(&print);
	fc_graph_view_destroy(print.view);
	fc_nameless_say(&nameless, out);
}

/* False: said why not. */
static bool print_whole(FILE *out, const struct fc_settings *settings, struct fc_reader *reader,
			const struct fc_graph *graph)
{
	uint64_t nr_beyond = fc_graph_nr_beyond(graph);

	if (settings->graph.to) {
		struct fc_graph *reversed = reverse(settings->graph.to, reader, graph);
		if (!reversed)
			return false;
		print(out, settings, reader, reversed);
		fc_graph_destroy(reversed);
	} else {
		print(out, settings, reader, graph);
	}
	if (nr_beyond)
		fc_say("there are more than %u paths: %" PRIu64 " calls on others are summed "
		       "by function, below [other paths]; --from FUNC looks at fewer",
		       FC_GRAPH_NODES, nr_beyond);
	fc_unshown_say(reader);
	fc_wait_say_inside(fc_graph_waited(graph), fc_reader_clock(reader));
	return true;
}

static int run_graph(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_reader *reader = NULL;
	int status = 0;

	if (settings->json && settings->graph.dot) {
		fc_say("either --json or --dot, not both");
		return FC_STATUS_USAGE;
	}
	if (!fc_reading_open(argc, argv, &reader, &status))
		return status;
	FILE *out = fc_text_output_open(settings, !settings->json && !settings->graph.dot);
	struct fc_graph *graph = fc_graph_create(FC_GRAPH_NODES);
	bool is_played = play(settings, reader, graph, &status);
	if (is_played && !print_whole(out, settings, reader, graph)) {
		status = FC_STATUS_NO;
		is_played = false;
	}
	fc_graph_destroy(graph);
	int read_status = fc_reading_close(reader);
	return fc_output_close(out, is_played ? read_status : status);
}

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

static int set_to(struct fc_settings *settings, const char *arg)
{
	return set_glob(&settings->graph.to, arg);
}

static const struct fc_option *const options[] = {
	FC_OPTION(0, "from", "FUNC",
		  "what FUNC calls, all ways to it taken together; a glob, as 'png_*' or "
		  "'libpng*:*'",
		  set_from),
	FC_OPTION(0, "to", "FUNC",
		  "who leads to FUNC: its callers, theirs, and so on, each with its part of "
		  "FUNC's calls and times",
		  set_to),
	FC_OPTION(0, "depth", "N", "N levels of the tree; what is deeper is summed",
		  FC_NUMBER(graph.levels, "a number of levels")),
	FC_OPTION(0, "min", "PERCENT",
		  "what has less than this share of the whole is summed (default 0, and 0.1 "
		  "for a graph of more than 500 nodes; 0 for --json)",
		  FC_SHARE(graph.min)),
	FC_OPTION(0, "by-calls", NULL, "order and share by numbers of calls, not by time",
		  FC_FLAG(graph.by_calls)),
	FC_OPTION(0, "dot", NULL, "for graphviz: fctrace graph --dot | dot -Tsvg >graph.svg",
		  FC_FLAG(graph.dot)),
	FC_OPTIONS_PART,
	&fc_option_demangle,
	FC_OPTIONS_TEXT,
	&fc_option_json,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_graph = {
	.name = "graph",
	.usage = "[OPTIONS] [FILE]",
	.summary = "who calls whom, as a tree with calls and times",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.run = run_graph,
};
