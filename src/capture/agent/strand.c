/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/agent/strand_private.h"

enum {
	SIG_SETMASK = 2,
};

#define TREATY(field, offset)                                                                  \
	_Static_assert(offsetof(struct strand, field) == FCA_PAGE + (offset), "treaty")

TREATY(thread, FCA_STRAND_THREAD);
TREATY(room, FCA_STRAND_ROOM);
TREATY(high, FCA_STRAND_HIGH);
TREATY(shadow, FCA_STRAND_SHADOW);
TREATY(self, FCA_STRAND_SELF);
TREATY(cursor, FCA_STRAND_CURSOR);
TREATY(limit, FCA_STRAND_LIMIT);
TREATY(hot_low, FCA_STRAND_LOW);
TREATY(counts, FCA_STRAND_COUNTS);
TREATY(is_off, FCA_STRAND_OFF);
TREATY(nr_mark_words, FCA_STRAND_MARKED);
_Static_assert(sizeof(struct strand) == FCA_STRAND_HEAD, "treaty");
_Static_assert(sizeof(struct fca_arena) <= FCA_ARENA_HEAD, "treaty");

_Static_assert(offsetof(struct fca_config, is_quiet) == FCA_CONFIG_QUIET, "treaty");
_Static_assert(offsetof(struct fca_config, found_by) == FCA_CONFIG_FOUND_BY, "treaty");
_Static_assert(offsetof(struct fca_config, is_closing) == FCA_CONFIG_CLOSING, "treaty");
_Static_assert(offsetof(struct fca_config, thread_word) == FCA_CONFIG_WORD, "treaty");
_Static_assert(offsetof(struct fca_config, arena) == 0, "treaty");
_Static_assert(offsetof(struct fca_arena, keeper) == 0, "treaty");

#define PUBLIC(field, public)                                                                  \
	_Static_assert(offsetof(struct strand, field) == offsetof(struct fca_strand, public),  \
		       "treaty")

PUBLIC(shadow_base, shadow_base);
PUBLIC(shadow_end, shadow_end);
PUBLIC(attic, attic);
PUBLIC(low, low);
PUBLIC(high, high);
PUBLIC(ring, ring);
PUBLIC(generation, generation);
PUBLIC(tid, tid);

/*
 * A thread's strand before its first hook. Its limit of 0 sends every hook here. The
 * controller fills in thread (no %fs), shadow (an entry in its unused bytes, above all slots)
 * and self.
 */
__attribute__((aligned(FCA_PAGE))) struct strand agent_root;

struct strand *strands[FCA_MAX_STRANDS];
int32_t strand_tids[FCA_MAX_STRANDS];
uint32_t nr_strands;
static uint32_t next_to_look_at; /* for one whose thread has ended */
uint64_t agent_threads[FCA_NR_THREADS];
__attribute__((aligned(FCA_PAGE))) struct agent_wiped agent_wiped;

/* No mask is that: SIGKILL is never blocked. */
#define NOT_BLOCKED (~0ull)

/* There agent_x86_64.S has blocked all signals, unless it was in quiet when it came. */
static bool is_on_own_stack(void)
{
	return (uint64_t)__builtin_frame_address(0) - (uint64_t)agent_stacks <
	       sizeof(agent_stacks);
}

uint64_t signals_block(void)
{
	uint64_t all = ~0ull, old = 0;
	if (agent_config.is_quiet || is_on_own_stack())
		return NOT_BLOCKED;
	syscall4(NR_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof(all));
	return old;
}

void signals_restore(uint64_t mask)
{
	if (mask != NOT_BLOCKED)
		syscall4(NR_rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof(mask));
}

/* An entry that a signal handler left by longjmp half written may name any slot. */
bool shadow_is_armed(const struct strand *s, uint64_t slot, const struct fca_shadow *entry,
		     uint64_t *site)
{
	return entry->slot >= s->low && entry->slot < s->high &&
	       load_word(s, slot, entry->slot, site) && agent_is_site(*site);
}

struct fca_shadow *shadow_find(struct strand *s, uint64_t slot)
{
	for (struct fca_shadow *e = shadow_top(s); e > shadow_floor(s); e--)
		if (e->slot == slot)
			return e;
	return NULL;
}

static struct strand *strand_at(uint64_t self)
{
	return (struct strand *)(self - offsetof(struct strand, cursor));
}

static uint64_t address_of(const struct strand *s)
{
	return (uint64_t)&s->cursor;
}

/* ---- who this thread is ---- */

static bool is_word_readable(void)
{
	return __atomic_load_n(&agent_config.thread_word, __ATOMIC_RELAXED) ==
	       FCA_WORD_READABLE;
}

/* By a system call, which may show that there is no need of one from now on. */
static uint64_t thread_asked(void)
{
	uint64_t base = ask_fs(), word;
	uint32_t unknown = FCA_WORD_UNKNOWN;
	if (base && !agent_config.thread_word && peek_word(base, &word) && word == base)
		__atomic_compare_exchange_n(&agent_config.thread_word, &unknown,
					    FCA_WORD_READABLE, 0, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	return base;
}

uint64_t thread_now(void)
{
	if (agent_config.has_fsgsbase)
		return read_fs();
	if (is_word_readable())
		return read_thread_word();
	return agent_config.is_quiet ? 0 : thread_asked();
}

/* Is the strand that each thread used last in the table, by what is its own? */
static bool is_in_table(void)
{
	return agent_config.found_by == FCA_BY_FS ||
	       (agent_config.found_by == FCA_BY_TID && is_word_readable());
}

void strand_switch_to(struct strand *s)
{
	if (agent_config.found_by == FCA_BY_GS) {
		if (agent_config.has_fsgsbase)
			write_gs_fast(address_of(s));
		else if (!agent_config.is_quiet)
			write_gs(address_of(s));
		return;
	}
	s->thread = thread_now();
	if (is_in_table() && !s->is_beside)
		agent_threads[fca_thread_index(s->thread)] = address_of(s);
}

bool strand_is_at_hand(const struct strand *s)
{
	return (agent_config.found_by == FCA_BY_FS && !s->is_beside) ||
	       (agent_config.found_by == FCA_BY_GS && read_gs_self() == address_of(s));
}

/* In quiet, of a thread that has no strand: by its pointer, if that is known, or by its stack. */
static int tid_in_quiet(uint64_t slot)
{
	uint64_t thread = thread_now();
	bool is_main = is_main_stack(slot);
	for (uint32_t i = 0, nr = count_strands(); i < nr && thread; i++) {
		const struct strand *t = strands[i];
		/* A vfork child in quiet goes on in its parent's strand. */
		if (t && t->thread == thread && strand_holds(t, slot))
			return t->tid;
		/* A thread's stack may lie within a frame of the main one. */
		if (t && t->thread && t->thread != thread && t->tid == agent_config.pid)
			is_main = false;
	}
	return is_main ? agent_config.pid : 0;
}

/*
 * The id of this thread, with s the strand in %gs, NULL: none yet. 0: not known. In quiet it
 * is the strand's, if that is not inherited from another thread.
 */
int thread_tid(const struct strand *s, uint64_t slot)
{
	if (!agent_config.is_quiet)
		return syscall1(NR_gettid, 0);
	if (!s)
		return tid_in_quiet(slot);
	if (!s->thread) /* it was made in quiet, which knows the main thread by its stack only */
		return s->tid == agent_config.pid && is_main_stack(slot) ? s->tid : 0;
	return s->thread == thread_now() ? s->tid : 0;
}

int thread_pid(const struct strand *s)
{
	if (!agent_config.is_quiet)
		return syscall1(NR_getpid, 0);
	return s ? s->pid : agent_config.pid;
}

uint32_t count_strands(void)
{
	uint32_t nr = __atomic_load_n(&nr_strands, __ATOMIC_RELAXED);
	return nr < FCA_MAX_STRANDS ? nr : FCA_MAX_STRANDS;
}

struct strand *strand_next(int tid, uint32_t *i)
{
	for (uint32_t nr = count_strands(); *i < nr; ++*i) {
		if (strand_tids[*i] != tid)
			continue;
		struct strand *s = strands[*i];
		if (s && s->tid == tid) {
			++*i;
			return s;
		}
	}
	return NULL;
}

void strand_set_tid(struct strand *s, int tid)
{
	__atomic_store_n(&s->tid, tid, __ATOMIC_RELEASE);
	if (s->index < FCA_MAX_STRANDS)
		strand_tids[s->index] = tid;
}

struct fca_shadow *strand_find_slot(uint64_t slot)
{
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *s = strands[i];
		struct fca_shadow *e = s && s->shadow ? shadow_find(s, slot) : NULL;
		if (e)
			return e;
	}
	return NULL;
}

struct strand *strand_of_word(uint64_t address)
{
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *s = strands[i];
		if (s && s->words && address - (uint64_t)s->words < agent_config.ring_words * 8)
			return s;
	}
	return NULL;
}

struct strand *strand_holding(int tid, uint64_t address)
{
	struct strand *s;
	for (uint32_t i = 0; tid && (s = strand_next(tid, &i));)
		if (address >= s->low && address < s->high)
			return s;
	return NULL;
}

static bool is_unwanted(const struct fca_arena *arena, int pid)
{
	return arena->only_pid && arena->only_pid != pid;
}

/* Only entries that are in place count: others were left by longjmp, or are half made. */
void strand_keep_live(struct strand *s)
{
	struct fca_shadow *kept = shadow_floor(s);
	for (struct fca_shadow *e = kept + 1; e <= shadow_top(s); e++) {
		uint64_t site;
		if (agent_is_site(e->ret) || shadow_is_armed(s, 0, e, &site)) {
			*++kept = *e;
			*shadow_truth(s, kept) = *shadow_truth(s, e);
		}
	}
	s->shadow = (uint64_t)kept;
}

/* What is open is told first: of entries with slots above this one, with a mark before them. */
void strand_tell_open(struct strand *s, const struct strand *of, uint64_t above,
		      enum fc_mark mark, uint64_t word)
{
	uint64_t nr = 0;
	for (struct fca_shadow *e = shadow_floor(of) + 1; e <= shadow_top(of); e++)
		nr += e->slot > above;
	while (strand_make_room(s, MARK_WORDS_2) && !strand_mark(s, mark, word, nr + 1, 2))
		;
	for (struct fca_shadow *e = shadow_floor(of) + 1; e <= shadow_top(of); e++) {
		uint64_t site;
		if (e->slot <= above)
			continue;
		if (!shadow_is_armed(of, 0, e, &site))
			site = e->ret;
		strand_record(s, agent_is_site(site) ? agent_site_func(site) : 0, FC_ENTRY);
	}
}

/*
 * A forked child: the stacks and their shadows are copies, the rings are the parent's. Of
 * all threads the one that forked is copied, with all its stacks. It may have made others since.
 */
static void adopt_fork(struct strand *s, int pid)
{
	uint64_t mask = signals_block();
	int old_tid = s->tid, tid = syscall1(NR_gettid, 0);
	bool is_muted = is_unwanted(agent_arena(), pid);
	mail_forget();
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *t = strands[i];
		if (!t || t->tid == -1 || t->pid == pid)
			continue;
		if (t->tid != old_tid) {
			strand_set_tid(t, 0);
			t->pid = pid; /* a context of theirs may go on here */
			t->ring = NULL;
			continue;
		}
		t->pid = pid;
		strand_set_tid(t, tid);
		t->ring = NULL;
		t->nr_freed = 0;
		t->is_muted = is_muted;
		strand_keep_live(t);
		if (!is_muted && ring_claim(t) && !agent_config.is_edges)
			strand_tell_open(t, t, 0, FC_MARK_FORK, syscall1(NR_getppid, 0));
	}
	signals_restore(mask);
}

bool strand_holds(const struct strand *s, uint64_t slot)
{
	return slot >= s->low && slot < s->high;
}

/* Of this strand's stack, as far as that was followed below what it records. */
bool strand_is_spilled(const struct strand *s, uint64_t slot)
{
	return s->spill_low < s->low && slot < s->low && slot + GROWTH >= s->spill_low;
}

/* Of this thread, by the stack that the agent runs on: the program's. */
static struct strand *find_by_tid(void)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	int tid = agent_config.is_quiet ? 0 : syscall1(NR_gettid, 0);
	struct strand *s;
	for (uint32_t i = 0; tid && (s = strand_next(tid, &i));)
		if (strand_holds(s, here) || strand_is_spilled(s, here))
			return s;
	for (uint32_t i = 0, nr = count_strands(); !tid && i < nr; i++) {
		s = strands[i];
		if (s && s->tid > 0 && (strand_holds(s, here) || strand_is_spilled(s, here)))
			return s;
	}
	return &agent_root;
}

/* The strand that this thread's stubs find; the root: it has none yet. */
static struct strand *strand_found(void)
{
	if (agent_config.found_by == FCA_BY_GS)
		return strand_at(read_gs_self());
	if (!is_in_table())
		return find_by_tid();
	uint64_t thread = thread_now();
	struct strand *s = strand_at(agent_threads[fca_thread_index(thread)]);
	return s->thread == thread ? s : &agent_root;
}

struct strand *strand_current(void)
{
	struct strand *s = strand_found();
	if (s == &agent_root)
		return NULL;
	if (!s->words && !s->is_muted && agent_config.is_quiet && s->ring) {
		s->is_muted = MUTED_LOST; /* a forked child that may not ask for its own id */
	} else if (!s->words && !s->is_muted) {
		int pid = thread_pid(s);
		if (pid != s->pid)
			adopt_fork(s, pid);
		else
			ring_claim(s);
	}
	return s;
}

struct strand *strand_muted(void)
{
	struct strand *s = strand_current();
	return s && s->is_muted ? s : NULL;
}

uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(FCA_PAGE - 1);
}

/* Of stacks whose bounds nobody knows a step that is not too large is one on the same stack. */
bool strand_is_near(const struct strand *s, uint64_t slot)
{
	return slot + GROWTH >= s->low && slot < s->high + GROWTH;
}

void strand_spill(struct strand *s, uint64_t slot)
{
	if (page_of(slot) < s->spill_low)
		s->spill_low = page_of(slot);
}

struct strand *strand_spilled(uint64_t slot)
{
	struct strand *s = strand_current();
	return s && !s->is_muted && strand_is_spilled(s, slot) ? s : NULL;
}

/* The stack was seen to reach slot: its page is this strand's. */
void strand_grow(struct strand *s, uint64_t slot)
{
	uint64_t low = page_of(slot) < s->low ? page_of(slot) : s->low;
	uint64_t high = page_of(slot) + FCA_PAGE > s->high ? page_of(slot) + FCA_PAGE : s->high;
	uint64_t depth = (high - low) / 8 + 2; /* entries there can be: 8 bytes each */
	if (!open_shadow(s, depth)) {
		strand_spill(s, slot);
		return;
	}
	/* Where the bounds are known, what is above slot is the same stack. */
	if (s->bounds.high && !s->is_split && slot < s->room)
		s->room = slot;
	/* Upwards, too: who was attached to far down comes up, and goes down again with hooks. */
	shadow_floor(s)->slot = s->high = high;
	s->low = s->hot_low = low;
	s->spill_low = s->spill_low < low ? s->spill_low : low;
}

void strand_put_bounds(struct strand *s, const struct bounds *bounds)
{
	s->bounds = *bounds;
	s->is_split = false;
	s->room = bounds->high ? bounds_room(bounds) : ~0ull;
}

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
	s->self = address_of(s);
	s->pid = pid;
	s->is_muted = is_unwanted(agent_arena(), pid) ? MUTED_UNWANTED
		      : agent_config.is_blind	      ? MUTED_LOST
						      : MUTED_NOT;
	s->low = s->spill_low = page_of(slot);
	s->high = page_of(slot) + FCA_PAGE;
	s->unwind_slot = s->slice_ret = s->is_sliced_within = 0;
	s->busy_slot = s->nr_watched = 0;
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
	s->hot_low = s->low;
	s->nr_freed = 0;
	strand_set_tid(s, tid);
	if (!s->is_muted)
		ring_claim(s);
}

bool thread_is_there(int pid, int tid)
{
	enum { ESRCH = 3 };
	return tid > 0 && syscall3(NR_tgkill, pid, tid, 0) != -ESRCH;
}

/*
 * A strand whose thread has ended: the controller has freed its ring. Of those that never
 * had one the kernel tells.
 */
bool strand_is_dead(const struct strand *s)
{
	if (!s->tid)
		return true;
	if (s->ring)
		return s->ring->generation != s->generation;
	if (agent_config.is_quiet)
		return false;
	return !thread_is_there(s->pid, s->tid);
}

struct strand *strand_mate(const struct strand *s, uint32_t *i)
{
	struct strand *mate = s->has_mates ? strand_next(s->tid, i) : NULL;
	return mate == s ? strand_next(s->tid, i) : mate;
}

void strand_find_mates(struct strand *s)
{
	struct strand *mate;
	s->has_mates = true;
	for (uint32_t i = 0; (mate = strand_mate(s, &i));)
		mate->has_mates = true;
	s->has_mates = strand_mate(s, &(uint32_t){ 0 }) != NULL;
}

/* The thread's next strand that lives and is not its goroutines'. */
struct strand *strand_next_own(int tid, uint32_t *i)
{
	struct strand *s = strand_next(tid, i);
	while (s && (strand_is_go(s) || strand_is_dead(s)))
		s = strand_next(tid, i);
	return s;
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

void strand_count(struct strand *s, uint32_t func)
{
	if (s->counts && func < agent_config.nr_counters)
		count_local(&s->counts[func]);
	else
		strand_lose(s, 1);
}

void strand_uncount_edge(struct strand *s, uint64_t ret, uint32_t func)
{
	if (edge_uncount(s, ret, func))
		return;
	struct strand *t;
	for (uint32_t i = 0; (t = strand_next(s->tid, &i));)
		if (t != s && edge_uncount(t, ret, func))
			return;
}

void strand_lose_without(uint32_t nr)
{
	__atomic_fetch_add(&agent_arena()->no_ring, nr, __ATOMIC_RELAXED);
	agent_lost(agent_config.is_blind   ? FCA_LOST_BLIND
		   : agent_config.is_quiet ? FCA_LOST_QUIET
					   : FCA_LOST_NO_RING,
		   nr);
}

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
	open_memory(agent_arena(),
		    (uint64_t)ring_at(agent_config.nr_rings) - agent_config.arena);
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
