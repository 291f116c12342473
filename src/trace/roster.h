/* SPDX-License-Identifier: Apache-2.0 */
/*
 * roster.h - which functions have calls that begin or end in which packets of events, told for
 * many packets at once, function by function: who looks for a function need not look into the
 * others.
 *
 *   packets     0 1 2 3 4 5 6 7
 *   main        x             x      it is open all the time, but nothing of it is in 1 to 6
 *   parse       x x x x x x x x
 *   on_error            x
 */
#ifndef FC_TRACE_ROSTER_H
#define FC_TRACE_ROSTER_H

#include "trace/bytes.h"

#define FC_ROSTER_PACKETS 1024 /* it is full with so many, … */
#define FC_ROSTER_FUNCS	  8192 /* …or when a packet brings more functions than that */

/* ---- made while packets are written ---- */

struct fc_roster;
struct fc_roster *fc_roster_create(void);
void fc_roster_destroy(struct fc_roster *roster);

/*
 * Is there room for a packet with so many functions? An empty one has room for
 * FC_ROSTER_FUNCS. */
bool fc_roster_has_room(const struct fc_roster *roster, size_t nr_funcs);
/* The packet with this sequence number, higher than those before; functions may be there twice. */
void fc_roster_add(struct fc_roster *roster, uint32_t seq, const uint32_t *funcs, size_t nr);
size_t fc_roster_nr_packets(const struct fc_roster *roster);
/* Append it as the payload of a packet, and begin with an empty one. */
void fc_roster_finish(struct fc_roster *roster, struct fc_bytes *payload);

/* ---- read back ---- */

struct fc_roll {
	size_t nr;			 /* packets */
	uint32_t seq[FC_ROSTER_PACKETS]; /* growing */
	/* A bit for each packet: a wanted function occurs in it; any function does. */
	uint8_t has_wanted[FC_ROSTER_PACKETS / 8], has_any[FC_ROSTER_PACKETS / 8];
};

/*
 * Look for functions of a set, a bit for each id below nr_ids (id 0 in the lowest bit of the first
 * byte). -EBADMSG without a sentence: it is not sound, nothing is known.
 */
int fc_roll_call(struct fc_slice payload, const uint8_t *is_wanted, size_t nr_ids,
		 struct fc_roll *ret);

static inline bool fc_roll_has(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

#endif
