/* SPDX-License-Identifier: Apache-2.0 */
/* detach.h - to make processes what they were before they were traced. */
#ifndef FC_CAPTURE_USER_DETACH_H
#define FC_CAPTURE_USER_DETACH_H

#include "capture/target/standing.h"
#include "capture/user/session.h"

/*
 * Take everything of fctrace's out of all processes, also what was left by an fctrace that
 * died. They run for moments in between. 0: all threads are held. -errno with a sentence: some
 * of it stays, harmless.
 */
int fc_unhook_all(struct fc_tracer *tracer);

/*
 * The same, and let them go. -errno with a sentence: something stays. Threads that could not
 * be stopped are tracees as before.
 */
int fc_detach_all(struct fc_tracer *tracer);

/* The same for one process, while the others go on. */
int fc_detach_one(struct fc_tracer *tracer, const struct fc_process *process);

/* Let go of one thread, which is held, with its hooks: it is about to execute a program. */
void fc_detach_thread(struct fc_tracer *tracer, struct fc_tracee *tracee);

/* The threads that use the process' memory; all are held. -ESRCH with a sentence: none. */
int fc_standing_of(struct fc_tracer *tracer, const struct fc_process *process,
		   struct fc_standing *ret);

#endif
