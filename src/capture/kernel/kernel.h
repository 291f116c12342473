/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.h - the kernel as a source of records beside a backend (capture/drain/well.h): what it
 * does for the threads that are traced, through tracefs.
 *
 *	raw_syscalls:sys_enter, sys_exit  --> system calls of each thread   --.
 *	function_graph                    --> the kernel functions beneath  --+--> weave
 *	sched:sched_switch, sched_waking  --> when it was off the CPU       --'
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_H
#define FC_CAPTURE_KERNEL_KERNEL_H

#include "capture/drain/well.h"

struct fc_kernel;

enum fc_kernel_whom {
	FC_KERNEL_PROGRAMS = 0, /* whom follow() names, and all that they make */
	FC_KERNEL_THREADS,	/* kernel threads that follow() names, and nobody else */
	FC_KERNEL_ALL,		/* each thread of the machine but this process's */
};

/*
 * Of FC_KERNEL_THREADS and FC_KERNEL_ALL it tells lives, too, as far as it hears of them, for
 * tasks/kernel_tasks.h: of the thread tid (FC_LIFE_START, FC_LIFE_THREAD_START: made by the thread other) without its process.
 * What ends it is FC_LIFE_EXIT with an enum fc_end (end_probes.h) as other, and its value as status.
 */
struct fc_kernel_opts {
	enum fc_kernel_whom whom;
	bool with_functions;   /* and not only system calls */
	bool with_waits;       /* and when a thread was off the CPU */
	char *const *syscalls; /* globs: only these, and what is beneath them; NULL: all */
	uint32_t depth;	       /* of functions, at most; 0: all */
	char *const *only,
		*const *except; /* globs: only these functions, none of these; NULL: all */
	char *const *from;	/* globs: only these functions, and what they call; NULL: all */
	char *const *args;	/* globs: what these are given, too; NULL: of none */
	char *const *results;	/* what these return; the same */
	/* The same of all functions, where the tracer itself records it: who asks for nothing by name. */
	bool all_args, all_results;
	bool is_unasked; /* nobody asked for it: of system calls it is not said what they lack */
	/* What the user should know, once each. */
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
};

/*
 * For one session, before it begins. opts is kept. -errno with a sentence: what is missing for it on
 * this machine, and what would help; nothing was changed then. -EINVAL: a glob that matches nothing.
 */
int fc_kernel_open(const struct fc_kernel_opts *opts, struct fc_kernel **ret);
/* After the session; nothing of it is left in the kernel. */
void fc_kernel_close(struct fc_kernel *kernel);

struct fc_well *fc_kernel_well(struct fc_kernel *kernel);

#endif
