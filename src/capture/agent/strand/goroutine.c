/* SPDX-License-Identifier: Apache-2.0 */
/* The strands of Go's threads: one for all goroutines that a thread runs. */
#include "capture/agent/strand/goroutine.h"

#include "capture/agent/base/bounds.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/life.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/roll.h"

static struct strand *go_search(struct strand *s, int tid)
{
	if (s && strand_is_go(s) && s->tid == tid)
		return s;
	struct strand *t;
	for (uint32_t i = 0; (t = strand_next(tid, &i));)
		if (strand_is_go(t) && !strand_is_dead(t))
			return t;
	return NULL;
}

/* Stacks lie side by side: strand_grow over them as they are seen, or begin anew elsewhere. */
static void go_follow(struct strand *s, uint64_t slot)
{
	bool is_main = is_main_stack(slot) && is_main_stack(s->low);
	if (is_main || strand_is_near(s, slot))
		strand_grow(s, slot);
	if (strand_holds(s, slot))
		return;
	s->low = s->spill_low = s->hot_low = page_of(slot);
	shadow_floor(s)->slot = s->high = page_of(slot) + FCA_PAGE;
}

static struct strand *go_enter(struct strand *s, uint64_t slot)
{
	int tid = thread_tid(s, slot);
	struct strand *found = tid ? go_search(s, tid) : NULL;
	if (!found && tid)
		found = strand_make(thread_pid(s), tid, slot,
				    &(struct bounds){ .kind = FC_STRAND_GO });
	if (!found)
		return NULL;
	go_follow(found, slot);
	if (found != s)
		strand_switch_to(found);
	return found;
}

struct strand *strand_of_go(uint64_t slot)
{
	struct strand *s = strand_current();
	if (!s || !strand_is_go(s) || !strand_holds(s, slot)) {
		uint64_t mask = signals_block();
		s = go_enter(s, slot);
		signals_restore(mask);
	}
	if (s && !s->is_muted && (s->ring || ring_claim(s)))
		return s;
	if (!s || s->is_muted != MUTED_UNWANTED)
		strand_lose_without(1);
	return NULL;
}
