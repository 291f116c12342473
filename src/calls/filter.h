/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.h - a sink that passes on only the calls that were asked for: -F -C -N -m -D -t -Z, --tid,
 * --pid.
 *
 * Stands between fc_calls and any other sink; the same code serves the live printer,
 * record, replay and report. Depth seen by the next sink counts from the outermost call
 * that is let through. With -t and -Z an enter is held back until its call is known to be
 * long enough, or to have failed (it ended, or a call below it was), and with -C until a call
 * that is asked for begins. Where a condition of -F is
 * known only when a call ends, it waits with all that is beneath it (only/deferred.h).
 */
#ifndef FC_CALLS_FILTER_H
#define FC_CALLS_FILTER_H

#include <stddef.h>

#include "calls/failures.h"
#include "calls/names.h"
#include "calls/only.h"
#include "trace/source.h"
#include "values/recorded.h"

struct fc_filter_opts {
	char **only;	    /* -F, as in fc_only_create(): only under these; or NULL */
	char **leading;	    /* -C globs: only these, and what leads to them; or NULL */
	char **modules;	    /* -m globs: only functions of these files; or NULL */
	char **except;	    /* -N globs: not these, nor beneath */
	uint32_t depth;	    /* -D: 0 = no limit */
	uint64_t min_ticks; /* -t: 0 = no limit */
	bool only_failed;   /* -Z: only calls that failed, by their results */
	bool folds_failed; /* of these only what tells something new (failures.h); needs namer */
	const struct fc_values *values; /* what values mean, if -Z or a condition asks */
	int tid, pid;			/* 0 = all */
	const uint32_t *group;		/* as in fc_calls_set_group(); may be NULL */
	bool is_ordered;		/* calls of all strands come in order of time */
	fc_filter_match match;
	void *ctx;
	const struct fc_namer
		*namer; /* for fc_filter_nearest() and folds_failed; may be NULL */
};

struct fc_filter;
struct fc_filter *fc_filter_create(const struct fc_filter_opts *opts,
				   struct fc_call_sink *next);
void fc_filter_destroy(struct fc_filter *filter);
struct fc_call_sink *fc_filter_sink(struct fc_filter *filter);

/*
 * This call is open, and the next sink knows it: from the outermost on, before any other call
 * of its strand comes.
 */
void fc_filter_add_told(struct fc_filter *filter, const struct fc_call *call);

/*
 * Another filter from here on; min_ticks is info->min_ns in ticks. Open calls are judged as if
 * it had been there when they began: but a call that was told ends for the next sink too, and
 * one that was left out stays so.
 */
void fc_filter_change(struct fc_filter *filter, const struct fc_filter_info *info,
		      uint64_t min_ticks);
bool fc_filter_is_changed(const struct fc_filter *filter);

/* Did a call up to now match the glob of opts->only[i]? */
bool fc_filter_has_matched(const struct fc_filter *filter, size_t i);
/* Which functions are called most like it, as fc_nearest_hint(). */
char *fc_filter_nearest(const struct fc_filter *filter, size_t i, const char *rest);
/* The same two of opts->leading[i]. */
bool fc_filter_leading_has_matched(const struct fc_filter *filter, size_t i);
char *fc_filter_leading_nearest(const struct fc_filter *filter, size_t i, const char *rest);
/* How many failed calls folds_failed has left out. */
struct fc_failures_sums fc_filter_failures(const struct fc_filter *filter);
/* Why its condition can have been true of none, as fc_only_trouble(). */
const char *fc_filter_trouble(const struct fc_filter *filter, size_t i);
/* How many calls were left out because too much waited for others to end. */
uint64_t fc_filter_nr_forgotten(const struct fc_filter *filter);

#endif
