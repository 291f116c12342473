/* SPDX-License-Identifier: Apache-2.0 */
/*
 * changes.h - what became of each function from one trace to another: calls and times.
 *
 * The time of a call is never twice the same. How much it varied between these two runs is taken
 * from the functions that were called equally often in both: r is the logarithm of how much longer
 * such a function took, the median of r (each function counts by its time) is how much faster or
 * slower the whole run was, and the median distance from it is the spread. A change of time
 * matters if r is further from 0, and from the median, than three times the spread and than 10 %,
 * if it is at least 1 us and 1 % of the run, and if it is not of one call alone. A change in the
 * number of calls always matters.
 */
#ifndef FC_READ_DIFF_CHANGES_H
#define FC_READ_DIFF_CHANGES_H

#include "read/diff/twins.h"
#include "read/sums/report.h"

struct fc_change {
	uint32_t number; /* of twins */
	struct fc_name name;
	struct fc_report_row rows[2]; /* zeroed where it was not called */
	bool is_there[2];
	bool is_any; /* all functions of a file that have no name */
	bool matters;
};

struct fc_changes {
	struct fc_change *at;
	size_t nr, room;
	double pace;	 /* times of the second run by those of the first: the median */
	double noise;	 /* a change by less than this share is none */
	uint64_t run[2]; /* ns: all self times */
};

struct fc_changes_opts {
	const struct fc_twins *twins;
	const struct fc_report *reports[2];
	const struct fc_clock *clocks[2];
	struct fc_namer namers[2];
	const char *keys;
};

/*
 * Sorted by keys, a list of total, self, calls, avg, min, max (the largest change first), percent
 * (of total), func, module. -EINVAL with a sentence: a key that does not exist.
 */
int fc_changes_find(const struct fc_changes_opts *opts, struct fc_changes *ret);
void fc_changes_deinit(struct fc_changes *changes);
int fc_changes_check_keys(const char *keys);

#endif
