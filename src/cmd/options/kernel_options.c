/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_options.c - options of the kernel's half: system calls, and kernel functions beneath them. */
#include "cmd/options/kernel_options.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "calls/wanted.h"

static int take_word(struct fc_kernel_settings *kernel, const char *word)
{
	if (!strcmp(word, "ptrace"))
		kernel->by = FC_SYSCALLS_BY_PTRACE;
	else if (!strcmp(word, "tracefs"))
		kernel->by = FC_SYSCALLS_BY_TRACEFS;
	else
		return fc_globs_add(&kernel->syscalls_only, word);
	return 0;
}

static int set_syscalls(struct fc_settings *settings, const char *arg)
{
	fc_auto_free char *words = arg ? fc_strdup(arg) : NULL;
	char *rest = NULL;
	int err = 0;
	settings->kernel.syscalls = true;
	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word && !err;
	     word = strtok_r(NULL, ",", &rest))
		err = take_word(&settings->kernel, word);
	return err;
}

const struct fc_option fc_option_syscalls = {
	.name = "syscalls",
	.arg = "GLOB,...",
	.may_lack_arg = true,
	.help = "system calls, too, beneath the functions that make them: all, or those that "
		"match; as an ordinary user each stops the program twice (=ptrace: always)",
	.set = set_syscalls,
};

const struct fc_option fc_option_kernel = {
	'k', "kernel", NULL, "system calls and the kernel's functions beneath them (as root)",
	FC_FLAG(kernel.functions)
};

const struct fc_option fc_option_kernel_depth = {
	'K', NULL, "DEPTH", "only DEPTH levels of the kernel's functions; with -k or alone",
	FC_NUMBER(kernel.depth, "a depth")
};

const struct fc_option fc_option_kernel_only = {
	0, "kfilter", "GLOB",
	"trace only the kernel's functions that match: less to record, and switched on at once",
	FC_GLOBS(kernel.only)
};

const struct fc_option fc_option_kernel_except = {
	0, "knot", "GLOB", "trace none of the kernel's functions that match",
	FC_GLOBS(kernel.except)
};

const struct fc_option fc_option_kernel_from = {
	0, "from", "GLOB",
	"only the kernel's functions that match, and what they call: vfs_read, or sys_openat "
	"for a system call",
	FC_GLOBS(kernel.from)
};

const struct fc_option fc_option_kernel_args = {
	0, "karg", "GLOB",
	"arguments of the kernel's functions that match (-a: of all that --kfilter names)",
	FC_GLOBS(kernel.args)
};

const struct fc_option fc_option_kernel_results = {
	0, "kret", "GLOB",
	"results of the kernel's functions that match (-Z, -a: of all that --kfilter names)",
	FC_GLOBS(kernel.results)
};

const struct fc_option fc_option_waits = { 0, "waits", NULL,
					   "show when a thread was off the CPU, beneath the "
					   "function that it was in; --syscalls as "
					   "root and -k do so by themselves",
					   FC_FLAG(kernel.waits) };

const struct fc_option fc_option_kernel_no_waits = {
	0, "no-waits", NULL,
	"with --syscalls or -k: do not show when a thread was off the CPU, and who woke it",
	FC_FLAG(kernel.no_waits)
};

const struct fc_option fc_option_kernel_threads = {
	0, "kthread", "GLOB",
	"instead of a program: the kernel threads with a name that matches, as in 'kworker/*', "
	"until Ctrl-C",
	FC_GLOBS(kernel.kthreads)
};

const struct fc_option fc_option_kernel_all_tasks = {
	0, "all-tasks", NULL,
	"instead of a program: what the kernel does for every thread of the machine but "
	"fctrace's own, until Ctrl-C",
	FC_FLAG(kernel.all_tasks)
};
