/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In quiet: a seccomp filter may end the process for any system call, so the agent makes none any more. Before it
 * begins, all is opened that may be needed; in it, whoever has come to the agent marks its strand as busy.
 */
#include "capture/agent/strand/in_quiet.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/mail.h"
#include "capture/agent/base/outside.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/roll.h"

void quiet_forget_refused(void)
{
	uint32_t by = __atomic_load_n(&agent_config.filter_by, __ATOMIC_ACQUIRE);
	if (by && __atomic_load_n(&agent_config.refused, __ATOMIC_ACQUIRE) == by &&
	    __atomic_compare_exchange_n(&agent_config.filter_by, &by, 0, 0, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
		__atomic_fetch_sub(&agent_config.is_quiet, 1, __ATOMIC_SEQ_CST);
}

bool quiet_begin(uint64_t slot, struct strand **guard)
{
	*guard = NULL;
	if (agent_config.is_quiet) {
		if (!is_on_own_stack()) /* else it came before: its signals are yet to be restored */
			agent_wait_outside();
		quiet_forget_refused();
	}
	if (!agent_config.is_quiet)
		return true;
	struct strand *s = strand_found();
	/* A call from above the agent's: the handler left by a jump, and the agent with it. */
	bool is_over = strand_holds(s, slot) && slot >= s->busy_slot;
	if (s->busy_slot && !is_over)
		return false;
	s->busy_slot = slot;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*guard = s;
	return true;
}

void quiet_end(struct strand *guard)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (guard)
		guard->busy_slot = 0;
}

static uint64_t entries_at_once(const struct strand *s)
{
	uint64_t nr = shadow_at_once() / sizeof(struct fca_shadow);
	uint64_t room = s->shadow_end - shadow_floor(s);
	return nr < room ? nr : room;
}

/* All that may be needed and takes a system call. */
static void open_all(void)
{
	uint64_t mask = signals_block();
	for (int i = 0; i < FCA_NR_SPARES; i++)
		if (!agent_config.spares[i])
			agent_config.spares[i] = (uint64_t)claim_strand(shadow_at_once());
	open_memory(agent_arena(), arena_bytes());
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++)
		if (strands[i])
			open_shadow(strands[i], entries_at_once(strands[i]));
	signals_restore(mask);
}

void quiet_start(void)
{
	struct fca_arena *arena = agent_arena();
	uint32_t tid = 0;
	if (!agent_config.is_quiet) {
		tid = syscall1(NR_gettid, 0);
		open_all();
		if (!agent_is_alone(arena))
			mail_send(arena, FCA_LETTER_FILTER, 0, 0);
	}
	/* Else the controller has, while no other thread was in the agent. */
	if (!tid || agent_config.filter_by != tid)
		__atomic_fetch_add(&agent_config.is_quiet, 1, __ATOMIC_SEQ_CST);
}

void blind_start(void)
{
	agent_config.is_blind = 1;
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *s = strands[i];
		if (!s || s->is_muted)
			continue;
		s->is_muted = MUTED_LOST;
		strand_stop_at_next(s);
	}
}
