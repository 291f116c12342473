/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw_clock.h - CLOCK_MONOTONIC_RAW as ticks: the clock that perf_event_open(2) can be told to use, and
 * that goes as evenly as the TSC. What lies between two pairs is found on the line through them.
 */
#ifndef FC_CAPTURE_SWITCH_RAW_CLOCK_H
#define FC_CAPTURE_SWITCH_RAW_CLOCK_H

#include <stdint.h>

/* Both clocks at one moment. */
struct fc_raw_pair {
	uint64_t tsc, ns;
};

struct fc_raw_pair fc_raw_clock_now(void);

/* The ticks of a time; to: later than from. */
uint64_t fc_raw_clock_tsc(const struct fc_raw_pair *from, const struct fc_raw_pair *to,
			  uint64_t ns);

#endif
