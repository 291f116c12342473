/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the options of all commands, each a record that sets its setting. */
#ifndef FC_CMD_OPTIONS_OPTIONS_H
#define FC_CMD_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/filter.h"
#include "calls/names.h"
#include "capture/user/user.h"
#include "cmd/options/callers_options.h"
#include "cmd/options/diff_options.h"
#include "cmd/options/export_options.h"
#include "cmd/options/graph_options.h"
#include "cmd/options/query_options.h"
#include "cmd/options/replay_options.h"
#include "cmd/options/report_options.h"
#include "cmd/options/span.h"
#include "cmd/options/top_options.h"
#include "trace/clock.h"

/* What the user asked for. Zeroed means: nothing special. */
struct fc_settings {
	char **only, **except, **modules; /* -F -N -m: NULL-terminated, or NULL */
	uint32_t depth;			  /* -D */
	uint64_t min_ns;		  /* -t */
	int tid, pid;			  /* --tid, --pid */
	struct fc_span span;		  /* -r, --around */
	int *pids;			  /* -p */
	size_t nr_pids;
	uint64_t for_ns; /* --for */
	enum fc_libs libs;
	enum fc_loss loss;
	struct fc_dump_on dump_on; /* --dump-on */
	struct fc_dump_func *dump_funcs;
	bool has_dump_on;
	enum fc_backend backend;
	double budget;
	uint64_t ring_bytes; /* --ring */
	bool no_follow, no_cache, dry_run, json;
	bool summary; /* -c, --summary */
	bool no_time, edges;
	bool off;	    /* --off */
	bool clear;	    /* --all */
	const char *output; /* -o */
	const char *sort;   /* -s */
	size_t nr_rows;	    /* -n: 0 = all */
	const char *why;
	struct fc_replay_settings replay;
	struct fc_graph_settings graph;
	struct fc_callers_settings callers;
	struct fc_report_settings report;
	struct fc_diff_settings diff;
	struct fc_query_settings query;
	struct fc_export_settings export;
	struct fc_top_settings top;
	bool help, version;
	char **typed; /* the first option word; the words up to the program are options */
};

struct fc_option {
	int letter;	  /* 0: has only a name */
	const char *name; /* NULL: has only a letter */
	const char *arg;  /* what its argument is called; NULL: takes none */
	const char *help;
	/* -EINVAL with a sentence: not what this option takes. */
	int (*set)(struct fc_settings *settings, const char *arg);
	/*
	 * Where arg does not say it: what the argument may be, as in "a|b|c", or as in
	 * "a,b,c" where it may be several, with commas. For completion.
	 */
	const char *words;
};

struct fc_cmd;

/* Groups that several commands share; single options are in options.c. */
#define FC_OPTIONS_FILTER &fc_option_only, &fc_option_except, &fc_option_depth, &fc_option_time
#define FC_OPTIONS_TRACE                                                                       \
	FC_OPTIONS_FILTER, &fc_option_modules, &fc_option_libs, &fc_option_no_follow,          \
		&fc_option_loss, &fc_option_ring, &fc_option_budget, &fc_option_backend,       \
		&fc_option_dry_run, &fc_option_pids, &fc_option_for, &fc_option_no_cache,      \
		&fc_option_off

extern const struct fc_option fc_option_only, fc_option_except, fc_option_depth, fc_option_time,
	fc_option_modules, fc_option_pids, fc_option_for, fc_option_libs, fc_option_no_follow,
	fc_option_no_cache, fc_option_off, fc_option_loss, fc_option_dump_on, fc_option_ring,
	fc_option_backend, fc_option_budget, fc_option_dry_run, fc_option_output,
	fc_option_trace_file, fc_option_summary, fc_option_list_summary, fc_option_rows,
	fc_option_no_time, fc_option_edges, fc_option_trace_sort, fc_option_tid, fc_option_json,
	fc_option_why, fc_option_clear, fc_option_help, fc_option_version;

/*
 * Read the options of a command, argv[0] being its own word: up to the first word that is none
 * if the command runs a program, else wherever they stand; argv is put in order then. Returns
 * the index of the first word that is no option, or -EINVAL with a sentence.
 */
int fc_options_parse(const struct fc_cmd *cmd, int argc, char **argv,
		     struct fc_settings *settings);
void fc_settings_deinit(struct fc_settings *settings);

/* Is there something to trace? Says what is wrong; argc: the words behind the options. */
bool fc_settings_has_target(const struct fc_settings *settings, int argc);

/* Is anything to be left out? */
bool fc_settings_filter_anything(const struct fc_settings *settings);
/* The filter that was asked for, in ticks of this clock; lives as long as settings. */
struct fc_filter_opts fc_settings_filter(const struct fc_settings *settings,
					 const struct fc_clock *clock, struct fc_namer *namer);

/* It is over: say which -F has found nothing. */
void fc_settings_say_unmatched(const struct fc_settings *settings,
			       const struct fc_filter *filter);

#endif
