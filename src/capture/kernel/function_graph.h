/* SPDX-License-Identifier: Apache-2.0 */
/*
 * function_graph.h - the kernel's function_graph tracer in an instance of tracefs: of which
 * functions and threads, on and off. Documentation/trace/ftrace.rst.
 */
#ifndef FC_CAPTURE_KERNEL_FUNCTION_GRAPH_H
#define FC_CAPTURE_KERNEL_FUNCTION_GRAPH_H

#include "capture/kernel/kernel_funcs.h"

/*
 * folder: of the instance. The functions that match one of only (NULL: all) and none of except;
 * the others are left out of funcs. -errno with a sentence.
 */
int fc_function_graph_choose(const char *folder, struct fc_kernel_funcs *funcs,
			     char *const *only, char *const *except);
/* The tracer is on, and traces nobody yet. It cannot be switched while the instance is read. */
int fc_function_graph_begin(const char *folder);
/* This thread, and with_children all that it makes, from now on; is_first: and nobody else. */
int fc_function_graph_follow(const char *folder, int tid, bool is_first, bool with_children);
/* The kernel's functions are as they were. */
void fc_function_graph_end(const char *folder);

#endif
