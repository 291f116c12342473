/* SPDX-License-Identifier: Apache-2.0 */
/* planning.c - connects the planning of a file with the line of progress. */
#include "cmd/view/planning.h"

#include "cmd/out/say.h"
#include "cmd/out/work.h"
#include "trace/clock.h"

void fc_planning_show(void *ctx, const struct fc_progress *progress)
{
	fc_work_show("planning", progress, progress->begin_ns);
}

static bool show(void *ctx, const struct fc_progress *progress)
{
	fc_planning_show(NULL, progress);
	return false;
}

void fc_planning_begin(struct fc_progress *progress)
{
	*progress = (struct fc_progress){ .look = show, .begin_ns = fc_clock_mono_ns() };
}

void fc_planning_end(struct fc_progress *progress)
{
	fc_say_passing(NULL);
}
