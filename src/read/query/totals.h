/* SPDX-License-Identifier: Apache-2.0 */
/* totals.h - sums over the whole trace that tables show: made when they are first asked for. */
#ifndef FC_READ_QUERY_TOTALS_H
#define FC_READ_QUERY_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/sums/report.h"

struct fc_query_opts;
struct fc_reader;
struct fc_query_sums;

/* How often a function called another. caller 0: nobody that is known. */
struct fc_pair {
	uint32_t caller, callee;
	uint64_t calls;
	uint64_t total_ticks; /* recursive calls count once */
};

/* A way to a function: the calls that were made on it (read/sums/graph.h, without echoes). */
struct fc_path {
	uint32_t
		parent; /* the path without its last function, by number from 1; 0: it is outermost */
	uint32_t
		func; /* 0: not known, as its calls are only counted, or lost, or there are too many */
	uint32_t level;
	uint64_t calls,
		again; /* again: of these, calls within another one of the same function */
	uint64_t total_ns, self_ns, wait_ns, self_wait_ns;
	uint64_t
		joined_ns; /* of total_ns: in functions that wait for the end of a thread or process */
	const char *waits_for; /* NULL: it does not wait, or a function further out does */
};

struct fc_query_sums *fc_query_sums_create(struct fc_reader *reader,
					   const struct fc_query_opts *opts);
void fc_query_sums_destroy(struct fc_query_sums *sums);

/*
 * What `report` says of the function; NULL: nothing. needs_hist: with percentiles, and when its calls
 * were. -EINTR, -errno of the reader.
 */
int fc_query_sums_func(struct fc_query_sums *sums, uint32_t func, bool needs_hist,
		       const struct fc_report_row **ret);
/*
 * All paths, by number from 1 on: those of one parent stand together, behind their parent. They live
 * as long as sums. Errors as above.
 */
int fc_query_sums_paths(struct fc_query_sums *sums, const struct fc_path **ret, size_t *nr);
/* All pairs, by caller and callee; they live as long as sums. Errors as above. */
int fc_query_sums_pairs(struct fc_query_sums *sums, const struct fc_pair **ret, size_t *nr);

#endif
