/* SPDX-License-Identifier: Apache-2.0 */
/*
 * toplevel.h - tracefs itself, borrowed where the kernel's function_graph tracer is only there
 * (before Linux 6.12), and given back as it was, also when fctrace was killed meanwhile.
 *
 *	/sys/kernel/tracing/                        what is borrowed
 *	    instances/fctrace-PID-START-top/        keeps the settings that the former had
 */
#ifndef FC_CAPTURE_KERNEL_TOPLEVEL_H
#define FC_CAPTURE_KERNEL_TOPLEVEL_H

/* How the name of the instance ends. */
#define FC_TOPLEVEL_SUFFIX "-top"

/* Of the triggers that events may have, the one that a borrower may set. */
#define FC_TOPLEVEL_TRIGGER "events/sched/sched_waking/trigger"

/*
 * *lock: a descriptor that the borrower holds until it gives back. -EBUSY with a sentence: somebody
 * else uses it, or has left a trace in it; nothing was changed then.
 */
int fc_toplevel_lock(const char *root, int *lock);
/* keeper: the instance, whose folder is there. -errno with a sentence. */
int fc_toplevel_borrow(const char *root, const char *keeper);
/* The keeper's folder stays. */
void fc_toplevel_give_back(const char *root, const char *keeper);

#endif
