/* SPDX-License-Identifier: Apache-2.0 */
/* row.h - a row of a report: the sums of one function, or of one group of calls. */
#ifndef FC_READ_SUMS_ROW_H
#define FC_READ_SUMS_ROW_H

#include "calls/names.h"
#include "read/sums/hist.h"

/* Of timed calls. The longest: the first in time that took so long, as far as one thread is read. */
struct fc_report_when {
	uint64_t first_tsc, last_tsc; /* when the first and the last of them began */
	uint64_t longest_tsc;	      /* when the longest began, and where */
	uint32_t longest_strand;
};

struct fc_report_row {
	uint32_t func;	     /* or the group's row */
	struct fc_name name; /* of a group: see struct fc_group */
	const char
		*value; /* by values, as the tree tells it; a thread's name; NULL: not known */
	int pid, tid;
	uint64_t calls;	   /* without those that a forked child inherited */
	uint64_t counted;  /* of these, calls that were counted, not recorded */
	uint64_t nr_timed; /* of these, calls whose end was seen */
	uint64_t total_ns; /* time in the function and below it; recursive calls count once */
	uint64_t self_ns;  /* time in the function itself */
	/* Of total_ns, on the CPU and off it: their sum; and off it in no other function. 0: not known. */
	uint64_t cpu_ns, wait_ns, self_wait_ns;
	bool has_waits;				   /* these are known */
	uint64_t min_ns, avg_ns, max_ns, stdev_ns; /* of one timed call; 0 if there is none */
	uint64_t p50_ns, p90_ns, p99_ns, p99_9_ns; /* the same; 0 without has_hist */
	struct fc_report_when when;		   /* zeroed without has_hist */
	const struct fc_hist *hist; /* in ticks; lives as long as the report. NULL: none */
};

#endif
