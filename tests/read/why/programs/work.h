/* SPDX-License-Identifier: Apache-2.0 */
/* work.h - what the planted programs have in common: functions that stay functions, and work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone, noipa))

static inline unsigned spin(unsigned x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 1664525 + 1013904223;
	return x;
}
