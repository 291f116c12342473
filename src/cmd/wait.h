/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - what is said of a program that waited for fctrace. */
#ifndef FC_CMD_WAIT_H
#define FC_CMD_WAIT_H

#include "trace/clock.h"
#include "trace/writer.h"

/* The run is over: if the program waited for more than a tenth of it, and 100 ms, say so. */
void fc_wait_say_run(const struct fc_writer_sums *sums, const struct fc_clock *clock);

/* If it waited so long, the times of its calls are not all its own. */
void fc_wait_say_inside(uint64_t waited_ticks, const struct fc_clock *clock);

#endif
