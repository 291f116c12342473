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
	enum fc_stat_need {
		FC_NEEDS_NOTHING,
		FC_NEEDS_HIST,
		FC_NEEDS_WAITS, /* a trace that tells of waits */
	} need;
	size_t offset; /* of its uint64_t in struct fc_report_row */
};

enum { FC_NR_STATS = 16 };

extern const struct fc_stat fc_stats[FC_NR_STATS];

/* The names of all, in their order; s: what stands between two, as ", ". */
#define FC_STAT_NAMES(s)                                                                       \
	"calls" s "counted" s "timed" s "total" s "self" s "cpu" s "wait" s "self-wait" s      \
	"min" s "avg" s "max" s "stdev" s "p50" s "p90" s "p99" s "p99.9"

/* Some of them, as they were asked for. */
enum { FC_MAX_COLUMNS = 16 };

_Static_assert((int)FC_NR_STATS <= FC_MAX_COLUMNS, "there is room for all of them");

struct fc_columns {
	const struct fc_stat *at[FC_MAX_COLUMNS];
	size_t nr;
};

/* By the first len bytes of name; NULL: there is no such. */
const struct fc_stat *fc_stat_find(const char *name, size_t len);

struct fc_report_row;
uint64_t fc_stat_get(const struct fc_stat *stat, const struct fc_report_row *row);

#endif
