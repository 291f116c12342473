/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping.h - what a report has a row for: each function, or each module, file of the
 * source, thread, process; or each function and what it was given or returned.
 *
 * Calls of a group within a call of the same group count once in its total time: for a module
 * or file these are calls of its functions in each other, for a thread and a process all but the
 * outermost.
 */
#ifndef FC_READ_SUMS_GROUPING_H
#define FC_READ_SUMS_GROUPING_H

#include "calls/call.h"
#include "calls/names.h"
#include "trace/reader.h"

enum fc_by {
	FC_BY_FUNCTION,
	FC_BY_MODULE,
	FC_BY_THREAD,
	FC_BY_PROCESS,
	FC_BY_FILE,  /* of the source */
	FC_BY_VALUE, /* all arguments */
	FC_BY_ARG1,
	FC_BY_ARG6 = FC_BY_ARG1 + 5,
	FC_BY_RESULT,
};

static inline bool fc_by_is_value(enum fc_by by)
{
	return by >= FC_BY_VALUE && by <= FC_BY_RESULT;
}

/*
 * The rows' names: with name "" a module, or the program of pid (and tid); of a file of the
 * source its path as name.
 */
struct fc_group {
	struct fc_name name;
	const char *value; /* as the tree tells it, or a thread's name; NULL: not known */
	int pid, tid;	   /* 0: is none */
};

struct fc_values;
struct fc_grouping;
/*
 * Of the functions and strands of a trace, which outlives it, as does who knows their sources.
 * NULL by FC_BY_FUNCTION.
 */
struct fc_grouping *fc_grouping_create(const struct fc_reader *reader,
				       const struct fc_namer *namer, enum fc_by by);
/* By what calls were given or returned: fc_by_is_value(by). What values mean outlives it. */
struct fc_grouping *fc_grouping_create_of_values(const struct fc_values *values,
						 const struct fc_namer *namer, enum fc_by by);
void fc_grouping_destroy(struct fc_grouping *grouping);

/* The group of each function id up to FC_FUNC_MAX, for fc_crunch_opts.group. */
const uint32_t *fc_grouping_recursion(const struct fc_grouping *grouping);

/* Do its rows exist once a call is of them? Then one thread may ask, as calls end. */
bool fc_grouping_is_of_values(const struct fc_grouping *grouping);
/* A call's row; any thread may ask. */
uint32_t fc_grouping_row(const struct fc_grouping *grouping, const struct fc_call *call);
/* The row of calls of which only the function is known; 0: there is none. */
uint32_t fc_grouping_row_of_func(const struct fc_grouping *grouping, uint32_t func);
struct fc_group fc_grouping_group(const struct fc_grouping *grouping, uint32_t row);
/* Calls whose values have no row of their own, since there are too many. */
uint64_t fc_grouping_nr_others(const struct fc_grouping *grouping);

#endif
