/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of any tracer that stamps entry and exit: two time stamps a call. */
#include <x86intrin.h>

#include "calls.h"

static uint64_t work(void)
{
	const long n = 3000000;
	uint64_t sum = 0;
	for (long i = 0; i < n; i++) {
		sum += __rdtsc();
		sum -= __rdtsc();
	}
	return sum ? n : 0;
}
