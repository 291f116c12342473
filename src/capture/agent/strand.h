/* SPDX-License-Identifier: Apache-2.0 */
/* strand.h - one stack's state inside the target, and what can be done with it. */
#ifndef FC_CAPTURE_AGENT_STRAND_H
#define FC_CAPTURE_AGENT_STRAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/agent/abi.h"
#include "capture/agent/fetch.h"
#include "capture/agent/machine.h"
#include "trace/record.h"

enum muted {
	MUTED_NOT = 0,
	MUTED_UNWANTED, /* nobody asked for these calls */
	MUTED_LOST,	/* they cannot be recorded, and are counted */
};

enum { NR_WATCHED = 32, NR_KEPT = 32, SLICE_CAME = 1 };

/* The first page is kept over fork, the second is wiped. */
struct strand {
	struct fca_shadow *shadow_base;
	struct fca_shadow *shadow_end;
	struct fca_shadow
		*attic; /* entries given up whose site was still in place; NULL: none */
	uint64_t low;
	uint64_t high; /* first address above this stack, as far as known */
	struct fca_ring *ring;
	uint32_t generation;		/* the ring's when it was claimed */
	int32_t pid, tid;		/* tid 0: not in use */
	uint32_t is_muted;		/* enum muted */
	struct fca_shadow *shadow_open; /* up to here it may be written */
	uint64_t unwind_slot;		/* return slot of the unwinder at work, 0: none */
	uint64_t leaving;   /* for disarm(): slot of a call whose exit was interrupted */
	uint64_t busy_slot; /* quiet: return slot of the call that the agent works for */
	uint64_t tail_at;   /* how many words of the ring were written at the last TAIL */
	uint64_t tail_stub; /* and the stub that wrote it */
	uint64_t gate_slot; /* return slot of the outermost open gate, 0: none */
	uint64_t has_mates; /* its thread may have other strands */
	struct watched {
		uint64_t slot, tsc;
	} watched[NR_WATCHED]; /* calls that are timed, the outermost first */
	uint64_t nr_watched;
	uint64_t
		spill_low; /* its stack was seen to reach so far below low, where it records nothing:
			       the shadow stack has no room; low: it has */
	uint32_t index;	   /* among all strands */
	uint32_t nr_freed; /* the arena's, when no ring was free for it; 0: there was one */
	struct bounds {
		uint64_t low, high;
		uint64_t kind; /* enum fc_strand_kind */
	} bounds;	       /* of its stack, if they are known; or 0, 0 */
	struct kept {
		uint64_t slot, reg[FCA_MAX_KEPT];
		const struct fca_fetches *result; /* that asks for these */
	} kept[NR_KEPT]; /* for the exits of open calls, the outermost first */
	uint64_t nr_kept;
	/* Within its bounds other stacks were seen, or pages that may be no more. */
	uint64_t is_split;
	uint64_t is_beside; /* its thread has the pointer of another process' (vfork) */
	/*
	 * What unwind_slot held when one began there that copies frames away; SLICE_CAME: it is about
	 * to bring others back. 0: none is at work.
	 */
	uint64_t slice_ret;
	uint64_t is_sliced_within; /* one was called within another one's work */
	uint64_t is_resized;	   /* its shadow stack, at this moment */
	char unused[FCA_PAGE - (32 + 2 * NR_WATCHED + (2 + FCA_MAX_KEPT) * NR_KEPT) * 8];
	uint64_t room;	 /* FCA_STRAND_ROOM */
	uint64_t thread; /* FCA_STRAND_THREAD: %fs of its thread */
	uint64_t shadow; /* FCA_STRAND_SHADOW: top entry */
	uint64_t self;	 /* FCA_STRAND_SELF */

	uint64_t *cursor; /* FCA_STRAND_CURSOR: a strand's address for stubs */
	uint64_t *limit;
	uint64_t hot_low;
	uint64_t *counts;      /* FCA_STRAND_COUNTS: by function */
	uint64_t is_off;       /* FCA_STRAND_OFF, its lowest byte */
	uint64_t *words;       /* the ring's first; NULL: none, or wiped */
	uint64_t words_before; /* written in earlier rounds of the ring */
	uint64_t *on_limit;    /* the limit as it was when the last gate was closed; or NULL */
	uint64_t waited_until; /* the last wait that was told ended then */

	/* With --loss=ring (segment.c): */
	uint64_t *segment_end;	/* of the segment that is being filled */
	uint64_t nr_segments;	/* begun so far */
	uint64_t nr_mark_words; /* of the words written: those behind the heads of marks */
	uint64_t synced;	/* the last time that the ring tells in full */

	__attribute__((aligned(FCA_PAGE))) char end[];
};

/* The agent's own stacks (agent_x86_64.S). */
#define NR_OWN_STACKS 32
#define OWN_STACK     FCA_PAGE /* bytes */
extern __attribute__((visibility("hidden"))) char agent_stacks[NR_OWN_STACKS * OWN_STACK];

/*
 * What a process' threads have in use. A forked child begins with zeros: its first hooks may be
 * of several threads at once.
 */
struct agent_wiped {
	uint32_t stacks; /* a bit for each own stack */
	uint32_t desks;	 /* mail.c: its parent's letters are forgotten, or are being so */
	__attribute__((aligned(FCA_PAGE))) char end[];
};
extern __attribute__((visibility("hidden"))) struct agent_wiped agent_wiped;

extern __attribute__((visibility("hidden"))) const struct fca_header agent_head;
/* Hidden, or clang would look for it through a table of absolute addresses. */
extern __attribute__((visibility("hidden"))) struct fca_config agent_config;
/* All that were ever made; NULL: one is being made. */
extern __attribute__((visibility("hidden"))) struct strand *strands[FCA_MAX_STRANDS];
/* Each one's ->tid, side by side: to look through all strands of a large program takes long. */
extern __attribute__((visibility("hidden"))) int32_t strand_tids[FCA_MAX_STRANDS];
extern __attribute__((visibility("hidden")))
uint32_t nr_strands; /* or more than there is room */
/* FCA_BY_FS: the strand that each thread used last, by fca_thread_index(). Never 0. */
extern __attribute__((visibility("hidden"))) uint64_t agent_threads[FCA_NR_THREADS];

static inline struct fca_arena *agent_arena(void)
{
	return (struct fca_arena *)agent_config.arena;
}

static inline struct fca_shadow *shadow_top(const struct strand *s)
{
	return (struct fca_shadow *)*(volatile const uint64_t *)&s->shadow;
}

/* The entry below all: its slot is above every slot of this stack. */
static inline struct fca_shadow *shadow_floor(const struct strand *s)
{
	return s->shadow_base;
}

/* While an entry is disarmed: the return address that its slot was given. */
static inline uint64_t *shadow_truth(const struct strand *s, const struct fca_shadow *entry)
{
	return (uint64_t *)s - 1 - (entry - s->shadow_base);
}

/* Calls that are open. */
static inline uint32_t shadow_depth(const struct strand *s)
{
	return (uint32_t)(shadow_top(s) - shadow_floor(s));
}

/* Bytes of a shadow stack where no more can be opened later, and of an attic. */
static inline uint64_t shadow_at_once(void)
{
	return FCA_SHADOW_AT_ONCE(agent_config.shadow_size);
}

/* Does the entry's slot hold a stub's return site? Then that is *site. slot: as load_word() has it. */
bool shadow_is_armed(const struct strand *s, uint64_t slot, const struct fca_shadow *entry,
		     uint64_t *site);

bool agent_is_site(uint64_t address);
uint32_t agent_site_func(uint64_t site);

/* An entry's ret whose stub was interrupted and may begin anew (rewind_x86_64.c). */
#define SHADOW_RESTARTED(stub) FCA_SHADOW_RESTARTED(stub)

/*
 * Signals of this thread, while something is half done. In quiet they are not blocked: see
 * quiet_begin(). What was blocked before is restored also then.
 */
uint64_t signals_block(void);
void signals_restore(uint64_t mask);

/* The program limits its memory to so many bytes: what tracing has reserved must not be what is missing. */
void claim_less(uint64_t limit);
/* The program is about to lock what is mapped: what tracing has mapped is let out of that afterwards. */
void claim_unlock_later(void);
void claim_unlocked(void);

struct fca_shadow *shadow_find(struct strand *s, uint64_t slot);
/* False: there is none to be kept. */
bool attic_keep(struct strand *s, uint64_t slot, const struct fca_shadow *entry);
/* All that is open, of a stack that may not be there any more. */
void attic_keep_all(struct strand *s);
uint64_t attic_find(const struct strand *s, uint64_t slot);

/*
 * The strand of the stack that slot lies on, made if need be. NULL: record nothing;
 * nr_lost records are counted as lost if they were wanted.
 */
struct strand *strand_of(const uint64_t *slot, uint32_t nr_lost);
/*
 * The same for a Go function. Goroutines have thousands of small stacks, and no call is kept
 * open on them: a thread has one strand for all that it runs.
 */
struct strand *strand_of_go(const uint64_t *slot);
/* Do stubs find this strand, the current? Else the agent does what they would. */
bool strand_is_at_hand(const struct strand *s);
/* This thread's strand used last, a forked child's made its own; NULL before the first hook. */
struct strand *strand_current(void);
/* The current strand if it records nothing, else NULL. */
struct strand *strand_muted(void);

/* Can only the main stack be there? */
static inline bool is_main_stack(uint64_t address)
{
	return address >= agent_config.stack_low && address < agent_config.stack_high;
}

/* The same for all stacks of a thread; 0: it has no such pointer, or that is not known. */
uint64_t thread_now(void);

/* Where the stack ends that slot is on, which this thread runs on. False: not known. */
bool bounds_find(uint64_t slot, struct bounds *ret);
/* A word of memory that may not be there; not in quiet. */
bool peek_word(uint64_t at, uint64_t *ret);
/* Of the stack that a call has its return address on at slot: from there to here all can be loaded. */
uint64_t load_end(const struct strand *s, uint64_t slot);
/* What is known of its stack's bounds does not hold any more: neither what is above, nor what is free below. */
void strand_split(struct strand *s);
/* The same of those with memory from start to end, of which the program changes how it may be used. */
void strands_split(uint64_t start, uint64_t end);
/* process_vm_readv() or _writev() of count pieces; pid: this process. */
long load_copy(long nr, int pid, const void *here, const void *there, uint32_t count);

/*
 * A word of the strand's stack. False: it is not there any more; or, in quiet, nobody knows whether it is.
 * The thread is in a call with its return address at slot; 0: where that is does not matter.
 */
bool load_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t *ret);
/* To where a word was loaded from just now. */
void store_word(const struct strand *s, uint64_t slot, uint64_t at, uint64_t value);
/*
 * A copy of what is at an address, up to its page's end, if that is of a loaded file and does not
 * change. NULL: it is none, or no copy can be had now. What was read of it counts if pages_has() it
 * then.
 */
const uint8_t *pages_find(int pid, uint64_t at);
bool pages_has(uint64_t at);
/* Files are about to be loaded or unloaded: the controller tells anew what does not change. */
void pages_forget(void);
/* From start to end may be written from now on. */
void pages_written(uint64_t start, uint64_t end);
/* Down to where the agent may use a stack with these bounds. */
uint64_t bounds_room(const struct bounds *bounds);

/* The current strand, if slot is of its stack, but so far down that nothing is recorded. */
struct strand *strand_spilled(uint64_t slot);
/*
 * In place of blocked signals, when no system call may be made: a handler that interrupts
 * the agent finds the strand busy, and its calls are let through unrecorded. False: so it is.
 * *guard is for quiet_end().
 */
bool quiet_begin(uint64_t slot, struct strand **guard);
/* If the filter that made it quiet was refused, that one counts no more. */
void quiet_forget_refused(void);
/* Until the threads that were in the agent when it became quiet have left it. */
void agent_wait_outside(void);
void quiet_end(struct strand *guard);
/*
 * This process is about to forbid itself system calls: make none from now on, unless the
 * controller tells that this was refused.
 */
void quiet_start(void);
/* Or to read the clock: nothing can be recorded any more. */
void blind_start(void);

/* The strands of a thread, from place *i on, which is then the next one's; NULL: no more. */
struct strand *strand_next(int tid, uint32_t *i);
/*
 * The strand whose innermost call has this slot, this thread's or one that goes on in it: it
 * becomes the current; NULL.
 */
struct strand *strand_switch(uint64_t slot);
/* The shadow entry of slot in any strand. */
struct fca_shadow *strand_find_slot(uint64_t slot);

/* Whose entry it is. */
const struct strand *strand_of_entry(const struct fca_shadow *entry);

/* The strand whose ring has the word at this address; NULL. */
struct strand *strand_of_word(uint64_t address);
/* The thread's strand whose stack has this address; NULL. */
struct strand *strand_holding(int tid, uint64_t address);

/*
 * A handler's unwinder was called with its return address at slot: make stubs that signals
 * interrupted visible to it. fn is told of other stacks that it will come to, and from where on.
 */
void rewind_stubs(struct strand *s, uint64_t slot, enum fca_unwind unwind,
		  void (*fn)(struct strand *s, uint64_t slot));

/*
 * A jump from a handler, called with its return address at slot, leaves all below to: so too the
 * stubs that signals interrupted there. The words that these reserved will not be written by
 * them: a call that has returned is recorded as such, one that has not begun as none.
 */
void rewind_left(const struct strand *s, uint64_t slot, const struct strand *to, uint64_t sp);

/* _Unwind_RaiseException and its kin: they are about to walk the stack, called with a return address at slot. */
void unwinding_begin(struct strand *s, uint64_t slot);
/* They will come to another one, too. Hidden, since its address is taken: else that is in a table, as it was linked. */
__attribute__((visibility("hidden"))) void unwinding_begin_of(struct strand *s, uint64_t slot);
/* A call is seen with its return address at slot: have they finished? */
void unwinding_check(struct strand *s, uint64_t slot);
/*
 * A slicer is about to copy its callers' frames away: what is copied are true return addresses, whoever brings
 * them back, how often, and whether fctrace is there then.
 */
void slicing_begin(struct strand *s, uint64_t slot);
/* It has gone over to where frames come to that it brings back, by a call of this slot. */
void slicing_came(struct strand *s, uint64_t slot);

/* Raise the limit for nr words, in a new segment if need be; signals are blocked. */
void segment_extend(struct strand *s, uint32_t nr);
/* Is the last time that the ring tells in full so long ago that it must be told again? */
bool segment_is_stale(const struct strand *s);

/* Room for nr words below the limit; waits for it unless told to drop. False: drop. */
bool strand_make_room(struct strand *s, uint32_t nr);
/* Write a record; there is room. */
void strand_record(struct strand *s, uint32_t func, enum fc_kind kind);
/* Words of a mark with one value, and with two. */
enum { MARK_WORDS_1 = 3, MARK_WORDS_2 = 4 };
/* Write a mark with one or two values. False: no room, nothing was written. */
bool strand_mark(struct strand *s, enum fc_mark type, uint64_t a, uint64_t b,
		 uint32_t nr_values);
/* The same with any number of values. */
bool strand_mark_all(struct strand *s, enum fc_mark type, const uint64_t *value,
		     uint32_t nr_values);
/*
 * The same, and room is made for it, as often as a signal's handler takes it. False: there is none,
 * and none will come.
 */
bool strand_tell(struct strand *s, enum fc_mark type, const uint64_t *value,
		 uint32_t nr_values);
void strand_record_if(struct strand *s, bool has_room, uint32_t func, enum fc_kind kind);
/* The calls above this one in the shadow stack were left. */
void strand_pop_to(struct strand *s, struct fca_shadow *top);
/* The target has waited for fctrace since then: say so, if there is room. */
void strand_tell_waited(struct strand *s, uint64_t since);
void strand_lose(struct strand *s, uint32_t nr);
/* Records that are counted as lost elsewhere: why. */
static inline void agent_lost(enum fca_lost why, uint32_t nr)
{
	__atomic_fetch_add(&agent_arena()->lost_by[why], nr, __ATOMIC_RELAXED);
}
/* There is no strand that could record them. */
void strand_lose_without(uint32_t nr);
/* Is the word at this place of the ring an interrupted stub's, of an earlier round? */
bool strand_is_held(const struct strand *s, uint64_t place);
/* Words of the ring written so far. */
uint64_t strand_words(const struct strand *s);
/* The next hook of this strand comes to the agent. */
void strand_stop_at_next(struct strand *s);
/*
 * Is nothing to be recorded for now, or nobody there to read it? From here on stubs then pass
 * the strand by, unless an unwinder is at work: the agent waits for its end.
 */
bool strand_is_off(struct strand *s);
/* One of this thread's strands other than s, from *i on, if there may be any; NULL: no more. */
struct strand *strand_mate(const struct strand *s, uint32_t *i);
/* There are gates, and none is open: nothing is to be recorded. */
static inline bool strand_is_shut(const struct strand *s)
{
	return agent_config.has_gates && !s->gate_slot;
}

/* Is it a gate that this stub is of? gate: FCA_PLACE_GATE, or that of the other stubs. */
static inline bool is_gate(uint64_t stub, enum fca_place gate)
{
	return !*(const uint8_t *)(stub + agent_config.place[gate]);
}
/* A gate is called, with its return address at slot. */
void gate_enter(struct strand *s, uint64_t slot);
/* The stack is free up to slot: was a gate there? */
void gate_leave(struct strand *s, uint64_t slot);
/*
 * What is told of a gate's call before its entry, which opens it, has the room that the last one left:
 * to make some takes system calls.
 */
void gate_lend(struct strand *s);
void gate_take_back(struct strand *s);

/* One call more of a function that is only counted. */
void strand_count(struct strand *s, uint32_t func);

/* One call more of a function, by a caller that it returns to at ret; its stub has found no place. */
void edge_count(struct strand *s, uint64_t ret, uint32_t func);
/* One less. False: the strand has counted none. */
bool edge_uncount(struct strand *s, uint64_t ret, uint32_t func);
/* The same, of any strand of this one's thread. */
void strand_uncount_edge(struct strand *s, uint64_t ret, uint32_t func);

/* A forked child's: what its parent's threads were about to say is not its own. */
void mail_forget(void);
void mail_send(struct fca_arena *arena, enum fca_letter what, uint64_t arg, uint64_t more);

/* A call of a stub that is watched (watch.c), whose entry or exit was recorded just now. */
uint32_t watch_of(uint64_t stub);
void watch_entry(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
void watch_exit(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
void watch_entry_only(struct strand *s, uint64_t stub, uint32_t func);
bool agent_is_alone(const struct fca_arena *arena);
/*
 * Nothing is to be recorded for now, or nobody reads: a flight recorder goes on then, unless its hooks were not
 * complete when the controller died. Without an unwinder's hook nothing else may replace return addresses.
 */
static inline bool agent_is_off(const struct fca_arena *arena)
{
	return arena->is_off ||
	       (agent_is_alone(arena) && !(arena->is_ring && agent_config.is_whole));
}
void agent_ring_bell(struct fca_arena *arena);
void futex_wait(uint32_t *at, uint32_t value, uint32_t ms);
void futex_wake(uint32_t *at);

#endif
