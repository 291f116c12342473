/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - the clock that the stubs of this machine read: ticks, alike on all CPUs. */
#ifndef FC_ARCH_CLOCK_H
#define FC_ARCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t fc_arch_clock(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
#endif
}

#endif
