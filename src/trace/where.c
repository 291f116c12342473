/* SPDX-License-Identifier: Apache-2.0 */
/* where.c - reads the rosters of a trace, and finds the packets of some functions. */
#include "trace/where.h"

#include <errno.h>
#include <stdlib.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "trace/inside.h"
#include "trace/roster.h"

enum knowledge {
	UNKNOWN,
	IS_NOT,
	MAY_BE,
	DISPUTED, /* told by two rosters */
};

struct fc_where {
	const struct fc_reader *reader;
	uint8_t *known; /* of each packet of events, in the file's order */
};

/* Then a packet is found by its sequence number. In no file that we wrote it is otherwise. */
static bool is_numbered(const struct fc_reader *reader)
{
	for (size_t i = 1; i < reader->events.nr; i++)
		if (reader->events.at[i].seq <= reader->events.at[i - 1].seq)
			return false;
	return true;
}

/* The first packet of events with this number or a higher one. */
static size_t find_packet(const struct fc_reader *reader, uint32_t seq)
{
	return fc_bisect(reader->events.at, reader->events.nr, ref, ref->seq < seq);
}

/* Go on to the packet of events with this number. False: there is none, it is damaged. */
static bool go_to(const struct fc_reader *reader, uint32_t seq, size_t *at)
{
	size_t nr = reader->events.nr;
	while (*at < nr && reader->events.at[*at].seq < seq)
		++*at;
	return *at < nr && reader->events.at[*at].seq == seq;
}

/* A roster that tells no function of a packet with calls is a wrong one. */
static bool is_believed(const struct fc_reader *reader, const struct fc_roll *roll)
{
	size_t at = roll->nr ? find_packet(reader, roll->seq[0]) : 0;
	for (size_t i = 0; i < roll->nr; i++)
		if (go_to(reader, roll->seq[i], &at) && reader->events.at[at].head.nr_calls &&
		    !fc_roll_has(roll->has_any, i))
			return false;
	return true;
}

static void take_roll(struct fc_where *where, const struct fc_roll *roll)
{
	size_t at = roll->nr ? find_packet(where->reader, roll->seq[0]) : 0;
	for (size_t i = 0; i < roll->nr; i++) {
		if (!go_to(where->reader, roll->seq[i], &at))
			continue;
		uint8_t told = fc_roll_has(roll->has_wanted, i) ? MAY_BE : IS_NOT;
		where->known[at] = where->known[at] == UNKNOWN ? told : DISPUTED;
	}
}

/* The state for reading one roster after the other. */
struct desk {
	const struct fc_reader *reader;
	ZSTD_DCtx *zstd;
	struct fc_bytes inflated;
	struct fc_roll roll;
};

static struct desk desk_init(const struct fc_reader *reader)
{
	return (struct desk){ .reader = reader, .zstd = ZSTD_createDCtx() };
}

static void desk_deinit(struct desk *desk)
{
	ZSTD_freeDCtx(desk->zstd);
	fc_bytes_free(&desk->inflated);
}

/* The roster at off, in desk->roll. */
static int desk_read(struct desk *desk, uint64_t off, const uint8_t *is_wanted, size_t nr_ids)
{
	const struct fc_reader *reader = desk->reader;
	struct fc_packet packet;
	if (fc_packet_at(reader->image, reader->size, off, &packet) ||
	    packet.kind != FC_PACKET_FUNCS)
		return -EBADMSG;
	struct fc_slice payload = fc_slice_of(packet.stored, packet.stored_len);
	if (packet.flags & FC_PACKET_ZSTD) {
		if (fc_inflate(desk->zstd, packet.stored, packet.stored_len, packet.raw_len,
			       &desk->inflated))
			return -EBADMSG;
		payload = fc_slice_of(desk->inflated.at, desk->inflated.nr);
	}
	int err = fc_roll_call(payload, is_wanted, nr_ids, &desk->roll);
	return err || !is_believed(reader, &desk->roll) ? -EBADMSG : 0;
}

bool fc_reader_roster_is_sound(const struct fc_reader *reader, uint64_t off)
{
	struct desk desk = desk_init(reader);
	bool is_sound = !desk_read(&desk, off, NULL, 0);
	desk_deinit(&desk);
	return is_sound;
}

struct fc_where *fc_where_create(const struct fc_reader *reader, const uint8_t *is_wanted,
				 size_t nr_ids)
{
	struct fc_where *where = fc_alloc(sizeof(*where));
	where->reader = reader;
	where->known = fc_alloc(reader->events.nr + 1);
	if (!reader->rosters.nr || !is_numbered(reader))
		return where;
	struct desk desk = desk_init(reader);
	fc_vec_each (&reader->rosters, off)
		if (!desk_read(&desk, *off, is_wanted, nr_ids))
			take_roll(where, &desk.roll);
	desk_deinit(&desk);
	return where;
}

void fc_where_destroy(struct fc_where *where)
{
	if (!where)
		return;
	free(where->known);
	free(where);
}

bool fc_where_is_not(const struct fc_where *where, size_t strand, size_t packet)
{
	const struct fc_reader *reader = where->reader;
	size_t at = reader->order.at[reader->strands.at[strand].first + packet];
	return where->known[at] == IS_NOT;
}
