/* SPDX-License-Identifier: Apache-2.0 */
/* lasts.c - finds where to begin to read when the last records are asked for. */
#include <stdlib.h>

#include "trace/inside.h"
#include "trace/reader.h"

struct packet {
	uint64_t begin; /* quanta */
	uint32_t nr_records;
};

/* The latest packets that hold so many records, no more of them: a heap, the earliest on top. */
struct latest {
	FC_VEC(struct packet) heap;
	uint64_t wanted, found; /* records */
};

static void sift_up(struct packet *heap, size_t i)
{
	struct packet packet = heap[i];
	for (; i && heap[(i - 1) / 2].begin > packet.begin; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = packet;
}

static void sift_down(struct packet *heap, size_t nr)
{
	struct packet packet = heap[0];
	size_t i = 0, child;
	while ((child = 2 * i + 1) < nr) {
		if (child + 1 < nr && heap[child + 1].begin < heap[child].begin)
			child++;
		if (heap[child].begin >= packet.begin)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = packet;
}

static bool can_spare_earliest(const struct latest *latest)
{
	return latest->heap.nr &&
	       latest->found - latest->heap.at[0].nr_records >= latest->wanted;
}

static void latest_add(struct latest *latest, struct packet packet)
{
	bool is_early = latest->heap.nr && packet.begin < latest->heap.at[0].begin;
	if (is_early && latest->found >= latest->wanted)
		return;
	fc_vec_push(&latest->heap, packet);
	sift_up(latest->heap.at, latest->heap.nr - 1);
	latest->found += packet.nr_records;
	while (can_spare_earliest(latest)) {
		latest->found -= latest->heap.at[0].nr_records;
		latest->heap.at[0] = latest->heap.at[--latest->heap.nr];
		if (latest->heap.nr)
			sift_down(latest->heap.at, latest->heap.nr);
	}
}

static bool is_asked(const struct fc_events_ref *ref, const struct fc_choice *choice,
		     uint64_t to)
{
	const struct fc_events_head *head = &ref->head;
	return !ref->is_damaged && head->begin <= to &&
	       (!choice->pid || head->pid == choice->pid) &&
	       (!choice->tid || head->tid == choice->tid || head->has_moved);
}

uint64_t fc_reader_last_from(const struct fc_reader *reader, const struct fc_choice *choice,
			     uint64_t to_tsc, uint64_t nr)
{
	unsigned shift = reader->facts.time_shift;
	uint64_t from = choice->from_tsc;
	struct latest latest = { .wanted = nr };

	fc_vec_each (&reader->events, ref)
		if (is_asked(ref, choice, to_tsc >> shift))
			latest_add(&latest,
				   (struct packet){ ref->head.begin, ref->head.nr_records });
	if (latest.heap.nr && latest.found >= nr && latest.heap.at[0].begin << shift > from)
		from = latest.heap.at[0].begin << shift;
	fc_vec_free(&latest.heap);
	return from;
}
