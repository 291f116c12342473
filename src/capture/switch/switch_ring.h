/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switch_ring.h - when the kernel took the CPU from a thread and gave it back, as perf_event_open(2) tells
 * it: PERF_RECORD_SWITCH in a ring of the thread's own that the kernel writes. No right is needed but
 * to trace the thread, and kernel.perf_event_paranoid of 2 at most.
 */
#ifndef FC_CAPTURE_SWITCH_SWITCH_RING_H
#define FC_CAPTURE_SWITCH_SWITCH_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fc_switch_kind {
	FC_SWITCH_OUT = 0,   /* it waits */
	FC_SWITCH_PREEMPTED, /* it could run, and another does */
	FC_SWITCH_IN,
	FC_SWITCH_LOST, /* so many were not told: the ring was full */
	FC_SWITCH_GONE, /* the thread has ended */
};

struct fc_switch {
	enum fc_switch_kind kind;
	int tid;     /* the thread's number, which an execve may change */
	uint64_t ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t nr; /* of FC_SWITCH_LOST */
};

/* Zeroed: none. */
struct fc_switch_ring {
	void *map; /* struct perf_event_mmap_page, and the records */
	size_t data_size;
};

/*
 * The more threads have one (nr), the smaller it is: an ordinary user may lock so much memory only
 * (kernel.perf_event_mlock_kb). -errno with a sentence.
 */
int fc_switch_ring_open(int tid, size_t nr, struct fc_switch_ring *ret);
void fc_switch_ring_close(struct fc_switch_ring *ring);

bool fc_switch_ring_is_empty(const struct fc_switch_ring *ring);

/* The next; false: there is none yet. */
bool fc_switch_ring_next(struct fc_switch_ring *ring, struct fc_switch *ret);

#endif
