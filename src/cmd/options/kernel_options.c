/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_options.c - options of the kernel's half: system calls, and kernel functions beneath them. */
#include "cmd/options/kernel_options.h"

const struct fc_option fc_option_syscalls = {
	0,
	"syscalls",
	NULL,
	"system calls, too, beneath the functions that make them (as root)",
	FC_FLAG(kernel.syscalls),
};

const struct fc_option fc_option_kernel = {
	'k',
	"kernel",
	NULL,
	"system calls and the kernel's functions beneath them (as root)",
	FC_FLAG(kernel.functions),
};

const struct fc_option fc_option_kernel_depth = {
	'K',
	NULL,
	"DEPTH",
	"only DEPTH levels of the kernel's functions; with -k or alone",
	FC_NUMBER(kernel.depth, "a depth"),
};

const struct fc_option fc_option_kernel_only = {
	0,
	"kfilter",
	"GLOB",
	"trace only the kernel's functions that match: less to record, and switched on at once",
	FC_GLOBS(kernel.only),
};

const struct fc_option fc_option_kernel_except = {
	0,
	"knot",
	"GLOB",
	"trace none of the kernel's functions that match",
	FC_GLOBS(kernel.except),
};

const struct fc_option fc_option_kernel_from = {
	0,
	"from",
	"GLOB",
	"only the kernel's functions that match, and what they call: vfs_read, or sys_openat "
	"for a system call",
	FC_GLOBS(kernel.from),
};

const struct fc_option fc_option_kernel_args = {
	0,
	"karg",
	"GLOB",
	"arguments of the kernel's functions that match (-a: of all that --kfilter names)",
	FC_GLOBS(kernel.args),
};

const struct fc_option fc_option_kernel_results = {
	0,
	"kret",
	"GLOB",
	"results of the kernel's functions that match (-Z, -a: of all that --kfilter names)",
	FC_GLOBS(kernel.results),
};

const struct fc_option fc_option_kernel_no_waits = {
	0,
	"no-waits",
	NULL,
	"with --syscalls or -k: do not show when a thread was off the CPU, and who woke it",
	FC_FLAG(kernel.no_waits),
};

const struct fc_option fc_option_kernel_threads = {
	0,
	"kthread",
	"GLOB",
	"instead of a program: the kernel threads with a name that matches, as in 'kworker/*', "
	"until Ctrl-C",
	FC_GLOBS(kernel.kthreads),
};

const struct fc_option fc_option_kernel_all_tasks = {
	0,
	"all-tasks",
	NULL,
	"instead of a program: what the kernel does for every thread of the machine but "
	"fctrace's own, until Ctrl-C",
	FC_FLAG(kernel.all_tasks),
};
