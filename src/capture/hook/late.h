/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.h - functions that could not be hooked at an attach, as a signal's handler was about to go
 * back into their first bytes: that is tried again until it can be done.
 */
#ifndef FC_CAPTURE_HOOK_LATE_H
#define FC_CAPTURE_HOOK_LATE_H

#include <stdint.h>

#include "base/vec.h"

#define FC_LATE_WHY "a signal handler will come back to their first instructions"

struct fc_late {
	FC_VEC(uint32_t) funcs; /* ids; unhooked, as struct fc_modules says it */
	uint64_t next_ns, pause_ns;
};

void fc_late_add(struct fc_late *late, uint32_t func);
/* The user, or the budget, wants it unhooked. */
void fc_late_drop(struct fc_late *late, uint32_t func);
void fc_late_deinit(struct fc_late *late);

/* When to try again, by the monotonic clock; UINT64_MAX: none is left. */
uint64_t fc_late_next_ns(const struct fc_late *late);

#endif
