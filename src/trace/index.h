/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index.h - what a packet of events says of itself, in its head and in the file's index.
 *
 * Times in a trace file are quanta: ticks of the TSC >> the session's time shift.
 */
#ifndef FC_TRACE_INDEX_H
#define FC_TRACE_INDEX_H

#include "base/vec.h"
#include "trace/packet.h"

#define FC_PACKET_RECORDS (64u << 10) /* an events packet is full then */

struct fc_events_head {
	uint32_t strand;
	int pid, tid;
	uint64_t ordinal;     /* records of this strand before this packet */
	uint64_t lost_before; /* records lost in this strand before this packet… */
	uint64_t lost;	      /* …and by the LOST marks in it */
	uint32_t nr_records;
	uint32_t nr_calls;   /* ENTRY, TAIL and ENTRY_ONLY among them */
	uint64_t begin, end; /* quanta: first and last record, or the end of the strand */
	uint64_t depth;	     /* calls open at its begin */
	bool has_ended;	     /* no more packets of this strand: it ended at end */
	uint8_t kind;	     /* of the strand: enum fc_strand_kind; since 1.4 */
	bool has_moved;	     /* other threads than tid go on with the strand in this packet */

	/* Not in this head, but in a packet of their own: */
	uint32_t nr_marks;     /* among the records */
	uint32_t nr_waits;     /* of these, FC_MARK_WAITED */
	uint64_t waited_ticks; /* and what they tell */
};

void fc_events_head_put(struct fc_bytes *bytes, const struct fc_events_head *head);
/* -EBADMSG without a sentence. */
int fc_events_head_get(struct fc_slice *slice, struct fc_events_head *ret);

struct fc_index_entry {
	uint8_t kind;
	uint64_t off;
	struct fc_events_head events; /* for FC_PACKET_EVENTS */
};

/* last_off: offset of the entry before, 0 for the first. */
void fc_index_entry_put(struct fc_bytes *bytes, const struct fc_index_entry *entry,
			uint64_t last_off);
/*
 * An entry but for its events, which follow. *off: of the entry before, 0 for the first; then
 * its own. -EBADMSG without a sentence.
 */
int fc_index_row_get(struct fc_slice *slice, uint8_t *kind, uint64_t *off);

#endif
