/* SPDX-License-Identifier: Apache-2.0 */
/* watches.h - functions at whose calls a dump is written (--dump-on), or recording begins and ends (--on, --off-at). */
#ifndef FC_CAPTURE_USER_WATCHES_H
#define FC_CAPTURE_USER_WATCHES_H

#include "capture/user/session.h"

/* What agents are to know of them. */
void fc_watches_measure(struct fc_tracer *tracer);

/* A letter tells that one was called: write what there is. */
void fc_watches_dump(struct fc_tracer *tracer, const uint64_t arg[2], int pid);

/*
 * Something was hooked in process, or (NULL) in all that were attached to. As soon as what the
 * session starts with is complete: say, once, which names nothing has yet.
 */
void fc_watches_say_missing(struct fc_tracer *tracer, const struct fc_process *process);

/* It is over: say which names nothing ever had. */
void fc_watches_say_never(struct fc_tracer *tracer);

#endif
