/* SPDX-License-Identifier: Apache-2.0 */
/* stat.c - the table of the numbers that a report can show. */
#include "read/sums/stat.h"

#include <string.h>

#include "read/sums/row.h"

#define STAT(field, ...)                                                                       \
	{                                                                                      \
		__VA_ARGS__, offsetof(struct fc_report_row, field)                             \
	}

const struct fc_stat fc_stats[] = {
	STAT(calls, "calls", "CALLS", "calls", FC_STAT_NUMBER, FC_NEEDS_NOTHING),
	STAT(counted, "counted", "COUNTED", "counted", FC_STAT_NUMBER, FC_NEEDS_NOTHING),
	STAT(nr_timed, "timed", "TIMED", "timed", FC_STAT_NUMBER, FC_NEEDS_NOTHING),
	STAT(total_ns, "total", "TOTAL  ", "total_ns", FC_STAT_TIME, FC_NEEDS_NOTHING),
	STAT(self_ns, "self", "SELF  ", "self_ns", FC_STAT_TIME, FC_NEEDS_NOTHING),
	STAT(cpu_ns, "cpu", "CPU  ", "cpu_ns", FC_STAT_TIME, FC_NEEDS_WAITS),
	STAT(wait_ns, "wait", "WAIT  ", "wait_ns", FC_STAT_TIME, FC_NEEDS_WAITS),
	STAT(self_wait_ns, "self-wait", "SELF-WAIT  ", "self_wait_ns", FC_STAT_TIME,
	     FC_NEEDS_WAITS),
	STAT(min_ns, "min", "MIN  ", "min_ns", FC_STAT_TIMED, FC_NEEDS_NOTHING),
	STAT(avg_ns, "avg", "AVG  ", "avg_ns", FC_STAT_TIMED, FC_NEEDS_NOTHING),
	STAT(max_ns, "max", "MAX  ", "max_ns", FC_STAT_TIMED, FC_NEEDS_NOTHING),
	STAT(stdev_ns, "stdev", "STDEV  ", "stdev_ns", FC_STAT_TIMED, FC_NEEDS_NOTHING),
	STAT(p50_ns, "p50", "P50  ", "p50_ns", FC_STAT_TIMED, FC_NEEDS_HIST),
	STAT(p90_ns, "p90", "P90  ", "p90_ns", FC_STAT_TIMED, FC_NEEDS_HIST),
	STAT(p99_ns, "p99", "P99  ", "p99_ns", FC_STAT_TIMED, FC_NEEDS_HIST),
	STAT(p99_9_ns, "p99.9", "P99.9  ", "p99_9_ns", FC_STAT_TIMED, FC_NEEDS_HIST),
};

const struct fc_stat *fc_stat_find(const char *name, size_t len)
{
	for (size_t i = 0; i < FC_NR_STATS; i++) {
		if (strlen(fc_stats[i].name) == len && !memcmp(fc_stats[i].name, name, len))
			return &fc_stats[i];
	}
	return NULL;
}

uint64_t fc_stat_get(const struct fc_stat *stat, const struct fc_report_row *row)
{
	return *(const uint64_t *)((const char *)row + stat->offset);
}
