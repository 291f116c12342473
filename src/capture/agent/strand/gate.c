/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gates: the functions that -F asks for. A strand is off until one is called, and again when
 * the outermost one has returned or was left.
 *
 *      main   work   f     g     f     g           main's calls: the stubs pass the strand by
 *      off    off    on -------------------> off   again when the outermost f returns
 *
 * More may be recorded than is asked for (the controller sieves), never less. So a gate counts
 * as left only when it is sure: its stack is another call's.
 */
#include "capture/agent/strand/gate.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/strand/passing.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/roll.h"
#include "capture/agent/strand/segment.h"

/*
 * The limit from before is still right, unless a handler that came between has moved it. What
 * is off for another reason, or watched for an unwinder, stays so. After a long pause a flight
 * recorder's ring must tell the time first: that is done where room is made.
 */
static void raise_limit(struct strand *s)
{
	uint64_t *now = limit_of(s), *limit = s->on_limit;
	bool is_late = agent_arena()->is_ring && segment_is_stale(s);
	s->on_limit = NULL;
	if (!s->unwind_slot && !is_late && limit > cursor_of(s))
		cas_local((uint64_t *)&s->limit, (uint64_t)now, (uint64_t)limit);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (agent_arena()->is_off) /* the controller sets that, then the limit */
		strand_stop_at_next(s);
}

void gate_enter(struct strand *s, uint64_t slot)
{
	const struct fca_arena *arena = agent_arena();
	if (!strand_is_shut(s) || agent_is_off(arena))
		return;
	*(volatile uint64_t *)&s->gate_slot = slot;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (s->is_told_off)
		return;
	struct strand *mate;
	for (uint32_t i = 0; (mate = strand_mate(s, &i));)
		mate->is_off = 0;
	s->is_off = 0;
	raise_limit(s);
}

static void lower_limit(struct strand *s)
{
	s->on_limit = limit_of(s);
	strand_is_off(s);
}

void gate_leave(struct strand *s, uint64_t slot)
{
	if (!s->gate_slot || s->gate_slot > slot)
		return;
	*(volatile uint64_t *)&s->gate_slot = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	lower_limit(s);
}

void gate_lend(struct strand *s)
{
	if (strand_is_shut(s) && s->on_limit)
		raise_limit(s);
}

void gate_take_back(struct strand *s)
{
	if (strand_is_shut(s))
		lower_limit(s);
}
