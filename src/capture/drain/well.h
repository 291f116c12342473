/* SPDX-License-Identifier: Apache-2.0 */
/*
 * well.h - a source of records beside the backend's programs, in the same session: the backend
 * starts it, and takes from it together with its own.
 *
 *   backend --start()--> well     ids by the session's numbers, functions and maps to its tap
 *   drain   --take()---> well --records()--> the same tap
 *   drain   --stop()---> well --strand_end()-->
 */
#ifndef FC_CAPTURE_DRAIN_WELL_H
#define FC_CAPTURE_DRAIN_WELL_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/source.h"

enum { FC_SYSCALL_ARGS = 6 }; /* of a system call */

/* Where a thread has stopped: at the entry of a system call, or at its end. */
struct fc_call_stop {
	bool is_entry;
	uint64_t number, arg[FC_SYSCALL_ARGS]; /* at the entry */
	int64_t result;			       /* at the end; less than 0: the error */
};

struct fc_well {
	/*
	 * Before any program runs or is attached to, on the backend's thread: tell the tap of
	 * what there is to record, and begin. numbers and tap are there until stop() was called.
	 * -errno with a sentence: nothing is traced at all. A tap with dump() takes records only
	 * when it asks for them: with it no well starts, and -EINVAL says so.
	 */
	int (*start)(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap);

	/*
	 * On the thread that brings the tap its records, some 10 ms apart at the most: tell it of
	 * all that was recorded before now_tsc. Returns how many words it told.
	 */
	size_t (*take)(struct fc_well *well, uint64_t now_tsc);

	/*
	 * On the backend's thread, as the thread tid stands still: it and all that it makes are
	 * traced from now on. NULL: the well has records of no threads.
	 */
	void (*follow)(struct fc_well *well, int tid);

	/*
	 * The same of a thread that one of these has made, before its first instruction. NULL: the
	 * well finds it by itself.
	 */
	void (*born)(struct fc_well *well, int tid);

	/*
	 * On the backend's thread: the thread tid, which stood still for the backend, is about to go
	 * on. NULL: it need not know.
	 */
	void (*resumed)(struct fc_well *well, int tid);

	/* As follow(): what it does from now on is not traced any more. NULL as above. */
	void (*leave)(struct fc_well *well, int tid);

	/*
	 * On the backend's thread, as the thread tid stands still at a system call. NULL: it need not
	 * know; else each thread that is traced stops at each.
	 */
	void (*call)(struct fc_well *well, int tid, const struct fc_call_stop *stop);

	/* On the backend's thread: record from now on, or not. NULL: it always does. */
	void (*turn_on)(struct fc_well *well, bool is_on);

	/*
	 * Once on the same thread if start() was successful, when the last program has ended or
	 * was let go: record no more, tell the rest, end all strands.
	 */
	void (*stop)(struct fc_well *well, uint64_t now_tsc);
};

/* All of a list that ends with NULL; NULL: there are none. If one cannot start, none has. */
int fc_wells_start(struct fc_well *const *wells, struct fc_numbers *numbers,
		   struct fc_tap *tap);
void fc_wells_follow(struct fc_well *const *wells, int tid);
void fc_wells_born(struct fc_well *const *wells, int tid);
void fc_wells_resumed(struct fc_well *const *wells, int tid);
void fc_wells_leave(struct fc_well *const *wells, int tid);
/* Does one of them want to know of system calls? */
bool fc_wells_want_calls(struct fc_well *const *wells);
void fc_wells_call(struct fc_well *const *wells, int tid, const struct fc_call_stop *stop);
void fc_wells_turn_on(struct fc_well *const *wells, bool is_on);
size_t fc_wells_take(struct fc_well *const *wells);
void fc_wells_stop(struct fc_well *const *wells);

#endif
