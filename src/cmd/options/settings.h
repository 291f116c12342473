/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - what the user asked for. */
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

/* A setting whose default is not 0. */
struct fc_count {
	bool is_asked;
	uint32_t nr;
};

struct fc_share {
	bool is_asked;
	double part; /* 0..1 */
};

static inline uint32_t fc_count_or(struct fc_count count, uint32_t otherwise)
{
	return count.is_asked ? count.nr : otherwise;
}

struct fc_replay_settings {
	uint32_t first, last; /* lines; 0: all */
	struct fc_fields fields;
	bool has_fields;
	bool is_flat, no_merge;
};

struct fc_graph_settings {
	const char *from, *to; /* globs, or NULL */
	uint32_t levels;       /* --depth; 0: all */
	struct fc_share min;
	bool by_calls;
	bool dot;
};

struct fc_callers_settings {
	const char *callers, *callees; /* globs, or NULL */
	bool top_rate;
};

/* Zeroed means: the default table. */
struct fc_report_settings {
	enum fc_by by;
	struct fc_columns columns; /* -f; none: the default */
	const char *hist;	   /* --hist: a glob */
	bool csv, locks;
};

struct fc_diff_settings {
	const char *sort;	  /* -s */
	struct fc_columns fields; /* -f; none: the default */
	char **modules;		  /* -m */
	uint64_t min_ns;	  /* --min */
	bool all;		  /* --all */
	bool functions, flow;	  /* only this part */
	bool csv;
	struct fc_count context, places, lines; /* --context, --changes, --lines */
	uint64_t memory;			/* --memory: bytes; 0: default */
};

struct fc_query_settings {
	bool csv;
	const char *to_sqlite; /* a file to be made */
};

struct fc_export_settings {
	const struct fc_format *format; /* NULL: as -o says */
	const char *output;		/* NULL: stdout */
	bool by_calls, by_wait, by_thread;
	struct fc_share min;
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
	uint64_t interval_ns;  /* -d; 0: the default */
	uint32_t nr_intervals; /* 0: until the end */
	uint32_t nr_rows;      /* --rows; 0: the default */
	enum fc_top_key key;
	bool has_key;
	bool is_batch;
	bool by_thread;
};

struct fc_requests_settings {
	const char *root; /* --root: a glob */
	struct fc_count rows;
	struct fc_share min;
	bool csv;
};

struct fc_why_settings {
	struct fc_count nr; /* -n: sentences */
	bool show_sql;
};

/* How system calls are seen. */
enum fc_syscalls_by {
	FC_SYSCALLS_BY_ANY = 0, /* the first that can be had here */
	FC_SYSCALLS_BY_TRACEFS,
	FC_SYSCALLS_BY_PTRACE,
};

/* Options for the kernel's functions beneath a program. */
struct fc_kernel_settings {
	bool syscalls;		/* --syscalls */
	enum fc_syscalls_by by; /* --syscalls=ptrace, --syscalls=tracefs */
	bool is_unasked;	/* system calls, though nobody asked for them */
	char **syscalls_only;	/* --syscalls=GLOB,...: NULL-terminated, or NULL */
	bool functions;		/* -k */
	uint32_t depth;		/* -K; 0: all */
	char **only, **except;	/* --kfilter, --knot: NULL-terminated, or NULL */
	char **from;		/* --from: the same */
	char **args, **results; /* --karg, --kret: the same */
	char **kthreads;	/* --kthread: the same */
	bool all_tasks;		/* --all-tasks */
	bool waits, no_waits;	/* --waits, --no-waits */
};

/* What the user asked for. Zeroed means: nothing special. */
struct fc_settings {
	char **only, **except, **modules; /* -F -N -m: NULL-terminated, or NULL */
	char **only_globs;		  /* of each -F, without its condition */
	char **leading;			  /* -C: the same as -F */
	char **only_modules;		  /* -m of what reads a trace: the same */
	char **asked_globs;		  /* of those that have one */
	uint32_t asked_size;		  /* bytes of strings that these need */
	bool all_values;		  /* -a */
	char **probes;			  /* -U: globs of static probes; or NULL */
	bool list_probes;		  /* --probes, of list */
	bool list_syscalls;		  /* --syscalls, of list */
	bool no_functions;		  /* --no-functions */
	char **args, **results;		  /* -A -R: the same as -F */
	char **more_args, **more_results; /* the same; nothing is said where there are none */
	struct fc_specs {
		struct fc_value_spec *at;
		size_t nr;
	} arg_specs, result_specs; /* -A -R: what is said of each glob */
	char **masks;		   /* --mask: the same */
	bool unmask;		   /* --unmask */
	bool paths;		   /* -y */
	bool only_failed;	   /* -Z */
	bool all_failed;	   /* -ZZ */
	bool long_values;	   /* --long */
	struct fc_types **protos;  /* --proto: of each file */
	size_t nr_protos;
	struct fc_types *lock_types; /* --locks: those functions, or NULL */
	struct fc_count string_size; /* -S */
	struct fc_count value_depth; /* --depth-of-values */
	uint32_t depth;		     /* -D */
	uint64_t min_ns;	     /* -t */
	uint32_t tid, pid;	     /* --tid, --pid */
	struct fc_span span;	     /* -r, --around */
	int *pids;		     /* -p */
	size_t nr_pids;
	uint64_t for_ns; /* --for */
	enum fc_libs libs;
	enum fc_loss loss;
	struct fc_dump_on dump_on; /* --dump-on */
	struct fc_dump_func *dump_funcs;
	char **turned_on, **turned_off; /* --on --off-at */
	bool has_dump_on;
	uint32_t backend; /* see fc_settings_backend() */
	double budget;
	uint64_t ring_bytes; /* --ring */
	bool no_follow, no_cache, perf_map, dry_run, json;
	struct fc_kernel_settings kernel;
	bool clean;
	bool summary; /* -c, --summary */
	bool no_time, edges;
	bool off;	    /* --off */
	bool clear;	    /* --all */
	bool quiet;	    /* -q */
	uint32_t color;	    /* --color: enum fc_when */
	bool no_pager;	    /* --no-pager */
	const char *output; /* -o */
	const char *than;   /* --than: another trace */
	char **debug;	    /* --debug: files and folders, NULL-terminated; or NULL */
	const char *sort;   /* -s */
	uint32_t nr_rows;   /* -n: 0 = all */
	const char *why;
	struct fc_why_settings answers;
	struct fc_requests_settings requests;
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

void fc_settings_deinit(struct fc_settings *settings);

/* How many of nr rows are shown (-n). */
size_t fc_settings_rows(const struct fc_settings *settings, size_t nr);

/* The backend that is asked for, or that is used if nobody asks. */
const struct fc_backend *fc_settings_backend(const struct fc_settings *settings);

/* Is there something to trace? Says what is wrong; argc: the words behind the options. */
bool fc_settings_has_target(const struct fc_settings *settings, int argc);

/* Are arguments or results asked for? */
bool fc_settings_has_values(const struct fc_settings *settings);
/* Do functions turn the recording of their thread on or off? */
bool fc_settings_has_turns(const struct fc_settings *settings);
/* Is it the kernel alone, without a program? */
bool fc_settings_has_tasks(const struct fc_settings *settings);
/* Are functions of the kernel? And system calls, which come with them? */
bool fc_settings_has_kernel_funcs(const struct fc_settings *settings);
bool fc_settings_has_syscalls(const struct fc_settings *settings);
/* Is anything to be recorded beside the program's functions? */
bool fc_settings_has_wells(const struct fc_settings *settings);
/* Does a filter leave out any calls? */
bool fc_settings_filter_anything(const struct fc_settings *settings);
/* Or only a time of it: -r or --around. */
bool fc_settings_is_part(const struct fc_settings *settings);
/* The filter that was asked for, in ticks of this clock; lives as long as settings. */
struct fc_filter_opts fc_settings_filter(const struct fc_settings *settings,
					 const struct fc_clock *clock, struct fc_namer *namer);

/* It is over: say which -F or -C has found nothing. */
void fc_settings_say_unmatched(const struct fc_settings *settings,
			       const struct fc_filter *filter);
/* And how many failed calls -Z has left out. */
void fc_settings_say_failures(const struct fc_failures_sums *sums,
			      const struct fc_namer *namer);

#endif
