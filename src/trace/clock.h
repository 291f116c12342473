/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - TSC ticks to time. Two pairs of (TSC, CLOCK_MONOTONIC) fix the line. */
#ifndef FC_TRACE_CLOCK_H
#define FC_TRACE_CLOCK_H

#include <stdint.h>

struct fc_clock {
	uint64_t tsc0, mono0_ns, real0_ns; /* at the session's start */
	uint64_t tsc1, mono1_ns;	   /* later; equal to the first until known */
};

uint64_t fc_clock_tsc(void);
uint64_t fc_clock_mono_ns(void); /* CLOCK_MONOTONIC */
void fc_clock_start(struct fc_clock *clock);
/* Take the second pair now; the later, the more exact. */
void fc_clock_calibrate(struct fc_clock *clock);
/* Nanoseconds since the session's start. */
uint64_t fc_clock_ns(const struct fc_clock *clock, uint64_t tsc);
/* Nanoseconds of a duration in ticks. */
uint64_t fc_clock_duration_ns(const struct fc_clock *clock, uint64_t ticks);
/* The same for a sentence: "3.200 ms". */
#define FC_CLOCK_TEXT 32
void fc_clock_duration_text(const struct fc_clock *clock, uint64_t ticks,
			    char ret[FC_CLOCK_TEXT]);
void fc_clock_ns_text(uint64_t ns, char ret[FC_CLOCK_TEXT]);

#endif
