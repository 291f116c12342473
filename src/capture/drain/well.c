/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/well.h"

#include <assert.h>

#include "trace/clock.h"

static void stop_before(struct fc_well *const *wells, struct fc_well *const *end)
{
	for (; wells != end; wells++)
		(*wells)->stop(*wells, fc_clock_tsc());
}

int fc_wells_start(struct fc_well *const *wells, struct fc_numbers *numbers, struct fc_tap *tap)
{
	assert(!wells || !tap->dump);
	for (struct fc_well *const *well = wells; well && *well; well++) {
		int err = (*well)->start(*well, numbers, tap);
		if (err) {
			stop_before(wells, well);
			return err;
		}
	}
	return 0;
}

size_t fc_wells_take(struct fc_well *const *wells)
{
	size_t nr = 0;
	for (; wells && *wells; wells++)
		nr += (*wells)->take(*wells, fc_clock_tsc());
	return nr;
}

void fc_wells_stop(struct fc_well *const *wells)
{
	for (; wells && *wells; wells++)
		(*wells)->stop(*wells, fc_clock_tsc());
}
