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

/*
 * folder: of the instance. The functions that match one of only (NULL: all) and none of except;
 * the others are left out of funcs. -errno with a sentence.
 */
int fc_function_graph_choose(const char *folder, struct fc_kernel_funcs *funcs,
			     char *const *only, char *const *except);
/*
 * Of the others only what those call that are marked (is_start), where the kernel can leave the rest out
 * before it is recorded: at the top level, if they are not too many. It only saves time.
 */
void fc_function_graph_begin_at(const char *folder, struct fc_kernel_funcs *funcs);
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
