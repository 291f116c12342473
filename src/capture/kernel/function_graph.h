/* SPDX-License-Identifier: Apache-2.0 */
/*
 * function_graph.h - the kernel's function_graph tracer in an instance of tracefs: of which
 * functions and threads, on and off. Documentation/trace/ftrace.rst.
 */
#ifndef FC_CAPTURE_KERNEL_FUNCTION_GRAPH_H
#define FC_CAPTURE_KERNEL_FUNCTION_GRAPH_H

#include <stdbool.h>

#include "capture/kernel/kernel_funcs.h"

/* Fields of its events, where the kernel has them. */
#define FC_FUNCTION_GRAPH_ARGS	 "args"
#define FC_FUNCTION_GRAPH_RESULT "retval"

/* The list of functions that it begins at; empty: at all. There is one for all instances. */
#define FC_FUNCTION_GRAPH_STARTS "set_graph_function"

/*
 * folder: of the instance. The functions that match one of only (NULL: all) and none of except;
 * the others are left out of funcs. has_stops: also what stops a thread for its tracer. -errno with a sentence.
 */
int fc_function_graph_choose(const char *folder, struct fc_kernel_funcs *funcs,
			     char *const *only, char *const *except, bool has_stops);
/*
 * The names of those that are marked (is_start), appended to a list in that folder. False: they are too many,
 * or the kernel takes one of them not; the list is empty then.
 */
bool fc_function_graph_list_starts(const char *folder, const char *list,
				   struct fc_kernel_funcs *funcs);
/*
 * The first setting by which somebody limits what the tracer sees in all instances; NULL: none does.
 * root: tracefs.
 */
const char *fc_function_graph_limit(const char *root);
/* Its events of exits have what each function returned (CONFIG_FUNCTION_GRAPH_RETVAL). */
bool fc_function_graph_has_results(const char *folder);
/*
 * Its events of entries have what each function is given from now on (CONFIG_FUNCTION_TRACE_ARGS); false:
 * the kernel cannot do that, or not in this instance alone. root: tracefs.
 */
bool fc_function_graph_record_args(const char *root, const char *folder);
/* The tracer is on, and traces nobody yet. It cannot be switched while the instance is read. */
int fc_function_graph_begin(const char *folder);
/* This thread, and with_children all that it makes, from now on; is_first: and nobody else. */
int fc_function_graph_follow(const char *folder, int tid, bool is_first, bool with_children);
/* The kernel's functions are as they were. */
void fc_function_graph_end(const char *folder);

#endif
