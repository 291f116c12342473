/* SPDX-License-Identifier: Apache-2.0 */
/*
 * changes.h - what became of each function from one trace to another: calls and times.
 *
 * Either side may have several traces, runs of the same program: then its rows are the medians of
 * these. What matters is found by noise.h; nothing of the dynamic loader does.
 */
#ifndef FC_READ_DIFF_CHANGES_H
#define FC_READ_DIFF_CHANGES_H

#include "read/diff/costs.h"
#include "read/diff/noise.h"
#include "read/diff/twins.h"

struct fc_change {
	uint32_t number; /* of twins */
	struct fc_name name;
	struct fc_report_row rows[2]; /* zeroed where it was not called */
	bool is_there[2];
	bool is_any; /* all functions of a file that have no name */
	bool matters;
	bool is_unsure;	  /* more runs would tell whether it does */
	double change_ns; /* of its own time, without interruptions */
	double weight;	  /* by which it stands in the table */
};

/* Time that is not counted as any function's: of each side the median of its runs. */
struct fc_changes_apart {
	double end_ns;	  /* of calls that the end of a thread cut off, as _exit() */
	double loader_ns; /* of the dynamic loader */
};

struct fc_changes {
	struct fc_change *at;
	size_t nr, room;
	size_t nr_runs[2];
	struct fc_noise noise;
	struct fc_changes_apart apart[2];
};

/* A run: what it cost, settled; its clock, and who names its functions. */
struct fc_changes_run {
	struct fc_costs *costs;
	const struct fc_clock *clock;
	struct fc_namer namer;
};

struct fc_changes_opts {
	const struct fc_twins *twins;
	const struct fc_changes_run *runs[2];
	size_t nr_runs[2];
	const char *keys; /* NULL: by weight */
};

/*
 * Sorted by keys, a list of total, self, calls, avg, min, max (the largest change first), percent
 * (of self), func, module; by weight where these are the same. -EINVAL with a sentence: a key that
 * does not exist.
 *
 * The weight is the change of own time, as noise.h finds it. Twice that of a function that is new
 * or gone: what was inlined is in its caller's time now. Half that of one that waits, as others
 * make it wait.
 */
int fc_changes_find(const struct fc_changes_opts *opts, struct fc_changes *ret);
void fc_changes_deinit(struct fc_changes *changes);
int fc_changes_check_keys(const char *keys);

#endif
