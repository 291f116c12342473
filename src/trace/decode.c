/* SPDX-License-Identifier: Apache-2.0 */
/* decode.c - decodes the columns of a packet, record by record or many at once. */
#include "trace/decode.h"

#include <errno.h>
#include <stdlib.h>

#include "base/little.h"
#include "trace/effect.h"
#include "trace/mark.h"

/* No stack is deeper: 16 bytes a frame make it 256 MiB. Only a forged file goes on. */
#define OPENS_MAX (16u << 20)

void fc_decoder_init(struct fc_decoder *dec)
{
	*dec = (struct fc_decoder){ .zstd = ZSTD_createDCtx() };
}

void fc_decoder_deinit(struct fc_decoder *dec)
{
	ZSTD_freeDCtx(dec->zstd);
	for (int i = 0; i < FC_NR_COLUMNS; i++)
		fc_bytes_free(&dec->inflated[i]);
}

static int column_load(struct fc_decoder *dec, int i, const uint8_t *stored, size_t stored_len,
		       uint64_t raw_len)
{
	struct fc_bytes *inflated = &dec->inflated[i];
	if (stored_len == raw_len) {
		dec->column[i] = fc_slice_of(stored, stored_len);
		return 0;
	}
	int ret = fc_inflate(dec->zstd, stored, stored_len, raw_len, inflated);
	if (!ret)
		dec->column[i] = fc_slice_of(inflated->at, inflated->nr);
	return ret;
}

int fc_decoder_load(struct fc_decoder *dec, const uint8_t *payload, size_t size)
{
	struct fc_slice slice = fc_slice_of(payload, size);
	int ret = fc_events_head_get(&slice, &dec->head);
	if (ret)
		return ret;
	uint64_t raw_len[FC_NR_COLUMNS], stored_len[FC_NR_COLUMNS];
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		raw_len[i] = fc_slice_varint(&slice);
		stored_len[i] = fc_slice_varint(&slice);
	}
	for (int i = 0; i < FC_NR_COLUMNS; i++) {
		const uint8_t *stored = fc_slice_take(&slice, stored_len[i]);
		if (slice.is_bad)
			return -EBADMSG;
		ret = column_load(dec, i, stored, stored_len[i], raw_len[i]);
		if (ret)
			return ret;
	}
	if (raw_len[FC_COLUMN_KINDS] < (dec->head.nr_records + 3) / 4)
		return -EBADMSG;
	dec->next = 0;
	dec->at = dec->head.begin;
	dec->unknown = (struct fc_unknown_marks){ 0 };
	return 0;
}

int fc_decoder_opens(const struct fc_decoder *dec, struct fc_opens *ret)
{
	struct fc_slice slice = dec->column[FC_COLUMN_OPENS];
	uint64_t at = dec->head.begin;

	ret->calls.nr = 0;
	while (fc_slice_left(&slice) && ret->calls.nr < dec->head.depth) {
		uint32_t first = (uint32_t)fc_slice_varint(&slice);
		uint32_t func = (uint32_t)fc_slice_varint(&slice);
		at -= fc_slice_varint(&slice);
		if (slice.is_bad)
			return -EBADMSG;
		struct fc_open open = { .first = first,
					.func = func ? func : first,
					.begin = at };
		fc_vec_push(&ret->calls, open);
	}
	for (size_t i = 0, j = ret->calls.nr; i + 1 < j; i++) { /* the outermost first */
		struct fc_open swap = ret->calls.at[i];
		ret->calls.at[i] = ret->calls.at[--j];
		ret->calls.at[j] = swap;
	}
	return 0;
}

static int push(struct fc_opens *opens, uint32_t func, uint64_t at)
{
	if (opens->calls.nr >= OPENS_MAX)
		return -EBADMSG;
	struct fc_open open = { .first = func, .func = func, .begin = at };
	fc_vec_push(&opens->calls, open);
	return 1;
}

static void replace(struct fc_opens *opens, uint32_t func, uint64_t at)
{
	struct fc_open *open = &opens->calls.at[opens->calls.nr - 1];
	open->func = func;
	open->begin = at;
}

/* The open calls as the record leaves them. Those that were entered in a gap are not told. */
static inline int opens_step(struct fc_opens *opens, const struct fc_event *event, uint64_t at)
{
	struct fc_effect effect = fc_effect_of(event, opens->calls.nr);

	if (effect.entered == FC_ENTERED_TAIL) {
		replace(opens, event->func, at);
		return 1;
	}
	opens->calls.nr = effect.stay;
	return effect.entered == FC_ENTERED_CALL ? push(opens, event->func, at) : 1;
}

/* What it does to the calls is not known, or that it does nothing. */
static int unknown_mark(struct fc_decoder *dec, uint64_t mark, uint64_t record)
{
	struct fc_unknown_marks *unknown = &dec->unknown;

	if (!unknown->nr++) {
		unknown->mark = mark;
		unknown->record = record;
	}
	unknown->is_end = !fc_mark_is_aside(mark);
	return unknown->is_end ? -EBADMSG : 0;
}

int fc_decoder_mark(struct fc_decoder *dec, uint64_t record, struct fc_event *ret)
{
	struct fc_slice *marks = &dec->column[FC_COLUMN_MARKS];
	uint64_t mark = fc_slice_varint(marks), nr = fc_slice_varint(marks);

	if (nr > FC_MARK_MAX_VALUES)
		return -EBADMSG;
	for (uint64_t i = 0; i < nr; i++)
		dec->words[i] = fc_slice_varint(marks);
	if (marks->is_bad)
		return -EBADMSG;
	if (!fc_mark_is_recorded(mark))
		return unknown_mark(dec, mark, record);
	if (mark == FC_MARK_MOVED) {
		ret->tid = nr ? (int)dec->words[0] : ret->tid;
		return 0;
	}
	ret->kind = FC_MARK;
	ret->func = 0;
	ret->mark = (uint8_t)mark;
	ret->words = dec->words;
	ret->nr_words = (uint8_t)nr;
	return 1;
}

/* Faster than to read them; what is longer than 8 bytes is read. */
static void pass_varints(struct fc_slice *slice, uint64_t nr)
{
	for (; nr; nr--) {
		uint64_t ends = fc_slice_left(slice) >= sizeof(ends)
					? ~fc_get_64(slice->at) & 0x8080808080808080
					: 0;
		if (ends)
			slice->at += __builtin_ctzll(ends) / 8 + 1;
		else
			fc_slice_varint(slice);
	}
}

bool fc_decoder_pass_values(struct fc_decoder *dec)
{
	struct fc_slice *others = &dec->column[FC_COLUMN_OTHERS];
	struct fc_slice marks = dec->column[FC_COLUMN_MARKS];

	if (!fc_slice_left(others) || *others->at != FC_MARK)
		return false;
	uint64_t mark = fc_slice_varint(&marks);
	if (mark != FC_MARK_VALUES && mark != FC_MARK_MORE)
		return false;
	uint64_t nr = fc_slice_varint(&marks);
	if (nr > FC_MARK_MAX_VALUES)
		return false;
	pass_varints(&marks, nr);
	if (marks.is_bad)
		return false;
	others->at++;
	dec->column[FC_COLUMN_MARKS] = marks;
	return true;
}

/* 0: it was a mark that nobody is told. */
static int next_other(struct fc_decoder *dec, struct fc_event *ret)
{
	struct fc_slice *others = &dec->column[FC_COLUMN_OTHERS];
	struct fc_slice *funcs = &dec->column[FC_COLUMN_FUNCS];
	if (!fc_slice_left(others))
		return -EBADMSG;
	if (dec->skips_values && fc_decoder_pass_values(dec))
		return 0;
	uint8_t kind = *others->at++;

	switch (kind) {
	case FC_EXIT:
	case FC_ENTRY_ONLY:
	case FC_POP:
		ret->kind = kind;
		ret->func = (uint32_t)fc_slice_varint(funcs);
		return funcs->is_bad ? -EBADMSG : 1;
	case FC_MARK:
		return fc_decoder_mark(dec, dec->next - 1, ret);
	default:
		return -EBADMSG;
	}
}

/* 0: it was a mark that nobody is told. */
static int next_record(struct fc_decoder *dec, struct fc_opens *opens, struct fc_event *ret)
{
	uint32_t i = dec->next++;
	unsigned code = dec->column[FC_COLUMN_KINDS].at[i / 4] >> i % 4 * 2 & 3;
	struct fc_slice *times = &dec->column[FC_COLUMN_TIMES];
	struct fc_slice *funcs = &dec->column[FC_COLUMN_FUNCS];
	int found;

	dec->at += fc_slice_varint(times);
	if (dec->at > dec->head.end || times->is_bad)
		return -EBADMSG;
	switch (code) {
	case FC_CODE_RETURN:
		if (!opens->calls.nr)
			return -EBADMSG;
		ret->kind = FC_EXIT;
		ret->func = opens->calls.at[--opens->calls.nr].first;
		return 1;
	case FC_CODE_ENTRY:
		ret->kind = FC_ENTRY;
		ret->func = (uint32_t)fc_slice_varint(funcs);
		return funcs->is_bad ? -EBADMSG : push(opens, ret->func, dec->at);
	case FC_CODE_TAIL:
		ret->kind = FC_TAIL;
		ret->func = (uint32_t)fc_slice_varint(funcs);
		found = funcs->is_bad ? -EBADMSG : 1;
		break;
	default:
		found = next_other(dec, ret);
	}
	return found == 1 ? opens_step(opens, ret, dec->at) : found;
}

int fc_decoder_next(struct fc_decoder *dec, struct fc_opens *opens, struct fc_event *ret,
		    uint64_t *at)
{
	int found = 0;

	if (ret->kind == FC_MARK) {
		ret->mark = 0;
		ret->nr_words = 0;
	}
	while (!found && dec->next < dec->head.nr_records)
		found = next_record(dec, opens, ret);
	if (found)
		*at = dec->at;
	return found;
}

/* As opens_step(), of what is common; the open calls have room for one more. */
static inline uint32_t open_or_close(struct fc_opens *opens, unsigned code, uint32_t func,
				     uint64_t at)
{
	struct fc_open *next = opens->calls.at + opens->calls.nr;

	if (code == FC_CODE_RETURN) {
		opens->calls.nr--;
		return next[-1].first;
	}
	if (code == FC_CODE_ENTRY) {
		opens->calls.nr++;
		*next = (struct fc_open){ .first = func, .func = func, .begin = at };
	} else {
		next[-1].func = func;
		next[-1].begin = at;
	}
	return func;
}

size_t fc_decoder_run(struct fc_decoder *dec, struct fc_opens *opens,
		      const struct fc_event *like, uint64_t limit, struct fc_event *ret,
		      size_t nr)
{
	static const uint8_t kinds[] = {
		[FC_CODE_RETURN] = FC_EXIT, [FC_CODE_ENTRY] = FC_ENTRY, [FC_CODE_TAIL] = FC_TAIL
	};
	const uint8_t *codes = dec->column[FC_COLUMN_KINDS].at;
	struct fc_slice times = dec->column[FC_COLUMN_TIMES];
	struct fc_slice funcs = dec->column[FC_COLUMN_FUNCS];
	uint64_t at = dec->at, end = dec->head.end;
	uint32_t next = dec->next, stop = dec->head.nr_records;
	size_t room = opens->calls.room < OPENS_MAX ? opens->calls.room : OPENS_MAX;

	if (limit <= at || end < at)
		return 0;
	end = end < limit ? end : limit - 1;
	stop = stop - next > nr ? next + (uint32_t)nr : stop;
	for (; next < stop; next++, ret++) {
		unsigned code = codes[next / 4] >> next % 4 * 2 & 3;
		const uint8_t *time_at = times.at;
		uint32_t delta, func = 0;
		if (code == FC_CODE_OTHER ||
		    (code == FC_CODE_ENTRY ? opens->calls.nr >= room : !opens->calls.nr))
			break;
		if (!fc_varint_take_small(&time_at, times.end, &delta) || delta > end - at)
			break;
		if (code != FC_CODE_RETURN &&
		    !fc_varint_take_small(&funcs.at, funcs.end, &func))
			break;
		times.at = time_at;
		at += delta;
		ret->tsc = at;
		ret->strand = like->strand;
		ret->pid = like->pid;
		ret->tid = like->tid;
		ret->func = open_or_close(opens, code, func, at);
		ret->kind = kinds[code];
		ret->mark = 0;
	}
	nr = next - dec->next;
	dec->column[FC_COLUMN_TIMES].at = times.at;
	dec->column[FC_COLUMN_FUNCS].at = funcs.at;
	dec->next = next;
	dec->at = at;
	return nr;
}
