/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An unwinder that was called by a signal handler walks on into what the signal interrupted. That may be a stub, or
 * the agent, for which there is no unwind information. So the stack above it is looked through for signals' frames,
 * and what each has interrupted becomes something that the unwinder knows.
 */
#include "capture/agent/rewind.h"

#include "capture/agent/base/config.h"
#include "capture/agent/in_agent_x86_64.h"
#include "capture/agent/in_stub_x86_64.h"
#include "capture/agent/sigframe_x86_64.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/roll.h"

enum {
	MAX_WORDS = 64 * 1024, /* of a stack that are looked at */
	MAX_STACKS = 4,
};

static void rewind(struct strand *s, struct sigframe *f, enum fca_unwind unwind)
{
	leave_detour(f);
	if (!is_in_agent(f->rip))
		rewind_stub(s, f, unwind);
	else if (unwind == FCA_UNWIND_FORCES)
		leave_agent(s, f);
	else
		keep_exit(s, f);
}

/* A part of a stack: itself where it is there for certain, else a copy of it. */
struct view {
	uint64_t sure;	   /* below that it is */
	uint64_t from, nr; /* words that are copied */
	uint64_t words[112];
};

/* What could be a frame, at this address. NULL: there is no memory any more. */
static struct sigframe *frame_at(struct view *view, uint64_t at, uint64_t end)
{
	enum { MOST = sizeof(view->words) / 8, FRAME = sizeof(struct sigframe) / 8 };
	_Static_assert(FRAME < MOST, "there is room for one");
	if (at + sizeof(struct sigframe) <= view->sure)
		return (struct sigframe *)at;
	if (at - view->from > view->nr * 8 - sizeof(struct sigframe) || !view->nr) {
		view->from = at;
		view->nr = (end - at) / 8 < MOST ? (end - at) / 8 : MOST;
		bool is_there = copy_from(at, view->words, view->nr * 8);
		uint64_t of_page = (FCA_PAGE - at % FCA_PAGE) / 8;
		if (!is_there && of_page < view->nr) { /* it may end there */
			view->nr = of_page;
			is_there = of_page >= FRAME && copy_from(at, view->words, of_page * 8);
		}
		if (!is_there)
			return NULL;
	}
	return (struct sigframe *)&view->words[(at - view->from) / 8];
}

void rewind_stubs(struct strand *s, uint64_t slot, enum fca_unwind unwind,
		  void (*fn)(struct strand *s, uint64_t slot))
{
	for (int i = 0; s && i < MAX_STACKS; i++) {
		uint64_t from = slot, end = from + MAX_WORDS * 8;
		if (end > s->high)
			end = s->high;
		struct strand *next = NULL;
		/* Of another stack nothing is there for certain; in quiet the unwinder goes on there. */
		struct view view;
		view.nr = view.from = 0;
		view.sure = agent_config.is_quiet ? end : i ? 0 : load_end(s, slot);
		for (uint64_t at = from; at + sizeof(struct sigframe) <= end; at += 8) {
			struct sigframe *f = frame_at(&view, at, end);
			if (!f)
				break;
			if (!sigframe_is(f, at))
				continue;
			if (sigframe_is_cancel(f))
				unwind = FCA_UNWIND_FORCES;
			rewind(s, f, unwind);
			if ((uint64_t)f != at)
				copy_to(at, f, sizeof(*f));
			if (f->rsp < s->low || f->rsp >= s->high) {
				next = strand_holding(s->tid, f->rsp);
				slot = f->rsp;
			}
		}
		if (next)
			fn(next, slot);
		s = next;
	}
}

/* ---- left by siglongjmp ---- */

/* Each frame of a part of a stack, which is there up to sure; returns the interrupted stack pointer of the last one. */
static uint64_t leave_frames(uint64_t from, uint64_t sure, uint64_t end)
{
	struct view view;
	uint64_t rsp = 0;
	view.nr = view.from = 0;
	view.sure = sure;
	if (end > from + MAX_WORDS * 8)
		end = from + MAX_WORDS * 8;
	for (uint64_t at = from; at + sizeof(struct sigframe) <= end; at += 8) {
		const struct sigframe *f = frame_at(&view, at, end);
		if (!f)
			break;
		if (!sigframe_is(f, at))
			continue;
		uint64_t copy[sizeof(*f) / 8]; /* what looks like one may be something else */
		for (uint64_t i = 0; i < sizeof(*f) / 8; i++)
			copy[i] = ((const volatile uint64_t *)f)[i];
		struct sigframe *left = (struct sigframe *)copy;
		leave_stub(left);
		rsp = left->rsp;
	}
	return rsp;
}

/*
 * Signals that come before the jump is made may be left by jumps to the same place, each deeper than the one
 * before: only what is new is looked at, or a stack full of them takes ever longer.
 */
static void leave_own(struct strand *s, uint64_t slot, uint64_t to)
{
	volatile struct left *left = &s->left;
	uint64_t end = left->to == to && slot < left->slot ? left->slot : to;
	leave_frames(slot, load_end(s, slot), end);
	left->to = 0;
	left->slot = slot;
	left->to = to;
}

void rewind_left(struct strand *s, uint64_t slot, const struct strand *to, uint64_t rsp)
{
	if (agent_config.is_quiet)
		return;
	if (s == to) {
		leave_own(s, slot, rsp);
		return;
	}
	uint64_t interrupted = leave_frames(slot, load_end(s, slot), s->high);
	if (interrupted >= to->low && interrupted < rsp)
		leave_frames(interrupted, 0, rsp);
}

void rewind_jumped(struct strand *s)
{
	s->left.to = 0;
}
