/* SPDX-License-Identifier: Apache-2.0 */
/* formats.c - encodes and decodes the table of formats. */
#include "values/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/fail.h"
#include "base/little.h"
#include "base/memory.h"
#include "base/vec.h"
#include "values/type.h"

/*
 *	size of the table of types (4 bytes) | the table | rows
 *
 * The highest bit of the size tells that parts end with count_off; else they are of an older build.
 *
 * A row: key, type, number of parts (4 bytes each); then its parts: from, how, reg, count (1 byte
 * each), unit, size (2), off (4), param, level, count_off (2), count_as, is_hidden (1).
 */
enum { ROW = 12, PART = 20, OLD_PART = 16 };

#define HAS_COUNT_OFF (UINT32_C(1) << 31)

struct fc_formats {
	struct fc_types *types;
	FC_VEC(struct fc_value_format) rows; /* by key */
};

struct fc_formats *fc_formats_create(struct fc_types *types)
{
	struct fc_formats *formats = fc_alloc(sizeof(*formats));
	formats->types = types;
	return formats;
}

void fc_formats_destroy(struct fc_formats *formats)
{
	if (!formats)
		return;
	fc_vec_each (&formats->rows, row)
		free(row->part);
	fc_vec_free(&formats->rows);
	fc_types_destroy(formats->types);
	free(formats);
}

static size_t place_of(const struct fc_formats *formats, uint32_t key)
{
	return fc_bisect(formats->rows.at, formats->rows.nr, row, row->key < key);
}

void fc_formats_add(struct fc_formats *formats, uint32_t key, uint32_t type,
		    const struct fc_format_part *part, uint32_t nr)
{
	size_t at = place_of(formats, key);
	struct fc_value_format row = { key, type, nr, fc_memdup(part, nr * sizeof(*part)) };
	fc_vec_push(&formats->rows, row);
	memmove(formats->rows.at + at + 1, formats->rows.at + at,
		(formats->rows.nr - 1 - at) * sizeof(row));
	formats->rows.at[at] = row;
}

const struct fc_value_format *fc_formats_find(const struct fc_formats *formats, uint32_t key)
{
	size_t at = place_of(formats, key);
	bool is_there = at < formats->rows.nr && formats->rows.at[at].key == key;
	return is_there ? &formats->rows.at[at] : NULL;
}

const struct fc_value_format *fc_formats_at(const struct fc_formats *formats, size_t i)
{
	return i < formats->rows.nr ? &formats->rows.at[i] : NULL;
}

const struct fc_types *fc_formats_types(const struct fc_formats *formats)
{
	return formats->types;
}

bool fc_formats_is_empty(const struct fc_formats *formats)
{
	return !formats->rows.nr;
}

static uint8_t *put_part(uint8_t *at, const struct fc_format_part *part)
{
	*at++ = part->fetch.from;
	*at++ = part->fetch.how;
	*at++ = part->fetch.reg;
	*at++ = part->fetch.count;
	at = fc_put_16(at, part->fetch.unit);
	at = fc_put_16(at, part->fetch.size);
	at = fc_put_32(at, (uint32_t)part->fetch.off);
	at = fc_put_16(at, part->param);
	at = fc_put_16(at, part->level);
	at = fc_put_16(at, part->fetch.count_off);
	*at++ = part->fetch.count_as;
	*at++ = part->is_hidden;
	return at;
}

void *fc_formats_bytes(const struct fc_formats *formats, size_t *size)
{
	size_t nr_types;
	const void *types = fc_types_bytes(formats->types, &nr_types);
	*size = 4 + nr_types;
	fc_vec_each (&formats->rows, row)
		*size += ROW + row->nr * PART;
	uint8_t *ret = fc_alloc(*size),
		*at = fc_put_32(ret, (uint32_t)nr_types | HAS_COUNT_OFF);
	memcpy(at, types, nr_types);
	at += nr_types;
	fc_vec_each (&formats->rows, row) {
		at = fc_put_32(at, row->key);
		at = fc_put_32(at, row->type);
		at = fc_put_32(at, row->nr);
		for (uint32_t i = 0; i < row->nr; i++)
			at = put_part(at, &row->part[i]);
	}
	return ret;
}

static struct fc_format_part get_part(const uint8_t *at, size_t size)
{
	bool is_old = size == OLD_PART;
	return (struct fc_format_part){
		.fetch = {
			.from = at[0],
			.how = at[1],
			.reg = at[2],
			.count = at[3],
			.unit = fc_get_16(at + 4),
			.size = fc_get_16(at + 6),
			.off = (int32_t)fc_get_32(at + 8),
			.count_off = is_old ? 0 : fc_get_16(at + 16),
			.count_as = is_old ? 0 : at[18],
		},
		.param = fc_get_16(at + 12),
		.level = fc_get_16(at + 14),
		.is_hidden = !is_old && at[19],
	};
}

static int damaged(void)
{
	return fc_fail(EBADMSG, "the table of formats of values is damaged");
}

static int load_rows(struct fc_formats *formats, const uint8_t *at, const uint8_t *end,
		     size_t part)
{
	while (at < end) {
		struct fc_format_part parts[FCA_MAX_FETCHES];
		if (end - at < ROW)
			return damaged();
		uint32_t key = fc_get_32(at), type = fc_get_32(at + 4), nr = fc_get_32(at + 8);
		at += ROW;
		bool is_next =
			!formats->rows.nr || key > formats->rows.at[formats->rows.nr - 1].key;
		if (!is_next || nr > FCA_MAX_FETCHES || (size_t)(end - at) < nr * part ||
		    (type && !fc_types_is_func(formats->types, type)))
			return damaged();
		for (uint32_t i = 0; i < nr; i++, at += part)
			parts[i] = get_part(at, part);
		fc_formats_add(formats, key, type, parts, nr);
	}
	return 0;
}

int fc_formats_load(const void *bytes, size_t size, struct fc_formats **ret)
{
	const uint8_t *at = bytes;
	struct fc_types *types;
	if (size < 4)
		return damaged();
	uint32_t nr_types = fc_get_32(at) & ~HAS_COUNT_OFF;
	size_t part = fc_get_32(at) & HAS_COUNT_OFF ? PART : OLD_PART;
	if (size - 4 < nr_types)
		return damaged();
	int err = fc_types_load(at + 4, nr_types, &types);
	if (err)
		return err;
	fc_type_keep_all(types);
	struct fc_formats *formats = fc_formats_create(types);
	err = load_rows(formats, at + 4 + nr_types, at + size, part);
	if (err)
		fc_formats_destroy(formats);
	else
		*ret = formats;
	return err;
}
