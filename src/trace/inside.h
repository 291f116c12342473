/* SPDX-License-Identifier: Apache-2.0 */
/* inside.h - the inside of a reader, for {reader,cursor,lasts,packets,peek,strands,where}.c alone. */
#ifndef FC_TRACE_INSIDE_H
#define FC_TRACE_INSIDE_H

#include "trace/facts.h"
#include "trace/index.h"

/* A packet of events: what is known of it before it is decoded. */
struct fc_events_ref {
	uint64_t off;
	struct fc_events_head head;
	uint32_t seq; /* its number in the file */
	bool is_damaged;
	bool is_read;	  /* somebody looked at its payload; threads of a reading set it */
	bool has_unknown; /* marks of a later version, which were told */
};

struct fc_strand_ref {
	struct fc_strand_info info;
	size_t first, nr; /* its packets, for fc_reader_ref() */
	bool has_moved;	  /* info.tid is the first of several threads */
	bool is_in_time;  /* none of these begins before the one before it */
	struct fc_told_marks marks;
};

struct fc_reader {
	char *name; /* the file's, for sentences */
	const uint8_t *image;
	size_t size;
	bool is_mapped;
	struct fc_facts facts;
	FC_VEC(struct fc_events_ref) events; /* in the file's order */
	FC_VEC(uint32_t) order;		     /* of these, by strand, then in the file's order */
	FC_VEC(struct fc_strand_ref) strands; /* by id */
	FC_VEC(uint64_t)
	marks; /* where packets of marks are that are read when totals are asked */
	bool has_marks;
	FC_VEC(uint64_t)
	rosters; /* where packets are that tell functions of others (where.h) */

	bool is_complete;
	int wait_status;
	size_t nr_packets;    /* whole ones */
	size_t nr_damaged;    /* damaged places */
	uint64_t damaged_off; /* of the first */
	uint64_t tail_bytes;  /* at the file's end, no whole packet */
	struct {
		uint64_t nr;	       /* marks of a later version that were met… */
		uint64_t mark, record; /* …the first: its number, its place in its strand */
		uint32_t strand;
		bool is_end; /* what is behind one of them was left out */
	} unknown;
	struct fc_progress *progress; /* NULL: nobody waits */
	char *torn;		      /* the trouble, if the file became shorter */
	char *trouble;
};

/* May there be records of this thread in it? */
static inline bool fc_strand_ref_may_be(const struct fc_strand_ref *strand, int tid)
{
	return strand->info.tid == tid || strand->has_moved;
}

/* The packets strand by strand: 0.. */
static inline struct fc_events_ref *fc_reader_ref(const struct fc_reader *reader, size_t i)
{
	return &reader->events.at[reader->order.at[i]];
}

/* All packets of events are known: make order and strands of them. */
void fc_reader_find_strands(struct fc_reader *reader);

/* A packet of events turned out to be damaged: say so, count it no more. */
void fc_reader_damaged(struct fc_reader *reader, struct fc_events_ref *ref);

/* It has marks of a later version: say so; count it no more if its rest is not sound. */
struct fc_unknown_marks;
void fc_reader_unknown(struct fc_reader *reader, struct fc_events_ref *ref,
		       const struct fc_unknown_marks *unknown);

/* Is what is at off a roster that can be right? */
bool fc_reader_roster_is_sound(const struct fc_reader *reader, uint64_t off);

/* The payload of a packet of events that was referred to. -EBADMSG without a sentence. */
int fc_reader_events(const struct fc_reader *reader, struct fc_events_ref *ref,
		     struct fc_packet *ret);

#endif
