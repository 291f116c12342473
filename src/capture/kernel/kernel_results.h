/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_results.h - which of the kernel's functions return something, of what type, and how that is
 * told: by the kernel's own type information (/sys/kernel/btf/vmlinux, Documentation/bpf/btf.rst).
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_RESULTS_H
#define FC_CAPTURE_KERNEL_KERNEL_RESULTS_H

#include "capture/kernel/kernel_funcs.h"

enum { FC_KERNEL_RESULT_WORDS = 5 };

struct fc_kernel_results;

/*
 * Sets result_size of the functions that match one of the globs, have no other of their name, and
 * return a number or a pointer. -errno with a sentence: nothing is known of them, or they are too
 * many to be probed.
 */
int fc_kernel_results_create(struct fc_kernel_funcs *funcs, char *const *globs,
			     struct fc_kernel_results **ret);
void fc_kernel_results_destroy(struct fc_kernel_results *results);

/* When the functions have ids: what the words mean, for the module's values (trace/source.h). */
const void *fc_kernel_results_formats(struct fc_kernel_results *results,
				      struct fc_kernel_funcs *funcs, size_t *size);

/* Words for a tap, before the exit of the function, which has a result_size: how many. */
size_t fc_kernel_results_words(const struct fc_kernel_func *func, uint64_t tsc, uint64_t value,
			       uint64_t ret[FC_KERNEL_RESULT_WORDS]);

#endif
