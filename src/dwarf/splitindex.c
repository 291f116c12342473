/* SPDX-License-Identifier: Apache-2.0 */
/* splitindex.c - searches the index of a package, and cuts out the parts of a unit. */
#include "dwarf/splitindex.h"

#include <string.h>

#include "base/little.h"
#include "base/memory.h"
#include "base/vec.h"

enum { HEAD = 16, ID = 8, WORD = 4, MOST_COLUMNS = 16 };

/* Sections by the index's numbers of them: GCC's wiki, "DebugFissionDWP"; DWARF 5, 7.3.5.3. */
static const int8_t parts_4[] = { -1,		FC_SPLIT_INFO,	     -1, FC_SPLIT_ABBREV, -1,
				  FC_SPLIT_LOC, FC_SPLIT_STR_OFFSETS };
static const int8_t parts_5[] = {
	-1, FC_SPLIT_INFO,    -1, FC_SPLIT_ABBREV, -1, FC_SPLIT_LOCLISTS, FC_SPLIT_STR_OFFSETS,
	-1, FC_SPLIT_RNGLISTS
};

/*
 *	head | a slot of a hash table for each id | the same: its row | numbers of the sections
 *	| where each row's begins in each section | how large it is there
 */
struct index {
	const uint8_t *ids, *rows, *columns, *offs, *sizes;
	uint32_t nr_columns, nr_rows, nr_slots;
	bool is_5;
};

static bool open_index(struct fc_split_bytes span, struct index *ret)
{
	if (span.size < HEAD)
		return false;
	uint32_t version = fc_get_32(span.at);
	*ret = (struct index){
		.nr_columns = fc_get_32(span.at + 4),
		.nr_rows = fc_get_32(span.at + 8),
		.nr_slots = fc_get_32(span.at + 12),
		.is_5 = (version & 0xffff) == 5,
	};
	if (version != 2 && !ret->is_5)
		return false;
	uint64_t row = (uint64_t)ret->nr_columns * WORD;
	if (ret->nr_columns > MOST_COLUMNS)
		return false;
	uint64_t rows = row * ret->nr_rows, slots = (uint64_t)ret->nr_slots * (ID + WORD);
	if (HEAD + slots + row + 2 * rows > span.size)
		return false;
	ret->ids = span.at + HEAD;
	ret->rows = ret->ids + (uint64_t)ret->nr_slots * ID;
	ret->columns = ret->rows + (uint64_t)ret->nr_slots * WORD;
	ret->offs = ret->columns + row;
	ret->sizes = ret->offs + rows;
	return true;
}

/* From 1; 0: there is none. */
static uint32_t find_row(const struct index *index, uint64_t id)
{
	for (uint32_t i = 0; i < index->nr_slots; i++) {
		uint32_t row = fc_get_32(index->rows + (uint64_t)i * WORD);
		uint64_t its;
		memcpy(&its, index->ids + (uint64_t)i * ID, ID);
		if (row && row <= index->nr_rows && its == id)
			return row;
	}
	return 0;
}

static int part_of(const struct index *index, uint32_t number)
{
	const int8_t *parts = index->is_5 ? parts_5 : parts_4;
	size_t nr = index->is_5 ? sizeof(parts_5) : sizeof(parts_4);
	return number < nr ? parts[number] : -1;
}

/* All units of a package share its strings: those that this one has, at offsets of their own. */
static void take_strings(struct fc_split_parts *parts, bool is_5)
{
	struct fc_split_bytes *offs = &parts->at[FC_SPLIT_STR_OFFSETS],
			      *all = &parts->at[FC_SPLIT_STR];
	FC_VEC(uint8_t) strings = { 0 };
	uint8_t *new_offs = fc_alloc(offs->size + 1);

	fc_vec_push(&strings, 0);
	if (offs->size)
		memcpy(new_offs, offs->at, offs->size);
	for (size_t at = is_5 ? 8 : 0; at + WORD <= offs->size; at += WORD) {
		uint32_t off = fc_get_32(offs->at + at);
		const uint8_t *end =
			off < all->size ? memchr(all->at + off, 0, all->size - off) : NULL;
		size_t nr = end ? (size_t)(end + 1 - (all->at + off)) : 0;
		fc_put_32(new_offs + at, nr ? (uint32_t)strings.nr : 0);
		if (!nr || strings.nr > UINT32_MAX / 2)
			continue;
		fc_vec_reserve(&strings, nr);
		memcpy(strings.at + strings.nr, all->at + off, nr);
		strings.nr += nr;
	}
	*offs = (struct fc_split_bytes){ new_offs, offs->size };
	*all = (struct fc_split_bytes){ strings.at, strings.nr };
}

bool fc_split_index_cut(struct fc_split_bytes span, uint64_t id, struct fc_split_parts *parts)
{
	struct fc_split_bytes strings = parts->at[FC_SPLIT_STR];
	struct fc_split_parts all = *parts;
	struct index index;
	uint32_t row = open_index(span, &index) ? find_row(&index, id) : 0;

	if (!row)
		return false;
	*parts = (struct fc_split_parts){ 0 };
	for (uint32_t i = 0; i < index.nr_columns; i++) {
		uint64_t cell = ((uint64_t)(row - 1) * index.nr_columns + i) * WORD;
		int part = part_of(&index, fc_get_32(index.columns + (uint64_t)i * WORD));
		uint64_t off = fc_get_32(index.offs + cell),
			 size = fc_get_32(index.sizes + cell);
		if (part < 0)
			continue;
		if (off > all.at[part].size || size > all.at[part].size - off)
			return false;
		parts->at[part] = (struct fc_split_bytes){ all.at[part].at + off, size };
	}
	parts->at[FC_SPLIT_STR] = strings;
	take_strings(parts, index.is_5);
	return true;
}
