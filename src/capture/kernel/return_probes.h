/* SPDX-License-Identifier: Apache-2.0 */
/*
 * return_probes.h - what the kernel's functions return: one event of the kernel's tracing with a
 * probe of each function (kretprobes, Documentation/trace/kprobetrace.rst).
 *
 *	/sys/kernel/tracing/kprobe_events               r256:fctrace_PID_START/result vfs_read ret=$retval
 *	                    events/fctrace_PID_START/   that event, in each instance
 *
 * An event comes just before the function_graph tracer's exit of the same function, if it was
 * switched on before that tracer.
 */
#ifndef FC_CAPTURE_KERNEL_RETURN_PROBES_H
#define FC_CAPTURE_KERNEL_RETURN_PROBES_H

#include "capture/kernel/kernel_funcs.h"

#define FC_RETURN_PROBES_EVENT	"result"
#define FC_RETURN_PROBES_FUNC	"__probe_func" /* its fields: the function's address... */
#define FC_RETURN_PROBES_RESULT "ret"	       /* ...and the register */

/*
 * Of each function that has a result_size, which becomes 0 where the kernel allows no probe. root:
 * of tracefs; folder: of the instance, where the event is switched on. group: "fctrace_PID_START".
 * -errno with a sentence: there is no such event then.
 */
int fc_return_probes_add(const char *root, const char *folder, const char *group,
			 struct fc_kernel_funcs *funcs);
/* Nobody reads the instance any more, and its tracer is off. */
void fc_return_probes_remove(const char *root, const char *folder, const char *group);
/* Of those that is_left() says that: whoever made the group is no more, nor is the instance. */
void fc_return_probes_clean(const char *root, bool (*is_left)(const char *group));

#endif
