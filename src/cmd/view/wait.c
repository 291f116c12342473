/* SPDX-License-Identifier: Apache-2.0 */
/* wait.c - prints how long the program waited for fctrace, if that was much. */
#include "cmd/view/wait.h"

#include <stdbool.h>

#include "cmd/out/say.h"

/* A tenth of the run that anybody would notice. */
static bool is_much(uint64_t ticks, const struct fc_clock *clock)
{
	const uint64_t noticed_ns = 100 * 1000 * 1000;

	return ticks > (clock->tsc1 - clock->tsc0) / 10 &&
	       fc_clock_duration_ns(clock, ticks) >= noticed_ns;
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
