/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - TSC ticks to time. Two pairs of (TSC, CLOCK_MONOTONIC) fix the line. */
#ifndef FC_TRACE_CLOCK_H
#define FC_TRACE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct fc_clock {
	uint64_t tsc0, mono0_ns, real0_ns; /* at the session's start */
	uint64_t tsc1, mono1_ns;	   /* later; equal to the first until known */
	uint32_t step; /* ticks by which it goes on, see below; 0: not known */
};

uint64_t fc_clock_tsc(void);
uint64_t fc_clock_mono_ns(void); /* CLOCK_MONOTONIC */
/*
 * Work that comes again and again took from since_ns until now: after which pause does it take one part
 * of the time in share? At least least_ns.
 */
uint64_t fc_clock_pause_ns(uint64_t since_ns, unsigned share, uint64_t least_ns);

/*
 * By how many ticks the clock that was read so goes on. Some CPUs count 100 million times a
 * second, by 20 to 40 ticks, and tell who asks twice meanwhile one tick more, so that no two
 * answers are the same:
 *
 *   0 26 27 52 78 79 104    goes on by 26
 *
 * 0: by few, or by no rule.
 */
uint32_t fc_clock_step_of(const uint64_t *tsc, size_t nr);

void fc_clock_start(struct fc_clock *clock);
/* Take the second pair now; the later, the more exact. */
void fc_clock_calibrate(struct fc_clock *clock);
/* The same, as it was taken: one that is not behind the first is none. */
void fc_clock_set_second(struct fc_clock *clock, uint64_t tsc, uint64_t mono_ns);
/* Nanoseconds since the session's start. */
uint64_t fc_clock_ns(const struct fc_clock *clock, uint64_t tsc);
/* Nanoseconds of a duration in ticks. */
uint64_t fc_clock_duration_ns(const struct fc_clock *clock, uint64_t ticks);
/* The same for a sentence: "3.200 ms". */
#define FC_CLOCK_TEXT 32
void fc_clock_duration_text(const struct fc_clock *clock, uint64_t ticks,
			    char ret[FC_CLOCK_TEXT]);
void fc_clock_ns_text(uint64_t ns, char ret[FC_CLOCK_TEXT]);
/* For a column that ends with its unit: "3.200 ms", "3.200 s ". */
void fc_clock_ns_cell(uint64_t ns, char ret[FC_CLOCK_TEXT]);

#endif
