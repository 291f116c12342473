/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shadow.h - the open calls of a stepped thread, kept on the controller's side.
 *
 *   ip, sp after each instruction --> shadow --> records of its strands --> tap
 *
 * A call is open from its entry until sp is above the slot of its return address: then it
 * has returned, if a return took sp just there and ip to that address, or it was left
 * (longjmp, an exception). Who was left is noted and not told before the next call, as in the records
 * of the patch backend.
 *
 * Pure: knows no ptrace and no ELF file. Times are given.
 */
#ifndef FC_CAPTURE_STEP_SHADOW_H
#define FC_CAPTURE_STEP_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/source.h"

struct fc_shadow;

/* Where the records of all shadows of a session go. Zeroed but for tap and numbers. */
struct fc_shadows {
	struct fc_tap *tap;
	struct fc_numbers *numbers; /* the session's */
	struct fc_shadow *first;
	bool is_full; /* a strand holds many records: time for fc_shadows_flush() */
	int error;    /* of the tap, the first */
};

/* Where only the main stack can be; 0, 0: not known. */
struct fc_main_stack {
	uint64_t low, high;
};

struct fc_shadow *fc_shadow_create(struct fc_shadows *shadows, int pid, int tid,
				   const struct fc_main_stack *stack);
struct fc_shadow *fc_shadow_share(struct fc_shadow *shadow);
/*
 * Of a vfork child: what is open on the stack that sp is on, as in a forked one. NULL: no call
 * was seen on it.
 */
struct fc_shadow *fc_shadow_vfork(const struct fc_shadow *shadow, int pid, uint64_t sp);
/* The stacks as a forked child has them: its first record is preceded by what is open. */
struct fc_shadow *fc_shadow_fork(const struct fc_shadow *shadow, int pid, int ppid);
/* With the last reference its strands end. NULL is fine. */
void fc_shadow_put(struct fc_shadow *shadow, uint64_t tsc);

/* Where the thread has come to. */
struct fc_shadow_arrival {
	uint64_t ip, sp;
	bool is_return; /* by a ret, and not of code that puts other frames in place */
	uint64_t tsc;
};

/* Which calls have ended? */
void fc_shadow_arrive(struct fc_shadow *shadow, const struct fc_shadow_arrival *arrival);

/* The function whose code the innermost open call runs, if slot is that call's; else 0. */
uint32_t fc_shadow_func_at(struct fc_shadow *shadow, uint64_t slot);

/* How a function was come to. */
struct fc_shadow_entry {
	uint32_t func;
	uint64_t slot;	 /* where its return address is */
	uint64_t ret;	 /* and what it is */
	bool is_no_jump; /* a signal's handler, a coroutine that begins: no tail call */
	uint64_t tsc;
};

/*
 * After fc_shadow_arrive(). Tells of a call or, if slot is that of an open call, of a tail
 * call.
 */
void fc_shadow_enter(struct fc_shadow *shadow, const struct fc_shadow_entry *entry);
/* The same for functions of which only the entry is recorded. */
void fc_shadow_enter_only(struct fc_shadow *shadow, const struct fc_shadow_entry *entry);

/* Hand all records over to the tap. */
void fc_shadows_flush(struct fc_shadows *shadows, uint64_t tsc);

#endif
