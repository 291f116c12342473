/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perf_switches.h - when threads were off the CPU, as a source of records beside a backend: perf_event_open(2)
 * tells of each thread. Anybody may ask for it who may trace the program, where
 * kernel.perf_event_paranoid is 2 at most. Who woke a thread is not told, so it is asleep until it
 * runs again.
 *
 *	backend --follow(), resumed()--> one ring a thread     the tracer's thread
 *	kernel  --switches-------------> the rings
 *	                                 the rings --take()--> tap    that which takes records
 *
 * A thread is also off the CPU while it stands still for fctrace itself: that is no time of its own, and
 * nothing is told of it.
 */
#ifndef FC_CAPTURE_SWITCH_PERF_SWITCHES_H
#define FC_CAPTURE_SWITCH_PERF_SWITCHES_H

#include "capture/drain/well.h"

struct fc_switches;

/*
 * -errno with a sentence: it is not permitted here. say: what the user should know, once each; ctx for it;
 * both are kept.
 */
int fc_switches_open(void (*say)(void *ctx, const char *sentence), void *ctx,
		     struct fc_switches **ret);
void fc_switches_close(struct fc_switches *switches);

struct fc_well *fc_switches_well(struct fc_switches *switches);

#endif
