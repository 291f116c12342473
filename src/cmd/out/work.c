/* SPDX-License-Identifier: Apache-2.0 */
/* work.c - prints the line of progress. */
#include "cmd/out/work.h"

#include <stdio.h>

#include "base/path.h"
#include "cmd/out/say.h"
#include "trace/clock.h"

static const uint64_t second_ns = 1000000000, patience_ns = 1000000000;

/* A trace that is read several times has no known end: print how often it was read. */
static void name(char *ret, size_t room, const char *doing, const char *what, unsigned nr_times)
{
	if (nr_times > 1)
		snprintf(ret, room, "%s %.40s, time %u", doing, fc_base_name(what), nr_times);
	else
		snprintf(ret, room, "%s %.40s", doing, fc_base_name(what));
}

void fc_work_show(const char *doing, const struct fc_progress *progress, uint64_t since_ns)
{
	const char *what = __atomic_load_n(&progress->what, __ATOMIC_RELAXED);
	uint64_t done = __atomic_load_n(&progress->done, __ATOMIC_RELAXED);
	uint64_t all = __atomic_load_n(&progress->all, __ATOMIC_RELAXED);
	uint64_t now = fc_clock_mono_ns();
	char named[80], line[120];

	if (done >= all || !what) {
		fc_say_passing(NULL);
		return;
	}
	if (now - since_ns < patience_ns)
		return;
	uint64_t left = fc_progress_left_ns(progress, now);
	name(named, sizeof(named), doing, what,
	     __atomic_load_n(&progress->nr_times, __ATOMIC_RELAXED));
	snprintf(line, sizeof(line), "fctrace: %s: %d %%, %llu s more", named,
		 (int)(100 * done / all),
		 (unsigned long long)((left + second_ns - 1) / second_ns));
	fc_say_passing(line);
}

static uint64_t reading_since_ns;

static bool show_reading(void *ctx, const struct fc_progress *progress)
{
	fc_work_show("reading", progress, reading_since_ns);
	return false;
}

struct fc_progress *fc_work_reading(void)
{
	static struct fc_progress reading = { .look = show_reading };

	if (!reading_since_ns)
		reading_since_ns = fc_clock_mono_ns();
	return &reading;
}
