/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reels.h - packets of a strand as arrays of records, to be walked over in both directions.
 *
 * A record is told with the number of calls that are open before it. Where records are missing
 * there is an FC_MARK of the mark FC_MARK_LOST, followed by an FC_ENTRY for each call that was
 * entered in the gap and is open behind it: so what is open is always told by what is before.
 *
 * Those used last are kept; a reel is good until the next one is asked for.
 */
#ifndef FC_SHOW_TUI_REELS_H
#define FC_SHOW_TUI_REELS_H

#include "base/vec.h"
#include "trace/packets.h"

struct fc_reel_record {
	uint64_t tsc;
	uint32_t func : 23; /* of a mark: its number in marks */
	uint32_t kind : 3;  /* enum fc_kind */
	uint32_t is_reopened : 1;
	uint32_t depth; /* calls open before it */
};

/* Records that are missing. */
struct fc_reel_lost {
	uint64_t lost;
	uint32_t after; /* calls open behind it */
};

/* What a call was given, or what came out, told before its record. */
struct fc_reel_values {
	uint32_t record; /* the number of records: of the next packet's first */
	uint32_t nr;	 /* words... */
	size_t at;	 /* ...from here on in the reel's */
};

struct fc_reel {
	size_t strand, packet;
	struct fc_reel_record *at;
	uint32_t nr;
	uint32_t room;
	uint32_t depth_after; /* the last */
	struct fc_reel_lost *lost;
	uint32_t nr_lost;
	bool is_damaged;
	FC_VEC(struct fc_reel_values) values; /* in order; if they are kept */
	FC_VEC(uint64_t) words;
};

struct fc_reels;
/*
 * At most max reels are kept, about 1 MB each if the packets are full. The reader's trouble tells
 * of what is found damaged.
 */
struct fc_reels *fc_reels_create(struct fc_reader *reader, size_t max);
/* The same with what calls were given and returned. */
struct fc_reels *fc_reels_create_with_values(struct fc_reader *reader, size_t max);
void fc_reels_destroy(struct fc_reels *reels);

/* Packet k of strand i; never NULL: of what is damaged, that its records are missing. */
const struct fc_reel *fc_reels_get(struct fc_reels *reels, size_t i, size_t k);
/*
 * What was told with that record, at the entry or the exit of func; *nr 0: nothing. Good as a reel is,
 * but other reels may have to be read for it.
 */
const uint64_t *fc_reels_values(struct fc_reels *reels, size_t i, size_t k, uint32_t record,
				uint32_t func, bool is_result, uint32_t *nr);
/* Is it known that all in this packet is deeper than depth? */
bool fc_reels_is_deeper(const struct fc_reels *reels, size_t i, size_t k, uint32_t depth);

#endif
