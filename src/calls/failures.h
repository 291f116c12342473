/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failures.h - of the calls that fail those that tell something new, for -Z. Left out and counted are:
 *
 *	repeats   the same function fails again in the same way within about a second, called by the
 *	          same one and given the same texts
 *	probes    within a moment it finds no file of yet another name, as of a list of places
 *	inside    a function whose name is reserved to the implementation (_IO_getline, _Py...) fails
 *	          where its own library or interpreter has called it
 *
 * Of the kernel's functions none is: each may be the one that says no, to each system call anew.
 */
#ifndef FC_CALLS_FAILURES_H
#define FC_CALLS_FAILURES_H

#include "calls/call.h"
#include "calls/names.h"

struct fc_values;
struct fc_failures;

struct fc_failures *fc_failures_create(const struct fc_values *values,
				       const struct fc_namer *namer);
void fc_failures_destroy(struct fc_failures *failures);

/*
 * A call that failed has ended. False: it is one of many, and counted. is_shown: it is shown whatever
 * it is, for what it has called.
 */
bool fc_failures_take(struct fc_failures *failures, const struct fc_call *call, bool is_shown);

struct fc_failures_sums {
	uint64_t nr_repeats, nr_probes, nr_inside;
	uint32_t most_func; /* which of these was left out most often, */
	uint64_t nr_most;   /* and how often */
};

/* How many were left out up to now; failures may be NULL. */
struct fc_failures_sums fc_failures_sums(const struct fc_failures *failures);

#endif
