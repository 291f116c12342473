/* SPDX-License-Identifier: Apache-2.0 */
/* outside.c - fetch by fetch, each read at once: nothing here is in a hurry, as the thread stands still. */
#include "capture/syscall/outside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/target/target_bytes.h"
#include "trace/record.h"

enum { WORD = 8, LEAST_ADDRESS = 4096 };

/* A text that goes on behind its mark. */
struct text {
	uint64_t at;
	uint32_t head; /* the word that says how much of it is in the mark */
	uint32_t size, more;
	uint32_t unit;	 /* as of fca_ends_with() */
	bool is_limited; /* more is not asked for */
	bool is_cut;	 /* there is more than is asked for */
};

struct fetching {
	const struct fc_outside_call *call;
	const struct fca_fetches *fetches;
	uint64_t *word;			/* of the mark, the first one is the format */
	uint32_t nr;			/* of them */
	uint8_t first[FCA_MAX_FETCHES]; /* of each fetch; 0: it is not done */
	struct text text[FCA_MAX_FETCHES];
	uint32_t nr_texts;
};

static struct fca_given given_of(const struct fetching *f)
{
	return (struct fca_given){ f->fetches->fetch, f->word, f->first };
}

static uint32_t room_of(const struct fetching *f)
{
	return FCA_VALUE_WORDS - f->nr;
}

/* The register that a fetch is from. False: it is not one that a system call has. */
static bool find_source(const struct fetching *f, const struct fca_fetch *fetch, uint64_t *ret)
{
	const struct fc_outside_call *call = f->call;
	bool is_kept = fetch->from == FCA_FROM_KEPT;
	if ((!is_kept && fetch->from != FCA_FROM_INT) ||
	    (is_kept && (!call->kept || fetch->reg >= FCA_MAX_KEPT)))
		return false;
	uint8_t reg = is_kept ? call->kept[fetch->reg] : fetch->reg;
	if (is_kept && reg & FCA_KEPT_BEHIND && !(reg & FCA_KEPT_STACK)) {
		*ret = call->behind[fetch->reg];
		return true;
	}
	for (uint8_t i = 0; i < call->nr_regs; i++) {
		*ret = call->value[i];
		if (call->reg[i] == reg)
			return true;
	}
	return false;
}

void fc_outside_keep(const struct fc_outside_call *call, const struct fca_fetches *fetches,
		     uint32_t ret[FCA_MAX_KEPT])
{
	for (uint32_t i = 0; i < fetches->nr_kept && i < FCA_MAX_KEPT; i++) {
		uint8_t which = fetches->kept[i] & ~FCA_KEPT_SECOND;
		uint64_t second = fetches->kept[i] & FCA_KEPT_SECOND ? WORD : 0;
		ret[i] = 0;
		for (uint8_t k = 0; k < call->nr_regs; k++)
			if (which == (FCA_KEPT_BEHIND | call->reg[k]) &&
			    fc_target_bytes(call->tid, call->value[k] + second, &ret[i],
					    sizeof(ret[i])) != sizeof(ret[i]))
				ret[i] = 0;
	}
}

static void add_value(struct fetching *f, const struct fca_fetch *fetch)
{
	uint64_t value = 0;
	find_source(f, fetch, &value);
	for (uint32_t i = 0; i < fca_words_of(fetch->size); i++)
		f->word[f->nr++] = i ? 0 : fca_low_bytes(value, fetch->size);
}

/* Where the memory is that is to be read. False: nowhere. */
static bool find_address(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
			 uint64_t *ret)
{
	if (fetch->from == FCA_FROM_KEPT && f->call->error)
		return false;
	struct fca_given given = given_of(f);
	bool is_there = fetch->from == FCA_FROM_FETCH
				? fca_word_within(&given, fetch->reg, fetch->off, i, ret)
				: find_source(f, fetch, ret);
	return is_there && *ret >= LEAST_ADDRESS;
}

/* How many bytes are wanted. False: that cannot be known. */
static bool find_size(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
		      uint64_t at, uint32_t *ret, uint64_t *flags)
{
	uint64_t count;
	*ret = fetch->size;
	if (fetch->how != FCA_FETCH_ARRAY)
		return true;
	uint32_t most = fetch->unit ? fetch->size / fetch->unit : 0;
	struct fca_given given = given_of(f);
	if (!fca_count_of(&given, fetch, i, at, &count))
		return false;
	bool is_more = count > most;
	*flags = is_more && fetch->count_as != FCA_COUNT_TEXT ? FCA_GOT_MORE : 0;
	*ret = (uint32_t)(is_more ? most : count) * fetch->unit;
	return true;
}

static size_t find_end(const char *bytes, size_t nr, uint32_t unit)
{
	static const char zeroes[WORD];
	size_t i = 0;
	while (i + unit <= nr && memcmp(bytes + i, zeroes, unit) != 0)
		i += unit;
	return i + unit <= nr ? i : nr;
}

/* The word that says how much there is, and the bytes behind it, which are there already. */
static void close_bytes(struct fetching *f, size_t nr, uint64_t flags)
{
	uint64_t *head = &f->word[f->nr];
	if (nr % WORD)
		head[fca_words_of(nr)] = fca_low_bytes(head[fca_words_of(nr)], nr % WORD);
	*head = nr | flags;
	f->nr += 1 + fca_words_of(nr);
}

/* As much as there is of it goes behind what there is. Returns how many bytes. */
static size_t read_text(struct fetching *f, const struct text *text, uint64_t flags)
{
	char *bytes = (char *)&f->word[f->nr + 1];
	uint32_t size = text->size, unit = text->unit;
	size_t got = size ? fc_target_bytes(f->call->tid, text->at, bytes, size) : 0;
	size_t nr = unit ? find_end(bytes, got, unit) : got;
	if (unit && nr == size && (!text->is_limited || text->more))
		flags |= FCA_GOT_MORE;
	if (size && (unit ? nr == got && got < size : got < size))
		flags |= got ? FCA_GOT_MORE : FCA_GOT_NONE;
	close_bytes(f, nr, flags);
	return nr;
}

static void add_memory(struct fetching *f, const struct fca_fetch *fetch, uint32_t i)
{
	uint64_t at, flags = 0;
	uint32_t size, room = (room_of(f) - 1) * WORD, unit = fca_ends_with(fetch);
	if (!find_address(f, fetch, i, &at) || !find_size(f, fetch, i, at, &size, &flags)) {
		close_bytes(f, 0, FCA_GOT_NONE);
		return;
	}
	if (fetch->words && fetch->words * WORD < (int)room)
		room = fetch->words * WORD;
	uint32_t more = size > room && fetch->words ? size - room : 0;
	struct text text = {
		.at = at,
		.head = f->nr,
		.size = size < room ? size : room,
		.more = more,
		.unit = unit,
		/* A buffer that is smaller than what is recorded of texts ends there. */
		.is_limited = fetch->how == FCA_FETCH_ARRAY && size < fetch->size &&
			      (size <= room || more),
		.is_cut = flags & FCA_GOT_MORE,
	};
	if (size > room && !unit)
		flags |= FCA_GOT_MORE;
	if (read_text(f, &text, flags) == text.size && more)
		f->text[f->nr_texts++] = text;
}

static void add_error(struct fetching *f)
{
	f->word[f->nr + 1] = f->call->error;
	close_bytes(f, f->call->error ? sizeof(int) : 0, f->call->error ? 0 : FCA_GOT_NONE);
}

/* Where a descriptor leads, as /proc tells it. */
static void add_descriptor(struct fetching *f, const struct fca_fetch *fetch)
{
	char path[64];
	uint64_t number = 0;
	size_t room = (room_of(f) - 1) * WORD, size = fetch->size < room ? fetch->size : room;
	bool is_one = find_source(f, fetch, &number) && (int)number >= 0;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", f->call->tid, (int)number);
	ssize_t got = is_one && size ? readlink(path, (char *)&f->word[f->nr + 1], size) : -1;
	bool is_cut = got > 0 && (size_t)got == size;
	if (got <= 0)
		close_bytes(f, 0, FCA_GOT_NONE);
	else
		close_bytes(f, (size_t)got - is_cut, is_cut ? FCA_GOT_MORE : 0);
}

/* False: there is no room for it, nor for what comes behind. */
static bool add(struct fetching *f, uint32_t i)
{
	const struct fca_fetch *fetch = &f->fetches->fetch[i];
	bool is_value = fetch->how == FCA_FETCH_VALUE;
	if (room_of(f) < (is_value ? fca_words_of(fetch->size) : 2))
		return false;
	f->first[i] = (uint8_t)f->nr;
	if (is_value)
		add_value(f, fetch);
	else if (fetch->how == FCA_FETCH_ERROR)
		add_error(f);
	else if (fetch->how == FCA_FETCH_DESCRIPTOR)
		add_descriptor(f, fetch);
	else if (fetch->how == FCA_FETCH_REST || fetch->how == FCA_FETCH_PLACE)
		close_bytes(f, 0, FCA_GOT_NONE);
	else
		add_memory(f, fetch, i);
	return true;
}

/* The next piece of a text, in a mark of its own. Returns its bytes; 0: it is the last one. */
static size_t add_piece(const struct fetching *f, const struct text *text, uint32_t done,
			uint64_t tsc, uint64_t *ret, size_t *nr)
{
	enum { MOST = (FCA_VALUE_WORDS - FCA_MORE_WORDS) * WORD };
	uint32_t left = text->size + text->more - done, size = left < MOST ? left : MOST;
	struct fetching own = { .call = f->call, .word = ret + 1, .nr = FCA_MORE_WORDS - 1 };
	struct text piece = { .at = text->at + done,
			      .size = size,
			      .more = left - size,
			      .unit = text->unit,
			      .is_limited = text->is_limited };
	bool goes_on = !text->unit && (piece.more || text->is_cut);
	size_t got = read_text(&own, &piece, goes_on ? FCA_GOT_MORE : 0);
	uint64_t flags = own.word[FCA_MORE_WORDS - 1] & ~(uint64_t)FCA_GOT_BYTES;
	if (!got && flags) /* the rest cannot be read */
		return 0;
	own.word[0] = f->word[0];
	own.word[1] = fca_more(text->head, done);
	ret[0] = fc_record(tsc, fc_mark_func(FC_MARK_MORE, own.nr), FC_MARK);
	*nr = 1 + own.nr;
	return flags ? got : 0;
}

/* Returns the words. */
static size_t add_pieces(const struct fetching *f, const struct text *text, uint64_t tsc,
			 uint64_t *ret, size_t room)
{
	size_t all = 0;
	for (uint32_t done = text->size; done < text->size + text->more;) {
		size_t nr = 0;
		if (room - all < 1 + FCA_VALUE_WORDS)
			break;
		size_t got = add_piece(f, text, done, tsc, ret + all, &nr);
		all += nr;
		if (!got)
			break;
		done += (uint32_t)got;
	}
	return all;
}

size_t fc_outside_tell(const struct fc_outside_call *call, const struct fca_fetches *fetches,
		       uint64_t tsc, uint64_t ret[FC_OUTSIDE_WORDS])
{
	struct fetching f = { .call = call, .fetches = fetches, .word = ret + 1, .nr = 1 };
	if (!fetches->format)
		return 0;
	f.word[0] = fetches->format;
	for (uint32_t i = 0; i < fetches->nr && add(&f, i); i++)
		;
	ret[0] = fc_record(tsc, fc_mark_func(FC_MARK_VALUES, f.nr), FC_MARK);
	size_t nr = 1 + f.nr;
	/* The last text first: who puts them together moves what stands behind a text. */
	for (uint32_t i = f.nr_texts; i--;)
		nr += add_pieces(&f, &f.text[i], tsc, ret + nr, FC_OUTSIDE_WORDS - nr);
	return nr;
}
