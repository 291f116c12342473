/* SPDX-License-Identifier: Apache-2.0 */
/* roster.c - encodes and decodes which functions occur in which packets. */
#include "trace/roster.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "trace/record.h"

#define ROW_BYTES (FC_ROSTER_PACKETS / 8)

struct fc_roster {
	size_t nr_packets;
	uint32_t seq[FC_ROSTER_PACKETS];
	uint16_t *row_of; /* by function id, 0: none; memory is used where ids are */
	size_t nr_rows;	  /* from 1 on */
	uint32_t func_of[1 + FC_ROSTER_FUNCS];
	uint8_t row[1 + FC_ROSTER_FUNCS][ROW_BYTES];
};

struct fc_roster *fc_roster_create(void)
{
	struct fc_roster *roster = fc_alloc(sizeof(*roster));
	roster->row_of = fc_alloc((FC_FUNC_MAX + 1) * sizeof(*roster->row_of));
	return roster;
}

void fc_roster_destroy(struct fc_roster *roster)
{
	if (!roster)
		return;
	free(roster->row_of);
	free(roster);
}

bool fc_roster_has_room(const struct fc_roster *roster, size_t nr_funcs)
{
	return roster->nr_packets < FC_ROSTER_PACKETS &&
	       roster->nr_rows + nr_funcs <= FC_ROSTER_FUNCS;
}

size_t fc_roster_nr_packets(const struct fc_roster *roster)
{
	return roster->nr_packets;
}

static size_t row_new(struct fc_roster *roster, uint32_t func)
{
	size_t row = ++roster->nr_rows;
	roster->func_of[row] = func;
	roster->row_of[func] = (uint16_t)row;
	memset(roster->row[row], 0, ROW_BYTES);
	return row;
}

void fc_roster_add(struct fc_roster *roster, uint32_t seq, const uint32_t *funcs, size_t nr)
{
	size_t packet = roster->nr_packets++;
	roster->seq[packet] = seq;
	for (size_t i = 0; i < nr; i++) {
		size_t row = roster->row_of[funcs[i]];
		row = row ? row : row_new(roster, funcs[i]);
		roster->row[row][packet / 8] |= (uint8_t)(1u << packet % 8);
	}
}

/* ---- as a payload ---- */

/* How many packets from i on have the bit, or have it not; as many as there are. */
static size_t run_length(const uint8_t *row, size_t i, size_t nr)
{
	size_t from = i;
	bool has = fc_roll_has(row, i);
	uint8_t same = has ? 0xff : 0;
	while (i < nr && fc_roll_has(row, i) == has)
		i += i % 8 == 0 && i + 8 <= nr && row[i / 8] == same ? 8 : 1;
	return i - from;
}

/* Packets without it and with it, in turn; what is behind the last with it is not told. */
static size_t put_runs(uint8_t *to, size_t room, const uint8_t *row, size_t nr)
{
	uint8_t *p = to;
	bool has = false;
	for (size_t i = 0; i < nr; has = !has) {
		size_t run = fc_roll_has(row, i) == has ? run_length(row, i, nr) : 0;
		i += run;
		if (i == nr && !has)
			break;
		if ((size_t)(p - to) + 2 > room)
			return SIZE_MAX;
		p = fc_varint_put(p, run);
	}
	return (size_t)(p - to);
}

static void put_row(struct fc_bytes *payload, const uint8_t *row, size_t nr)
{
	uint8_t runs[ROW_BYTES];
	size_t nr_bits = (nr + 7) / 8, nr_runs = put_runs(runs, nr_bits, row, nr);
	bool is_bits = nr_runs > nr_bits;
	size_t size = is_bits ? nr_bits : nr_runs;
	fc_bytes_varint(payload, size << 1 | is_bits);
	fc_bytes_copy(payload, is_bits ? row : runs, size);
}

void fc_roster_finish(struct fc_roster *roster, struct fc_bytes *payload)
{
	uint32_t *funcs = roster->func_of + 1, last = 0;

	fc_bytes_varint(payload, roster->nr_packets);
	for (size_t i = 0; i < roster->nr_packets; i++)
		fc_bytes_varint(payload, roster->seq[i] - (i ? roster->seq[i - 1] : 0));
	fc_sort(funcs, roster->nr_rows);
	for (size_t i = 0; i < roster->nr_rows; i++) {
		fc_bytes_varint(payload, funcs[i] - last);
		put_row(payload, roster->row[roster->row_of[funcs[i]]], roster->nr_packets);
		last = funcs[i];
		roster->row_of[funcs[i]] = 0;
	}
	roster->nr_rows = roster->nr_packets = 0;
}

/* ---- read back ---- */

static int take_packets(struct fc_slice *slice, struct fc_roll *roll)
{
	uint64_t nr = fc_slice_varint(slice), seq = 0;
	if (nr > FC_ROSTER_PACKETS)
		return -EBADMSG;
	roll->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		uint64_t step = fc_slice_varint(slice);
		seq += step;
		if (slice->is_bad || (i && !step) || step > UINT32_MAX || seq > UINT32_MAX)
			return -EBADMSG;
		roll->seq[i] = (uint32_t)seq;
	}
	return slice->is_bad ? -EBADMSG : 0;
}

static void set_bits(uint8_t *bits, size_t from, size_t to)
{
	while (from < to) {
		bool is_whole = from % 8 == 0 && from + 8 <= to;
		bits[from / 8] |= is_whole ? 0xff : (uint8_t)(1u << from % 8);
		from += is_whole ? 8 : 1;
	}
}

static int take_runs(struct fc_slice *slice, size_t nr, uint8_t *row)
{
	size_t at = 0;
	for (bool has = false; fc_slice_left(slice); has = !has) {
		uint64_t run = fc_slice_varint(slice);
		if (slice->is_bad || run > nr - at)
			return -EBADMSG;
		if (has)
			set_bits(row, at, at + run);
		at += run;
	}
	return 0;
}

/* The packets of a row, as bits. */
static int take_row(struct fc_slice *slice, size_t nr, uint8_t row[ROW_BYTES])
{
	uint64_t size = fc_slice_varint(slice);
	bool is_bits = size & 1;
	const uint8_t *at = fc_slice_take(slice, size >>= 1);
	if (slice->is_bad || (is_bits && size != (nr + 7) / 8))
		return -EBADMSG;
	memset(row, 0, ROW_BYTES);
	if (is_bits) {
		memcpy(row, at, size);
		return 0;
	}
	struct fc_slice runs = fc_slice_of(at, size);
	return take_runs(&runs, nr, row);
}

static void add_bits(uint8_t *to, const uint8_t *row)
{
	for (size_t i = 0; i < ROW_BYTES; i++)
		to[i] |= row[i];
}

int fc_roll_call(struct fc_slice payload, const uint8_t *is_wanted, size_t nr_ids,
		 struct fc_roll *ret)
{
	uint8_t row[ROW_BYTES];
	uint64_t func = 0;

	memset(ret->has_wanted, 0, sizeof(ret->has_wanted));
	memset(ret->has_any, 0, sizeof(ret->has_any));
	if (take_packets(&payload, ret))
		return -EBADMSG;
	for (size_t nr = 0; fc_slice_left(&payload); nr++) {
		uint64_t step = fc_slice_varint(&payload);
		func += step;
		if (payload.is_bad || nr == FC_ROSTER_FUNCS || (nr && !step) ||
		    step > FC_FUNC_MAX || func > FC_FUNC_MAX ||
		    take_row(&payload, ret->nr, row))
			return -EBADMSG;
		add_bits(ret->has_any, row);
		if (func < nr_ids && is_wanted[func / 8] >> func % 8 & 1)
			add_bits(ret->has_wanted, row);
	}
	return 0;
}
