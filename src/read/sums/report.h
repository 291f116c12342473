/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - a sink that sums calls and times for each function, or each group of calls. */
#ifndef FC_READ_SUMS_REPORT_H
#define FC_READ_SUMS_REPORT_H

#include "calls/call.h"
#include "calls/names.h"
#include "read/sums/grouping.h"
#include "read/sums/row.h"
#include "trace/clock.h"
#include "trace/off_funcs.h"

struct fc_report_opts {
	const struct fc_grouping *grouping; /* NULL: by function */
	bool has_hist; /* for percentiles, and when calls were: takes memory, and time */
	/* What tells of waits: NULL, or none until the rows are made: they are not known. */
	const struct fc_off_funcs *off_funcs;
};

struct fc_report;
struct fc_report *fc_report_create(void); /* by function, without has_hist */
struct fc_report *fc_report_create_as(const struct fc_report_opts *opts);
void fc_report_destroy(struct fc_report *report);
struct fc_call_sink *fc_report_sink(struct fc_report *report);
/* Add all that `from` has summed, which was made with the same opts. */
void fc_report_merge(struct fc_report *into, const struct fc_report *from);

/*
 * Sum a whole trace with all CPUs; of one thread, or with tid 0 of all. Not by values: those come
 * with calls that are played in order. off_funcs are those of the trace.
 */
int fc_report_crunch(struct fc_reader *reader, const struct fc_report_opts *opts, int tid,
		     struct fc_report **ret);

/* So many calls more, of which nothing else is known. */
void fc_report_add_counted(struct fc_report *report, uint32_t func, uint64_t calls);

/*
 * The rows, sorted by keys: a list as in "total,calls" of the names in stat.h (largest first),
 * func, module, value (alphabetical), pid, tid (ascending). Rows that tie go by name. The caller frees
 * *ret. -EINVAL with a sentence: a key that does not exist.
 */
int fc_report_rows(const struct fc_report *report, const char *keys,
		   const struct fc_clock *clock, const struct fc_namer *namer,
		   struct fc_report_row **ret, size_t *nr);

/* Ticks that the program waited for fctrace: they are inside the times of its calls. */
uint64_t fc_report_waited(const struct fc_report *report);

/* Is this a list of keys? -EINVAL with a sentence. */
int fc_report_check_keys(const char *keys);
/* Does one of them need has_hist? */
bool fc_report_keys_need_hist(const char *keys);
/* Or a trace that tells of waits? */
bool fc_report_keys_need_waits(const char *keys);

#endif
