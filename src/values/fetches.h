/* SPDX-License-Identifier: Apache-2.0 */
/* fetches.h - what is to be fetched of a function's calls, by what is known about it. */
#ifndef FC_VALUES_FETCHES_H
#define FC_VALUES_FETCHES_H

#include "values/wanted.h"

/* The arguments, and what is there behind their pointers when the call begins. */
void fc_fetch_plan_entry(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			 struct fc_fetch_plan *ret);
/*
 * The result, and what the call has written behind pointers that it was given: these arguments are
 * added to what the entry keeps.
 */
void fc_fetch_plan_exit(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *entry, struct fc_fetch_plan *ret);

#endif
