/* SPDX-License-Identifier: Apache-2.0 */
/* writable.h - functions whose code a program may write to from now on run unhooked. */
#ifndef FC_CAPTURE_USER_WRITABLE_H
#define FC_CAPTURE_USER_WRITABLE_H

#include "capture/user/session.h"

/* What of it is mapped in [lo, hi) of a process is about to be made writable. It is said. */
void fc_writable_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
			uint64_t lo, uint64_t hi);

#endif
