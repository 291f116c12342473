/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waited.h - how much of a call's time its thread was off the CPU: the calls beneath it that stand for that.
 *
 *	next_job() {                    wait 50, self wait 20
 *	  asleep();        20           a call of FC_OFF_CPU_MODULE: wait 20, self wait 0
 *	  read() {                      wait 30, self wait 30
 *	    asleep();      30
 *
 * A trace may be damaged: what waited beneath a call is never more than the call itself.
 */
#ifndef FC_CALLS_WAITED_H
#define FC_CALLS_WAITED_H

#include "calls/call.h"

/* Of an open call: what its ended calls have waited, and directly beneath it. */
struct fc_waited {
	uint64_t ticks, self_ticks;
};

/* The call ended, its times and is_off_cpu are known. */
static inline void fc_waited_end(struct fc_waited waited, struct fc_call *call)
{
	uint64_t ticks = fc_call_ticks(call);

	if (call->is_off_cpu)
		waited = (struct fc_waited){ .ticks = ticks };
	call->wait_ticks = waited.ticks < ticks ? waited.ticks : ticks;
	call->self_wait_ticks =
		waited.self_ticks < call->wait_ticks ? waited.self_ticks : call->wait_ticks;
}

/* So did a call beneath an open one. */
static inline void fc_waited_add(struct fc_waited *outer, const struct fc_call *call)
{
	outer->ticks += call->wait_ticks;
	if (call->is_off_cpu)
		outer->self_ticks += call->wait_ticks;
}

#endif
