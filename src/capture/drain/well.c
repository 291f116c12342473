/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/well.h"

#include <errno.h>

#include "base/fail.h"
#include "trace/clock.h"

static void stop_before(struct fc_well *const *wells, struct fc_well *const *end)
{
	for (; wells != end; wells++)
		(*wells)->stop(*wells, fc_clock_tsc());
}

int fc_wells_start(struct fc_well *const *wells, struct fc_numbers *numbers, struct fc_tap *tap)
{
	if (wells && *wells && tap->dump)
		return fc_fail(EINVAL, "--loss=ring keeps the newest records of the program's "
				       "own rings: no other source of records goes with it");
	for (struct fc_well *const *well = wells; well && *well; well++) {
		int err = (*well)->start(*well, numbers, tap);
		if (err) {
			stop_before(wells, well);
			return err;
		}
	}
	return 0;
}

void fc_wells_follow(struct fc_well *const *wells, int tid)
{
	for (; wells && *wells; wells++)
		if ((*wells)->follow)
			(*wells)->follow(*wells, tid);
}

void fc_wells_born(struct fc_well *const *wells, int tid)
{
	for (; wells && *wells; wells++)
		if ((*wells)->born)
			(*wells)->born(*wells, tid);
}

void fc_wells_resumed(struct fc_well *const *wells, int tid)
{
	for (; wells && *wells; wells++)
		if ((*wells)->resumed)
			(*wells)->resumed(*wells, tid);
}

void fc_wells_leave(struct fc_well *const *wells, int tid)
{
	for (; wells && *wells; wells++)
		if ((*wells)->leave)
			(*wells)->leave(*wells, tid);
}

bool fc_wells_want_calls(struct fc_well *const *wells)
{
	for (; wells && *wells; wells++)
		if ((*wells)->call)
			return true;
	return false;
}

void fc_wells_call(struct fc_well *const *wells, int tid, const struct fc_call_stop *stop)
{
	for (; wells && *wells; wells++)
		if ((*wells)->call)
			(*wells)->call(*wells, tid, stop);
}

void fc_wells_turn_on(struct fc_well *const *wells, bool is_on)
{
	for (; wells && *wells; wells++)
		if ((*wells)->turn_on)
			(*wells)->turn_on(*wells, is_on);
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
