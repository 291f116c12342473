/* SPDX-License-Identifier: Apache-2.0 */
/* kthreads.h - kernel threads by their names, as /proc lists them. */
#ifndef FC_CAPTURE_KERNEL_TASKS_KTHREADS_H
#define FC_CAPTURE_KERNEL_TASKS_KTHREADS_H

#include <stdbool.h>
#include <stddef.h>

enum { FC_KTHREAD_NAME = 64 };

struct fc_kthread {
	int tid;
	char name[FC_KTHREAD_NAME]; /* "kworker/0:1-events" */
};

/* From the text of /proc/PID/stat (proc(5)). False: it is a program's, or no such text. */
bool fc_kthread_read(const char *stat, struct fc_kthread *ret);

/*
 * Does one of the globs match the name, or the name of a worker without what it works on:
 * "kworker/0:1"?
 */
bool fc_kthread_matches(const char *name, char *const *globs);

/* Each that matches, in order of the folder (/proc). */
void fc_kthreads_find(const char *folder, char *const *globs,
		      void (*take)(void *ctx, const struct fc_kthread *kthread), void *ctx);

/* -EINVAL with a sentence: one of the globs matches none. */
int fc_kthreads_check(const char *folder, char *const *globs);

#endif
