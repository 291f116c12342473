/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path, inside the target. Stubs come here when a check of theirs fails: the ring
 * needs room, the stack is another strand's, a call did not nest. Guests' rules: no libc,
 * no lock, general registers only, nothing left behind.
 *
 * Signals may come at any instruction, and their handlers may be hooked. What they could
 * see half done is either one compare-and-swap, or done with signals blocked.
 */
#include "capture/agent/agent.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/mail.h"
#include "capture/agent/base/pages.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/site.h"
#include "capture/agent/rewind.h"
#include "capture/agent/strand/attic.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/edge.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/extent.h"
#include "capture/agent/strand/gate.h"
#include "capture/agent/strand/goroutine.h"
#include "capture/agent/strand/in_quiet.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/passing.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/record.h"
#include "capture/agent/strand/roll.h"
#include "capture/agent/strand/search.h"
#include "capture/agent/strand/unwinding.h"
#include "capture/agent/watch.h"

/*
 * Entries at or below slot, when a call finds its return address at slot, belong to calls
 * that were left by longjmp or an exception: their stack is free. Pop them. True if the
 * top entry is then slot's own: the caller left by a tail jump.
 */
static bool settle(struct strand *s, const struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct fca_shadow *top = shadow_top(s);
	bool is_armed = top->slot <= slot && agent_is_site(frame_return(frame));
	if (top->slot == slot && is_armed)
		return true;
	if (top->slot > slot) {
		gate_leave(s, slot);
		return false;
	}

	/* At once: their slots lie where this code's own frames are now. */
	for (; top->slot <= slot && !(top->slot == slot && is_armed); top--)
		if (attic_keep(s, slot, top)) /* it may go on: another stack is within this */
			strand_split(s);
	strand_pop_to(s, top);
	if (top->slot == slot)
		return true;
	gate_leave(s, slot);
	return false;
}

/* The innermost open call ends by a jump to code that must see its true return address. */
static void leave_for_entry_only(struct strand *s, struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	uint64_t mask = signals_block();
	unwinding_check(s, slot); /* of a handler that came since it was looked at */
	struct fca_shadow *top = shadow_top(s);
	uint32_t func = agent_site_func(frame_return(frame));
	bool has_room = strand_make_room(s, 1); /* a new segment tells of the open calls */
	frame_set_return(frame, top->ret);
	s->shadow -= sizeof(*top);
	strand_record_if(s, has_room, func, FC_EXIT);
	gate_leave(s, slot);
	signals_restore(mask);
}

/*
 * The call that jumped here returns by its own stub, whose result may not be asked for. Then it returns by
 * this one, unless that one has more to do at an exit.
 */
static void return_by(struct agent_frame *frame, uint64_t stub)
{
	uint64_t other = frame_return(frame) - agent_config.place[FCA_PLACE_EXIT];
	if (stub_has_result(stub) && !stub_has_result(other) && !watch_of(other) &&
	    !is_gate(other, FCA_PLACE_GATE))
		frame_set_return(frame, stub + agent_config.place[FCA_PLACE_EXIT]);
}

static void record_tail(struct strand *s, uint64_t stub)
{
	strand_record(s, agent_func_at(stub + agent_config.place[FCA_PLACE_ID]), FC_TAIL);
	s->tail_stub = stub;
	s->tail_at = strand_words(s);
}

/*
 * A function came to its own start by a jump: its own loop, which is no call. Which function
 * jumped is not known. If nothing was recorded since, it is that of the last tail call; else
 * it is taken for the one that the return site is of.
 */
static bool is_loop(const struct strand *s, uint64_t stub, uint64_t site)
{
	if (!(*(uint8_t *)(stub + agent_config.place[FCA_PLACE_LOOPS]) & 1))
		return false;
	if (s->tail_stub && s->tail_at == strand_words(s))
		return s->tail_stub == stub;
	return site == stub + agent_config.place[FCA_PLACE_EXIT];
}

/* The shadow entry that a stub would have made. In quiet handlers may come, use it and pop it. */
static void push(struct strand *s, const struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct fca_shadow *e = shadow_top(s) + 1;
	do {
		*(volatile uint64_t *)&e->slot = slot;
		*(volatile uint64_t *)&s->shadow = (uint64_t)e;
	} while (*(volatile uint64_t *)&e->slot != slot);
	e->ret = frame_return(frame);
}

/*
 * A call of a function that jumps to its own start, counted by caller: its shadow entry is for
 * telling that its next rounds are none. frame->go as below.
 */
static void count_entry(struct strand *s, struct agent_frame *frame, uint64_t stub,
			bool is_tail)
{
	uint32_t func = agent_func_at(stub + agent_config.place[FCA_PLACE_ID]);
	s->tail_stub = is_tail ? stub : 0;
	s->tail_at = strand_words(s);
	edge_count(s, is_tail ? shadow_top(s)->ret : frame_return(frame), func);
	if (is_tail)
		return;
	push(s, frame);
	frame->go = stub + agent_config.place[FCA_PLACE_BEGIN];
}

/* In the place of a stub that would come here again. There is room for the record. */
static void enter_here(struct strand *s, uint64_t stub, const struct agent_frame *frame)
{
	uint64_t mask = signals_block();
	push(s, frame);
	strand_record(s, agent_func_at(stub + agent_config.place[FCA_PLACE_ID]), FC_ENTRY);
	signals_restore(mask);
}

/* frame->go is the stub's body: to leave it so means not to record this call. */
static void on_entry(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct strand *s = strand_of(slot, agent_config.is_edges ? 1 : 2);
	if (!s)
		return;
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_BODY];
	struct fca_shadow *top = shadow_top(s);
	if (top->slot == slot && top->ret == SHADOW_RESTARTED(stub)) {
		top->ret = frame_return(frame); /* it was recorded, then interrupted */
		frame->go = stub + agent_config.place[FCA_PLACE_BEGIN];
		return;
	}
	if (is_switched_off(stub)) {
		strand_count(s, agent_func_at(stub + agent_config.place[FCA_PLACE_ID]));
		return;
	}
	bool is_tail = settle(s, frame);
	unwinding_check(s, slot);
	uint32_t watch = watch_of(stub);
	if (turns_on(watch))
		strand_turn_thread(s, true);
	if (is_gate(stub, FCA_PLACE_GATE) && watch != FCA_SWITCH_ON)
		gate_enter(s, slot);
	if (strand_is_off(s) || (is_tail && is_loop(s, stub, frame_return(frame))))
		return;
	if (agent_config.is_edges) {
		count_entry(s, frame, stub, is_tail);
		return;
	}
	if (!strand_make_room(s, 1)) {
		strand_lose(s, is_tail ? 1 : 2); /* not hooked, so its exit is lost too */
		return;
	}
	bool by_agent = watch || !strand_is_at_hand(s);
	if (is_tail) {
		record_tail(s, stub);
		return_by(frame, stub);
	} else if (by_agent)
		enter_here(s, stub, frame);
	if (!is_tail)
		frame->go =
			stub + agent_config.place[by_agent ? FCA_PLACE_BEGIN : FCA_PLACE_RETRY];
	if (watch == FCA_SWITCH_OFF)
		strand_turn_thread(s, false);
	else if (is_told_of(watch))
		watch_entry(s, watch, agent_func_at(stub + agent_config.place[FCA_PLACE_ID]),
			    slot);
}

/* A handler's call that interrupted the agent, which may make no system call. */
static void lose_call(uint32_t nr)
{
	strand_lose_without(nr);
}

void agent_on_entry(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard)) {
		lose_call(2);
		return;
	}
	on_entry(frame);
	quiet_end(guard);
}

/* A gate that has no exit opens nothing, and its own calls are recorded. */
static bool is_asked_for(uint64_t stub)
{
	const struct fca_arena *arena = agent_arena();
	return is_gate(stub, FCA_PLACE_OTHER_GATE) && !arena->is_off && !agent_is_alone(arena);
}

/* A call of a stub that has no exit. */
static void record_entry(struct strand *s, uint64_t ret, uint64_t stub)
{
	uint32_t func = agent_func_at(stub + agent_config.place[FCA_PLACE_OTHER_ID]);
	uint32_t watch = watch_of_entry_only(stub);
	if (!func || (watch == FCA_SWITCH_OFF && s->is_told_off))
		return; /* a door that nobody asked to see; or it is off already */
	if (turns_on(watch))
		strand_turn_thread(s, true);
	if (agent_config.is_edges)
		edge_count(s, ret, func);
	else if (agent_config.is_count_only || is_switched_off(stub))
		strand_count(s, func);
	else if (strand_is_off(s) && !is_asked_for(stub))
		return;
	else if (strand_make_room(s, 1))
		strand_record(s, func, FC_ENTRY_ONLY);
	else
		strand_lose(s, 1);
	if (watch == FCA_SWITCH_OFF)
		strand_turn_thread(s, false);
	else if (!turns_on(watch))
		watch_entry_only(s, stub, func);
}

static struct strand *entry_only(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct strand *s = strand_of(slot, 1);
	if (!s)
		return NULL;
	bool is_tail = settle(s, frame);
	unwinding_check(s, slot);
	/* Who comes by a tail jump is called by the one that jumped, which is open up to here. */
	record_entry(s, is_tail ? shadow_top(s)->ret : frame_return(frame),
		     frame->go - agent_config.place[FCA_PLACE_OTHER_BODY]);
	if (is_tail)
		leave_for_entry_only(s, frame);
	return s;
}

/* No call is open on a goroutine's stack: nothing to settle, no return address to put back. */
void agent_on_go(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	struct strand *s = strand_of_go(frame_slot(frame));
	if (s)
		record_entry(s, frame_return(frame),
			     frame->go - agent_config.place[FCA_PLACE_OTHER_BODY]);
	quiet_end(guard);
}

/* The first call of a strand that only counts, or of a forked child's. */
void agent_on_count(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_COUNT_BODY];
	struct strand *s = strand_of(frame_slot(frame), 1);
	if (s)
		strand_count(s, *(uint32_t *)(stub + agent_config.place[FCA_PLACE_COUNT]) / 8);
	quiet_end(guard);
}

/* Where a call returns to whose slot holds a site that is no longer its strand's innermost. */
static uint64_t lost_caller(uint64_t slot)
{
	enum { NOWHERE = 1 };
	const struct fca_shadow *e = strand_find_slot(slot);
	return e && !agent_is_site(e->ret) ? e->ret : NOWHERE;
}

/*
 * By a tail jump of a function that has an exit: that one's call is over, so that this one's true
 * return address can be seen.
 */
static struct strand *count_tail(struct agent_frame *frame, uint32_t func)
{
	uint64_t slot = frame_slot(frame);
	struct strand *s = strand_of(slot, 1);
	if (!s)
		return NULL;
	if (settle(s, frame))
		leave_for_entry_only(s, frame);
	uint64_t ret = frame_return(frame);
	edge_count(s, agent_is_site(ret) ? lost_caller(slot) : ret, func);
	return s;
}

static void on_edge(struct agent_frame *frame, uint32_t func)
{
	/* A stub's table need not be of the stack that it runs on; it is its thread's. */
	struct strand *s = strand_current();
	if (agent_is_site(frame_return(frame))) {
		count_tail(frame, func);
		return;
	}
	if (!s || !s->counts)
		s = strand_of(frame_slot(frame), 1);
	if (s && s->counts)
		edge_count(s, frame_return(frame), func);
	else if (s)
		strand_lose(s, 1);
}

/* The first call by this caller, or of a strand. */
void agent_on_edge(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_EDGE_BODY];
	on_edge(frame, *(uint32_t *)(stub + agent_config.place[FCA_PLACE_EDGE_ID]));
	quiet_end(guard);
}

void agent_on_entry_only(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	entry_only(frame);
	quiet_end(guard);
}

/*
 * It has gone over to where the frames come to that it brings back: these lie above slot. What is in place now and
 * stays so may return before anything else is called.
 */
static void come_back(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct strand *s = strand_current();
	bool is_slice = s && s->slice_ret;
	if (is_slice) {
		s->slice_ret = SLICE_CAME;
		s->unwind_slot = slot + sizeof(slot);
	}
	s = entry_only(frame);
	if (is_slice && s && s->slice_ret)
		slicing_came(s, slot);
}

/*
 * Calls below the stack pointer that a longjmp goes back to are over. Later calls may come from
 * further down the stack than these, and would seem to be theirs.
 */
static void leave_below(struct strand *s, uint64_t slot, uint64_t to)
{
	struct fca_shadow *top = shadow_top(s), *e = top;
	for (; e->slot < to; e--)
		attic_keep(s, slot, e);
	if (e != top)
		strand_pop_to(s, e);
	gate_leave(s, to - 1);
}

/*
 * A word of a jmp_buf. Who is called longjmp need not be libc's, and have as many of them. In quiet only
 * those on the page of the first one are certainly there.
 */
static bool jump_word(const struct strand *s, uint64_t slot, uint64_t env, uint32_t i,
		      uint64_t *ret)
{
	uint64_t at = env + i * 8ull;
	if (load_word(s, slot, at, ret))
		return true;
	if (!agent_config.is_quiet || at / FCA_PAGE != env / FCA_PAGE || at % 8)
		return false;
	*ret = *(const volatile uint64_t *)at;
	return true;
}

/* Where it goes to, and whether it restores the signal mask. */
static bool read_jump(const struct strand *s, uint64_t slot, uint64_t env, uint64_t *sp,
		      bool *has_mask)
{
	uint64_t words[JUMP_WORDS], mask;
	if (load_words(s, slot, env, words, JUMP_WORDS)) {
		*sp = words[JUMP_SP];
		*has_mask = (uint32_t)words[JUMP_HAS_MASK];
		return true;
	}
	if (!jump_word(s, slot, env, JUMP_SP, sp))
		return false;
	*has_mask = jump_word(s, slot, env, JUMP_HAS_MASK, &mask) && (uint32_t)mask;
	return true;
}

/*
 * longjmp(env, value). A call that restores the signal mask first is to be seen where it is.
 */
static void on_jump(struct strand *s, const struct agent_frame *frame, uint64_t slot,
		    bool is_later)
{
	uint64_t sp;
	bool has_mask;
	if (!read_jump(s, slot, frame_arg(frame, 0), &sp, &has_mask))
		return;
	struct strand *to = strand_holding(s->tid, sp);
	if (!to && has_guard(s->thread)) {
		sp = demangle(sp);
		to = strand_holding(s->tid, sp);
	}
	if (!to || (to == s && sp <= slot))
		return;
	if (has_mask) /* who leaves a handler by another jump would leave its signal blocked */
		rewind_left(s, slot, to, sp);
	if (has_mask && is_later)
		return;
	rewind_jumped(s);
	leave_below(to, to == s ? slot : 0, sp);
}

static void on_unwind(struct agent_frame *frame)
{
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_OTHER_BODY];
	uint64_t id = stub + agent_config.place[FCA_PLACE_OTHER_ID];
	enum fca_unwind unwind = *(uint32_t *)id & ((1 << FC_RECORD_KIND_BITS) - 1);
	if (unwind == FCA_UNWIND_COMES) {
		come_back(frame);
		return;
	}
	struct strand *s = entry_only(frame);
	if (unwind == FCA_UNWIND_JUMPS || unwind == FCA_UNWIND_JUMPS_LATER) {
		if (s)
			on_jump(s, frame, frame_slot(frame), unwind == FCA_UNWIND_JUMPS_LATER);
		return;
	}
	if (!s)
		s = strand_muted();
	if (!s)
		s = strand_spilled(frame_slot(frame));
	if (!s)
		return;
	uint64_t mask = signals_block();
	if (unwind == FCA_UNWIND_SLICES) {
		slicing_begin(s, frame_slot(frame));
	} else {
		rewind_stubs(s, frame_slot(frame), unwind, unwinding_begin_of);
		unwinding_begin(s, frame_slot(frame));
	}
	signals_restore(mask);
}

/*
 * The stack is made true also when a handler in quiet interrupts the agent: what it finds half
 * done is at most the one entry that is being popped.
 */
void agent_on_unwind(struct agent_frame *frame)
{
	struct strand *guard;
	quiet_begin(frame_slot(frame), &guard);
	on_unwind(frame);
	quiet_end(guard);
}

/* A call returned into its stub, whose shadow entry is not on top: find it. */
static uint64_t true_return(struct strand *s, uint64_t slot, bool *is_top)
{
	*is_top = false;
	struct fca_shadow *e = s ? shadow_find(s, slot) : NULL;
	if (e) {
		bool is_above = e < shadow_top(s);
		for (const struct fca_shadow *above = shadow_top(s); above > e; above--)
			attic_keep(s, slot, above);
		s->shadow = (uint64_t)e;
		if (is_above && !s->is_muted)
			strand_record_if(s, strand_make_room(s, 1), shadow_depth(s), FC_POP);
		*is_top = true;
		return e->ret;
	}
	e = strand_find_slot(slot);
	if (e) {
		const struct strand *owner = strand_of_entry(e);
		/* A vfork child's return: the parent, on the same stack, will return there, too. */
		if (!s || !owner || owner->pid == s->pid)
			e->slot = 1; /* the lowest: its own strand pops it as it meets it */
		return e->ret;
	}
	return attic_find(s, slot);
}

static void lost_return(void)
{
	static const char text[] = "fctrace: agent: a return address was lost; ending here\n";
	syscall3(NR_write, 2, text, sizeof(text) - 1);
	syscall1(NR_exit_group, 70);
}

static bool on_exit(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	uint64_t site = frame_return(frame); /* it has just returned there */
	struct strand *s = strand_current();
	bool is_top = s && shadow_top(s)->slot == slot;
	uint64_t ret = 0;
	if (!is_top) {
		uint64_t mask = signals_block();
		struct strand *other = strand_switch(slot);
		if (other) {
			s = other;
			is_top = true;
		} else {
			ret = true_return(s, slot, &is_top);
			if (!ret)
				lost_return();
		}
		signals_restore(mask);
	}
	uint64_t stub = site - agent_config.place[FCA_PLACE_EXIT];
	uint32_t watch = is_top && !s->is_muted ? watch_of(stub) : 0;
	if (is_top && !s->is_muted && !agent_config.is_edges) {
		bool has_room = strand_make_room(s, 1);
		if (has_room && !watch && !is_gate(stub, FCA_PLACE_GATE) &&
		    strand_is_at_hand(s)) {
			frame->go = stub + agent_config.place[FCA_PLACE_AGAIN];
			return false;
		}
		if (has_room)
			strand_record(s, agent_site_func(site), FC_EXIT);
		else
			strand_lose(s, 1);
	}
	if (is_top)
		ret = shadow_top(s)->ret;
	frame_set_return(frame, ret);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (is_top) /* later: who finds the site in the slot finds the entry */
		s->shadow -= sizeof(struct fca_shadow);
	if (is_top)
		gate_leave(s, slot);
	if (is_told_of(watch))
		watch_exit(s, watch, agent_func_at(stub + agent_config.place[FCA_PLACE_ID]),
			   slot);
	return true;
}

/* True: return to what is in the slot. False: let the stub try again. */
bool agent_on_exit(struct agent_frame *frame)
{
	struct strand *guard;
	quiet_begin(frame_slot(frame), &guard);
	bool is_done = on_exit(frame);
	quiet_end(guard);
	return is_done;
}

/* ld.so has loaded objects: the controller hooks them before their code runs. */
void agent_on_dl(struct agent_frame *frame)
{
	struct fca_arena *arena = agent_arena();
	if ((agent_config.r_state && *(uint32_t *)agent_config.r_state)) {
		pages_forget();
		return;
	}
	quiet_forget_refused();
	if (agent_config.is_quiet) {
		__atomic_fetch_add(&arena->nr_unseen, 1, __ATOMIC_RELAXED);
		return;
	}
	mail_send(arena, FCA_LETTER_OBJECTS, 0, 0);
}
