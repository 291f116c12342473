/* SPDX-License-Identifier: Apache-2.0 */
/*
 * execs.h - programs that the targets execute. That one is executed is known at once; it stands
 * at its start until nobody holds or waits for threads, and then it is hooked.
 */
#ifndef FC_CAPTURE_USER_EXECS_H
#define FC_CAPTURE_USER_EXECS_H

#include "capture/user/session.h"

/* The process of the tracee, its leader now, is at the start of a new program. */
void fc_execs_add(struct fc_tracer *tracer, struct fc_tracee *tracee);

/*
 * Hook the one that waits the longest, if that is wanted and can be, and let it run. Nothing is
 * held. False: none waits.
 */
bool fc_execs_start(struct fc_tracer *tracer);

#endif
