/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parcel.h - a trace taken apart, and put together again with right lengths, checksums and index.
 *
 *   file -> packets, each in pieces that nothing is said of elsewhere -> file
 *
 * So a mutation of a piece reaches what is behind the checksums.
 */
#ifndef FC_TEST_PARCEL_H
#define FC_TEST_PARCEL_H

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "trace/checksum.h"
#include "trace/decode.h"
#include "trace/index.h"
#include "trace/packet.h"

enum {
	PIECES = 1 + FC_NR_COLUMNS, /* of EVENTS: its head, its columns; else the payload */
	HEAD_FIELDS = 12,	    /* of EVENTS */
	END_FIELDS = 3,		    /* of END, before what follows from the packets */
};

struct part {
	uint8_t kind;
	struct fc_bytes piece[PIECES];
};

struct parcel {
	FC_VEC(struct part) parts;
	bool has_trailer;
};

static void part_deinit(struct part *part)
{
	for (int i = 0; i < PIECES; i++)
		fc_bytes_free(&part->piece[i]);
}

static void parcel_deinit(struct parcel *parcel)
{
	fc_vec_each (&parcel->parts, part)
		part_deinit(part);
	fc_vec_free(&parcel->parts);
}

static void part_copy(const struct part *from, struct part *ret)
{
	*ret = (struct part){ .kind = from->kind };
	for (int i = 0; i < PIECES; i++)
		fc_bytes_copy(&ret->piece[i], from->piece[i].at, from->piece[i].nr);
}

/* ---- apart ---- */

static void inflate_or_copy(ZSTD_DCtx *zstd, bool is_deflated, const uint8_t *at, size_t size,
			    uint64_t raw_len, struct fc_bytes *ret)
{
	if (!is_deflated || fc_inflate(zstd, at, size, raw_len, ret)) {
		ret->nr = 0;
		fc_bytes_copy(ret, at, size);
	}
}

static void open_events(ZSTD_DCtx *zstd, struct fc_slice slice, struct part *ret)
{
	uint64_t raw[FC_NR_COLUMNS], stored[FC_NR_COLUMNS];
	const uint8_t *from = slice.at;

	for (int i = 0; i < HEAD_FIELDS; i++)
		fc_slice_varint(&slice);
	fc_bytes_copy(&ret->piece[0], from, (size_t)(slice.at - from));
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		raw[i] = fc_slice_varint(&slice);
		stored[i] = fc_slice_varint(&slice);
	}
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		size_t left = fc_slice_left(&slice), nr = stored[i] < left ? stored[i] : left;
		inflate_or_copy(zstd, raw[i] != stored[i], slice.at, nr, raw[i],
				&ret->piece[1 + i]);
		slice.at += nr;
	}
}

/* Checksums need not be right. False: it is no row of packets at all. */
static bool parcel_open(struct parcel *parcel, const uint8_t *bytes, size_t size)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	size_t off = FC_FILE_HEAD;

	*parcel = (struct parcel){ .has_trailer = fc_file_trailer_get(bytes, size) };
	while (off < size && size - off >= FC_PACKET_HEAD) {
		const uint8_t *head = bytes + off;
		struct part part = { .kind = head[4] };
		uint32_t raw, len;
		memcpy(&raw, head + 8, sizeof(raw));
		memcpy(&len, head + 12, sizeof(len));
		if (memcmp(head,
			   "\x8f"
			   "fcP",
			   4))
			break;
		if (len > size - off - FC_PACKET_HEAD)
			len = (uint32_t)(size - off - FC_PACKET_HEAD);
		const uint8_t *payload = head + FC_PACKET_HEAD;
		if (part.kind == FC_PACKET_EVENTS)
			open_events(zstd, (struct fc_slice){ payload, payload + len, false },
				    &part);
		else
			inflate_or_copy(zstd, head[5] & FC_PACKET_ZSTD, payload, len, raw,
					&part.piece[0]);
		fc_vec_push(&parcel->parts, part);
		off += FC_PACKET_HEAD + len;
	}
	ZSTD_freeDCtx(zstd);
	return parcel->parts.nr;
}

/* ---- together ---- */

static void close_events(const struct part *part, struct fc_bytes *ret)
{
	fc_bytes_copy(ret, part->piece[0].at, part->piece[0].nr);
	for (int i = 1; i < PIECES; i++) {
		fc_bytes_varint(ret, part->piece[i].nr);
		fc_bytes_varint(ret, part->piece[i].nr);
	}
	for (int i = 1; i < PIECES; i++)
		fc_bytes_copy(ret, part->piece[i].at, part->piece[i].nr);
}

/* What an index says of the packets before it. */
struct sums {
	uint64_t records, calls, lost, nr, last_off;
	struct fc_bytes rows;
};

static void sum(struct sums *sums, const struct part *part, uint64_t off)
{
	struct fc_index_entry entry = { .kind = part->kind, .off = off };
	struct fc_slice head = fc_slice_of(part->piece[0].at, part->piece[0].nr);

	if (part->kind == FC_PACKET_EVENTS) {
		fc_events_head_get(&head, &entry.events);
		sums->records += entry.events.nr_records;
		sums->calls += entry.events.nr_calls;
		sums->lost += entry.events.lost;
	}
	fc_index_entry_put(&sums->rows, &entry, sums->last_off);
	sums->last_off = off;
	sums->nr++;
}

static void close_end(const struct part *part, const struct sums *sums, struct fc_bytes *ret)
{
	struct fc_slice front = fc_slice_of(part->piece[0].at, part->piece[0].nr);

	for (int i = 0; i < END_FIELDS; i++)
		fc_bytes_varint(ret, fc_slice_varint(&front));
	fc_bytes_varint(ret, sums->records);
	fc_bytes_varint(ret, sums->calls);
	fc_bytes_varint(ret, sums->lost);
	fc_bytes_varint(ret, sums->nr);
	fc_bytes_copy(ret, sums->rows.at, sums->rows.nr);
}

/* has_index: the rows of END are those of the packets; else as they were. */
static void parcel_close(const struct parcel *parcel, bool has_index, struct fc_bytes *ret)
{
	struct sums sums = { 0 };
	struct fc_bytes payload = { 0 };
	uint64_t end_off = 0;

	fc_file_head_put(fc_bytes_reserve(ret, FC_FILE_HEAD));
	ret->nr += FC_FILE_HEAD;
	fc_vec_each (&parcel->parts, part) {
		uint8_t head[FC_PACKET_HEAD];
		payload.nr = 0;
		if (part->kind == FC_PACKET_EVENTS)
			close_events(part, &payload);
		else if (part->kind == FC_PACKET_END && has_index)
			close_end(part, &sums, &payload);
		else
			fc_bytes_copy(&payload, part->piece[0].at, part->piece[0].nr);
		struct fc_packet packet = { .kind = part->kind,
					    .seq = (uint32_t)sums.nr,
					    .raw_len = (uint32_t)payload.nr,
					    .stored_len = (uint32_t)payload.nr };
		if (part->kind == FC_PACKET_END)
			end_off = ret->nr;
		sum(&sums, part, ret->nr);
		fc_packet_head_put(head, &packet, fc_checksum(payload.at, payload.nr));
		fc_bytes_copy(ret, head, sizeof(head));
		fc_bytes_copy(ret, payload.at, payload.nr);
	}
	if (parcel->has_trailer && end_off) {
		fc_file_trailer_put(fc_bytes_reserve(ret, FC_FILE_TRAILER), end_off);
		ret->nr += FC_FILE_TRAILER;
	}
	fc_bytes_free(&sums.rows);
	fc_bytes_free(&payload);
}

#endif
