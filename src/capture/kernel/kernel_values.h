/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_values.h - what the kernel's functions are given and return as values of calls: of which
 * functions that is recorded, of what types it is, and how it is told.
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_VALUES_H
#define FC_CAPTURE_KERNEL_KERNEL_VALUES_H

#include "capture/kernel/kernel_funcs.h"

enum {
	FC_KERNEL_ENTRY_WORDS = 2 + FC_KERNEL_ARGS,
	FC_KERNEL_RESULT_WORDS = 5,
};

struct fc_kernel_values;

struct fc_kernel_values_opts {
	char *const *args, *const *results; /* globs; NULL: of none */
	bool args_probed, results_probed;   /* by a probe of each function */
};

/*
 * Sets nr_args and arg_size of the functions that match one of args, and result_size of those that match
 * one of results, if they have no other of their name and the kernel's types tell of them. -errno with
 * a sentence: nothing is known of them, or they are too many to be probed, of those that are.
 */
int fc_kernel_values_create(struct fc_kernel_funcs *funcs,
			    const struct fc_kernel_values_opts *opts,
			    struct fc_kernel_values **ret);
void fc_kernel_values_destroy(struct fc_kernel_values *values);

/* When the functions have ids: what the words mean, for a module's values (trace/source.h). */
const void *fc_kernel_values_formats(struct fc_kernel_values *values,
				     struct fc_kernel_funcs *funcs, size_t *size);

/* Words for a tap, before the entry of a function that has nr_args: how many. */
size_t fc_kernel_values_args(const struct fc_kernel_values *values,
			     const struct fc_kernel_func *func, uint64_t tsc,
			     const uint64_t arg[FC_KERNEL_ARGS],
			     uint64_t ret[FC_KERNEL_ENTRY_WORDS]);
/* The same before the exit of one that has a result_size. */
size_t fc_kernel_values_result(const struct fc_kernel_values *values,
			       const struct fc_kernel_func *func, uint64_t tsc, uint64_t value,
			       uint64_t ret[FC_KERNEL_RESULT_WORDS]);

#endif
