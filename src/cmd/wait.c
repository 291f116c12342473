/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/wait.h"

#include "cmd/say.h"

void fc_wait_say_run(const struct fc_writer_sums *sums, const struct fc_clock *clock)
{
	uint64_t run_ticks = clock->tsc1 - clock->tsc0;
	char waited[FC_CLOCK_TEXT], run[FC_CLOCK_TEXT];

	if (sums->waited_ticks <= run_ticks / 100)
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

void fc_wait_say_inside(const struct fc_report *report, const struct fc_clock *clock)
{
	char waited[FC_CLOCK_TEXT];

	if (!fc_report_waited(report))
		return;
	fc_clock_duration_text(clock, fc_report_waited(report), waited);
	fc_say("the program waited %s for fctrace: that is inside the times of its calls; "
	       "fctrace replay shows where",
	       waited);
}
