/* SPDX-License-Identifier: Apache-2.0 */
/* stat.h - the numbers that a row of a report has, by the names that people say. */
#ifndef FC_READ_SUMS_STAT_H
#define FC_READ_SUMS_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fc_stat_kind {
	FC_STAT_NUMBER,
	FC_STAT_TIME,  /* sums of time, known of calls that had none of their own, too */
	FC_STAT_TIMED, /* of one call: needs one whose end was seen */
};

struct fc_stat {
	const char *name; /* as in -s and -f */
	const char *head; /* above its column */
	const char *key;  /* in JSON and CSV */
	enum fc_stat_kind kind;
	bool needs_hist;
	size_t offset; /* of its uint64_t in struct fc_report_row */
};

enum { FC_NR_STATS = 13 };

extern const struct fc_stat fc_stats[FC_NR_STATS];

/* By the first len bytes of name; NULL: there is no such. */
const struct fc_stat *fc_stat_find(const char *name, size_t len);
/* All names, as in "calls, total". */
const char *fc_stat_names(void);

struct fc_report_row;
uint64_t fc_stat_get(const struct fc_stat *stat, const struct fc_report_row *row);

#endif
