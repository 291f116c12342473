/* SPDX-License-Identifier: Apache-2.0 */
/* stepspace.h - an address space that is stepped through: which functions are where. */
#ifndef FC_CAPTURE_STEP_STEPSPACE_H
#define FC_CAPTURE_STEP_STEPSPACE_H

#include "capture/module/module.h"
#include "capture/step/shadow.h"
#include "capture/opts.h"

struct fc_stepspace;

/* What all address spaces of a session share. */
struct fc_step_session {
	const struct fc_user_opts *opts;
	struct fc_numbers numbers;
	struct fc_modules modules;
	struct fc_tap *tap;
	void (*say)(void *ctx, int pid, const char *sentence);
	void *ctx;
};

/*
 * pid has just executed a program and is stopped. -ENOTSUP with a sentence: it is no program
 * that can be traced.
 */
int fc_stepspace_create(struct fc_step_session *session, int pid, struct fc_stepspace **ret);
struct fc_stepspace *fc_stepspace_share(struct fc_stepspace *space);
/* The same for a process with a copy of this memory. */
struct fc_stepspace *fc_stepspace_fork(const struct fc_stepspace *space);
void fc_stepspace_put(struct fc_stepspace *space);

struct fc_main_stack fc_stepspace_stack(const struct fc_stepspace *space);

/* The recorded function that begins at this address; NULL: none. */
const struct fc_func_info *fc_stepspace_entry(const struct fc_stepspace *space,
					      uint64_t address);
/* Is address in the code of the function with this id? */
bool fc_stepspace_is_inside(const struct fc_stepspace *space, uint64_t address, uint32_t func);

/*
 * Is address in code that leaves other frames than its own: an unwinder, a context switch? It
 * may land just where an open call would have returned to.
 */
bool fc_stepspace_moves_frames(const struct fc_stepspace *space, uint64_t address);

/* Does ld.so tell here that it has loaded objects? Then it is time for an update. */
bool fc_stepspace_is_notice(const struct fc_stepspace *space, int tid, uint64_t address);
/* Has ld.so loaded all that the program begins with? False also if that is not known. */
bool fc_stepspace_has_begun(const struct fc_stepspace *space, int tid);
void fc_stepspace_update(struct fc_stepspace *space, int pid);

/*
 * Nothing that is recorded can be called before the program comes to this address: ld.so's
 * first notice. 0: there may be calls from the beginning.
 */
uint64_t fc_stepspace_quiet_until(const struct fc_stepspace *space);

/* Read a word of the target through a thread that is stopped. False: it is not there. */
bool fc_stepspace_read(int tid, uint64_t address, uint64_t *ret);

/* What kind of instruction is at address: enum fc_trait. Remembers what it has read. */
unsigned fc_stepspace_traits(struct fc_stepspace *space, int tid, uint64_t address);

#endif
