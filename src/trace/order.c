/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - sorts the packets of events by strand. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/inside.h"

/* Strands are numbered from 1 on: a place for each is counted out. */
static void order_by_count(struct fc_reader *r, const uint32_t *ids, uint32_t max)
{
	size_t nr = r->events.nr;
	fc_auto_free uint32_t *next = fc_alloc(((size_t)max + 2) * sizeof(*next));
	for (size_t i = 0; i < nr; i++)
		next[ids[i] + 1]++;
	for (size_t id = 0; id < max; id++)
		next[id + 1] += next[id];
	for (size_t i = 0; i < nr; i++)
		r->order.at[next[ids[i]]++] = (uint32_t)i;
}

/* Ids that are large and few, as nobody writes them. */
static void order_by_sort(struct fc_reader *r, const uint32_t *ids)
{
	size_t nr = r->events.nr;
	fc_auto_free uint64_t *keys = fc_alloc(nr * sizeof(*keys));
	for (size_t i = 0; i < nr; i++)
		keys[i] = (uint64_t)ids[i] << 32 | i;
	fc_sort(keys, nr);
	for (size_t i = 0; i < nr; i++)
		r->order.at[i] = (uint32_t)keys[i];
}

static void make_order(struct fc_reader *r)
{
	size_t nr = r->events.nr;
	fc_auto_free uint32_t *ids = fc_alloc(nr * sizeof(*ids));
	uint32_t max = 0;
	for (size_t i = 0; i < nr; i++) {
		ids[i] = r->events.at[i].head.strand;
		max = ids[i] > max ? ids[i] : max;
	}
	if (nr)
		fc_vec_reserve(&r->order, nr);
	r->order.nr = nr;
	if (max <= 4 * nr + 1024)
		order_by_count(r, ids, max);
	else
		order_by_sort(r, ids);
}

static struct fc_strand_ref strand_of(const struct fc_events_head *head, size_t first)
{
	return (struct fc_strand_ref){
		.info = { .id = head->strand, .pid = head->pid, .tid = head->tid },
		.first = first,
		.is_in_time = true,
	};
}

void fc_reader_find_strands(struct fc_reader *r)
{
	struct fc_strand_ref *strand = NULL;
	uint64_t begin = 0;

	make_order(r);
	for (size_t i = 0; i < r->events.nr; i++) {
		const struct fc_events_head *head = &fc_reader_ref(r, i)->head;
		if (!strand || strand->info.id != head->strand) {
			fc_vec_push(&r->strands, strand_of(head, i));
			strand = &r->strands.at[r->strands.nr - 1];
			begin = 0;
		}
		strand->info.kind = head->kind; /* the last is told by who knows best */
		strand->has_moved |= head->has_moved || head->tid != strand->info.tid;
		strand->is_in_time &= head->begin >= begin;
		begin = head->begin;
		strand->nr++;
	}
}
