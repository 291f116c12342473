/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose stack is it? A stack belongs to itself, whichever thread runs on it: a context may go on in
 * another thread than the one that it was in, and that one may have ended.
 */
#include "capture/agent/strand/search.h"

#include "capture/agent/base/bounds.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/site.h"
#include "capture/agent/base/thread.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/life.h"
#include "capture/agent/strand/open_calls.h"
#include "capture/agent/strand/passing.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/roll.h"
#include "capture/agent/strand/slot.h"

/*
 * Where there are gates, or threads begin unrecorded, calls that would show how a stack grows pass by
 * unseen. So a strand with no gate and no call open goes where its thread is, rather than that there are many.
 */
static struct strand *strand_move(int tid, uint64_t slot, const struct bounds *bounds)
{
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));) {
		if (!strand_is_shut(s) || shadow_depth(s) || s->unwind_slot ||
		    is_main_stack(s->low))
			continue;
		strand_put_bounds(s, bounds);
		if (s->ring)
			s->ring->kind = (uint32_t)bounds->kind;
		s->low = s->spill_low = s->hot_low = page_of(slot);
		shadow_floor(s)->slot = s->high = page_of(slot) + FCA_PAGE;
		return s;
	}
	return NULL;
}

/* The strand of this thread that slot is of, as far as its stack was seen. */
static struct strand *find_holder(int tid, uint64_t slot)
{
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));)
		if (strand_holds(s, slot))
			return s;
	return NULL;
}

/* Is a call open of which slot is below, in a strand that need not live? */
static bool has_open_above(const struct strand *s, uint64_t slot)
{
	for (const struct fca_shadow *e = shadow_top(s); e > shadow_floor(s); e--) {
		uint64_t word;
		if (e->slot > slot)
			return slot_peek(e->slot, &word) && agent_is_site(word);
	}
	return false;
}

/*
 * A vfork child goes on with its parent's stack and thread pointer. Its calls may begin below all
 * that the parent was seen to use.
 */
static bool is_of_vfork_parent(const struct strand *s, int pid, uint64_t slot,
			       const struct bounds *bounds)
{
	if (s->pid == pid)
		return false;
	if (bounds->high)
		return s->bounds.low == bounds->low && s->bounds.high == bounds->high;
	return s->thread == thread_now() && strand_is_near(s, slot);
}

/*
 * May the calls of s go on in this thread? What was the own stack of a thread that has ended is
 * another's now, whatever is left on it. And where two threads of a process have one thread pointer,
 * clone() has made one of them, whose stack may lie within a frame of the other's.
 */
static bool may_go_on(const struct strand *s, int pid)
{
	if (s->pid == pid && s->thread && s->thread == thread_now())
		return !s->bounds.high && !thread_is_there(s->pid, s->tid);
	return !s->bounds.high || (thread_is_there(s->pid, s->tid) && !strand_is_dead(s));
}

/* Another thread's strand that slot is of, with a call open above it. */
static struct strand *find_others(int pid, int tid, uint64_t slot, const struct bounds *bounds)
{
	for (uint32_t i = 0, nr = count_strands(); i < nr; i++) {
		struct strand *s = strand_tids[i] != tid ? strands[i] : NULL;
		if (s && s->tid != tid && s->tid != -1 && !strand_is_go(s) &&
		    (strand_holds(s, slot) || is_of_vfork_parent(s, pid, slot, bounds)) &&
		    has_open_above(s, slot) && may_go_on(s, pid))
			return s;
	}
	return NULL;
}

/*
 * From now on its ring ends with this thread. Unless the other has ended: the controller, which
 * is told of that before the id is free, may have seen whose it was, and free it soon.
 */
static bool take_ring(struct strand *s, int tid, int old_tid)
{
	if (!s->ring || s->ring->generation != s->generation)
		return false;
	s->ring->kind = (uint32_t)s->bounds.kind;
	__atomic_store_n(&s->ring->has_moved, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&s->ring->tid, tid, __ATOMIC_SEQ_CST);
	return thread_is_there(s->pid, old_tid);
}

/* This thread has gone on with a context that another one was in last. */
static void take_over(struct strand *s, int tid)
{
	if (!s->bounds.high)
		s->bounds.kind = FC_STRAND_CONTEXT;
	bool has_ring = take_ring(s, tid, s->tid);
	strand_set_tid(s, tid);
	s->thread = thread_now();
	s->is_beside = false;
	strand_find_mates(s);
	if (has_ring) {
		s->on_limit = NULL;
		strand_stop_at_next(s); /* the mark comes before the next record */
		return;
	}
	s->ring = NULL;
	s->nr_freed = 0;
	strand_keep_live(s);
	if (!s->is_muted && ring_claim(s) && !agent_config.is_edges)
		strand_tell_open(s, s, 0, FC_MARK_RESUME, 0);
}

/* ---- stacks that go on in another thread ---- */

static struct strand *find_top(int tid, uint64_t slot)
{
	struct strand *s;
	for (uint32_t i = 0; tid && (s = strand_next(tid, &i));)
		if (shadow_top(s)->slot == slot)
			return s;
	return NULL;
}

static struct strand *find_top_of_others(int pid, uint64_t slot)
{
	for (uint32_t i = 0, nr = count_strands(); i < nr; i++) {
		struct strand *s = strands[i];
		if (s && s->tid != -1 && s->pid == pid && !strand_is_go(s) && shadow_depth(s) &&
		    shadow_top(s)->slot == slot)
			return s;
	}
	return NULL;
}

struct strand *strand_switch(uint64_t slot)
{
	const struct strand *current = strand_current();
	int tid = thread_tid(current, slot);
	struct strand *s = find_top(tid, slot);
	if (!s && tid && !agent_config.is_quiet) {
		s = find_top_of_others(thread_pid(current), slot);
		if (s)
			take_over(s, tid);
	}
	if (s)
		strand_switch_to(s);
	return s;
}

static bool is_within(const struct bounds *bounds, uint64_t slot)
{
	return slot >= bounds->low && slot < bounds->high;
}

static struct strand *find_within(int tid, uint64_t slot)
{
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));)
		if (is_within(&s->bounds, slot))
			return s;
	return NULL;
}

static struct strand *find_near(int tid, uint64_t slot)
{
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));)
		if (!s->bounds.high && strand_is_near(s, slot))
			return s;
	return NULL;
}

static struct strand *find_spilled(int tid, uint64_t slot)
{
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));)
		if (strand_is_spilled(s, slot))
			return s;
	return NULL;
}

/* This thread's strand whose stack is larger than was seen. */
static struct strand *find_grown(struct strand *s, int tid, uint64_t slot)
{
	if (s && s->tid == tid && !strand_is_go(s) &&
	    (s->bounds.high ? is_within(&s->bounds, slot) : strand_is_near(s, slot)))
		return s;
	struct strand *found = find_within(tid, slot);
	return found ? found : find_near(tid, slot);
}

/* May a stack be one that another thread was on? Not this thread's own. */
static bool may_be_others(int pid, int tid, const struct bounds *bounds)
{
	return !agent_config.is_quiet &&
	       (!bounds->high || tid == pid || bounds->low == agent_config.stack_low);
}

/* Of a stack whose bounds nobody knows: if those of the thread's own are known, it is another. */
static enum fc_strand_kind kind_of_unknown(int pid, int tid)
{
	if (agent_config.is_quiet || !thread_now())
		return FC_STRAND_THREAD;
	if (tid == pid && agent_config.stack_high)
		return FC_STRAND_CONTEXT;
	struct strand *s;
	for (uint32_t i = 0; (s = strand_next_own(tid, &i));)
		if (s->bounds.high && s->bounds.kind == FC_STRAND_THREAD &&
		    !is_main_stack(s->low))
			return FC_STRAND_CONTEXT;
	return FC_STRAND_THREAD;
}

/* A stack that was not this thread's so far. */
static struct strand *strand_come_to(int pid, int tid, uint64_t slot)
{
	struct bounds bounds;
	if (!bounds_find(slot, &bounds))
		bounds.kind = kind_of_unknown(pid, tid);
	struct strand *other =
		may_be_others(pid, tid, &bounds) ? find_others(pid, tid, slot, &bounds) : NULL;
	if (other && other->pid == pid) {
		take_over(other, tid);
		return other;
	}
	bool may_move = agent_config.has_gates || agent_config.begins_off;
	struct strand *s =
		may_move && !is_main_stack(slot) ? strand_move(tid, slot, &bounds) : NULL;
	if (!s)
		s = strand_make(pid, tid, slot, &bounds);
	/* A vfork child, on its parent's stack: within the same calls, gates among them. */
	if (s && other)
		s->gate_slot = other->gate_slot;
	if (s && other && s->ring && !agent_config.is_edges)
		strand_tell_open(s, other, slot, FC_MARK_FORK, other->pid);
	return s;
}

/* This thread's strand for a stack that is not the current strand's. */
static struct strand *strand_search(struct strand *s, uint64_t slot)
{
	int tid = thread_tid(s, slot);
	if (!tid)
		return NULL;
	struct strand *found = find_holder(tid, slot);
	if (found)
		return found;
	found = find_grown(s, tid, slot);
	if (found) {
		strand_grow(found, slot);
		return found;
	}
	found = find_spilled(tid, slot);
	if (found) {
		strand_spill(found, slot);
		return found;
	}
	return strand_come_to(thread_pid(s), tid, slot);
}

struct strand *strand_of(uint64_t slot, uint32_t nr_lost)
{
	struct strand *s = strand_current();
	if (!s || !strand_holds(s, slot)) {
		uint64_t mask = signals_block();
		struct strand *found = strand_search(s, slot);
		if (found && found != s)
			strand_switch_to(found);
		s = found;
		signals_restore(mask);
	}
	uint64_t thread = thread_now();
	if (s && thread && s->thread != thread)
		s->thread = thread; /* ld.so has made its local storage since */
	if (!s || s->is_muted == MUTED_LOST)
		strand_lose_without(nr_lost);
	if (s && s->is_muted == MUTED_UNWANTED)
		strand_pass_by(s);
	if (!s || s->is_muted)
		return NULL;
	bool has_ring = s->ring || ring_claim(s);
	if (!has_ring) {
		strand_lose(s, nr_lost);
		return NULL;
	}
	if (!strand_holds(s, slot)) {
		__atomic_fetch_add(&s->ring->lost, nr_lost, __ATOMIC_RELAXED);
		agent_lost(FCA_LOST_DEEP, nr_lost);
		return NULL;
	}
	return s;
}
