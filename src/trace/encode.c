/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c - encodes the records of a strand into columns, and compresses these. */
#include "trace/encode.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/effect.h"
#include "trace/mark.h"
#include "trace/words.h"
#include "trace/repeats.h"

#define RUN_WORDS   512		 /* taken apart at a time */
#define RUN_LEAST   2		 /* more than the last one, behind a mark */
#define MARKS_MAX   (512u << 10) /* a packet with so many bytes of marks is full */
#define LOW_MASK    ((1u << FC_RECORD_LOW_BITS) - 1)
#define AHEAD_TICKS (1ull << 30) /* a record may be so much younger than its drain */

void fc_seen_init(struct fc_seen *seen)
{
	*seen = (struct fc_seen){ .stamps = fc_alloc((FC_FUNC_MAX + 1) * sizeof(uint32_t)) };
}

void fc_seen_deinit(struct fc_seen *seen)
{
	free(seen->stamps);
	fc_vec_free(&seen->fresh);
}

/* Never the same twice. */
static uint32_t new_stamp(struct fc_seen *seen)
{
	if (seen->last_stamp == UINT32_MAX) {
		for (size_t i = 0; i <= FC_FUNC_MAX; i++)
			if (seen->stamps[i])
				seen->stamps[i] = 1;
		seen->last_stamp = 1;
	}
	return ++seen->last_stamp;
}

/* Where strands take turns, functions are noted again at each turn: tell them apart again. */
static void touched_tidy(struct fc_encoder *enc)
{
	size_t nr = 0;
	enc->stamp = new_stamp(enc->seen);
	fc_vec_each (&enc->touched, func) {
		if (enc->seen->stamps[*func] == enc->stamp)
			continue;
		enc->seen->stamps[*func] = enc->stamp;
		enc->touched.at[nr++] = *func;
	}
	enc->touched.nr = nr;
	enc->has_touched_many = nr > FC_TOUCHED_MAX;
}

__attribute__((noinline)) static void note_first(struct fc_encoder *enc, uint32_t func)
{
	uint32_t *stamp = &enc->seen->stamps[func];
	if (!*stamp)
		fc_vec_push(&enc->seen->fresh, func);
	*stamp = enc->stamp;
	if (enc->has_touched_many)
		return;
	fc_vec_push(&enc->touched, func);
	if (enc->touched.nr == 2 * FC_TOUCHED_MAX)
		touched_tidy(enc);
}

static inline void note(struct fc_encoder *enc, uint32_t func)
{
	if (__builtin_expect(enc->seen->stamps[func] != enc->stamp, 0))
		note_first(enc, func);
}

void fc_encoder_init(struct fc_encoder *enc, unsigned time_shift, struct fc_seen *seen,
		     const struct fc_strand_info *strand)
{
	*enc = (struct fc_encoder){
		.time_shift = time_shift,
		.seen = seen,
		.tid = strand->tid,
		.head = { .strand = strand->id,
			  .pid = strand->pid,
			  .tid = strand->tid,
			  .kind = strand->kind },
	};
}

void fc_encoder_deinit(struct fc_encoder *enc)
{
	fc_encoder_rest(enc);
	if (enc->opens)
		free(enc->opens - 1);
}

void fc_encoder_rest(struct fc_encoder *enc)
{
	for (int i = 0; i < FC_NR_COLUMNS; i++)
		fc_bytes_free(&enc->column[i]);
	fc_vec_free(&enc->touched);
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
	enc->head.tid = enc->tid;
	enc->head.has_moved = false;
	enc->head.depth = enc->depth;
	enc->told = enc->depth < FC_OPENS_TOLD ? enc->depth : FC_OPENS_TOLD;
	enc->touched.nr = 0;
	enc->has_touched_many = false;
	enc->stamp = new_stamp(enc->seen);

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

/* Room for nr more, the next one's place too, and a place before the first. */
static void opens_reserve(struct fc_encoder *enc, size_t nr)
{
	if (enc->depth + nr < enc->room)
		return;
	struct fc_open *base = enc->opens ? enc->opens - 1 : NULL;
	size_t room = enc->room ? enc->room : 64;
	while (enc->depth + nr >= room)
		room *= 2;
	base = fc_realloc(base, (1 + room) * sizeof(*base));
	base[0] = (struct fc_open){ 0 };
	enc->opens = base + 1;
	enc->room = room;
}

static void open_push(struct fc_encoder *enc, uint32_t func, uint64_t at)
{
	opens_reserve(enc, 1);
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

/* The open calls as the record leaves them. Those that were entered in a gap are not told. */
static void opens_step(struct fc_encoder *enc, const struct fc_event *event, uint64_t at)
{
	struct fc_effect effect = fc_effect_of(event, enc->depth);

	if (effect.entered == FC_ENTERED_TAIL) {
		struct fc_open *open = &enc->opens[enc->depth - 1];
		open->func = event->func;
		open->begin = at;
		return;
	}
	opens_cut(enc, effect.stay);
	if (effect.entered == FC_ENTERED_CALL)
		open_push(enc, event->func, at);
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

static void mark_put(struct fc_encoder *enc, const struct fc_event *mark)
{
	struct fc_bytes *column = &enc->column[FC_COLUMN_MARKS];
	uint8_t *at = fc_bytes_reserve(column, (2 + (size_t)mark->nr_words) * FC_VARINT_MAX);
	at = fc_varint_put(at, mark->mark);
	at = fc_varint_put(at, mark->nr_words);
	for (unsigned i = 0; i < mark->nr_words; i++)
		at = fc_varint_put(at, mark->words[i]);
	column->nr = (size_t)(at - column->at);
	enc->head.nr_marks++;
	if (mark->mark == FC_MARK_WAITED && mark->nr_words)
		enc->head.nr_waits++;
	enc->head.waited_ticks += fc_mark_waited(mark);
	enc->head.lost += fc_mark_lost(mark);
}

static bool is_short(uint64_t word)
{
	return fc_record_kind(word) >= FC_ENTRY && fc_record_kind(word) <= FC_POP;
}

/* A mark, or the loss of what is no record. Returns how many words it was: all of a torn one. */
static size_t mark_get(const uint64_t *word, size_t left, struct fc_event *ret)
{
	static const uint64_t none;
	size_t nr = fc_words_mark(word, left, ret);

	if (!nr)
		fc_words_mark(&none, 1, ret);
	return nr ? nr : left;
}

/* Any record but for its time, which is at. Returns how many words it was. */
__attribute__((noinline)) static size_t add_other(struct fc_encoder *enc, const uint64_t *word,
						  size_t left, uint64_t at)
{
	struct fc_bytes *funcs = &enc->column[FC_COLUMN_FUNCS];
	struct fc_event event = { .kind = (uint8_t)fc_record_kind(*word),
				  .func = fc_record_func(*word) };
	uint8_t code = event.kind == FC_ENTRY  ? FC_CODE_ENTRY
		       : event.kind == FC_TAIL ? FC_CODE_TAIL
					       : FC_CODE_OTHER;
	size_t used = 1;

	switch (event.kind) {
	case FC_ENTRY:
	case FC_TAIL:
	case FC_ENTRY_ONLY:
		fc_bytes_varint(funcs, event.func);
		note(enc, event.func);
		enc->head.nr_calls++;
		break;
	case FC_EXIT:
		if (enc->told && enc->opens[enc->depth - 1].first == event.func) {
			code = FC_CODE_RETURN;
		} else {
			fc_bytes_varint(funcs, event.func);
			note(enc, event.func);
		}
		break;
	case FC_POP:
		fc_bytes_varint(funcs, event.func);
		break;
	default:
		used = mark_get(word, left, &event);
		mark_put(enc, &event);
	}
	opens_step(enc, &event, at);
	fc_bytes_copy(&enc->column[FC_COLUMN_KINDS], &code, 1);
	if (code == FC_CODE_OTHER)
		fc_bytes_copy(&enc->column[FC_COLUMN_OTHERS], &event.kind, 1);
	return used;
}

/*
 * What is common is taken apart a run at a time and column by column, in small loops that
 * keep little in hand. Which words are records is not known before their kinds were looked
 * at: times are made of all, and what is behind the last record is not kept.
 */
struct run {
	size_t nr;
	const uint64_t *words;
	uint64_t when[1 + RUN_WORDS]; /* the first: of the record before */
	uint32_t called[RUN_WORDS];
};

/*
 * As when_of(), a few at once: a word less the one that would have been written a turn ago
 * (at the begin of a quantum: what is a little younger than now is told as it is) has the
 * ticks since then on top.
 */
static void run_whens(struct run *run, uint64_t now_tsc, unsigned time_shift)
{
	enum { AT_ONCE = 8 };
	const uint64_t turn = 1ull << FC_RECORD_TICK_BITS;
	uint64_t quantum = 1ull << time_shift;
	uint64_t begin = (now_tsc - turn + quantum) >> time_shift << time_shift;
	uint64_t base = begin << FC_RECORD_LOW_BITS;
	uint64_t from = (uint64_t)((int64_t)begin >> time_shift);
	unsigned shift = FC_RECORD_LOW_BITS + time_shift;
	const uint64_t *words = run->words;
	uint64_t *when = run->when + 1;
	size_t i = 0, nr = run->nr;
	for (; i + AT_ONCE <= nr; i += AT_ONCE)
		for (int j = 0; j < AT_ONCE; j++)
			when[i + j] = from + ((words[i + j] - base) >> shift);
	for (; i < nr; i++)
		when[i] = from + ((words[i] - base) >> shift);
}

typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/* The differences of two neighbours each. */
static inline pair deltas_of(const uint64_t *when)
{
	return *(const pair *)when - *(const pair *)(when - 1);
}

/* End the run where times would run backwards. */
static void run_forwards(struct run *run)
{
	const uint64_t *when = run->when + 1;
	size_t i = 0, nr = run->nr;
	pair all = { 0 };
	for (; i + 2 <= nr; i += 2)
		all |= deltas_of(when + i);
	if (i < nr)
		all[0] |= when[i] - run->when[i];
	if (__builtin_expect((int64_t)(all[0] | all[1]) >= 0, 1))
		return;
	for (i = 0; (int64_t)(when[i] - run->when[i]) >= 0;)
		i++;
	run->nr = i;
}

/* Eight times of one byte each, or more. */
static inline uint8_t *eight_times(uint8_t *p, const uint64_t *when)
{
	pair a = deltas_of(when), b = deltas_of(when + 2);
	pair c = deltas_of(when + 4), d = deltas_of(when + 6), all = a | b | c | d;
	if (__builtin_expect((all[0] | all[1]) > 0x7f, 0)) {
		for (int i = 0; i < 8; i++)
			p = fc_varint_put_small(p, when[i] - when[i - 1]);
		return p;
	}
	pair bytes = a | b << 16 | c << 32 | d << 48;
	uint64_t eight = htole64(bytes[0] | bytes[1] << 8);
	memcpy(p, &eight, sizeof(eight));
	return p + sizeof(eight);
}

/* Into the column of times, where there is room. */
static void run_times(const struct run *run, struct fc_bytes *column)
{
	const uint64_t *when = run->when + 1;
	uint8_t *p = column->at + column->nr;
	size_t i = 0, nr = run->nr;
	for (; i + 8 <= nr; i += 8)
		p = eight_times(p, when + i);
	for (; i < nr; i++)
		p = fc_varint_put(p, when[i] - run->when[i]);
	column->nr = (size_t)(p - column->at);
}

/* Functions that were called, into their column, where there is room. */
static void run_funcs(const struct run *run, size_t nr, struct fc_bytes *column,
		      struct fc_encoder *enc)
{
	const uint32_t *stamps = enc->seen->stamps;
	uint32_t stamp = enc->stamp;
	uint8_t *p = column->at + column->nr;
	for (size_t i = 0; i < nr; i++) {
		uint32_t func = run->called[i];
		p = fc_varint_put_small(p, func);
		if (__builtin_expect(stamps[func] != stamp, 0)) {
			note_first(enc, func);
			stamp = enc->stamp;
		}
	}
	column->nr = (size_t)(p - column->at);
}

/*
 * Kinds, functions and open calls, from record i on until something rare comes: which it is.
 * There is room for all. Aligned, or what happens to stand before it decides whether its loop
 * lies well in cache lines: a tenth of what encoding takes.
 */
__attribute__((aligned(64))) static size_t run_calls(struct run *run, size_t i,
						     struct fc_encoder *enc)
{
	struct fc_bytes *kinds = &enc->column[FC_COLUMN_KINDS];
	struct fc_bytes *others = &enc->column[FC_COLUMN_OTHERS];
	uint8_t *kind = kinds->at + kinds->nr - i, *other = others->at + others->nr;
	const uint64_t *words = run->words, *when = run->when + 1;
	size_t floor = enc->depth - enc->told, nr = run->nr, nr_called = 0;
	struct fc_open *open = enc->opens + enc->depth; /* the next */
	struct fc_open *under = enc->opens + floor - 1;
	uint32_t first_under = under->first, *called = run->called;

	under->first = UINT32_MAX; /* no function: no return matches what is not told */
	for (; i < nr; i++) {
		uint32_t low = (uint32_t)words[i] & LOW_MASK;
		uint32_t func = low >> FC_RECORD_KIND_BITS;
		if (fc_record_kind(low) == FC_ENTRY) {
			*open++ = (struct fc_open){ func, func, when[i] };
			called[nr_called++] = func;
			kind[i] = FC_CODE_ENTRY;
		} else if (low == (open[-1].first << FC_RECORD_KIND_BITS | FC_EXIT)) {
			open--;
			kind[i] = FC_CODE_RETURN;
		} else if (fc_record_kind(low) == FC_ENTRY_ONLY) {
			called[nr_called++] = func;
			kind[i] = FC_CODE_OTHER;
			*other++ = FC_ENTRY_ONLY;
		} else if (fc_record_kind(low) == FC_TAIL && open > enc->opens) {
			open[-1].func = func;
			open[-1].begin = when[i];
			called[nr_called++] = func;
			kind[i] = FC_CODE_TAIL;
		} else {
			break;
		}
	}
	under->first = first_under;
	run_funcs(run, nr_called, &enc->column[FC_COLUMN_FUNCS], enc);
	kinds->nr = (size_t)(kind + i - kinds->at);
	others->nr = (size_t)(other - others->at);
	enc->depth = (size_t)(open - enc->opens);
	enc->told = enc->depth - floor;
	enc->head.nr_calls += (uint32_t)nr_called;
	return i;
}

/* Returns how many records it was: up to one that is not a word, or whose time runs backwards. */
static size_t add_run(struct fc_encoder *enc, const uint64_t *words, size_t nr,
		      uint64_t now_tsc)
{
	struct run run;
	run.nr = nr;
	run.words = words;
	run.when[0] = enc->last;
	fc_bytes_reserve(&enc->column[FC_COLUMN_KINDS], nr);
	fc_bytes_reserve(&enc->column[FC_COLUMN_OTHERS], nr);
	fc_bytes_reserve(&enc->column[FC_COLUMN_TIMES], nr * FC_VARINT_MAX);
	fc_bytes_reserve(&enc->column[FC_COLUMN_FUNCS], nr * FC_VARINT_MAX);
	opens_reserve(enc, nr);
	run_whens(&run, now_tsc, enc->time_shift);
	run_forwards(&run);
	size_t i = run_calls(&run, 0, enc);
	while (i < run.nr && is_short(words[i])) {
		add_other(enc, words + i, 1, run.when[i + 1]);
		i = run_calls(&run, i + 1, enc);
	}
	run.nr = i;
	run_times(&run, &enc->column[FC_COLUMN_TIMES]);
	enc->last = run.when[i];
	enc->head.nr_records += (uint32_t)i;
	return i;
}

/* One record of any kind. Returns how many words it was. */
static size_t add_one(struct fc_encoder *enc, const uint64_t *word, size_t left,
		      uint64_t now_tsc)
{
	uint64_t when = when_of(*word, enc->last, now_tsc, enc->time_shift);
	fc_bytes_varint(&enc->column[FC_COLUMN_TIMES], when - enc->last);
	enc->last = when;
	enc->head.nr_records++;
	return add_other(enc, word, left, when);
}

void fc_encoder_move(struct fc_encoder *enc, const struct fc_strand_info *strand, uint64_t word,
		     uint64_t now_tsc)
{
	uint32_t head = fc_mark_func(FC_MARK_MOVED, 1) << FC_RECORD_KIND_BITS | FC_MARK;
	uint64_t mark[] = { (word & ~(uint64_t)LOW_MASK) | head, (uint32_t)strand->tid };

	if (strand->tid == enc->tid)
		return;
	enc->tid = strand->tid;
	enc->head.kind = strand->kind;
	if (fc_encoder_is_empty(enc))
		return; /* the packet will begin so */
	add_one(enc, mark, 2, now_tsc);
	enc->head.end = enc->last;
	enc->head.has_moved = true;
}

size_t fc_encoder_add(struct fc_encoder *enc, const uint64_t *words, size_t nr,
		      uint64_t now_tsc)
{
	size_t done = 0;
	if (nr && fc_encoder_is_empty(enc)) {
		enc->last = when_of(words[0], enc->last, now_tsc, enc->time_shift);
		packet_begin(enc, enc->last);
	}
	size_t most = RUN_WORDS;
	while (done < nr && !fc_encoder_is_full(enc)) {
		size_t space = FC_PACKET_RECORDS - enc->head.nr_records;
		size_t run = nr - done < most ? nr - done : most;
		if (run > space)
			run = space;
		size_t was = add_run(enc, words + done, run, now_tsc);
		done += was;
		if (was < run)
			done += add_one(enc, words + done, nr - done, now_tsc);
		/* Among many marks most of a long run would be decoded for nothing: take shorter ones. */
		most = was < run ? was + RUN_LEAST : 2 * most;
		most = most < RUN_WORDS ? most : RUN_WORDS;
	}
	enc->head.end = enc->last;
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
	memset(fc_bytes_reserve(kinds, 7), 0, 7);
	for (size_t i = 0; i < n; i += 2) {
		uint64_t eight;
		memcpy(&eight, kinds->at + i * 4, sizeof(eight));
		eight = le64toh(eight);
		eight |= eight >> 6; /* pairs in the low half of each second byte */
		eight &= 0x000f000f000f000full;
		eight |= eight >> 12; /* fours in each fourth byte */
		kinds->at[i] = (uint8_t)eight;
		kinds->at[i + 1] = (uint8_t)(eight >> 32);
	}
	kinds->nr = n;
}

static size_t deflate_column(ZSTD_CCtx *zstd, enum fc_column which,
			     const struct fc_bytes *column, struct fc_bytes *payload)
{
	if (which == FC_COLUMN_TIMES)
		return fc_repeats_deflate(zstd, column->at, column->nr, payload);
	return fc_deflate(zstd, column->at, column->nr, payload);
}

/* Note the calls that were open at the packet's begin and are not any more. */
static void note_ended(struct fc_encoder *enc)
{
	const struct fc_bytes *column = &enc->column[FC_COLUMN_OPENS];
	if (!column->nr)
		return;
	struct fc_slice slice = fc_slice_of(column->at, column->nr);
	uint64_t begin = enc->head.begin;
	for (size_t i = enc->head.depth; i-- > 0 && fc_slice_left(&slice);) {
		uint32_t first = (uint32_t)fc_slice_varint(&slice);
		uint32_t last = (uint32_t)fc_slice_varint(&slice);
		uint32_t func = last ? last : first;
		begin -= fc_slice_varint(&slice);
		const struct fc_open *now = &enc->opens[i];
		/* The calls around an open call are open, too. */
		if (i < enc->depth && now->first == first && now->func == func &&
		    now->begin == begin)
			break;
		note(enc, func);
	}
}

void fc_encoder_finish(struct fc_encoder *enc, ZSTD_CCtx *zstd, struct fc_bytes *payload,
		       struct fc_events_head *head)
{
	note_ended(enc);
	*head = enc->head;
	kinds_pack(&enc->column[FC_COLUMN_KINDS]);

	/* Lengths stand before the columns, but are known behind them. */
	struct fc_bytes front = { 0 };
	fc_events_head_put(&front, head);
	size_t most = front.nr + FC_NR_COLUMNS * 2 * FC_VARINT_MAX;
	fc_bytes_reserve(payload, most);
	payload->nr = most;
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		struct fc_bytes *column = &enc->column[i];
		fc_bytes_varint(&front, column->nr);
		fc_bytes_varint(&front, deflate_column(zstd, i, column, payload));
		column->nr = 0;
	}
	memcpy(payload->at, front.at, front.nr);
	memmove(payload->at + front.nr, payload->at + most, payload->nr - most);
	payload->nr -= most - front.nr;
	fc_bytes_free(&front);

	enc->head.ordinal += head->nr_records;
	enc->head.lost_before += head->lost;
	enc->head.lost = 0;
	enc->head.nr_records = enc->head.nr_calls = 0;
	enc->head.nr_marks = enc->head.nr_waits = 0;
	enc->head.waited_ticks = 0;
}
