/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a call: its arguments before its entry is recorded, its result before its exit is.
 */
#include "capture/agent/values/fetcher.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/base/site.h"
#include "capture/agent/base/thread.h"
#include "capture/agent/strand/current.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/gate.h"
#include "capture/agent/strand/in_quiet.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/passing.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/record.h"
#include "capture/agent/strand/search.h"
#include "capture/agent/values/area.h"
#include "capture/agent/values/conversion.h"
#include "capture/agent/values/pieces.h"
#include "capture/agent/values/rest.h"

static struct fca_given given_of(const struct fetching *f)
{
	return (struct fca_given){ f->fetches->fetch, f->word, f->first };
}

/* A word of an argument on the stack. False: there is none; who says that there is need not be right. */
static bool stack_word(const struct fetching *f, int32_t off, uint64_t *ret)
{
	uint64_t at = f->slot + (uint64_t)(int64_t)off;
	if (at < f->slot || at >= f->stack_end || f->stack_end - at < 8)
		return !agent_config.is_quiet && peek_word(at, ret);
	*ret = *(const uint64_t *)at;
	return true;
}

/* A register, or a word of the stack. False: it is not there. */
static bool source(const struct fetching *f, const struct fca_fetch *fetch, uint64_t *ret)
{
	switch (fetch->from) {
	case FCA_FROM_STACK:
		return stack_word(f, fetch->off, ret);
	case FCA_FROM_KEPT:
		*ret = f->kept && fetch->reg < FCA_MAX_KEPT ? f->kept->reg[fetch->reg] : 0;
		return true;
	default:
		*ret = frame_reg(f->frame, fetch->reg);
		return true;
	}
}

/* False: there is no room for it, or it is not there: nothing is fetched from here on. */
static bool fetch_value(struct fetching *f, const struct fca_fetch *fetch, uint32_t i)
{
	uint64_t wide[8];
	uint32_t nr = fca_words_of(fetch->size);
	if (f->nr_words + nr > FCA_VALUE_WORDS || nr > 8)
		return false;
	if (fetch->from == FCA_FROM_VECTOR)
		store_vector(fetch->reg, fetch->size, wide);
	else if (fetch->from == FCA_FROM_EXTENDED)
		store_extended(fetch->reg, wide);
	else if (!source(f, fetch, &wide[0]))
		return false;
	f->first[i] = (uint8_t)f->nr_words;
	for (uint32_t k = 0; k < nr; k++)
		f->word[f->nr_words++] = fca_low_bytes(wide[k], fetch->size - k * 8);
	return true;
}

/* Is it what stands for all that is beyond it? */
static bool is_extreme(uint64_t value, uint32_t size, uint16_t of)
{
	uint64_t all = fca_low_bytes(~0ull, size), top = all ^ all >> 1;
	uint64_t infinity = size == 8 ? 0x7ffull << 52 : 0xffull << 23;
	switch (of) {
	case FCA_ERROR_OF_SIGNED:
		return value == top || value == (all ^ top);
	case FCA_ERROR_OF_UNSIGNED:
		return value == all;
	case FCA_ERROR_OF_FLOAT:
		return (value & ~top) == infinity;
	default:
		return false;
	}
}

/* Does errno tell more of the value? */
static bool is_explained(const struct fetching *f, const struct fca_fetch *fetch)
{
	if (fetch->count >= FCA_MAX_FETCHES)
		return false;
	uint32_t size = f->fetches->fetch[fetch->count].size;
	uint64_t value = f->word[f->first[fetch->count]];
	if (fetch->unit > FCA_ERROR_OF_NULL)
		return is_extreme(value, size, fetch->unit);
	return value == fca_low_bytes(~0ull, size) || (!value && fetch->unit);
}

/* Where errno of this thread is, after a call that failed; 0: there is nothing to be read. */
static uint64_t error_at(const struct fetching *f, const struct fca_fetch *fetch)
{
	uint64_t off = (uint64_t)(int64_t)fetch->off;
	if (agent_config.is_quiet || !is_explained(f, fetch))
		return 0;
	uint64_t thread = thread_now();
	if (fetch->from == FCA_FROM_THREAD_AT && !peek_word((uint64_t)f->fetches + off, &off))
		return 0;
	return thread ? thread + off : 0;
}

/* How many bytes are to be read, with what is known by now. */
static uint32_t wanted(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
		       uint64_t at, uint64_t *flags)
{
	uint64_t count;
	*flags = 0;
	if (fetch->how == FCA_FETCH_DESCRIPTOR && ((int)at < 0 || agent_config.is_quiet)) {
		*flags = FCA_GOT_NONE;
		return 0;
	}
	if (fetch->how != FCA_FETCH_ARRAY)
		return fetch->size;
	uint32_t most = fetch->unit ? fetch->size / fetch->unit : 0;
	struct fca_given given = given_of(f);
	if (!fca_count_of(&given, fetch, i, at, &count)) {
		*flags = FCA_GOT_NONE;
		return 0;
	}
	bool is_more = count > most;
	*flags = is_more && fetch->count_as != FCA_COUNT_TEXT ? FCA_GOT_MORE : 0;
	return (uint32_t)(is_more ? most : count) * fetch->unit;
}

/* Where the memory is that is to be read. False: nowhere. */
static bool address_of(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
		       uint64_t *ret)
{
	if (fetch->from == FCA_FROM_KEPT && f->has_failed)
		return false;
	struct fca_given given = given_of(f);
	if (fetch->from == FCA_FROM_FETCH)
		return fca_word_within(&given, fetch->reg, fetch->off, i, ret) &&
		       *ret >= FCA_PAGE;
	if (fetch->how == FCA_FETCH_ERROR) {
		*ret = error_at(f, fetch);
		return *ret;
	}
	if (fetch->how != FCA_FETCH_PLACE)
		return source(f, fetch, ret);
	*ret = f->slot + (uint64_t)(int64_t)fetch->off;
	return true;
}

/* Room for what is there, which is read when it is needed. False: there is none. */
static bool add_area(struct fetching *f, const struct fca_fetch *fetch, uint32_t i)
{
	uint64_t flags = FCA_GOT_NONE, at = 0;
	uint32_t room = (FCA_VALUE_WORDS - f->nr_words) * 8, size = 0;
	if (room < 16 || f->nr_areas == FCA_MAX_MEMORY)
		return false;
	room -= 8;
	if (fetch->how == FCA_FETCH_ERROR)
		f->has_failed = fetch->unit <= FCA_ERROR_OF_NULL && is_explained(f, fetch);
	if (address_of(f, fetch, i, &at))
		size = wanted(f, fetch, i, at, &flags);
	if (fetch->words && fetch->words * 8u < room)
		room = fetch->words * 8;
	uint32_t more = size > room && fetch->words ? size - room : 0;
	/* A buffer that is smaller than what is recorded of texts ends there. */
	bool is_limited =
		fetch->how == FCA_FETCH_ARRAY && size < fetch->size && (size <= room || more);
	bool is_cut = flags & FCA_GOT_MORE;
	if (size > room) {
		size = room;
		flags |= !fca_ends_with(fetch) ? FCA_GOT_MORE : 0;
	}
	f->first[i] = (uint8_t)f->nr_words;
	f->word[f->nr_words] = flags;
	f->area[f->nr_areas++] = (struct area){
		.at = at,
		.size = (uint16_t)size,
		.more = (uint16_t)more,
		.head = (uint8_t)f->nr_words,
		.fetch = (uint8_t)i,
		.is_limited = is_limited,
		.is_cut = is_cut,
	};
	f->nr_words += 1 + fca_words_of(size);
	return true;
}

enum { MOST_OF_FORMAT = 256 };

/* The bytes of a format. MOST_OF_FORMAT + 1: it could not be read; *is_whole: it ends with them. */
static uint32_t read_format(struct fetching *f, uint64_t at, uint32_t i,
			    char ret[MOST_OF_FORMAT], bool *is_whole)
{
	uint32_t room = (FCA_VALUE_WORDS - f->nr_words) * 8, k = 0;
	struct area own = { .at = at, .head = (uint8_t)f->nr_words, .fetch = (uint8_t)i };
	const struct area *area = &own;
	areas_read(f);
	while (k < f->nr_areas && (f->area[k].at != at || !f->area[k].size ||
				   f->word[f->area[k].head] & (FCA_GOT_NONE | FCA_GOT_MORE) ||
				   f->fetches->fetch[f->area[k].fetch].how != FCA_FETCH_STRING))
		k++;
	if (k < f->nr_areas) { /* it is there already */
		area = &f->area[k];
	} else {
		if (room < 16)
			return MOST_OF_FORMAT + 1;
		own.size = (uint16_t)(room - 8 < MOST_OF_FORMAT ? room - 8 : MOST_OF_FORMAT);
		f->word[own.head] = 0;
		bool is_own = area_read_own_stack(f, area);
		if (!is_own && (agent_config.is_quiet || at < FCA_PAGE))
			area_note_got(f, area, 0);
		else if (!is_own)
			area_read_alone(f, area);
	}
	uint64_t head = f->word[area->head];
	*is_whole = !(head & FCA_GOT_MORE);
	if (head & FCA_GOT_NONE)
		return MOST_OF_FORMAT + 1;
	uint32_t nr = head & FCA_GOT_BYTES;
	for (k = 0; k < nr && k < MOST_OF_FORMAT; k++)
		ret[k] = (char)area_bytes(f, area)[k];
	return k;
}

/* False: there is no room for it. */
static bool add_item(struct fetching *f, uint32_t kind, uint32_t size, const uint64_t *value)
{
	uint32_t nr = fca_words_of(size);
	if (f->nr_words + 1 + nr > FCA_VALUE_WORDS)
		return false;
	f->word[f->nr_words++] = fca_item(kind, size);
	for (uint32_t k = 0; k < nr; k++)
		f->word[f->nr_words++] = fca_low_bytes(value[k], size - k * 8);
	return true;
}

/* The bytes of a text, which are read later; there may be no room for them. */
static bool add_text(struct fetching *f, uint32_t i, uint64_t at, int32_t limit)
{
	uint32_t room = (FCA_VALUE_WORDS - f->nr_words) * 8, size = f->fetches->fetch[i].size;
	bool is_limited = limit >= 0 && (uint32_t)limit <= size;
	size = is_limited ? (uint32_t)limit : size;
	if (at < FCA_PAGE || room < 16 || f->nr_areas == FCA_MAX_MEMORY)
		return false;
	if (size > room - 8) {
		size = room - 8;
		is_limited = false;
	}
	f->word[f->nr_words] = fca_item(FCA_ITEM_BYTES, 0);
	f->area[f->nr_areas++] = (struct area){
		.at = at,
		.size = (uint16_t)size,
		.head = (uint8_t)f->nr_words,
		.fetch = (uint8_t)i,
		.is_limited = is_limited,
	};
	f->nr_words += 1 + fca_words_of(size);
	return true;
}

/* What one "%..." takes, in items. False: there is no more, or no room. */
static bool add_converted(struct fetching *f, uint32_t i, struct rest *rest,
			  struct conversion *what, uint32_t *nr)
{
	uint64_t value[2];
	for (int k = 0; k < 2; k++) {
		if (!(k ? what->has_limit : what->has_width))
			continue;
		if (!rest_word(rest, value) || !add_item(f, FCA_ITEM_SIGNED, 4, value))
			return false;
		++*nr;
		if (k)
			what->limit = (int32_t)value[0];
	}
	if (!what->kind)
		return true;
	bool is_there = what->size == 16	       ? rest_long_double(rest, value)
			: what->kind == FCA_ITEM_FLOAT ? rest_double(rest, value)
						       : rest_word(rest, value);
	uint32_t size = what->size == 16 ? FCA_EXTENDED_BYTES : what->size;
	if (!is_there || !add_item(f, what->kind, size, value))
		return false;
	++*nr;
	if (what->kind == FCA_ITEM_TEXT)
		*nr += add_text(f, i, value[0], what->limit);
	return true;
}

/* As a format says. False: there are more than are told. */
static bool add_formatted(struct fetching *f, uint32_t i, struct rest *rest, uint64_t format,
			  uint32_t *nr, bool *is_known)
{
	char text[MOST_OF_FORMAT];
	struct conversion what;
	uint32_t at = 0;
	bool is_whole;
	uint32_t size = read_format(f, format, i, text, &is_whole);
	*is_known = size <= MOST_OF_FORMAT;
	if (!*is_known)
		return true;
	f->nr_words++; /* the word of the fetch */
	for (;;) {
		enum conversion_next next = conversion_next(text, size, &at, &what);
		if (next == CONVERSION_END)
			return is_whole;
		if (next == CONVERSION_UNKNOWN || at > size ||
		    !add_converted(f, i, rest, &what, nr))
			return false;
	}
}

/* What stands for "...". False: there is no room. */
static bool add_rest(struct fetching *f, const struct fca_fetch *fetch, uint32_t i)
{
	struct rest rest;
	uint64_t slot = f->slot, format, value[2];
	uint32_t head = f->nr_words, nr = 0;
	bool is_all = true, is_known = true;
	bool is_list = fetch->count_as == FCA_REST_LIST;
	if (head == FCA_VALUE_WORDS)
		return false;
	rest_begin(&rest, f->frame, fetch->count, fetch->unit, slot + fetch->count_off, slot,
		   f->stack_end);
	if (fetch->count_as == FCA_REST_ONE) {
		f->nr_words++;
		rest.nr_vector = 0;
		is_known = rest_word(&rest, value) &&
			   add_item(f, fetch->unit & 0xff, fetch->unit >> 8 & 8 ? 8 : 4, value);
		nr = is_known;
	} else if (is_list &&
		   !rest_begin_list(&rest, f->frame, fetch->count, slot, f->stack_end)) {
		is_known = false;
	} else if (!source(f, fetch, &format)) {
		is_known = false;
	} else {
		is_all = add_formatted(f, i, &rest, format, &nr, &is_known);
	}
	f->first[i] = (uint8_t)head;
	f->nr_words += f->nr_words == head;
	f->word[head] = nr | (is_known ? 0 : FCA_GOT_NONE) | (is_all ? 0 : FCA_GOT_MORE);
	return true;
}

/* Is an address or a count within what is not read yet? */
static bool is_deeper(const struct fetching *f, const struct fca_fetch *fetch)
{
	if (f->nr_read == f->nr_areas || fetch->how == FCA_FETCH_VALUE)
		return false;
	uint32_t next = f->area[f->nr_read].fetch;
	return (fetch->from == FCA_FROM_FETCH && fetch->reg >= next) ||
	       (fetch->how == FCA_FETCH_ARRAY && fetch->count >= next);
}

/* Strings are shorter than the room that was left for them. */
static void close_gaps(struct fetching *f)
{
	uint32_t to = f->nr_areas ? f->area[0].head : f->nr_words, from = to;
	for (uint32_t i = 0; i < f->nr_areas; i++) {
		struct area *area = &f->area[i];
		uint32_t nr = f->word[area->head] & FCA_GOT_BYTES, head = area->head;
		for (from = i ? from : head; from < head;) /* values between */
			f->word[to++] = f->word[from++];
		area->head = (uint8_t)to;
		if (nr < area->size) /* it has ended, or the rest cannot be read */
			area->more = 0;
		for (uint32_t k = 0; k < 1 + fca_words_of(nr); k++)
			f->word[to++] = f->word[from + k];
		if (nr % 8)
			f->word[to - 1] = fca_low_bytes(f->word[to - 1], nr % 8);
		from = head + 1 + fca_words_of(area->size);
	}
	while (from < f->nr_words)
		f->word[to++] = f->word[from++];
	f->nr_words = to;
}

static void fetch_all(struct strand *s, struct fetching *f)
{
	uint32_t nr = f->fetches->nr < FCA_MAX_FETCHES ? f->fetches->nr : FCA_MAX_FETCHES;
	bool has_room = true;
	f->stack_end = load_end(s, f->slot);
	f->pid = s->pid;
	f->nr_areas = f->nr_read = 0;
	f->nr_words = 1;
	f->has_failed = false;
	f->word[0] = f->fetches->format;
	for (uint32_t i = 0; i < nr && has_room; i++) {
		const struct fca_fetch *fetch = &f->fetches->fetch[i];
		f->first[i] = 0;
		if (is_deeper(f, fetch))
			areas_read(f);
		has_room = fetch->how == FCA_FETCH_VALUE  ? fetch_value(f, fetch, i)
			   : fetch->how == FCA_FETCH_REST ? add_rest(f, fetch, i)
							  : add_area(f, fetch, i);
	}
	areas_read(f);
	close_gaps(f);
	if (!strand_tell(s, FC_MARK_VALUES, f->word, f->nr_words)) {
		strand_lose(s, 1);
		return;
	}
	/* The last text first: who puts them together moves what stands behind a text. */
	for (uint32_t i = f->nr_areas; i--;)
		if (f->area[i].more)
			pieces_tell(s, f, &f->area[i]);
}

static const struct fca_fetches *fetches_of(const struct agent_frame *frame)
{
	return (const struct fca_fetches *)(frame->go + agent_config.place[FCA_PLACE_FETCHES]);
}

/* The words are not cleared: that would take longer than most fetches. */
static void begin(struct fetching *f, const struct agent_frame *frame)
{
	f->fetches = fetches_of(frame);
	f->frame = frame;
	f->slot = frame_slot(frame);
	f->kept = NULL;
}

/* Those of calls that were left without a return. */
static void forget_left(struct strand *s, uint64_t slot)
{
	while (s->nr_kept && s->kept[s->nr_kept - 1].slot <= slot)
		s->nr_kept--;
}

/* The number of 32 bits there; 0: it cannot be read. */
static uint32_t number_at(int pid, uint64_t at)
{
	uint32_t ret = 0;
	struct piece to = { (uint64_t)&ret, sizeof(ret) }, from = { at, sizeof(ret) };
	bool is_there = !agent_config.is_quiet && at >= FCA_PAGE &&
			kernel_copy(NR_process_vm_readv, pid, &to, &from, 1) == sizeof(ret);
	return is_there ? ret : 0;
}

static uint64_t argument(const struct strand *s, const struct agent_frame *frame, uint64_t slot,
			 uint8_t which)
{
	if (which & FCA_KEPT_STACK)
		return ((const uint64_t *)slot)[which & ~FCA_KEPT_STACK];
	uint64_t reg = frame_reg(frame, which & ~(FCA_KEPT_BEHIND | FCA_KEPT_SECOND));
	uint64_t second = which & FCA_KEPT_SECOND ? sizeof(uint64_t) : 0;
	return which & FCA_KEPT_BEHIND ? number_at(s->pid, reg + second) : reg;
}

/* For the exit. Of calls within calls those beyond NR_KEPT have nothing kept. */
static void keep(struct strand *s, const struct fca_fetches *fetches,
		 const struct agent_frame *frame, uint64_t slot)
{
	forget_left(s, slot);
	if (s->nr_kept == NR_KEPT)
		return;
	struct kept *kept = &s->kept[s->nr_kept++];
	kept->slot = slot;
	kept->result = (const struct fca_fetches *)((uint64_t)fetches + fetches->result);
	for (int i = 0; i < fetches->nr_kept && i < FCA_MAX_KEPT; i++)
		kept->reg[i] = argument(s, frame, slot, fetches->kept[i]);
}

/* Nothing is to be recorded for now; but the call of a gate, which opens it, is. */
static bool is_off(struct strand *s, const struct fca_fetches *fetches)
{
	const struct fca_arena *arena = agent_arena();
	return fetches->opens ? arena->is_off || agent_is_alone(arena) : strand_is_off(s);
}

static void on_values(struct agent_frame *frame)
{
	const struct fca_fetches *fetches = fetches_of(frame);
	uint64_t slot = frame_slot(frame), stub = frame->go - fetches->stub;
	struct strand *s = is_switched_off(stub) ? NULL : strand_of(slot, 0);
	if (!s || is_off(s, fetches))
		return;
	if (fetches->nr_kept)
		keep(s, fetches, frame, slot);
	struct fetching f;
	begin(&f, frame);
	if (!fetches->format)
		return;
	gate_lend(s);
	fetch_all(s, &f);
	gate_take_back(s);
}

void agent_on_values(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard))
		return;
	on_values(frame);
	quiet_end(guard);
}

/* The strand whose innermost call has this slot, as agent_on_exit() finds it; NULL: it comes late. */
static struct strand *strand_of_exit(uint64_t slot)
{
	struct strand *s = strand_current();
	if (s && shadow_top(s)->slot == slot)
		return s;
	uint64_t mask = signals_block();
	s = strand_switch(slot);
	signals_restore(mask);
	return s;
}

static void on_result(struct agent_frame *frame)
{
	uint64_t slot = frame_slot(frame);
	struct strand *s = strand_of_exit(slot);
	if (!s || s->is_muted)
		return;
	struct fetching f;
	begin(&f, frame);
	forget_left(s, slot - 1);
	if (s->nr_kept && s->kept[s->nr_kept - 1].slot == slot)
		f.kept = &s->kept[s->nr_kept - 1];
	if (f.kept) /* of the last in a chain of tail calls, which has returned */
		f.fetches = f.kept->result;
	fetch_all(s, &f);
	if (f.kept)
		s->nr_kept--;
}

void agent_on_result(struct agent_frame *frame)
{
	struct strand *guard;
	if (!quiet_begin(frame_slot(frame), &guard))
		return;
	on_result(frame);
	quiet_end(guard);
}
