/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracefs.h - the kernel's tracing file system: an instance of our own there, which nobody else's
 * tracing has anything to do with.
 *
 *	/sys/kernel/tracing/instances/fctrace-PID-START/    PID, started at START, is the fctrace
 *
 * Where kernels trace functions at the top level only, that is borrowed (toplevel.h).
 */
#ifndef FC_CAPTURE_KERNEL_TRACEFS_H
#define FC_CAPTURE_KERNEL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

struct fc_tracefs;

/*
 * Remove what a killed fctrace has left, and make an instance that records nothing yet; with_graph:
 * one that has the function_graph tracer. -errno with a sentence: what is missing, and what would
 * help.
 */
int fc_tracefs_open(bool with_graph, struct fc_tracefs **ret);
/* The instance is gone then; the descriptors of its files have been closed before. */
void fc_tracefs_close(struct fc_tracefs *tracefs);

/* Its folder, for tracefile.h. */
const char *fc_tracefs_folder(const struct fc_tracefs *tracefs);
/* That of tracefs itself, which has what all instances share: the list of functions. */
const char *fc_tracefs_root(const struct fc_tracefs *tracefs);

/* "fctrace_PID_START": what this fctrace's own events are called by. */
const char *fc_tracefs_group(const struct fc_tracefs *tracefs);

/* May it be used here? -errno as above. */
int fc_tracefs_check(void);

/*
 * Remove what killed fctraces have left: how many instances; what is used is left alone. 0, too, if
 * that cannot be seen.
 */
size_t fc_tracefs_clean(void);

#endif
