/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracefs.h - the kernel's tracing file system: an instance of our own there, which nobody else's
 * tracing has anything to do with.
 *
 *	/sys/kernel/tracing/instances/fctrace-PID-START/    PID, started at START, is the fctrace
 */
#ifndef FC_CAPTURE_KERNEL_TRACEFS_H
#define FC_CAPTURE_KERNEL_TRACEFS_H

#include <stddef.h>

struct fc_tracefs;

/*
 * Remove what a killed fctrace has left, and make an instance that records nothing yet. -errno with
 * a sentence: what is missing, and what would help.
 */
int fc_tracefs_open(struct fc_tracefs **ret);
/* The instance is gone then; the descriptors of its files have been closed before. */
void fc_tracefs_close(struct fc_tracefs *tracefs);

/* Of a file of the instance: "trace_clock". */
char *fc_tracefs_path(const struct fc_tracefs *tracefs, const char *file);
/* -errno with a sentence. What the file holds is replaced, where it is a list. */
int fc_tracefs_write(const struct fc_tracefs *tracefs, const char *file, const char *text);
/* The same, and a list keeps what it has. */
int fc_tracefs_append(const struct fc_tracefs *tracefs, const char *file, const char *text);
/* All of it, and a zero byte behind it; the caller frees it. NULL: it cannot be read. */
char *fc_tracefs_read(const struct fc_tracefs *tracefs, const char *file, size_t *size);

/* May it be used here? -errno as above. */
int fc_tracefs_check(void);

/*
 * Remove what killed fctraces have left: how many instances; what is used is left alone. 0, too, if
 * that cannot be seen.
 */
size_t fc_tracefs_clean(void);

#endif
