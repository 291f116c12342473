/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.c - holds calls that left by a tail jump until the last of their chain has returned.
 */
#include "calls/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/agent/fetch.h"

enum { MOST_WAITING = 1 << 16 }; /* in one line */

struct item {
	enum { ENTER, LEAVE, EVENT } what;
	bool waits;	   /* a call that left by a jump, for the end of its chain */
	bool is_jumped_to; /* the call that it jumped to has begun */
	union {
		struct fc_call call;
		struct fc_kept_event event;
	};
	struct fc_call_values *values;
	struct fc_call_values *begun; /* of one that ends: those that its begin was told with */
};

/* The calls and events that wait, in order: the first is a call that left by a jump. */
struct line {
	FC_VEC(struct item) items;
	size_t first;  /* of those that are not told */
	uint64_t base; /* the number of items[0]; all are numbered through */
};

/* The values of a call that began, which are there until it has ended. */
struct alive {
	uint32_t depth;
	struct fc_call_values *values;
};

struct strand {
	/* Numbers of its items that wait, the innermost last; some may have been told meanwhile. */
	FC_VEC(uint64_t) waiting;
	FC_VEC(struct alive) alive; /* the outermost first */
};

struct fc_chains *fc_chains_create(struct fc_call_sink *next, bool is_ordered)
{
	struct fc_chains *chains = fc_alloc(sizeof(*chains));
	chains->next = next;
	chains->is_ordered = is_ordered;
	chains->lines.size = sizeof(struct line);
	chains->strands.size = sizeof(struct strand);
	return chains;
}

static void item_deinit(struct item *item)
{
	if (item->what == EVENT)
		fc_event_forget(&item->event);
	free(item->values);
	fc_call_values_free_own(item->begun);
}

/* Calls as deep as this have ended. */
static void forget_alive(struct strand *strand, uint32_t depth)
{
	while (strand->alive.nr && strand->alive.at[strand->alive.nr - 1].depth >= depth)
		free(strand->alive.at[--strand->alive.nr].values);
}

void fc_chains_destroy(struct fc_chains *chains)
{
	if (!chains)
		return;
	struct line *line;
	fc_strands_each (&chains->lines, line) {
		for (size_t k = line->first; k < line->items.nr; k++)
			item_deinit(&line->items.at[k]);
		fc_vec_free(&line->items);
	}
	struct strand *strand;
	fc_strands_each (&chains->strands, strand) {
		forget_alive(strand, 0);
		fc_vec_free(&strand->alive);
		fc_vec_free(&strand->waiting);
	}
	fc_strands_deinit(&chains->lines);
	fc_strands_deinit(&chains->strands);
	free(chains);
}

static struct line *line_of(struct fc_chains *chains, uint32_t strand)
{
	return fc_strands_make(&chains->lines, chains->is_ordered ? 0 : strand);
}

static struct strand *strand_of(struct fc_chains *chains, uint32_t id)
{
	return fc_strands_make(&chains->strands, id);
}

static void tell_enter(struct fc_chains *chains, struct item *item)
{
	struct strand *strand = strand_of(chains, item->call.strand);
	forget_alive(strand, item->call.depth);
	if (item->values)
		fc_vec_push(&strand->alive, (struct alive){ item->call.depth, item->values });
	item->values = NULL;
	chains->next->enter(chains->next, &item->call);
}

static void pass_item(struct fc_chains *chains, struct item *item)
{
	struct fc_call_sink *next = chains->next;
	switch (item->what) {
	case ENTER:
		tell_enter(chains, item);
		break;
	case LEAVE:
		next->leave(next, &item->call);
		forget_alive(strand_of(chains, item->call.strand), item->call.depth);
		break;
	case EVENT:
		next->event(next, &item->event.event);
		break;
	}
	item_deinit(item);
}

/* Drop the items that were passed on. */
static void compact(struct line *line)
{
	size_t left = line->items.nr - line->first;
	if (left && line->first < MOST_WAITING)
		return;
	if (left)
		memmove(line->items.at, line->items.at + line->first,
			left * sizeof(*line->items.at));
	line->base += line->first;
	line->items.nr = left;
	line->first = 0;
}

/* All in front of what has to wait. */
static void advance(struct fc_chains *chains, struct line *line)
{
	while (line->first < line->items.nr && !line->items.at[line->first].waits) {
		struct item item = line->items.at[line->first++];
		chains->nr_waiting--;
		pass_item(chains, &item);
	}
	compact(line);
}

static void push(struct fc_chains *chains, struct line *line, struct item item)
{
	fc_vec_push(&line->items, item);
	chains->nr_waiting++;
	if (line->items.nr - line->first > MOST_WAITING)
		line->items.at[line->first].waits = false;
	advance(chains, line);
}

/* It waits from now on; it is pushed next. */
static void note_waiting(const struct line *line, struct strand *strand)
{
	size_t half = strand->waiting.nr / 2;
	if (half > MOST_WAITING) { /* a chain that goes on and on: these were told */
		memmove(strand->waiting.at, strand->waiting.at + half,
			(strand->waiting.nr - half) * sizeof(*strand->waiting.at));
		strand->waiting.nr -= half;
	}
	fc_vec_push(&strand->waiting, line->base + line->items.nr);
}

/* The innermost call of a strand that waits; NULL: none does. */
static struct item *last_waiting(struct line *line, struct strand *strand)
{
	while (strand->waiting.nr) {
		uint64_t number = strand->waiting.at[strand->waiting.nr - 1];
		struct item *item = number < line->base + line->first
					    ? NULL
					    : &line->items.at[number - line->base];
		if (item && item->waits)
			return item;
		strand->waiting.nr--;
	}
	return NULL;
}

static struct item item_of_call(const struct fc_call *call, bool is_leave)
{
	struct item item = { .what = is_leave ? LEAVE : ENTER, .call = *call };
	item.values = fc_call_values_copy(call->values);
	item.call.values = item.values;
	return item;
}

void fc_chains_enter(struct fc_chains *chains, const struct fc_call *call)
{
	struct line *line = line_of(chains, call->strand);
	struct item *last = last_waiting(line, strand_of(chains, call->strand));
	if (last && last->call.depth == call->depth) {
		/* Else it is another call, and nobody knows where the jump led to. */
		if (!last->is_jumped_to && last->call.end_tsc == call->begin_tsc)
			last->is_jumped_to = true;
		else
			last->waits = false;
	}
	push(chains, line, item_of_call(call, false));
}

struct fc_call_values *fc_chain_values(uint32_t func, const struct fc_call_values *own,
				       const struct fc_call_values *last,
				       const struct fc_call_values *giver)
{
	struct fc_call_values ret = *own;
	bool is_own = fca_format_func(last->result[0]) == func;
	ret.result = last->result;
	ret.nr_result = last->nr_result;
	ret.func = is_own ? 0 : func;
	ret.nr_other = is_own || !giver ? 0 : giver->nr_args;
	ret.other = ret.nr_other ? giver->args : NULL;
	return fc_call_values_copy(&ret);
}

static bool is_giver(const struct fc_call *call, uint32_t func)
{
	return call->values && call->func == func;
}

/* A copy of what the call was given whose format the result has: one of those that wait, or the last. */
static struct fc_call_values *find_giver(const struct line *line, const struct strand *strand,
					 const struct fc_call *last)
{
	uint32_t func = fca_format_func(last->values->result[0]);
	if (is_giver(last, func))
		return fc_call_values_copy(last->values);
	for (size_t i = strand->waiting.nr; i--;) {
		uint64_t number = strand->waiting.at[i];
		if (number < line->base + line->first)
			break;
		const struct item *item = &line->items.at[number - line->base];
		if (item->call.depth != last->depth)
			break;
		if (item->waits && is_giver(&item->call, func))
			return fc_call_values_copy(item->values);
	}
	return NULL;
}

static void set_values(struct item *item, struct fc_call_values *values)
{
	free(item->values);
	item->call.values = item->values = values;
}

/* The chains that end with this call, or with those around it: all that are as deep. */
static void end_chains(struct line *line, struct strand *strand, const struct fc_call *last,
		       struct item *told)
{
	struct item *item = last_waiting(line, strand);
	bool is_chain = item && item->call.depth == last->depth && item->is_jumped_to;
	bool has_result = is_chain && last->left == FC_LEFT_RETURN && last->values &&
			  last->values->nr_result;
	fc_auto_free struct fc_call_values *giver =
		has_result ? find_giver(line, strand, last) : NULL;
	for (; item && item->call.depth >= last->depth; item = last_waiting(line, strand)) {
		bool is_here = item->call.depth == last->depth && item->is_jumped_to;
		if (is_here && has_result && item->values)
			set_values(item, fc_chain_values(item->call.func, item->values,
							 last->values, giver));
		item->waits = false;
	}
	if (has_result)
		set_values(told,
			   fc_chain_values(last->func, last->values, last->values, giver));
}

void fc_chains_leave(struct fc_chains *chains, const struct fc_call *call)
{
	struct line *line = line_of(chains, call->strand);
	struct strand *strand = strand_of(chains, call->strand);
	struct item told = item_of_call(call, true), *inner;
	told.begun = (struct fc_call_values *)call->values;
	if (call->left == FC_LEFT_TAIL) {
		while ((inner = last_waiting(line, strand)) && inner->call.depth > call->depth)
			inner->waits = false;
		told.waits = call->values || (inner && inner->call.depth == call->depth);
		if (told.waits)
			note_waiting(line, strand);
	} else {
		end_chains(line, strand, call, &told);
	}
	push(chains, line, told);
}

void fc_chains_event(struct fc_chains *chains, const struct fc_event *event)
{
	struct item item = { .what = EVENT };
	fc_event_keep(&item.event, event);
	push(chains, line_of(chains, event->strand), item);
}

void fc_chains_pass_time(struct fc_chains *chains, uint64_t before_tsc)
{
	for (size_t i = 0; chains->nr_waiting && i < chains->lines.nr; i++) {
		struct line *line = chains->lines.at[i];
		while (line && line->first < line->items.nr &&
		       line->items.at[line->first].call.end_tsc <= before_tsc) {
			line->items.at[line->first].waits = false;
			advance(chains, line);
		}
	}
}
