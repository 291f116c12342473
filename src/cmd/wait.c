/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/wait.h"

#include "cmd/say.h"

/* A tenth of the run that anybody would notice. */
static bool is_much(uint64_t ticks, const struct fc_clock *clock)
{
	const uint64_t noticed_ns = 100 * 1000 * 1000;

	return ticks > (clock->tsc1 - clock->tsc0) / 10 &&
	       fc_clock_duration_ns(clock, ticks) >= noticed_ns;
}

void fc_wait_say_run(const struct fc_writer_sums *sums, const struct fc_clock *clock)
{
	uint64_t run_ticks = clock->tsc1 - clock->tsc0;
	char waited[FC_CLOCK_TEXT], run[FC_CLOCK_TEXT];

	if (!is_much(sums->waited_ticks, clock))
		return;
	fc_clock_duration_text(clock, sums->waited_ticks, waited);
	fc_clock_duration_text(clock, run_ticks, run);
	/* Each thread's wait counts: the sum may be longer than the run. */
	if (sums->nr_waiters > 1)
		fc_say("the program's threads waited %s for fctrace, all together, in %s; "
		       "--loss=drop would not wait",
		       waited, run);
	else
		fc_say("the program waited %s of %s for fctrace; --loss=drop would not wait",
		       waited, run);
}

void fc_wait_say_inside(uint64_t waited_ticks, const struct fc_clock *clock)
{
	char waited[FC_CLOCK_TEXT];

	if (!is_much(waited_ticks, clock))
		return;
	fc_clock_duration_text(clock, waited_ticks, waited);
	fc_say("the program waited %s for fctrace: that is inside the times of its calls; "
	       "fctrace replay shows where",
	       waited);
}
