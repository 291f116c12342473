/* SPDX-License-Identifier: Apache-2.0 */
/* peek.c - reads a packet's columns without decoding its records. */
#include "trace/peek.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "trace/inside.h"

struct column {
	const uint8_t *stored;
	uint64_t raw_len, stored_len;
};

struct fc_peek {
	struct fc_reader *reader;
	ZSTD_DCtx *zstd;
	struct fc_events_head head;
	struct column column[FC_NR_COLUMNS];
	struct fc_bytes inflated;
	struct fc_opens opens;
};

static const struct fc_strand_ref *strand_of(const struct fc_reader *reader, size_t i)
{
	return &reader->strands.at[i];
}

bool fc_reader_has_gap(const struct fc_reader *reader, size_t strand, size_t packet)
{
	if (!packet)
		return false;
	const struct fc_events_head *head = fc_reader_packet(reader, strand, packet);
	const struct fc_events_head *before = fc_reader_packet(reader, strand, packet - 1);
	return head->ordinal != before->ordinal + before->nr_records ||
	       head->lost_before != before->lost_before + before->lost;
}

struct fc_peek *fc_peek_create(struct fc_reader *reader)
{
	struct fc_peek *peek = fc_alloc(sizeof(*peek));
	peek->reader = reader;
	peek->zstd = ZSTD_createDCtx();
	return peek;
}

void fc_peek_destroy(struct fc_peek *peek)
{
	if (!peek)
		return;
	ZSTD_freeDCtx(peek->zstd);
	fc_bytes_free(&peek->inflated);
	fc_vec_free(&peek->opens.calls);
	free(peek);
}

static int find_columns(struct fc_peek *peek, const struct fc_packet *packet)
{
	struct fc_slice slice = fc_slice_of(packet->stored, packet->stored_len);
	if (fc_events_head_get(&slice, &peek->head))
		return -EBADMSG;
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		peek->column[i].raw_len = fc_slice_varint(&slice);
		peek->column[i].stored_len = fc_slice_varint(&slice);
	}
	for (int i = 0; i < FC_NR_COLUMNS && !slice.is_bad; i++)
		peek->column[i].stored = fc_slice_take(&slice, peek->column[i].stored_len);
	return slice.is_bad ? -EBADMSG : 0;
}

int fc_peek_at(struct fc_peek *peek, size_t strand, size_t packet)
{
	struct fc_events_ref *ref =
		fc_reader_ref(peek->reader, strand_of(peek->reader, strand)->first + packet);
	struct fc_packet found;
	if (ref->is_damaged || fc_reader_events(peek->reader, ref, &found) ||
	    find_columns(peek, &found))
		return -EBADMSG;
	bool is_same = peek->head.strand == ref->head.strand &&
		       peek->head.ordinal == ref->head.ordinal &&
		       peek->head.nr_records == ref->head.nr_records;
	return is_same ? 0 : -EBADMSG;
}

static int column_get(struct fc_peek *peek, enum fc_column i, struct fc_slice *ret)
{
	const struct column *column = &peek->column[i];
	*ret = fc_slice_of(column->stored, column->stored_len);
	if (column->stored_len == column->raw_len)
		return 0;
	int err = fc_inflate(peek->zstd, column->stored, column->stored_len, column->raw_len,
			     &peek->inflated);
	if (!err)
		*ret = fc_slice_of(peek->inflated.at, peek->inflated.nr);
	return err;
}

bool fc_peek_has_marks(const struct fc_peek *peek)
{
	return peek->column[FC_COLUMN_MARKS].raw_len > 0;
}

int fc_peek_opens(struct fc_peek *peek, const struct fc_opens **ret)
{
	struct fc_decoder dec = { .head = peek->head };
	*ret = &peek->opens;
	int err = column_get(peek, FC_COLUMN_OPENS, &dec.column[FC_COLUMN_OPENS]);
	return err ? err : fc_decoder_opens(&dec, &peek->opens);
}

bool fc_peek_has_func(struct fc_peek *peek, const uint8_t *is_wanted, size_t nr_ids)
{
	struct fc_slice funcs;
	if (column_get(peek, FC_COLUMN_FUNCS, &funcs))
		return true; /* who decodes it will see what is wrong */
	/* Counts of POPs are among them: hence the mistakes. */
	while (fc_slice_left(&funcs)) {
		uint64_t func = fc_slice_varint(&funcs);
		if (func < nr_ids && is_wanted[func / 8] >> func % 8 & 1)
			return true;
	}
	return false;
}

/* ---- the end of the trace ---- */

/* A packet of events, by when it ends. */
struct end {
	struct fc_events_ref *ref;
	uint64_t at;
};

static int latest_first(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return (x->at < y->at) - (x->at > y->at);
}

/* Up to when a packet has events. A damaged one counts with its place, or its strand's end. */
static uint64_t told_until(const struct fc_reader *reader, struct fc_decoder *dec,
			   struct fc_events_ref *ref)
{
	struct fc_packet packet;
	struct fc_opens opens = { 0 };
	struct fc_event event = { 0 };
	uint64_t at = ref->head.begin;

	if (!ref->is_damaged && !fc_reader_events(reader, ref, &packet) &&
	    !fc_decoder_load(dec, packet.stored, packet.stored_len) &&
	    !fc_decoder_opens(dec, &opens)) {
		uint64_t next = at;
		while (fc_decoder_next(dec, &opens, &event, &next) == 1)
			at = next;
	}
	fc_vec_free(&opens.calls);
	return ref->head.has_ended ? ref->head.end : at;
}

/* As the index tells it: not looked at yet. */
static struct fc_events_ref *latest_of(const struct fc_reader *reader)
{
	struct fc_events_ref *latest = NULL;
	fc_vec_each (&reader->events, ref)
		if (!latest || ref->head.end > latest->head.end)
			latest = ref;
	return latest;
}

/* The first that is sound decides. */
static uint64_t told_last(const struct fc_reader *reader, struct fc_decoder *dec)
{
	size_t nr = reader->events.nr;
	fc_auto_free struct end *ends = fc_alloc(nr * sizeof(*ends));
	uint64_t last = 0;

	for (size_t i = 0; i < nr; i++)
		ends[i] = (struct end){ &reader->events.at[i], reader->events.at[i].head.end };
	qsort(ends, nr, sizeof(*ends), latest_first);
	for (size_t i = 0; i < nr && ends[i].at > last; i++) {
		uint64_t at = told_until(reader, dec, ends[i].ref);
		last = at > last ? at : last;
	}
	return last;
}

uint64_t fc_reader_last_tsc(struct fc_reader *reader)
{
	struct fc_events_ref *latest = latest_of(reader);
	struct fc_decoder dec;
	fc_decoder_init(&dec);
	uint64_t last = latest ? told_until(reader, &dec, latest) : 0;
	if (latest && last != latest->head.end)
		last = told_last(reader, &dec);
	fc_decoder_deinit(&dec);
	last <<= reader->facts.time_shift;
	fc_vec_each (&reader->facts.lives, life)
		last = life->tsc > last ? life->tsc : last;
	return last;
}
