/* SPDX-License-Identifier: Apache-2.0 */
/* recursion.h - how often each function is open in one strand, so that recursion is seen in O(1). */
#ifndef FC_CALLS_RECURSION_H
#define FC_CALLS_RECURSION_H

#include "base/paged.h"

struct fc_recursion {
	struct fc_paged counts; /* by function */
};

/* One more open call of func; returns how many were open before. */
static inline uint32_t fc_recursion_enter(struct fc_recursion *recursion, uint32_t func)
{
	return (*fc_paged_at(&recursion->counts, func))++;
}

/* Takes back one fc_recursion_enter(). */
static inline void fc_recursion_leave(struct fc_recursion *recursion, uint32_t func)
{
	(*fc_paged_at(&recursion->counts, func))--;
}

static inline void fc_recursion_deinit(struct fc_recursion *recursion)
{
	fc_paged_deinit(&recursion->counts);
}

#endif
