/* SPDX-License-Identifier: Apache-2.0 */
/* deferred.c - holds calls back until it is known whether they are wanted. */
#include "calls/deferred.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/strands.h"

/* At most so many wait. */
#define MOST_BYTES ((size_t)128 << 20)

struct item {
	enum { ENTER, LEAVE, EVENT } what;
	union {
		struct fc_call call;
		struct fc_kept_event event;
	};
	/* Of a call that begins: all that is known of it, and what is known when it begins. */
	struct fc_call_values *values, begun;
	size_t enter; /* of one that ends: where it begins */
};

struct strand {
	FC_VEC(struct item) items;
	FC_VEC(size_t) open; /* where those begin that are open, the outermost first */
	size_t nr_bytes;
	bool is_full;
};

struct fc_deferred {
	struct fc_deferred_out out;
	struct fc_strands strands;
	size_t nr_bytes;
	uint64_t nr_forgotten;
};

struct fc_deferred *fc_deferred_create(const struct fc_deferred_out *out)
{
	struct fc_deferred *deferred = fc_alloc(sizeof(*deferred));
	deferred->out = *out;
	deferred->strands.size = sizeof(struct strand);
	return deferred;
}

static void item_deinit(struct item *item)
{
	if (item->what == EVENT)
		fc_event_forget(&item->event);
	else if (item->what == ENTER)
		free(item->values);
}

static void clear(struct fc_deferred *deferred, struct strand *strand)
{
	fc_vec_free(&strand->items);
	strand->open.nr = 0;
	strand->is_full = false;
	deferred->nr_bytes -= strand->nr_bytes;
	strand->nr_bytes = 0;
}

void fc_deferred_destroy(struct fc_deferred *deferred)
{
	if (!deferred)
		return;
	struct strand *strand;
	fc_strands_each (&deferred->strands, strand) {
		fc_vec_each (&strand->items, item)
			item_deinit(item);
		fc_vec_free(&strand->items);
		fc_vec_free(&strand->open);
	}
	fc_strands_deinit(&deferred->strands);
	free(deferred);
}

/* Only what is open stays; what is beneath it is not known any more. */
static void forget(struct fc_deferred *deferred, struct strand *strand)
{
	size_t nr = 0;
	fc_vec_each (&strand->items, item) {
		size_t at = (size_t)(item - strand->items.at);
		if (nr < strand->open.nr && strand->open.at[nr] == at) {
			strand->open.at[nr] = nr;
			strand->items.at[nr++] = *item;
			continue;
		}
		deferred->nr_forgotten += item->what == ENTER;
		item_deinit(item);
	}
	strand->items.nr = nr;
	strand->is_full = true;
	deferred->nr_bytes -= strand->nr_bytes;
	strand->nr_bytes = 0;
}

static void count_bytes(struct fc_deferred *deferred, struct strand *strand,
			const struct fc_call_values *values)
{
	size_t size = sizeof(struct item);
	if (strand->is_full)
		return;
	if (values)
		size += sizeof(*values) +
			(size_t)(values->nr_args + values->nr_result) * sizeof(uint64_t);
	strand->nr_bytes += size;
	deferred->nr_bytes += size;
	if (deferred->nr_bytes > MOST_BYTES)
		forget(deferred, strand);
}

static void push_enter(struct fc_deferred *deferred, struct strand *strand,
		       const struct fc_call *call)
{
	struct item item = { .what = ENTER, .call = *call };
	item.values = fc_call_values_copy(call->values);
	item.call.values = NULL;
	fc_vec_push(&strand->open, strand->items.nr);
	fc_vec_push(&strand->items, item);
	count_bytes(deferred, strand, item.values);
}

static struct strand *waiting_of(const struct fc_deferred *deferred, uint32_t id)
{
	struct strand *strand = fc_strands_find(&deferred->strands, id);
	return strand && strand->open.nr ? strand : NULL;
}

void fc_deferred_begin(struct fc_deferred *deferred, const struct fc_call *call)
{
	push_enter(deferred, fc_strands_make(&deferred->strands, call->strand), call);
}

bool fc_deferred_enter(struct fc_deferred *deferred, const struct fc_call *call)
{
	struct strand *strand = waiting_of(deferred, call->strand);
	if (strand)
		push_enter(deferred, strand, call);
	return strand;
}

static void pass_item(struct fc_deferred *deferred, struct strand *strand, struct item *item)
{
	const struct fc_deferred_out *out = &deferred->out;
	struct item *begin = item->what == LEAVE ? &strand->items.at[item->enter] : item;
	switch (item->what) {
	case ENTER:
		if (item->values) {
			item->begun = *item->values;
			item->begun.nr_result = 0;
			item->call.values = &item->begun;
		}
		out->enter(out->ctx, &item->call, item->values);
		break;
	case LEAVE:
		item->call.values = begin->values;
		out->leave(out->ctx, &item->call);
		free(begin->values);
		begin->values = NULL;
		break;
	case EVENT:
		out->event(out->ctx, &item->event.event);
		fc_event_forget(&item->event);
		break;
	}
}

bool fc_deferred_leave(struct fc_deferred *deferred, const struct fc_call *call)
{
	struct strand *strand = waiting_of(deferred, call->strand);
	if (!strand)
		return false;
	size_t enter = strand->open.at[--strand->open.nr];
	struct item *begin = &strand->items.at[enter];
	if (strand->is_full && strand->open.nr) { /* it is the last of what is kept */
		item_deinit(begin);
		strand->items.nr = enter;
		deferred->nr_forgotten++;
		return true;
	}
	free(begin->values);
	begin->values = fc_call_values_copy(call->values);
	const struct fc_call_values *values = begin->values;
	struct item item = { .what = LEAVE, .call = *call, .enter = enter };
	fc_vec_push(&strand->items, item); /* begin may be elsewhere now */
	if (strand->open.nr) {
		count_bytes(deferred, strand, values);
		return true;
	}
	fc_vec_each (&strand->items, at)
		pass_item(deferred, strand, at);
	clear(deferred, strand);
	return true;
}

bool fc_deferred_event(struct fc_deferred *deferred, const struct fc_event *event)
{
	struct strand *strand = waiting_of(deferred, event->strand);
	if (!strand || strand->is_full)
		return strand;
	struct item item = { .what = EVENT };
	fc_event_keep(&item.event, event);
	fc_vec_push(&strand->items, item);
	count_bytes(deferred, strand, NULL);
	return true;
}

uint64_t fc_deferred_nr_forgotten(const struct fc_deferred *deferred)
{
	return deferred->nr_forgotten;
}
