/* SPDX-License-Identifier: Apache-2.0 */
/* A strand is made for a stack, or one is taken whose thread has ended. It is never given back. */
#include "capture/agent/strand/life.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/thread.h"
#include "capture/agent/strand/attic.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/roll.h"

static uint32_t next_to_look_at; /* for one whose thread has ended */

/*
 * Has a thread of another process this one's pointer? So has a vfork child's parent, and would find
 * the child's strand in the table when it goes on.
 */
static bool is_beside(int pid)
{
	uint64_t thread = is_in_table() ? thread_now() : 0;
	for (uint32_t i = 0, nr = count_strands(); i < nr && thread; i++) {
		const struct strand *t = strands[i];
		if (t && t->thread == thread && t->pid != pid && t->tid > 0 &&
		    !strand_is_dead(t))
			return true;
	}
	return false;
}

static void begin(struct strand *s, int pid, int tid, uint64_t slot,
		  const struct bounds *bounds)
{
	strand_put_bounds(s, bounds);
	s->self = strand_address(s);
	s->pid = pid;
	s->is_muted = is_unwanted(agent_arena(), pid) ? MUTED_UNWANTED
		      : agent_config.is_blind	      ? MUTED_LOST
						      : MUTED_NOT;
	s->low = s->spill_low = page_of(slot);
	s->high = page_of(slot) + FCA_PAGE;
	s->unwind_slot = s->slice_ret = s->is_sliced_within = 0;
	s->busy_slot = s->nr_watched = s->left.to = 0;
	s->thread = thread_now();
	s->is_beside = is_beside(pid);
	s->shadow_base->ret = 0;
	s->shadow_base->slot = s->high;
	s->shadow = (uint64_t)s->shadow_base;
	s->ring = NULL;
	s->words = NULL;
	s->cursor = s->limit = s->counts = NULL;
	s->on_limit = NULL;
	s->is_off = s->gate_slot = s->has_mates = 0;
	s->is_told_off = agent_config.begins_off;
	s->hot_low = s->low;
	s->nr_freed = 0;
	strand_set_tid(s, tid);
	if (!s->is_muted)
		ring_claim(s);
}

/* A context that has calls open, which another thread may go on with: its stack is not a thread's. */
static bool may_go_on(const struct strand *s)
{
	return shadow_depth(s) && !s->bounds.high;
}

/*
 * A strand whose thread has ended; NULL. Of many not all are looked at each time: then there is
 * one more, and those that were left out are looked at for the next ones.
 */
static struct strand *take_dead(void)
{
	enum { LOOKS = 64, MANY = 1024 };
	uint32_t nr = count_strands(), looks = nr < LOOKS ? nr : LOOKS;
	uint32_t from = __atomic_fetch_add(&next_to_look_at, looks, __ATOMIC_RELAXED);
	for (uint32_t n = 0; n < looks; n++) {
		struct strand *s = strands[(from + n) % nr];
		int32_t old = s ? s->tid : -1;
		if (!s || old == -1 || (may_go_on(s) && nr < MANY) || !strand_is_dead(s) ||
		    !__atomic_compare_exchange_n(&s->tid, &old, -1, 0, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		if (may_go_on(s))
			attic_keep_all(s);
		return s;
	}
	return NULL;
}

static struct strand *take_new(void)
{
	if (__atomic_load_n(&nr_strands, __ATOMIC_RELAXED) >= agent_config.max_strands)
		return NULL;
	struct strand *s =
		agent_config.is_quiet ? claim_spare() : claim_strand(FCA_SHADOW_BEGIN);
	if (!s)
		return NULL;
	s->tid = -1; /* it is nobody's yet, and not dead */
	s->index = __atomic_fetch_add(&nr_strands, 1, __ATOMIC_RELAXED);
	if (s->index < FCA_MAX_STRANDS)
		__atomic_store_n(&strands[s->index], s, __ATOMIC_RELEASE);
	return s;
}

struct strand *strand_make(int pid, int tid, uint64_t slot, const struct bounds *bounds)
{
	struct strand *s = take_dead();
	if (!s)
		s = take_new();
	if (!s)
		return NULL;
	begin(s, pid, tid, slot, bounds);
	strand_find_mates(s);
	return s;
}
