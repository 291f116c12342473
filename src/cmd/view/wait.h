/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - what is said of a program that waited for fctrace. */
#ifndef FC_CMD_VIEW_WAIT_H
#define FC_CMD_VIEW_WAIT_H

#include "trace/clock.h"

/*
 * If it waited for more than a tenth of the run, and 100 ms, the times of its calls are not all its
 * own: say so.
 */
void fc_wait_say_inside(uint64_t waited_ticks, const struct fc_clock *clock);

#endif
