/* SPDX-License-Identifier: Apache-2.0 */
/* function_graph.c - the settings of the function_graph tracer. */
#include "capture/kernel/function_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/eventformat.h"
#include "capture/kernel/tracefile.h"

/* What the kernel does only because it is traced: nobody asked for it. These run around a system call... */
static char *const noise[] = {
	"syscall_trace_enter*",
	"syscall_enter_from_user_mode*",
	"syscall_exit_to_user_mode*",
	"syscall_exit_work*",
	"__traceiter_sys_*",
	"__probestub_*",
	NULL,
};

/* ...and these where something is recorded, with all that they call. */
static char *const recorders[] = {
	"__traceiter_*",
	"kprobe_ftrace_handler",
	"kprobe_int3_handler",
	"kretprobe_rethook_handler",
	NULL,
};

/* What stops a thread for whoever traces it by ptrace; of a program that fctrace runs that is fctrace. */
static char *const stops[] = {
	"ptrace_stop",	    "ptrace_stop.*",  "ptrace_notify",
	"ptrace_do_notify", "do_jobctl_trap", NULL,
};

static const char args_option[] = "options/funcgraph-args";

int fc_function_graph_choose(const char *folder, struct fc_kernel_funcs *funcs,
			     char *const *only, char *const *except, bool has_stops)
{
	fc_kernel_funcs_leave_out(funcs, noise);
	fc_kernel_funcs_set_aside(funcs, recorders);
	if (!has_stops)
		fc_kernel_funcs_set_aside(funcs, stops);
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

bool fc_function_graph_list_starts(const char *folder, const char *list,
				   struct fc_kernel_funcs *funcs)
{
	enum { MOST = 50 }; /* the kernel looks each up among all its functions */
	size_t nr, nr_marked = 0;
	const struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].is_start || all[i].is_out)
			continue;
		if (nr_marked++ < MOST && !fc_tracefile_append(folder, list, all[i].name))
			continue;
		fc_tracefile_write(folder, list, "");
		return false;
	}
	return nr_marked;
}

const char *fc_function_graph_limit(const char *root)
{
	static const char proc[] = "/proc/sys";
	/* What they begin with when they limit nothing. */
	static const struct {
		const char *file, *text;
	} limits[] = {
		{ FC_FUNCTION_GRAPH_STARTS, "####" }, { "set_graph_notrace", "####" },
		{ "max_graph_depth", "0\n" },	      { "tracing_thresh", "0\n" },
		{ "options/funcgraph-irqs", "1" },    { "kernel/ftrace_enabled", "1" },
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		char text[8];
		bool is_sysctl = !strncmp(limits[i].file, "kernel/", strlen("kernel/"));
		fc_tracefile_read_begin(is_sysctl ? proc : root, limits[i].file, text,
					sizeof(text));
		if (*text && strncmp(text, limits[i].text, strlen(limits[i].text)) != 0)
			return limits[i].file;
	}
	return NULL;
}

bool fc_function_graph_has_results(const char *folder)
{
	struct fc_event_field field = { .name = FC_FUNCTION_GRAPH_RESULT };
	int number;
	return !fc_event_format_find(folder, "ftrace", "funcgraph_exit", &field, 1, &number);
}

static bool has_args(const char *folder)
{
	char text[2];
	fc_tracefile_read_begin(folder, args_option, text, sizeof(text));
	return !strcmp(text, "1");
}

/* Some kernels have one such option for all instances: there it would change the traces of others. */
bool fc_function_graph_record_args(const char *root, const char *folder)
{
	bool is_own = strcmp(root, folder) != 0, had_args = has_args(root);
	if (!is_own || fc_tracefile_write(folder, args_option, "1") || !has_args(folder))
		return false;
	if (has_args(root) == had_args)
		return true;
	fc_tracefile_write(folder, args_option, "0");
	return false;
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
