/* SPDX-License-Identifier: Apache-2.0 */
/* states.h - in which system call and kernel functions each thread is, by its number. */
#ifndef FC_CAPTURE_KERNEL_STATES_H
#define FC_CAPTURE_KERNEL_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/numbered.h"
#include "base/vec.h"
#include "capture/kernel/raws.h"
#include "capture/syscall/taken.h"

/* A kernel function that is open. */
struct fc_open_func {
	uint32_t id;
	int depth;	 /* as the kernel's tracer counts */
	bool has_result; /* it is about to return... */
	uint64_t result; /* ...this */
};

struct fc_state {
	int tid;
	bool is_open;	 /* a system call is, beneath all functions */
	bool is_own;	 /* it is one of fctrace's own, or not wanted: nothing of it is told */
	bool is_traced;	 /* something that it did was told */
	uint64_t number; /* of that call */
	struct fc_taken taken; /* for it, by the kernel */
	bool is_aside;	       /* it is in a function that is, and that is so deep: */
	int64_t aside;
	uint32_t off;	    /* off the CPU: the function that stands for it; else 0 */
	uint64_t left_tsc;  /* it is not traced any more since; 0: it is */
	bool is_held;	    /* the innermost function's entry waits for its arguments... */
	struct fc_raw held; /* ...this one */
	uint64_t held_take; /* since which look at the kernel's buffers */
	FC_VEC(struct fc_open_func) funcs; /* outermost first */
};

/* Of a thread; one that is new is in none. Valid until the next call. */
static inline struct fc_state *fc_states_get(struct fc_numbered *states, int tid)
{
	return fc_numbered_get(states, tid);
}

#endif
