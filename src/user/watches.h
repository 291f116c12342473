/* SPDX-License-Identifier: Apache-2.0 */
/* watches.h - which functions of --dump-on are there: who mistyped one is to know it soon. */
#ifndef FC_USER_WATCHES_H
#define FC_USER_WATCHES_H

#include "user/tracer.h"

/*
 * Something was hooked in process, or (NULL) in all that were attached to. As soon as what the
 * session starts with is complete: say, once, which names nothing has yet.
 */
void fc_watches_say_missing(struct fc_tracer *tracer, const struct fc_process *process);

/* It is over: say which names nothing ever had. */
void fc_watches_say_never(struct fc_tracer *tracer);

#endif
