/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While return addresses on the stack are the true ones: an unwinder is at work, or a slicer copies frames.
 *
 *	begin		each slot gets its true return address, the entries keep the sites
 *	check		it has finished: slots that still hold these get their sites back
 */
#include "capture/agent/strand/unwinding.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/slot.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/record.h"

void strand_pop_to(struct strand *s, struct fca_shadow *top)
{
	*(volatile uint64_t *)&s->shadow = (uint64_t)top;
	strand_record_if(s, strand_make_room(s, 1), shadow_depth(s), FC_POP);
}

/*
 * What is in the entry's slot. In quiet nobody can be asked whether the slot is there; but an unwinder is
 * about to load it, and would end the program where it finds a site.
 */
static bool is_walked(const struct strand *s, uint64_t slot, const struct fca_shadow *e,
		      uint64_t *ret)
{
	if (e->slot < s->low || e->slot >= s->high)
		return false;
	if (!agent_config.is_quiet)
		return slot_get(s, slot, e->slot, ret);
	*ret = slot_get_surely(e->slot);
	return true;
}

/*
 * Put the true return addresses back on the stack, for an unwinder to see. Each entry keeps
 * its stub's site instead, until rearm().
 */
static void disarm(struct strand *s, uint64_t slot)
{
	for (struct fca_shadow *e = shadow_top(s); e > shadow_floor(s); e--) {
		uint64_t site;
		if (e->slot == s->leaving || !is_walked(s, slot, e, &site) ||
		    !agent_is_site(site))
			continue;
		*shadow_truth(s, e) = e->ret;
		slot_set(s, slot, e->slot, e->ret);
		e->ret = site;
	}
}

/*
 * A slot that no longer holds what disarm() gave it belongs to a call that was left since:
 * its memory is another's now.
 */
static void rearm(struct strand *s, uint64_t slot)
{
	for (struct fca_shadow *e = shadow_floor(s) + 1; e <= shadow_top(s); e++) {
		uint64_t ret = *shadow_truth(s, e), now;
		if (!agent_is_site(e->ret) || !is_walked(s, slot, e, &now) || now != ret)
			continue;
		slot_set(s, slot, e->slot, e->ret);
		e->ret = ret;
	}
}

/*
 * An unwinder was at work; has it finished? Its frame and all below are then gone. So is that of a slicer when
 * another one's frames are in its place.
 */
static bool is_unwound(const struct strand *s, uint64_t slot)
{
	uint64_t now;
	return slot >= s->unwind_slot ||
	       (s->slice_ret > SLICE_CAME && slot_get(s, slot, s->unwind_slot, &now) &&
		now != s->slice_ret);
}

/* Its slot holds what disarm() gave it, or what rearm() did: else another frame is there. */
static bool is_in_place(const struct strand *s, uint64_t slot, const struct fca_shadow *e)
{
	uint64_t now;
	if (!is_walked(s, slot, e, &now))
		return false;
	return agent_is_site(e->ret)
		       ? now == *shadow_truth(s, e) && !s->is_sliced_within
		       : agent_is_site(now) || agent_is_site(SHADOW_RESTARTED(e->ret));
}

/*
 * Other frames are in place of those that were copied away. Calls of the latter were left, as far as can be
 * told: they come back with true return addresses. False: more calls are open, wait for these.
 */
static bool leave_moved(struct strand *s, uint64_t slot)
{
	struct fca_shadow *top = shadow_top(s), *moved = shadow_floor(s) + 1;
	while (moved <= top && is_in_place(s, slot, moved))
		moved++;
	for (const struct fca_shadow *e = moved; e <= top; e++)
		if (!agent_is_site(e->ret) && is_in_place(s, slot, e))
			return false;
	if (moved <= top)
		strand_pop_to(s, moved - 1);
	return true;
}

void unwinding_check(struct strand *s, uint64_t slot)
{
	if (!s->unwind_slot || !is_unwound(s, slot))
		return;
	uint64_t mask = signals_block();
	if (!s->slice_ret || leave_moved(s, slot)) {
		s->unwind_slot = s->slice_ret = 0;
		rearm(s, slot);
	}
	signals_restore(mask);
}

/* sure: a slot of this very stack; 0: it is another one, which need not be there any more. */
static void begin_unwind_from(struct strand *s, uint64_t slot, uint64_t sure)
{
	/* What passes by would not tell when it has finished; with no call open, no matter. */
	if (s->is_off && !s->is_muted) {
		if (!shadow_depth(s))
			return;
		s->is_off = 0;
	}
	disarm(s, sure);
	s->leaving = 0;
	if (!s->unwind_slot) /* else this is the inside of one */
		s->unwind_slot = slot;
	strand_stop_at_next(s);
}

/* With no call open there is nothing to be armed again, and nothing need be told of its end. */
void unwinding_begin(struct strand *s, uint64_t slot)
{
	if (shadow_depth(s) || s->unwind_slot)
		begin_unwind_from(s, slot, slot);
}

void unwinding_begin_of(struct strand *s, uint64_t slot)
{
	if (shadow_depth(s) || s->unwind_slot)
		begin_unwind_from(s, slot, 0);
}

void slicing_begin(struct strand *s, uint64_t slot)
{
	/* Within another one's copying, which goes on later: nothing may be armed under it. */
	if (s->slice_ret > SLICE_CAME)
		s->is_sliced_within = true;
	begin_unwind_from(s, slot, slot);
	if (s->unwind_slot == slot)
		s->slice_ret = slot_get_surely(slot);
	else if (s->unwind_slot && !s->slice_ret)
		s->slice_ret = SLICE_CAME;
}

/* What is in place and stays so may return before anything else is called. */
void slicing_came(struct strand *s, uint64_t slot)
{
	uint64_t mask = signals_block();
	if (!s->is_sliced_within)
		rearm(s, slot);
	signals_restore(mask);
}
