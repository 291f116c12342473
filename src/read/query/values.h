/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.h - what a WHERE asks of a column, as bounds.
 *
 * SQLite looks at each row again, so a bound may let through too much, never too little: of
 * values that are no numbers nothing is concluded.
 */
#ifndef FC_READ_QUERY_VALUES_H
#define FC_READ_QUERY_VALUES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/clock.h"

/* A constraint that is pushed down: its column and its operator, as in idxStr. */
#define FC_CONSTRAINT_CHARS 2

/* Which integers can be meant; inclusive. Empty when min > max. */
struct fc_bounds {
	int64_t min, max;
};

struct fc_bounds fc_bounds_all(void);
/* Narrow them by a constraint's letter and value. */
void fc_bounds_narrow(struct fc_bounds *bounds, char letter, sqlite3_value *value);
static inline bool fc_bounds_is_empty(const struct fc_bounds *bounds)
{
	return bounds->min > bounds->max;
}

/* Times in ns, not empty, as ticks: what came before the session's start has time 0. */
void fc_ticks_of_bounds(const struct fc_clock *clock, const struct fc_bounds *ns, uint64_t *min,
			uint64_t *max);

/* A sqlite3_int64 can't be larger. */
static inline int64_t fc_int64(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

/*
 * The usual part of xBestIndex: takes the constraints on columns of which letters[column] holds
 * the operator, into idxStr and argv. Returns how many, or -1 if there is no memory. has[column]
 * becomes the operators that were found, as bits 1 << (their place in fc_letters).
 */
extern const char fc_letters[]; /* "=<>lgG" */
int fc_constraints_take(sqlite3_index_info *info, const char *const *letters, int nr_columns,
			unsigned *has);

/* There, as a bit. */
static inline bool fc_has(unsigned has, char letter)
{
	for (int i = 0; fc_letters[i]; i++)
		if (fc_letters[i] == letter)
			return has >> i & 1;
	return false;
}

#endif
