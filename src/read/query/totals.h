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

struct fc_query_sums *fc_query_sums_create(struct fc_reader *reader,
					   const struct fc_query_opts *opts);
void fc_query_sums_destroy(struct fc_query_sums *sums);

/* What `report` says of the function; NULL: nothing. -EINTR, -errno of the reader. */
int fc_query_sums_func(struct fc_query_sums *sums, uint32_t func,
		       const struct fc_report_row **ret);
/* All pairs, by caller and callee; they live as long as sums. Errors as above. */
int fc_query_sums_pairs(struct fc_query_sums *sums, const struct fc_pair **ret, size_t *nr);

#endif
