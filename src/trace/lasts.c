/* SPDX-License-Identifier: Apache-2.0 */
/* Where to begin to read when the last records are asked for. */
#include <stdlib.h>

#include "trace/inside.h"

struct packet {
	uint64_t begin; /* quanta */
	uint32_t nr_records;
};

static int latest_first(const void *a, const void *b)
{
	const struct packet *x = a, *y = b;
	return x->begin < y->begin ? 1 : x->begin > y->begin ? -1 : 0;
}

static bool is_asked(const struct fc_events_ref *ref, const struct fc_choice *choice,
		     uint64_t to)
{
	const struct fc_events_head *head = &ref->head;
	return !ref->is_damaged && head->begin <= to &&
	       (!choice->pid || head->pid == choice->pid) &&
	       (!choice->tid || head->tid == choice->tid);
}

uint64_t fc_reader_last_from(const struct fc_reader *reader, const struct fc_choice *choice,
			     uint64_t to_tsc, uint64_t nr)
{
	unsigned shift = reader->facts.time_shift;
	uint64_t from = choice->from_tsc, found = 0;
	FC_VEC(struct packet) packets = { 0 };

	fc_vec_each (&reader->events, ref)
		if (is_asked(ref, choice, to_tsc >> shift))
			fc_vec_push(&packets,
				    (struct packet){ ref->head.begin, ref->head.nr_records });
	if (packets.nr)
		qsort(packets.at, packets.nr, sizeof(*packets.at), latest_first);
	for (size_t i = 0; i < packets.nr && found < nr; i++) {
		found += packets.at[i].nr_records;
		if (found >= nr && packets.at[i].begin << shift > from)
			from = packets.at[i].begin << shift;
	}
	fc_vec_free(&packets);
	return from;
}
