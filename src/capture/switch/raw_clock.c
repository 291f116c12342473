/* SPDX-License-Identifier: Apache-2.0 */
/* raw_clock.c - pairs of the two clocks, and the line through two of them. */
#include "capture/switch/raw_clock.h"

#include <time.h>

#include "trace/clock.h"

/* The pair of several tries that was taken in the shortest time. */
struct fc_raw_pair fc_raw_clock_now(void)
{
	enum { TRIES = 4 };
	struct fc_raw_pair ret = { 0 };
	uint64_t shortest = UINT64_MAX;
	for (int i = 0; i < TRIES; i++) {
		struct timespec time;
		uint64_t before = fc_clock_tsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &time);
		uint64_t took = fc_clock_tsc() - before;
		if (took >= shortest)
			continue;
		shortest = took;
		ret.tsc = before + took / 2;
		ret.ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
	}
	return ret;
}

uint64_t fc_raw_clock_tsc(const struct fc_raw_pair *from, const struct fc_raw_pair *to,
			  uint64_t ns)
{
	double rate = (double)(to->tsc - from->tsc) / (double)(to->ns - from->ns);
	return to->tsc - (uint64_t)(int64_t)((double)(int64_t)(to->ns - ns) * rate);
}
