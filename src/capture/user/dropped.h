/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dropped.h - hooks that go because the program maps a file's code anew, or drops what was written
 * over it: they are taken out before that, where it is known, and written again.
 */
#ifndef FC_CAPTURE_USER_DROPPED_H
#define FC_CAPTURE_USER_DROPPED_H

#include "capture/user/session.h"

/*
 * What was written over code in [lo, hi) of a process is about to be dropped: of its hooks nothing
 * half is to be left. It is said.
 */
void fc_dropped_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
		       uint64_t lo, uint64_t hi);

/* When to look next, by the monotonic clock. */
uint64_t fc_dropped_next_ns(const struct fc_tracer *tracer);
/* Hook again what can be. It is said. */
void fc_dropped_look(struct fc_tracer *tracer);

void fc_dropped_deinit(struct fc_tracer *tracer);

#endif
