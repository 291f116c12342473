/* SPDX-License-Identifier: Apache-2.0 */
/* writable.h - functions whose code a program may write to from now on run unhooked. */
#ifndef FC_CAPTURE_USER_WRITABLE_H
#define FC_CAPTURE_USER_WRITABLE_H

#include "capture/user/session.h"

struct fc_known;

/* Of functions. */
struct fc_ids {
	FC_VEC(uint32_t) list;
};

/*
 * Add those of a file whose hooks have bytes in [lo, hi), also such as are there for a neighbour's
 * sake.
 */
void fc_ids_add_hooked(struct fc_ids *ids, const struct fc_space *space,
		       const struct fc_known *known, uint64_t lo, uint64_t hi);

/* What of it is mapped in [lo, hi) of a process is about to be made writable. It is said. */
void fc_writable_unhook(struct fc_tracer *tracer, int pid, const struct fc_space *space,
			uint64_t lo, uint64_t hi);

#endif
