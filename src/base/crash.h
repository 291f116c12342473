/* SPDX-License-Identifier: Apache-2.0 */
/* crash.h - signals of a program that is at fault, which nobody else sent. */
#ifndef FC_BASE_CRASH_H
#define FC_BASE_CRASH_H

#include <signal.h>
#include <stdbool.h>

static const int fc_crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

enum { FC_NR_CRASHES = sizeof(fc_crashes) / sizeof(fc_crashes[0]) };

/* Of the instruction that ran. */
static inline bool fc_is_fault(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE;
}

#endif
