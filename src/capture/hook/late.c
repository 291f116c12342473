/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/late.h"

#include <stdlib.h>

#include "trace/clock.h"

enum { FIRST_PAUSE_NS = 10 * 1000 * 1000 };

void fc_late_add(struct fc_late *late, uint32_t func)
{
	if (!late->funcs.nr) {
		late->pause_ns = FIRST_PAUSE_NS;
		late->next_ns = fc_clock_mono_ns() + late->pause_ns;
	}
	fc_vec_push(&late->funcs, func);
}

void fc_late_drop(struct fc_late *late, uint32_t func)
{
	size_t kept = 0;
	fc_vec_each (&late->funcs, at)
		if (*at != func)
			late->funcs.at[kept++] = *at;
	late->funcs.nr = kept;
}

void fc_late_deinit(struct fc_late *late)
{
	fc_vec_free(&late->funcs);
}

uint64_t fc_late_next_ns(const struct fc_late *late)
{
	return late->funcs.nr ? late->next_ns : UINT64_MAX;
}
