/* SPDX-License-Identifier: Apache-2.0 */
/* hold.h - all threads of all targets stopped at rest, so that their code can be changed. */
#ifndef FC_CAPTURE_USER_HOLD_H
#define FC_CAPTURE_USER_HOLD_H

#include "capture/user/session.h"

enum { FC_HOLD_FOR_CPU = 10 };

/*
 * Stop every thread. False: some could not be stopped within ms milliseconds (one that waits
 * for its vfork child, one that the kernel does not let go); *tid is the first of them. For
 * those that only wait for a CPU it is FC_HOLD_FOR_CPU times as long, unless fctrace was told to
 * let go. fc_release_all() follows in any case. Threads and processes may end or be born meanwhile.
 * A program that was executed stands at its start, before, while and after all are held.
 */
bool fc_hold_all(struct fc_tracer *tracer, int ms, int *tid);
void fc_release_all(struct fc_tracer *tracer);

/*
 * Between two tries: all run for so long, and signals and births are passed on, without which
 * nobody would come far.
 */
void fc_hold_let_run(struct fc_tracer *tracer, uint64_t ns);

/*
 * Stop one thread. False: it has ended, or could not be stopped in time, as above, or fctrace was
 * told to let go.
 */
bool fc_hold_one(struct fc_tracer *tracer, int tid, int ms);

/* Let one thread that is at rest go on, or stay stopped with its group. */
void fc_hold_let_go(const struct fc_tracer *tracer, struct fc_tracee *tracee);

/*
 * Let a stopped thread go on, with signal sig or 0; when all are to be held it comes no further than
 * to where it can rest.
 */
void fc_hold_go_on(const struct fc_tracer *tracer, const struct fc_tracee *tracee, int sig);

#endif
