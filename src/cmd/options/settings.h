/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - what the user asked for, and what an option is that sets it. */
#ifndef FC_CMD_OPTIONS_SETTINGS_H
#define FC_CMD_OPTIONS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/filter.h"
#include "calls/names.h"
#include "capture/backend.h"
#include "cmd/options/span.h"
#include "read/sums/grouping.h"
#include "read/sums/stat.h"
#include "show/lines/lines.h"
#include "trace/clock.h"

struct fc_summed_settings {
	bool by_calls, by_thread, has_min;
	double min; /* a share, 0..1 */
};

enum fc_when { FC_WHEN_AUTO, FC_WHEN_ALWAYS, FC_WHEN_NEVER };

struct fc_replay_settings {
	uint64_t first, last; /* lines; 0: all */
	struct fc_fields fields;
	bool has_fields;
	bool is_flat, no_merge, no_pager;
	enum fc_when color;
};

struct fc_graph_settings {
	const char *from, *to; /* globs, or NULL */
	uint32_t levels;       /* --depth; 0: all */
	double min;	       /* a share, 0..1 */
	bool has_min;
	bool by_calls;
	bool dot;
};

struct fc_callers_settings {
	const char *callers, *callees; /* globs, or NULL */
	bool top_rate;
};

enum { FC_MAX_COLUMNS = 16 };

_Static_assert((int)FC_NR_STATS <= FC_MAX_COLUMNS, "a report has room for all of them");

/* Zeroed means: the default table. */
struct fc_report_settings {
	enum fc_by by;
	const struct fc_stat *columns[FC_MAX_COLUMNS]; /* -f */
	size_t nr_columns;			       /* 0: the default */
	const char *hist;			       /* --hist: a glob */
	bool csv;
};

struct fc_diff_settings {
	const char *sort;     /* -s */
	const char *fields;   /* -f */
	char **modules;	      /* -m */
	uint64_t min_ns;      /* --min */
	bool all;	      /* --all */
	bool functions, flow; /* only this part */
	bool csv;
	bool has_context, has_places, has_lines;
	size_t context, places, lines; /* --context, --changes, --lines; 0 is not the default */
	uint64_t memory;	       /* --memory: bytes; 0: default */
};

struct fc_query_settings {
	bool csv;
	const char *to_sqlite; /* a file to be made */
};

struct fc_export_settings {
	const struct fc_format *format; /* NULL: as -o says */
	const char *output;		/* NULL: stdout */
	struct fc_summed_settings summed;
};

enum fc_top_key {
	FC_TOP_BY_SELF = 0,
	FC_TOP_BY_CALLS,
	FC_TOP_BY_TOTAL,
	FC_TOP_BY_AVG,
	FC_TOP_BY_MAX,
	FC_TOP_BY_NAME,
	FC_TOP_NR_KEYS,
};

struct fc_top_settings {
	uint64_t interval_ns; /* -d; 0: the default */
	size_t nr_intervals;  /* 0: until the end */
	size_t nr_rows;	      /* --rows; 0: the default */
	enum fc_top_key key;
	bool has_key;
	bool is_batch;
	bool by_thread;
};

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
	const struct fc_backend *backend; /* NULL: fc_settings_backend() */
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

void fc_settings_deinit(struct fc_settings *settings);

/* The backend that is asked for, or that is used if nobody asks. */
const struct fc_backend *fc_settings_backend(const struct fc_settings *settings);

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
