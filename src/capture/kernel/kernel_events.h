/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_events.h - what the events of the kernel's tracing become: records of their threads, told to a
 * tap as those of no strand (FC_STRAND_BESIDE), since nobody knows here in which one a thread is.
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_EVENTS_H
#define FC_CAPTURE_KERNEL_KERNEL_EVENTS_H

#include <stdbool.h>

#include "capture/kernel/kernel_funcs.h"
#include "capture/kernel/kernel_values.h"
#include "capture/kernel/off_cpu.h"
#include "capture/kernel/raws.h"
#include "capture/syscall/syscalls.h"
#include "trace/source.h"

/* They outlive the events. */
struct fc_kernel_events_opts {
	struct fc_tap *tap;
	const struct fc_syscalls *syscalls;
	const struct fc_kernel_funcs *funcs;   /* NULL: only system calls */
	const struct fc_kernel_values *values; /* NULL: none */
	struct fc_off_cpu *off_cpu;	       /* NULL: not when threads are off the CPU */
	bool has_args;	/* some functions' entries wait for arguments (FC_RAW_ARGS) */
	uint32_t depth; /* of functions, at most; 0: all */
	bool from;	/* only functions that are marked (is_start), and what they call */
	bool lives;	/* the tap hears of threads that begin, end and run programs */
};

struct fc_kernel_events;

struct fc_kernel_events *fc_kernel_events_create(const struct fc_kernel_events_opts *opts);
void fc_kernel_events_destroy(struct fc_kernel_events *events);

/*
 * Those before until, after one more look at the kernel's buffers. Returns up to when all has been told,
 * which is earlier where an entry waits for its arguments.
 */
uint64_t fc_kernel_events_tell(struct fc_kernel_events *events, struct fc_raws *raws,
			       uint64_t until);
/* What this thread does from now on is not told; any thread may say so. */
void fc_kernel_events_leave(struct fc_kernel_events *events, int tid);
/* Words that were told so far. */
uint64_t fc_kernel_events_nr_words(const struct fc_kernel_events *events);

#endif
