/* SPDX-License-Identifier: Apache-2.0 */
/* function_graph.c - the settings of the function_graph tracer. */
#include "capture/kernel/function_graph.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

/* What the kernel does to record system calls: nobody asked for it. */
static char *const noise[] = { "syscall_trace_enter*",
			       "syscall_enter_from_user_mode*",
			       "syscall_exit_to_user_mode*",
			       "syscall_exit_work*",
			       "__traceiter_sys_*",
			       "__probestub_sys_*",
			       NULL };

int fc_function_graph_choose(const char *folder, struct fc_kernel_funcs *funcs,
			     char *const *only, char *const *except)
{
	fc_kernel_funcs_leave_out(funcs, noise);
	fc_kernel_funcs_leave_out(funcs, except);
	if (only)
		fc_kernel_funcs_keep_only(funcs, only);
	/* By lines: a name costs the kernel a look at each of its functions. */
	fc_auto_free char *lines = fc_kernel_funcs_lines(funcs, !only);
	if (only && !*lines)
		return fc_fail(EINVAL, "--knot leaves nothing of what --kfilter names");
	return fc_tracefile_append(folder, only ? "set_ftrace_filter" : "set_ftrace_notrace",
				   lines);
}

/* An empty list is everybody. kthreadd sleeps, and nothing is recorded while it is there. */
static const char nobody[] = "2";

int fc_function_graph_begin(const char *folder)
{
	int err = fc_tracefile_write(folder, "set_ftrace_pid", nobody);
	return err ? err : fc_tracefile_write(folder, "current_tracer", "function_graph");
}

int fc_function_graph_follow(const char *folder, int tid, bool is_first, bool with_children)
{
	fc_auto_free char *text = fc_asprintf("%d", tid);
	if (!is_first)
		return fc_tracefile_append(folder, "set_ftrace_pid", text);
	int err = fc_tracefile_write(folder, "set_ftrace_pid", text);
	return err || !with_children ? err
				     : fc_tracefile_write(folder, "options/function-fork", "1");
}

void fc_function_graph_end(const char *folder)
{
	fc_tracefile_write(folder, "current_tracer", "nop");
}
