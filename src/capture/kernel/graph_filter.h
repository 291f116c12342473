/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_filter.h - tracefs' set_graph_function: at which functions function_graph begins. There is one
 * for all instances. So it is set only while nobody else uses that tracer, it is only ever a saving (who
 * sets it leaves out the rest anyway), and anybody may take it back.
 *
 *	/sys/kernel/tracing/set_graph_function                 "vfs_read", as long as nobody else traces
 *	    instances/fctrace-PID-START-from/set_ftrace_filter "vfs_read": what is to be taken back
 */
#ifndef FC_CAPTURE_KERNEL_GRAPH_FILTER_H
#define FC_CAPTURE_KERNEL_GRAPH_FILTER_H

#include <stdbool.h>

#include "capture/kernel/kernel_funcs.h"

/* How the name of the instance ends that keeps what was set. */
#define FC_GRAPH_FILTER_SUFFIX "-from"

/*
 * Those of funcs that are marked (is_start). instance: that of the caller, in which the tracer is on already.
 * False: somebody else uses it, it is set, or they are too many to be looked up; nothing was changed then.
 */
bool fc_graph_filter_set(const char *root, const char *instance, struct fc_kernel_funcs *funcs);
/* Does somebody else use the tracer by now? */
bool fc_graph_filter_is_in_the_way(const char *root, const char *instance);
/* What was set for this instance; its keeper, too. */
void fc_graph_filter_remove(const char *root, const char *instance);

/* What that keeper notes is taken back; the keeper stays. */
void fc_graph_filter_take_back(const char *root, const char *keeper);
/* The same of all keepers: for whoever begins to trace. */
void fc_graph_filters_take_back(const char *root);

#endif
