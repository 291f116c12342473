/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/view/planning.h"

#include <stdio.h>

#include "base/path.h"
#include "cmd/out/say.h"
#include "trace/clock.h"

static const uint64_t second_ns = 1000000000, patience_ns = 1000000000;

void fc_planning_show(void *ctx, const struct fc_progress *progress)
{
	const char *what = __atomic_load_n(&progress->what, __ATOMIC_RELAXED);
	uint64_t done = __atomic_load_n(&progress->done, __ATOMIC_RELAXED);
	uint64_t all = __atomic_load_n(&progress->all, __ATOMIC_RELAXED);
	uint64_t now = fc_clock_mono_ns();
	char line[120];

	if (done >= all || !what) {
		fc_say_passing(NULL);
		return;
	}
	if (now - progress->begin_ns < patience_ns)
		return;
	uint64_t left = fc_progress_left_ns(progress, now);
	snprintf(line, sizeof(line), "fctrace: planning %.40s: %d %%, %llu s more",
		 fc_base_name(what), (int)(100 * done / all),
		 (unsigned long long)((left + second_ns - 1) / second_ns));
	fc_say_passing(line);
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
