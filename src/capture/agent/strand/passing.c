/* SPDX-License-Identifier: Apache-2.0 */
/* A stub that passes a strand by looks at one byte of it, and counts the call where counts are. */
#include "capture/agent/strand/passing.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/roll.h"

/* Where calls are counted that nobody asked for. */
static uint64_t *waste(void)
{
	uint64_t size = (uint64_t)agent_config.nr_counters * 8;
	if (agent_config.waste || !size || agent_config.is_quiet)
		return (uint64_t *)agent_config.waste;
	long got = syscall6(NR_mmap, 0, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE,
			    -1, 0);
	uint64_t none = 0;
	if (got > 0 && !__atomic_compare_exchange_n(&agent_config.waste, &none, got, 0,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		syscall2(NR_munmap, got, size); /* another thread was quicker */
	return (uint64_t *)agent_config.waste;
}

void strand_pass_by(struct strand *s)
{
	if (s->is_off)
		return;
	strand_stop_at_next(s);
	if (!s->counts)
		s->counts = waste();
	s->is_off = 1;
}

/*
 * A stub that passes a strand by does not look whether this is its stack. So as long as a gate
 * is open on another stack of the thread, none is passed by.
 */
static bool gate_is_open_beside(const struct strand *s)
{
	const struct strand *mate;
	for (uint32_t i = 0; (mate = strand_mate(s, &i));)
		if (mate->gate_slot)
			return true;
	return false;
}

bool strand_is_off(struct strand *s)
{
	const struct fca_arena *arena = agent_arena();
	if (!strand_is_shut(s) && !agent_is_off(arena))
		return false;
	strand_stop_at_next(s);
	if (s->unwind_slot || gate_is_open_beside(s))
		return true;
	/* The controller clears the one, then the other. */
	s->is_off = 1;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (strand_is_shut(s) || agent_is_off(arena))
		return true;
	s->is_off = 0;
	return false;
}

static void turn(struct strand *s, bool is_on)
{
	s->is_told_off = !is_on;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (is_on) /* its next call makes room, or finds another reason */
		s->is_off = 0;
	else
		strand_is_off(s);
}

void strand_turn_thread(struct strand *s, bool is_on)
{
	struct strand *mate;
	for (uint32_t i = 0; (mate = strand_mate(s, &i));)
		turn(mate, is_on);
	turn(s, is_on);
}
