/* SPDX-License-Identifier: Apache-2.0 */
/*
 * func_probes.h - what the kernel's functions are given and return: two events, each with a probe of
 * every function of which that is asked for.
 *
 * If they are switched on before the function_graph tracer, that of what a function is given comes just
 * behind that tracer's entry, and that of what it returns just before its exit.
 */
#ifndef FC_CAPTURE_KERNEL_FUNC_PROBES_H
#define FC_CAPTURE_KERNEL_FUNC_PROBES_H

#include "capture/kernel/kernel_funcs.h"
#include "capture/kernel/probe_event.h"

#define FC_FUNC_PROBES_ARGS   "args" /* the events */
#define FC_FUNC_PROBES_RESULT "result"
#define FC_FUNC_PROBES_FIRST  "arg1" /* fields: the first argument, and those behind it... */
#define FC_FUNC_PROBES_LAST   "arg6"
#define FC_FUNC_PROBES_RET    "ret" /* ...and what a register has at the end */

/* This kernel can probe all functions that match something at once as they return. */
bool fc_func_probes_know_globs(void);

/*
 * Of each function that has nr_args, or a result_size; it becomes 0 where the kernel allows no probe.
 * globs: those functions match one of these; where the kernel can, and that is cheaper, it probes whatever
 * matches, and the event comes of others, too. -errno with a sentence: there is no such event then.
 */
int fc_func_probes_add_args(const struct fc_probe_event *event, struct fc_kernel_funcs *funcs);
int fc_func_probes_add_results(const struct fc_probe_event *event,
			       struct fc_kernel_funcs *funcs, char *const *globs);

#endif
