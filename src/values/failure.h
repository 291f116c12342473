/* SPDX-License-Identifier: Apache-2.0 */
/* failure.h - does what a function returned say that it failed? */
#ifndef FC_VALUES_FAILURE_H
#define FC_VALUES_FAILURE_H

#include "values/types.h"

/* The numbers of errors are less: MAX_ERRNO of the kernel's include/linux/err.h. */
enum { FC_ERRORS = 4096 };

/*
 * func: BTF_KIND_FUNC. What its tag "fails(...)" says counts, else what the tag of its result's type
 * does; without one a pointer says so by NULL or -1, a signed number or an enum by -4095 to -1.
 *
 *	fails(never)            it tells something else
 *	fails(error)            -4095 to -1, also of a pointer, as functions of the kernel do
 *	fails(-1)               a pointer: NULL is none
 *	fails(nonzero)          an error's number
 *	fails(nonzero, not 1,2) the same, but for these
 *	fails(not positive)     0 as well as less
 *	fails(ERANGE)           its highest or lowest value, if errno says so
 */
bool fc_value_is_failure(const struct fc_types *types, uint32_t func, int64_t number);

/* Does it fail only if errno says ERANGE, by which its result stands for what is beyond it? */
bool fc_value_is_range(const struct fc_types *types, uint32_t func);

/* Is what it returns a number of errno? */
bool fc_value_is_errno(const struct fc_types *types, uint32_t func);

#endif
