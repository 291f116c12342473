/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/encode.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CHUNK_WORDS 1024	 /* room in the columns is made for so many at a time */
#define MARKS_MAX   (512u << 10) /* a packet with so many bytes of marks is full */
#define AHEAD_TICKS (1ull << 30) /* a record may be so much younger than its drain */

void fc_seen_init(struct fc_seen *seen)
{
	*seen = (struct fc_seen){ .bits = fc_alloc((FC_FUNC_MAX + 1) / 8) };
}

void fc_seen_deinit(struct fc_seen *seen)
{
	free(seen->bits);
	fc_vec_free(&seen->fresh);
}

static inline void note(struct fc_seen *seen, uint32_t func)
{
	uint64_t *word = &seen->bits[func >> 6], bit = 1ull << (func & 63);
	if (__builtin_expect(*word & bit, 1))
		return;
	*word |= bit;
	fc_vec_push(&seen->fresh, func);
}

void fc_encoder_init(struct fc_encoder *enc, unsigned time_shift, struct fc_seen *seen,
		     uint32_t strand, int pid, int tid)
{
	*enc = (struct fc_encoder){
		.time_shift = time_shift,
		.seen = seen,
		.head = { .strand = strand, .pid = pid, .tid = tid },
	};
}

void fc_encoder_deinit(struct fc_encoder *enc)
{
	fc_encoder_rest(enc);
	free(enc->opens);
}

void fc_encoder_rest(struct fc_encoder *enc)
{
	for (int i = 0; i < FC_NR_COLUMNS; i++)
		fc_bytes_free(&enc->column[i]);
}

bool fc_encoder_is_full(const struct fc_encoder *enc)
{
	return enc->head.nr_records == FC_PACKET_RECORDS ||
	       enc->column[FC_COLUMN_MARKS].nr >= MARKS_MAX;
}

bool fc_encoder_is_empty(const struct fc_encoder *enc)
{
	return !enc->head.nr_records;
}

/* A packet's first record: its reader may have to do without what was before. */
static void packet_begin(struct fc_encoder *enc, uint64_t at)
{
	enc->head.begin = at;
	enc->head.depth = enc->depth;
	enc->told = enc->depth < FC_OPENS_TOLD ? enc->depth : FC_OPENS_TOLD;

	struct fc_bytes *column = &enc->column[FC_COLUMN_OPENS];
	uint64_t inner = at;
	for (size_t i = 0; i < enc->told; i++) {
		const struct fc_open *open = &enc->opens[enc->depth - 1 - i];
		fc_bytes_varint(column, open->first);
		fc_bytes_varint(column, open->func == open->first ? 0 : open->func);
		fc_bytes_varint(column, inner - open->begin);
		inner = open->begin;
	}
}

static void opens_grow(struct fc_encoder *enc)
{
	enc->room = enc->room ? enc->room * 2 : 64;
	enc->opens = fc_realloc(enc->opens, enc->room * sizeof(*enc->opens));
}

static void open_push(struct fc_encoder *enc, uint32_t func, uint64_t at)
{
	if (enc->depth == enc->room)
		opens_grow(enc);
	enc->opens[enc->depth++] = (struct fc_open){ func, func, at };
	enc->told++;
}

static void opens_cut(struct fc_encoder *enc, size_t depth)
{
	if (depth >= enc->depth)
		return;
	size_t gone = enc->depth - depth;
	enc->depth = depth;
	enc->told = gone < enc->told ? enc->told - gone : 0;
}

/* The innermost call left by a jump to func; without one, func is at least open now. */
static void open_replace(struct fc_encoder *enc, uint32_t func, uint64_t at)
{
	if (!enc->depth) {
		open_push(enc, func, at);
		return;
	}
	struct fc_open *open = &enc->opens[enc->depth - 1];
	open->func = func;
	open->begin = at;
}

/*
 * A time before that of the record before it: written after the drain looked at the clock
 * (so it was taken for one that is older by a whole turn of the tick), or on a CPU whose
 * TSC is a little behind. Time of a strand never runs backwards.
 */
static uint64_t later(uint64_t last, uint64_t at, uint64_t now_tsc, unsigned time_shift)
{
	uint64_t turn = at + ((1ull << FC_RECORD_TICK_BITS) >> time_shift);
	bool is_young = turn >= last && turn <= (now_tsc + AHEAD_TICKS) >> time_shift;
	return is_young ? turn : last;
}

/* When a record was written, in quanta; last is the time of the record before it. */
static inline uint64_t when_of(uint64_t word, uint64_t last, uint64_t now_tsc,
			       unsigned time_shift)
{
	/* Signed: soon after boot, a turn before now is before the TSC's zero. */
	int64_t at = (int64_t)fc_record_tsc(word, now_tsc) >> time_shift;
	if (__builtin_expect(at < (int64_t)last, 0))
		return later(last, (uint64_t)at, now_tsc, time_shift);
	return (uint64_t)at;
}

static void mark_put(struct fc_encoder *enc, uint32_t type, const uint64_t *words, size_t nr)
{
	struct fc_bytes *column = &enc->column[FC_COLUMN_MARKS];
	fc_bytes_varint(column, type);
	fc_bytes_varint(column, nr);
	for (size_t i = 0; i < nr; i++)
		fc_bytes_varint(column, words[i]);
	if (type == FC_MARK_LOST && nr >= 1)
		enc->head.lost += words[0];
	if (type == FC_MARK_LOST && nr >= 2 && words[1])
		opens_cut(enc, words[1] - 1);
}

static void add_tail(struct fc_encoder *enc, uint32_t func)
{
	fc_bytes_varint(&enc->column[FC_COLUMN_FUNCS], func);
	note(enc->seen, func);
	enc->head.nr_calls++;
	open_replace(enc, func, enc->last);
}

/* The head of a mark, or no record at all. Returns how many words it was. */
static size_t add_mark(struct fc_encoder *enc, const uint64_t *word, size_t left)
{
	static const uint64_t one_lost[1] = { 1 };
	size_t nr_words = fc_record_words(*word);
	bool is_whole = fc_record_kind(*word) == FC_MARK && nr_words < left;
	if (is_whole)
		mark_put(enc, fc_record_mark(*word), word + 1, nr_words);
	else
		mark_put(enc, FC_MARK_LOST, one_lost, 1);
	return is_whole ? 1 + nr_words : nr_words ? left : 1;
}

/* What is rare. Its time is enc->last. Returns how many words it was. */
__attribute__((noinline)) static size_t add_other(struct fc_encoder *enc, const uint64_t *word,
						  size_t left)
{
	struct fc_bytes *funcs = &enc->column[FC_COLUMN_FUNCS];
	uint32_t func = fc_record_func(*word);
	uint8_t code = FC_CODE_OTHER, other = (uint8_t)fc_record_kind(*word);
	size_t used = 1;

	switch (other) {
	case FC_TAIL:
		code = FC_CODE_TAIL;
		add_tail(enc, func);
		break;
	case FC_EXIT:
		fc_bytes_varint(funcs, func);
		note(enc->seen, func);
		opens_cut(enc, enc->depth ? enc->depth - 1 : 0);
		break;
	case FC_ENTRY_ONLY:
		fc_bytes_varint(funcs, func);
		note(enc->seen, func);
		enc->head.nr_calls++;
		break;
	case FC_POP:
		fc_bytes_varint(funcs, func);
		opens_cut(enc, func < enc->depth ? func : enc->depth);
		break;
	default:
		used = add_mark(enc, word, left);
		other = FC_MARK;
	}
	fc_bytes_copy(&enc->column[FC_COLUMN_KINDS], &code, 1);
	if (code == FC_CODE_OTHER)
		fc_bytes_copy(&enc->column[FC_COLUMN_OTHERS], &other, 1);
	return used;
}

/* A function id is a varint of at most four bytes: put without a branch on its length. */
static inline uint8_t *func_put(uint8_t *p, uint32_t func)
{
	uint32_t more = (func > 0x7f) + (func > 0x3fff) + (func > 0x1fffff);
	uint32_t v = (func & 0x7f) | (func & 0x3f80) << 1 | (func & 0x1fc000) << 2 |
		     (func & 0xe00000) << 3;
	v = htole32(v | (0x80808080u & ((1u << more * 8) - 1)));
	memcpy(p, &v, sizeof(v));
	return p + 1 + more;
}

/*
 * Where the next record goes; what the loop below changes with each record, kept out of
 * the encoder so that it stays in registers.
 */
struct place {
	uint8_t *kind, *time, *func;
	uint64_t last;
	size_t depth, told;
	uint32_t nr_calls;
};

static void place_take(struct place *at, struct fc_encoder *enc, size_t nr)
{
	at->kind = fc_bytes_reserve(&enc->column[FC_COLUMN_KINDS], nr);
	at->time = fc_bytes_reserve(&enc->column[FC_COLUMN_TIMES], nr * FC_VARINT_MAX);
	at->func = fc_bytes_reserve(&enc->column[FC_COLUMN_FUNCS], nr * FC_VARINT_MAX);
	at->last = enc->last;
	at->depth = enc->depth;
	at->told = enc->told;
	at->nr_calls = 0;
}

static void place_give(const struct place *at, struct fc_encoder *enc)
{
	enc->column[FC_COLUMN_KINDS].nr = (size_t)(at->kind - enc->column[FC_COLUMN_KINDS].at);
	enc->column[FC_COLUMN_TIMES].nr = (size_t)(at->time - enc->column[FC_COLUMN_TIMES].at);
	enc->column[FC_COLUMN_FUNCS].nr = (size_t)(at->func - enc->column[FC_COLUMN_FUNCS].at);
	enc->last = at->last;
	enc->depth = at->depth;
	enc->told = at->told;
	enc->head.nr_calls += at->nr_calls;
}

/* The records of at most nr words, which have room in the packet. Returns the words
 * taken. */
static size_t add_chunk(struct fc_encoder *enc, const uint64_t *words, size_t nr, size_t left,
			uint64_t now_tsc)
{
	struct fc_seen *seen = enc->seen;
	unsigned time_shift = enc->time_shift;
	uint32_t nr_records = 0;
	struct place at;
	place_take(&at, enc, nr);

	size_t i = 0;
	for (; i < nr; nr_records++) {
		uint64_t word = words[i];
		uint32_t func = fc_record_func(word);
		enum fc_kind kind = fc_record_kind(word);
		uint64_t when = when_of(word, at.last, now_tsc, time_shift);
		at.time = fc_varint_put(at.time, when - at.last);
		at.last = when;

		if (kind == FC_EXIT && at.told && enc->opens[at.depth - 1].first == func) {
			at.depth--;
			at.told--;
			*at.kind++ = FC_CODE_RETURN;
			i++;
		} else if (kind == FC_ENTRY) {
			if (__builtin_expect(at.depth == enc->room, 0))
				opens_grow(enc);
			enc->opens[at.depth++] = (struct fc_open){ func, func, when };
			at.told++;
			at.func = func_put(at.func, func);
			at.nr_calls++;
			note(seen, func);
			*at.kind++ = FC_CODE_ENTRY;
			i++;
		} else {
			place_give(&at, enc);
			i += add_other(enc, words + i, left - i);
			place_take(&at, enc, i < nr ? nr - i : 0);
		}
	}
	place_give(&at, enc);
	enc->head.nr_records += nr_records;
	enc->head.end = enc->last;
	return i;
}

size_t fc_encoder_add(struct fc_encoder *enc, const uint64_t *words, size_t nr,
		      uint64_t now_tsc)
{
	size_t done = 0;
	if (nr && fc_encoder_is_empty(enc)) {
		enc->last = when_of(words[0], enc->last, now_tsc, enc->time_shift);
		packet_begin(enc, enc->last);
	}
	while (done < nr && !fc_encoder_is_full(enc)) {
		size_t space = FC_PACKET_RECORDS - enc->head.nr_records;
		size_t chunk = nr - done < CHUNK_WORDS ? nr - done : CHUNK_WORDS;
		done += add_chunk(enc, words + done, chunk < space ? chunk : space, nr - done,
				  now_tsc);
	}
	return done;
}

void fc_encoder_end(struct fc_encoder *enc, uint64_t tsc)
{
	uint64_t at = tsc >> enc->time_shift;
	if (at < enc->last)
		at = enc->last;
	if (fc_encoder_is_empty(enc))
		packet_begin(enc, at);
	enc->last = enc->head.end = at;
	enc->head.has_ended = true;
}

/* Four kinds a byte, the first in the lowest bits. */
static void kinds_pack(struct fc_bytes *kinds)
{
	size_t n = (kinds->nr + 3) / 4;
	memset(fc_bytes_reserve(kinds, 3), 0, 3);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *k = kinds->at + i * 4;
		kinds->at[i] = (uint8_t)(k[0] | k[1] << 2 | k[2] << 4 | k[3] << 6);
	}
	kinds->nr = n;
}

void fc_encoder_finish(struct fc_encoder *enc, ZSTD_CCtx *zstd, struct fc_bytes *payload,
		       struct fc_events_head *head)
{
	*head = enc->head;
	payload->nr = 0;
	fc_events_head_put(payload, head);
	kinds_pack(&enc->column[FC_COLUMN_KINDS]);

	struct fc_bytes data = { 0 };
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		struct fc_bytes *column = &enc->column[i];
		fc_bytes_varint(payload, column->nr);
		fc_bytes_varint(payload, fc_deflate(zstd, column->at, column->nr, &data));
		column->nr = 0;
	}
	fc_bytes_copy(payload, data.at, data.nr);
	fc_bytes_free(&data);

	enc->head.ordinal += head->nr_records;
	enc->head.lost_before += head->lost;
	enc->head.lost = 0;
	enc->head.nr_records = enc->head.nr_calls = 0;
}
