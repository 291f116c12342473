/* SPDX-License-Identifier: Apache-2.0 */
/* outside.c - fetch by fetch, each read at once: nothing here is in a hurry, as the thread stands still. */
#include "capture/syscall/outside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/target/target_bytes.h"

enum { WORD = 8, LEAST_ADDRESS = 4096, NOT_DONE = UINT8_MAX };

struct fetching {
	const struct fc_outside_call *call;
	const struct fc_fetch_plan *plan;
	uint64_t *word;
	uint32_t nr;			/* of them */
	uint8_t first[FCA_MAX_FETCHES]; /* of each fetch; NOT_DONE */
};

static uint32_t words_of(size_t bytes)
{
	return (uint32_t)((bytes + WORD - 1) / WORD);
}

static uint32_t room_of(const struct fetching *f)
{
	return FCA_VALUE_WORDS - 1 - f->nr;
}

static uint64_t low_bytes(uint64_t value, uint32_t size)
{
	return size < WORD ? value & ((1ull << size * 8) - 1) : value;
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
	for (uint8_t i = 0; i < call->nr_regs; i++) {
		*ret = call->value[i];
		if (call->reg[i] == reg)
			return true;
	}
	return false;
}

/* The word at off within what fetch number nr gave. False: so much was not given. */
static bool find_word(const struct fetching *f, uint32_t nr, int32_t off, uint32_t before,
		      uint64_t *ret)
{
	if (nr >= before || f->first[nr] == NOT_DONE || off < 0)
		return false;
	const struct fca_fetch *fetch = &f->plan->part[nr].fetch;
	const uint64_t *word = &f->word[f->first[nr]];
	bool is_value = fetch->how == FCA_FETCH_VALUE;
	uint64_t got = is_value ? words_of(fetch->size) * WORD : *word & FCA_GOT_BYTES;
	if ((uint64_t)off + WORD > words_of(got) * WORD)
		return false;
	memcpy(ret, (const char *)(word + !is_value) + off, WORD);
	return true;
}

static void add_value(struct fetching *f, const struct fca_fetch *fetch)
{
	uint64_t value = 0;
	find_source(f, fetch, &value);
	for (uint32_t i = 0; i < words_of(fetch->size); i++)
		f->word[f->nr++] = i ? 0 : low_bytes(value, fetch->size);
}

/* Where the memory is that is to be read. False: nowhere. */
static bool find_address(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
			 uint64_t *ret)
{
	if (fetch->from == FCA_FROM_KEPT && f->call->error)
		return false;
	bool is_there = fetch->from == FCA_FROM_FETCH
				? find_word(f, fetch->reg, fetch->off, i, ret)
				: find_source(f, fetch, ret);
	return is_there && *ret >= LEAST_ADDRESS;
}

/* Of an array at an address, in units. False: that is not known, or nonsense. */
static bool find_count(const struct fetching *f, const struct fca_fetch *fetch, uint32_t i,
		       uint64_t at, uint64_t *ret)
{
	if (!find_word(f, fetch->count, fetch->count_off, i, ret))
		return false;
	if (fetch->count_as == FCA_COUNT_END)
		*ret = fetch->unit && *ret >= at ? (*ret - at) / fetch->unit : UINT64_MAX;
	else if (fetch->count_as == FCA_COUNT_INT)
		*ret = (uint64_t)(int64_t)(int32_t)*ret;
	return (int64_t)*ret >= 0;
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
	if (!find_count(f, fetch, i, at, &count))
		return false;
	bool is_more = count > most;
	*flags = is_more && fetch->count_as != FCA_COUNT_TEXT ? FCA_GOT_MORE : 0;
	*ret = (uint32_t)(is_more ? most : count) * fetch->unit;
	return true;
}

/* What is given up to the first of these bytes that are zero; 0: all of it is. */
static uint32_t ends_with(const struct fca_fetch *fetch)
{
	bool is_text = fetch->how == FCA_FETCH_STRING ||
		       (fetch->how == FCA_FETCH_ARRAY && fetch->count_as == FCA_COUNT_TEXT);
	return is_text ? 1 : fetch->how == FCA_FETCH_POINTERS ? WORD : 0;
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
		head[words_of(nr)] = low_bytes(head[words_of(nr)], nr % WORD);
	*head = nr | flags;
	f->nr += 1 + words_of(nr);
}

static void add_memory(struct fetching *f, const struct fca_fetch *fetch, uint32_t i)
{
	uint64_t at, flags = 0;
	uint32_t size, room = (room_of(f) - 1) * WORD, unit = ends_with(fetch);
	if (!find_address(f, fetch, i, &at) || !find_size(f, fetch, i, at, &size, &flags)) {
		close_bytes(f, 0, FCA_GOT_NONE);
		return;
	}
	/* A buffer that is smaller than what is recorded of texts ends there. */
	bool is_limited = fetch->how == FCA_FETCH_ARRAY && size < fetch->size && size <= room;
	if (size > room) {
		size = room;
		flags |= unit ? 0 : FCA_GOT_MORE;
	}
	char *bytes = (char *)&f->word[f->nr + 1];
	size_t got = size ? fc_target_bytes(f->call->tid, at, bytes, size) : 0;
	size_t nr = unit ? find_end(bytes, got, unit) : got;
	if (unit && nr == size && !is_limited)
		flags |= FCA_GOT_MORE;
	if (size && (unit ? nr == got && got < size : got < size))
		flags |= got ? FCA_GOT_MORE : FCA_GOT_NONE;
	close_bytes(f, nr, flags);
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
	const struct fca_fetch *fetch = &f->plan->part[i].fetch;
	bool is_value = fetch->how == FCA_FETCH_VALUE;
	if (room_of(f) < (is_value ? words_of(fetch->size) : 2))
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

size_t fc_outside_fetch(const struct fc_outside_call *call, const struct fc_fetch_plan *plan,
			uint64_t ret[FCA_VALUE_WORDS])
{
	struct fetching f = { .call = call, .plan = plan, .word = ret };
	memset(f.first, NOT_DONE, sizeof(f.first));
	for (uint32_t i = 0; i < plan->nr && add(&f, i); i++)
		;
	return f.nr;
}
