/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path, inside the target. Stubs come here when a check of theirs fails: the ring
 * needs room, the stack is another strand's, a call did not nest. Guests' rules: no libc,
 * no lock, general registers only, nothing left behind.
 *
 * Signals may come at any instruction, and their handlers may be hooked. What they could
 * see half done is either one compare-and-swap, or done with signals blocked.
 */
#include "capture/agent/strand.h"

__attribute__((section(".config"))) struct fca_config agent_config = { .nr_pools = 0 };

static uint32_t func_at(uint64_t id_address)
{
	return *(uint32_t *)id_address >> FC_RECORD_KIND_BITS;
}

/* The function whose stub has this exit site. */
uint32_t agent_site_func(uint64_t site)
{
	return func_at(site - agent_config.place[FCA_PLACE_EXIT] +
		       agent_config.place[FCA_PLACE_ID]);
}

bool agent_is_site(uint64_t address)
{
	uint32_t nr = agent_config.nr_pools;
	for (uint32_t i = 0; i < nr; i++)
		if (address - agent_config.pools[i].lo <
		    agent_config.pools[i].hi - agent_config.pools[i].lo)
			return true;
	return false;
}

/*
 * Entries at or below slot, when a call finds its return address at slot, belong to calls
 * that were left by longjmp or an exception: their stack is free. Pop them. True if the
 * top entry is then slot's own: the caller left by a tail jump.
 */
static bool settle(struct strand *s, uint64_t slot)
{
	struct fca_shadow *top = shadow_top(s);
	bool is_armed = top->slot <= slot && agent_is_site(*(const uint64_t *)slot);
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
static void leave_for_entry_only(struct strand *s, uint64_t *slot)
{
	uint64_t mask = signals_block();
	unwinding_check(s, (uint64_t)slot); /* of a handler that came since it was looked at */
	struct fca_shadow *top = shadow_top(s);
	uint32_t func = agent_site_func(*slot);
	bool has_room = strand_make_room(s, 1); /* a new segment tells of the open calls */
	*slot = top->ret;
	s->shadow -= sizeof(*top);
	strand_record_if(s, has_room, func, FC_EXIT);
	gate_leave(s, (uint64_t)slot);
	signals_restore(mask);
}

static void record_tail(struct strand *s, uint64_t stub)
{
	strand_record(s, func_at(stub + agent_config.place[FCA_PLACE_ID]), FC_TAIL);
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
static void push(struct strand *s, const uint64_t *slot)
{
	struct fca_shadow *e = shadow_top(s) + 1;
	do {
		*(volatile uint64_t *)&e->slot = (uint64_t)slot;
		*(volatile uint64_t *)&s->shadow = (uint64_t)e;
	} while (*(volatile uint64_t *)&e->slot != (uint64_t)slot);
	e->ret = *slot;
}

/*
 * A call of a function that jumps to its own start, counted by caller: its shadow entry is for
 * telling that its next rounds are none. frame->go as below.
 */
static void count_entry(struct strand *s, struct agent_frame *frame, uint64_t *slot,
			uint64_t stub, bool is_tail)
{
	uint32_t func = func_at(stub + agent_config.place[FCA_PLACE_ID]);
	s->tail_stub = is_tail ? stub : 0;
	s->tail_at = strand_words(s);
	edge_count(s, is_tail ? shadow_top(s)->ret : *slot, func);
	if (is_tail)
		return;
	push(s, slot);
	frame->go = stub + agent_config.place[FCA_PLACE_BEGIN];
}

/* In the place of a stub that would come here again. There is room for the record. */
static void enter_here(struct strand *s, uint64_t stub, const uint64_t *slot)
{
	uint64_t mask = signals_block();
	push(s, slot);
	strand_record(s, func_at(stub + agent_config.place[FCA_PLACE_ID]), FC_ENTRY);
	signals_restore(mask);
}

/* frame->go is the stub's body: to leave it so means not to record this call. */
static void on_entry(struct agent_frame *frame, uint64_t *slot)
{
	struct strand *s = strand_of(slot, agent_config.is_edges ? 1 : 2);
	if (!s)
		return;
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_BODY];
	struct fca_shadow *top = shadow_top(s);
	if (top->slot == (uint64_t)slot && top->ret == SHADOW_RESTARTED(stub)) {
		top->ret = *slot; /* it was recorded, then interrupted */
		frame->go = stub + agent_config.place[FCA_PLACE_BEGIN];
		return;
	}
	if (is_switched_off(stub)) {
		strand_count(s, func_at(stub + agent_config.place[FCA_PLACE_ID]));
		return;
	}
	bool is_tail = settle(s, (uint64_t)slot);
	unwinding_check(s, (uint64_t)slot);
	if (is_gate(stub, FCA_PLACE_GATE))
		gate_enter(s, (uint64_t)slot);
	if (strand_is_off(s) || (is_tail && is_loop(s, stub, *slot)))
		return;
	if (agent_config.is_edges) {
		count_entry(s, frame, slot, stub, is_tail);
		return;
	}
	if (!strand_make_room(s, 1)) {
		strand_lose(s, is_tail ? 1 : 2); /* not hooked, so its exit is lost too */
		return;
	}
	uint32_t watch = watch_of(stub);
	bool by_agent = watch || !strand_is_at_hand(s);
	if (is_tail)
		record_tail(s, stub);
	else if (by_agent)
		enter_here(s, stub, slot);
	if (!is_tail)
		frame->go =
			stub + agent_config.place[by_agent ? FCA_PLACE_BEGIN : FCA_PLACE_RETRY];
	if (watch)
		watch_entry(s, watch, func_at(stub + agent_config.place[FCA_PLACE_ID]),
			    (uint64_t)slot);
}

/* A handler's call that interrupted the agent, which may make no system call. */
static void lose_call(uint32_t nr)
{
	strand_lose_without(nr);
}

void agent_on_entry(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin((uint64_t)frame_slot(frame), &guard)) {
		lose_call(2);
		return;
	}
	on_entry(frame, frame_slot(frame));
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
	uint32_t func = func_at(stub + agent_config.place[FCA_PLACE_OTHER_ID]);
	if (!func) /* a door that nobody asked to see */
		return;
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
	watch_entry_only(s, stub, func);
}

static struct strand *entry_only(struct agent_frame *frame)
{
	uint64_t *slot = frame_slot(frame);
	struct strand *s = strand_of(slot, 1);
	if (!s)
		return NULL;
	bool is_tail = settle(s, (uint64_t)slot);
	unwinding_check(s, (uint64_t)slot);
	/* Who comes by a tail jump is called by the one that jumped, which is open up to here. */
	record_entry(s, is_tail ? shadow_top(s)->ret : *slot,
		     frame->go - agent_config.place[FCA_PLACE_OTHER_BODY]);
	if (is_tail)
		leave_for_entry_only(s, slot);
	return s;
}

/* No call is open on a goroutine's stack: nothing to settle, no return address to put back. */
void agent_on_go(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin((uint64_t)frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	struct strand *s = strand_of_go(frame_slot(frame));
	if (s)
		record_entry(s, *frame_slot(frame),
			     frame->go - agent_config.place[FCA_PLACE_OTHER_BODY]);
	quiet_end(guard);
}

/* The first call of a strand that only counts, or of a forked child's. */
void agent_on_count(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin((uint64_t)frame_slot(frame), &guard)) {
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
static struct strand *count_tail(uint64_t *slot, uint32_t func)
{
	struct strand *s = strand_of(slot, 1);
	if (!s)
		return NULL;
	if (settle(s, (uint64_t)slot))
		leave_for_entry_only(s, slot);
	edge_count(s, agent_is_site(*slot) ? lost_caller((uint64_t)slot) : *slot, func);
	return s;
}

static void on_edge(uint64_t *slot, uint32_t func)
{
	/* A stub's table need not be of the stack that it runs on; it is its thread's. */
	struct strand *s = strand_current();
	if (agent_is_site(*slot)) {
		count_tail(slot, func);
		return;
	}
	if (!s || !s->counts)
		s = strand_of(slot, 1);
	if (s && s->counts)
		edge_count(s, *slot, func);
	else if (s)
		strand_lose(s, 1);
}

/* The first call by this caller, or of a strand. */
void agent_on_edge(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin((uint64_t)frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	uint64_t stub = frame->go - agent_config.place[FCA_PLACE_EDGE_BODY];
	on_edge(frame_slot(frame), *(uint32_t *)(stub + agent_config.place[FCA_PLACE_EDGE_ID]));
	quiet_end(guard);
}

void agent_on_entry_only(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin((uint64_t)frame_slot(frame), &guard)) {
		lose_call(1);
		return;
	}
	entry_only(frame);
	quiet_end(guard);
}

/*
 * prctl(operation, mode, ...): system calls become SIGSYS, but for those of libc. The modes are all
 * that there are, and no pointer: 59 is execve, too.
 */
static bool dispatches(uint64_t operation, uint64_t mode)
{
	enum { PR_SET_SYSCALL_USER_DISPATCH = 59, EXCLUSIVE_ON = 1, INCLUSIVE_ON = 2 };
	return operation == PR_SET_SYSCALL_USER_DISPATCH &&
	       (mode == EXCLUSIVE_ON || mode == INCLUSIVE_ON);
}

/*
 * May this system call install a seccomp filter, or a dispatch? A filter without a program is
 * asked for in order to be refused: it tells whether the kernel has filters (seccomp(2)).
 */
static bool installs_filter(uint64_t nr, uint64_t first, uint64_t second, uint64_t third)
{
	enum { PR_SET_SECCOMP = 22, MODE_FILTER = 2, SET_MODE_STRICT = 0, SET_MODE_FILTER = 1 };
	if (nr == NR_prctl && first == PR_SET_SECCOMP)
		return second != MODE_FILTER || third;
	if (nr == NR_prctl && dispatches(first, second))
		return true;
	return nr == NR_seccomp &&
	       (first == SET_MODE_STRICT || (first == SET_MODE_FILTER && third));
}

/* prctl's operations by which rdtsc becomes a fault: SECCOMP_MODE_STRICT does it as well. */
static bool forbids_clock(uint64_t operation, uint64_t mode)
{
	enum { PR_SET_SECCOMP = 22, MODE_STRICT = 1, PR_SET_TSC = 26, PR_TSC_SIGSEGV = 2 };
	return (operation == PR_SET_SECCOMP && mode == MODE_STRICT) ||
	       (operation == PR_SET_TSC && mode == PR_TSC_SIGSEGV);
}

/*
 * ptrace(request, pid, ...): a process can have one tracer only, so the controller is asked to
 * let go of it.
 */
static void watch_trace(uint64_t request, uint64_t pid)
{
	enum { TRACEME = 0, ATTACH = 16, SEIZE = 0x4206 };
	struct fca_arena *arena = agent_arena();
	if (agent_config.is_quiet || agent_is_alone(arena))
		return;
	if (request == TRACEME)
		mail_send(arena, FCA_LETTER_GIVE_UP, 0, 0);
	else if ((request == ATTACH || request == SEIZE) && (int)pid > 0)
		mail_send(arena, FCA_LETTER_GIVE_UP, pid, 0);
}

/* Processes that share rings have the same rights. */
static void watch_rights(void)
{
	struct fca_arena *arena = agent_arena();
	if (arena->is_shared && !agent_config.is_quiet && !agent_is_alone(arena))
		mail_send(arena, FCA_LETTER_RIGHTS, 0, 0);
}

static bool changes_rights(uint64_t nr)
{
	static const uint16_t calls[] = {
		NR_setuid,    NR_setgid,
		NR_setreuid,  NR_setregid,
		NR_setgroups, NR_setresuid,
		NR_setresgid, NR_setfsuid,
		NR_setfsgid,  NR_capset,
		NR_chroot,    NR_unshare,
		NR_setns,     NR_landlock_restrict_self,
	};
	for (uint32_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i] == nr)
			return true;
	return false;
}

/* Was one of the functions in [lo, hi) hooked? Patches in a ledger ascend; pages are behind them. */
static bool has_hooks(const struct fca_pool *pool, uint64_t lo, uint64_t hi)
{
	const uint32_t *ledger = (uint32_t *)(pool->lo + FCA_POOL_LEDGER * 8);
	const struct fca_patch *patches = (struct fca_patch *)(pool->lo + ledger[0]);
	uint32_t nr = ledger[1];
	while (nr && !patches[nr - 1].size)
		nr--;
	return nr && patches[0].taddr < hi &&
	       patches[nr - 1].taddr + sizeof(patches[0].old) > lo;
}

/* mprotect(start, size, protection): who writes over a jump would run into what is left of it. */
static void watch_write(uint64_t start, uint64_t size, uint64_t protection)
{
	enum { WRITE = 2 };
	struct fca_arena *arena = agent_arena();
	uint32_t nr = agent_config.nr_pools;
	strands_split(start, start + size);
	if (!(protection & WRITE))
		return;
	pages_written(start, start + size);
	if (agent_config.is_quiet || agent_is_alone(arena))
		return;
	for (uint32_t i = 0; i < nr; i++)
		if (has_hooks(&agent_config.pools[i], start, start + size)) {
			mail_send(arena, FCA_LETTER_WRITE, start, start + size);
			return;
		}
}

/* What may be mapped, or locked, must be enough for the program. */
static void watch_limit(uint64_t resource, uint64_t at)
{
	enum { MEMLOCK = 8, AS = 9 };
	uint64_t limit = 0;
	const struct strand *s = strand_current();
	if (!at || (resource != MEMLOCK && resource != AS))
		return;
	if (!s || !load_word(s, 0, at, &limit) || limit != ~0ull)
		claim_less(limit);
}

/* setrlimit(resource, limit), or prlimit(pid, resource, limit, old): no address is that low. */
static void watch_limits(uint64_t first, uint64_t second, uint64_t third)
{
	enum { LAST_RESOURCE = 15 };
	bool has_pid = second <= LAST_RESOURCE;
	watch_limit(has_pid ? second : first, has_pid ? third : second);
}

static void watch_lock(void)
{
	enum { MEMLOCK = 8 };
	uint64_t limit[2] = { 0, 0 };
	if (agent_config.is_quiet)
		return;
	claim_unlock_later();
	syscall6(NR_prlimit64, 0, MEMLOCK, 0, (long)limit, 0, 0);
	if (limit[0] != ~0ull)
		claim_less(limit[0]);
}

/* The true return address of the call whose slot holds this site: an open one's, near the top. */
static uint64_t true_caller(const struct strand *s, uint64_t slot, uint64_t site)
{
	enum { NEAR = 64 };
	uint64_t found;
	int nr = 0;
	for (struct fca_shadow *e = shadow_top(s); e > shadow_floor(s) && nr < NEAR; e--, nr++)
		if (shadow_is_armed(s, slot, e, &found) && found == site &&
		    !agent_is_site(e->ret))
			return e->ret;
	return site;
}

/* A profiler's, which each function tells where it returns to, by one of two arguments. */
static void pass_on_callers(struct agent_frame *frame)
{
	uint64_t slot = (uint64_t)frame_slot(frame);
	const struct strand *s = strand_current();
	for (int i = 0; s && i < 2; i++)
		if (agent_is_site(frame_arg(frame, i)))
			frame_set_arg(frame, i, true_caller(s, slot, frame_arg(frame, i)));
}

/*
 * prctl(operation, ...) or syscall(number, ...), by which a program forbids itself system
 * calls. Which of the two need not be known: number 22 is pipe, and quiet does no harm; there is
 * no operation 101.
 */
void agent_on_filter(struct agent_frame *frame)
{
	uint64_t id = frame->go - agent_config.place[FCA_PLACE_OTHER_BODY] +
		      agent_config.place[FCA_PLACE_OTHER_ID];
	uint32_t watch = *(uint32_t *)id & ((1 << FC_RECORD_KIND_BITS) - 1);
	uint64_t arg[4];
	for (int i = 0; i < 4; i++)
		arg[i] = frame_arg(frame, i);
	claim_unlocked();
	bool is_filter = installs_filter(NR_prctl, arg[0], arg[1], arg[2]) ||
			 installs_filter(arg[0], arg[1], arg[2], arg[3]);
	quiet_forget_refused();
	if (watch == FCA_WATCH_CALLER) /* before a call that ends by a jump to it is over */
		pass_on_callers(frame);
	if (func_at(id)) /* else nobody asked to see it, and it tells of nothing */
		agent_on_entry_only(frame);
	switch (watch) {
	case FCA_WATCH_TRACE:
		watch_trace(arg[0], arg[1]);
		return;
	case FCA_WATCH_WRITE:
		watch_write(arg[0], arg[1], arg[2]);
		return;
	case FCA_WATCH_LEND:
		if (!agent_config.is_quiet && !agent_is_alone(agent_arena()))
			mail_send(agent_arena(), FCA_LETTER_LEND, 0, 0);
		return;
	case FCA_WATCH_RIGHTS:
		watch_rights();
		return;
	case FCA_WATCH_LIMIT:
		watch_limits(arg[0], arg[1], arg[2]);
		return;
	case FCA_WATCH_LOCK:
		watch_lock();
		return;
	case FCA_WATCH_CALLER:
		return;
	default:
		break;
	}
	if (is_filter || changes_rights(arg[0]))
		watch_rights();
	if (arg[0] == NR_mprotect || arg[0] == NR_pkey_mprotect)
		watch_write(arg[1], arg[2], arg[3]);
	if (arg[0] == NR_ptrace)
		watch_trace(arg[1], arg[2]);
	if (arg[0] == NR_setrlimit || arg[0] == NR_prlimit64)
		watch_limits(arg[1], arg[2], arg[3]);
	if (arg[0] == NR_mlockall)
		watch_lock();
	if (is_filter)
		quiet_start();
	if (forbids_clock(arg[0], arg[1]) ||
	    (arg[0] == NR_prctl && forbids_clock(arg[1], arg[2])))
		blind_start();
}

/*
 * It has gone over to where the frames come to that it brings back: these lie above slot. What is in place now and
 * stays so may return before anything else is called.
 */
static void come_back(struct agent_frame *frame)
{
	uint64_t slot = (uint64_t)frame_slot(frame);
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

/*
 * longjmp(env, value). A call that restores the signal mask first is to be seen where it is.
 */
static void on_jump(struct strand *s, const struct agent_frame *frame, uint64_t slot,
		    bool is_later)
{
	uint64_t env = frame_arg(frame, 0), sp, mask;
	if (!jump_word(s, slot, env, JUMP_SP, &sp))
		return;
	struct strand *to = strand_holding(s->tid, sp);
	if (!to && has_guard(s->thread)) {
		sp = demangle(sp);
		to = strand_holding(s->tid, sp);
	}
	if (!to || (to == s && sp <= slot))
		return;
	bool has_mask = jump_word(s, slot, env, JUMP_HAS_MASK, &mask) && (uint32_t)mask;
	if (has_mask) /* who leaves a handler by another jump would leave its signal blocked */
		rewind_left(s, slot, to, sp);
	if (!has_mask || !is_later)
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
			on_jump(s, frame, (uint64_t)frame_slot(frame),
				unwind == FCA_UNWIND_JUMPS_LATER);
		return;
	}
	if (!s)
		s = strand_muted();
	if (!s)
		s = strand_spilled((uint64_t)frame_slot(frame));
	if (!s)
		return;
	uint64_t mask = signals_block();
	if (unwind == FCA_UNWIND_SLICES) {
		slicing_begin(s, (uint64_t)frame_slot(frame));
	} else {
		rewind_stubs(s, (uint64_t)frame_slot(frame), unwind, unwinding_begin_of);
		unwinding_begin(s, (uint64_t)frame_slot(frame));
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
	quiet_begin((uint64_t)frame_slot(frame), &guard);
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

static bool on_exit(struct agent_frame *frame, uint64_t *slot)
{
	uint64_t site = *slot; /* it has just returned there */
	struct strand *s = strand_current();
	bool is_top = s && shadow_top(s)->slot == (uint64_t)slot;
	uint64_t ret = 0;
	if (!is_top) {
		uint64_t mask = signals_block();
		struct strand *other = strand_switch((uint64_t)slot);
		if (other) {
			s = other;
			is_top = true;
		} else {
			ret = true_return(s, (uint64_t)slot, &is_top);
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
	*slot = ret;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (is_top) /* later: who finds the site in the slot finds the entry */
		s->shadow -= sizeof(struct fca_shadow);
	if (is_top)
		gate_leave(s, (uint64_t)slot);
	if (watch)
		watch_exit(s, watch, func_at(stub + agent_config.place[FCA_PLACE_ID]),
			   (uint64_t)slot);
	return true;
}

/* True: return to what is in the slot. False: let the stub try again. */
bool agent_on_exit(struct agent_frame *frame)
{
	struct strand *guard;
	quiet_begin((uint64_t)frame_slot(frame), &guard);
	bool is_done = on_exit(frame, frame_slot(frame));
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
