/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/step/shadow.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/effect.h"

enum {
	GROWTH = 16 * 1024, /* a stack pointer this near to a strand is the same stack's */
	MANY_WORDS = 4096,
};

struct call {
	uint64_t slot, ret;
	uint32_t func; /* that was called */
	uint32_t now;  /* that runs: the last of a chain of tail calls */
};

/* One stack: open calls, outermost first; from nr_live on they were left, not told yet. */
struct strand {
	struct fc_strand_info info;
	uint64_t low, high; /* as far as seen, whole pages */
	FC_VEC(struct call) calls;
	size_t nr_live;
	FC_VEC(uint64_t) words;
};

struct fc_shadow {
	struct fc_shadows *shadows;
	struct fc_shadow *next;
	int refs, pid, tid;
	int forked_by; /* pid of the parent while nothing was told of the child, else 0 */
	struct fc_main_stack stack;
	FC_VEC(struct strand *) strands;
	struct strand *current; /* NULL: none yet */
};

/* ---- life ---- */

struct fc_shadow *fc_shadow_create(struct fc_shadows *shadows, int pid, int tid,
				   const struct fc_main_stack *stack)
{
	struct fc_shadow *shadow = fc_alloc(sizeof(*shadow));
	*shadow = (struct fc_shadow){
		.shadows = shadows,
		.next = shadows->first,
		.refs = 1,
		.pid = pid,
		.tid = tid,
		.stack = *stack,
	};
	shadows->first = shadow;
	return shadow;
}

struct fc_shadow *fc_shadow_share(struct fc_shadow *shadow)
{
	shadow->refs++;
	return shadow;
}

static struct strand *add_strand(struct fc_shadow *shadow)
{
	struct strand *s = fc_alloc(sizeof(*s));
	s->info = (struct fc_strand_info){
		.id = fc_numbers_strand(shadow->shadows->numbers),
		.pid = shadow->pid,
		.tid = shadow->tid,
	};
	fc_vec_push(&shadow->strands, s);
	return s;
}

static struct strand *copy_strand(struct fc_shadow *to, const struct strand *old)
{
	struct strand *s = add_strand(to);
	s->low = old->low;
	s->high = old->high;
	for (size_t i = 0; i < old->nr_live; i++)
		fc_vec_push(&s->calls, old->calls.at[i]);
	s->nr_live = old->nr_live;
	return s;
}

struct fc_shadow *fc_shadow_fork(const struct fc_shadow *shadow, int pid, int ppid)
{
	struct fc_shadow *copy = fc_shadow_create(shadow->shadows, pid, pid, &shadow->stack);
	copy->forked_by = ppid;
	fc_vec_each (&shadow->strands, at) {
		struct strand *s = copy_strand(copy, *at);
		if (*at == shadow->current)
			copy->current = s;
	}
	return copy;
}

static void pour(struct fc_shadows *shadows, struct strand *s, uint64_t tsc)
{
	if (!s->words.nr)
		return;
	int err = shadows->tap->records(shadows->tap, &s->info, s->words.at, s->words.nr, tsc);
	if (err && !shadows->error)
		shadows->error = err;
	s->words.nr = 0;
}

static void destroy(struct fc_shadow *shadow, uint64_t tsc)
{
	struct fc_shadows *shadows = shadow->shadows;
	fc_vec_each (&shadow->strands, at) {
		struct strand *s = *at;
		pour(shadows, s, tsc);
		if (!shadow->forked_by)
			shadows->tap->strand_end(shadows->tap, &s->info, tsc);
		fc_vec_free(&s->calls);
		fc_vec_free(&s->words);
		free(s);
	}
	fc_vec_free(&shadow->strands);
	free(shadow);
}

void fc_shadow_put(struct fc_shadow *shadow, uint64_t tsc)
{
	if (!shadow || --shadow->refs)
		return;
	struct fc_shadow **at = &shadow->shadows->first;
	while (*at != shadow)
		at = &(*at)->next;
	*at = shadow->next;
	destroy(shadow, tsc);
}

void fc_shadows_flush(struct fc_shadows *shadows, uint64_t tsc)
{
	for (struct fc_shadow *shadow = shadows->first; shadow; shadow = shadow->next)
		fc_vec_each (&shadow->strands, at)
			pour(shadows, *at, tsc);
	shadows->is_full = false;
	shadows->tap->tick(shadows->tap, tsc);
}

/* ---- records ---- */

static void put_word(struct fc_shadow *shadow, struct strand *s, uint64_t word)
{
	fc_vec_push(&s->words, word);
	if (s->words.nr >= MANY_WORDS)
		shadow->shadows->is_full = true;
}

/* A forked child is told of when it does something: often it only executes a program. */
static void begin_in_child(struct fc_shadow *shadow, uint64_t tsc)
{
	uint64_t parent = (uint64_t)shadow->forked_by;
	shadow->forked_by = 0;
	fc_vec_each (&shadow->strands, at) {
		struct strand *s = *at;
		put_word(shadow, s, fc_record(tsc, fc_mark_func(FC_MARK_FORK, 2), FC_MARK));
		put_word(shadow, s, parent);
		put_word(shadow, s, s->nr_live + 1);
		for (size_t i = 0; i < s->nr_live; i++)
			put_word(shadow, s, fc_record(tsc, s->calls.at[i].func, FC_ENTRY));
	}
}

/* The calls as the record leaves them. The slot of one that it enters is not its business. */
static void step(struct strand *s, enum fc_kind kind, uint32_t func)
{
	struct fc_event event = { .kind = kind, .func = func };
	struct fc_effect effect = fc_effect_of(&event, s->calls.nr);

	if (effect.entered == FC_ENTERED_TAIL) {
		s->calls.at[s->calls.nr - 1].now = func;
		return;
	}
	s->calls.nr = effect.stay;
	if (effect.entered == FC_ENTERED_CALL)
		fc_vec_push(&s->calls, (struct call){ .func = func, .now = func });
}

static void record(struct fc_shadow *shadow, struct strand *s, uint64_t tsc, uint32_t func,
		   enum fc_kind kind)
{
	if (shadow->forked_by)
		begin_in_child(shadow, tsc);
	put_word(shadow, s, fc_record(tsc, func, kind));
	step(s, kind, func);
}

/* ---- stacks ---- */

static bool is_main(const struct fc_shadow *shadow, uint64_t address)
{
	return address >= shadow->stack.low && address < shadow->stack.high;
}

/* Large frames take large steps on the main stack; elsewhere such a step is a switch. */
static bool is_near(const struct fc_shadow *shadow, const struct strand *s, uint64_t address)
{
	if (is_main(shadow, address) && is_main(shadow, s->low))
		return true;
	return address + GROWTH >= s->low && address < s->high + GROWTH;
}

static struct strand *find_near(const struct fc_shadow *shadow, uint64_t address)
{
	if (shadow->current && is_near(shadow, shadow->current, address))
		return shadow->current;
	for (size_t i = 0; i < shadow->strands.nr; i++)
		if (is_near(shadow, shadow->strands.at[i], address))
			return shadow->strands.at[i];
	return NULL;
}

struct fc_shadow *fc_shadow_vfork(const struct fc_shadow *shadow, int pid, uint64_t sp)
{
	const struct strand *on = find_near(shadow, sp);
	if (!on)
		return NULL;
	struct fc_shadow *copy = fc_shadow_create(shadow->shadows, pid, pid, &shadow->stack);
	copy->forked_by = shadow->pid;
	copy->current = copy_strand(copy, on);
	return copy;
}

/* The strand on whose stack slot lies; it is the current one from now on. */
static struct strand *strand_of(struct fc_shadow *shadow, uint64_t slot)
{
	uint64_t low = fc_page_down(slot), high = low + fc_arch_here->page_size;
	struct strand *s = find_near(shadow, slot);
	if (!s) {
		s = add_strand(shadow);
		s->low = low;
		s->high = high;
	}
	if (low < s->low)
		s->low = low;
	if (high > s->high)
		s->high = high;
	shadow->current = s;
	return s;
}

/* ---- what happened ---- */

/* Calls whose slots are below sp were left. */
static void pass(struct strand *s, uint64_t sp)
{
	while (s->nr_live && s->calls.at[s->nr_live - 1].slot < sp)
		s->nr_live--;
}

/* The call that returns by coming here; its slot was just below. */
static struct call *find_returned(const struct strand *s,
				  const struct fc_shadow_arrival *arrival)
{
	uint64_t slot = arrival->sp - fc_arch_here->thread->slot_size;
	size_t i = s->calls.nr;
	while (i && s->calls.at[i - 1].slot < slot)
		i--;
	struct call *call = i ? &s->calls.at[i - 1] : NULL;
	return call && call->slot == slot && call->ret == arrival->ip ? call : NULL;
}

static void leave(struct fc_shadow *shadow, struct strand *s, const struct call *call,
		  uint64_t tsc)
{
	size_t i = (size_t)(call - s->calls.at);
	if (i + 1 < s->calls.nr)
		record(shadow, s, tsc, (uint32_t)(i + 1), FC_POP);
	record(shadow, s, tsc, call->func, FC_EXIT);
	s->nr_live = s->calls.nr;
	shadow->current = s;
}

static bool is_quiet(const struct strand *s, uint64_t sp)
{
	return s->nr_live && s->nr_live == s->calls.nr &&
	       sp <= s->calls.at[s->nr_live - 1].slot && sp >= s->low;
}

void fc_shadow_arrive(struct fc_shadow *shadow, const struct fc_shadow_arrival *arrival)
{
	if (!shadow->current || is_quiet(shadow->current, arrival->sp))
		return;
	for (size_t i = 0; arrival->is_return && i < shadow->strands.nr; i++) {
		struct strand *s = shadow->strands.at[i];
		const struct call *call = find_returned(s, arrival);
		if (call) {
			leave(shadow, s, call, arrival->tsc);
			return;
		}
	}
	struct strand *s = find_near(shadow, arrival->sp);
	if (s)
		pass(s, arrival->sp);
}

uint32_t fc_shadow_func_at(struct fc_shadow *shadow, uint64_t slot)
{
	const struct strand *s = find_near(shadow, slot);
	const struct call *top = s && s->nr_live ? &s->calls.at[s->nr_live - 1] : NULL;
	return top && top->slot == slot ? top->now : 0;
}

/* Tell who was left, now that there is a call. Returns the open call whose slot it is, or NULL. */
static struct call *settle(struct fc_shadow *shadow, struct strand *s,
			   const struct fc_shadow_entry *entry)
{
	pass(s, entry->is_no_jump ? entry->slot + 1 : entry->slot);
	if (s->nr_live != s->calls.nr)
		record(shadow, s, entry->tsc, (uint32_t)s->nr_live, FC_POP);
	struct call *top = s->nr_live ? &s->calls.at[s->nr_live - 1] : NULL;
	return top && top->slot == entry->slot ? top : NULL;
}

void fc_shadow_enter(struct fc_shadow *shadow, const struct fc_shadow_entry *entry)
{
	struct strand *s = strand_of(shadow, entry->slot);
	struct call *caller = settle(shadow, s, entry);
	record(shadow, s, entry->tsc, entry->func, caller ? FC_TAIL : FC_ENTRY);
	if (caller)
		return;
	s->calls.at[s->calls.nr - 1].slot = entry->slot;
	s->calls.at[s->calls.nr - 1].ret = entry->ret;
	s->nr_live = s->calls.nr;
}

void fc_shadow_enter_only(struct fc_shadow *shadow, const struct fc_shadow_entry *entry)
{
	struct strand *s = strand_of(shadow, entry->slot);
	const struct call *caller = settle(shadow, s, entry);
	record(shadow, s, entry->tsc, entry->func, FC_ENTRY_ONLY);
	if (caller)
		leave(shadow, s, caller, entry->tsc);
}
