/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cursor.h - read numbers one after the other out of bytes that may lie.
 *
 * Past the end every read gives 0 and sets is_bad: ask once, after the last read.
 */
#ifndef FC_ELF_CURSOR_H
#define FC_ELF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fc_cursor {
	const uint8_t *at, *end;
	bool is_bad;
};

static inline struct fc_cursor fc_cursor(const uint8_t *at, size_t size)
{
	return (struct fc_cursor){ .at = at, .end = at + size };
}

static inline size_t fc_cursor_left(const struct fc_cursor *c)
{
	return c->end - c->at;
}

static inline void fc_cursor_skip(struct fc_cursor *c, uint64_t size)
{
	if (size > fc_cursor_left(c)) {
		c->is_bad = true;
		size = fc_cursor_left(c);
	}
	c->at += size;
}

/* The next size bytes (1, 2, 4, 8) as an unsigned little-endian number. */
static inline uint64_t fc_cursor_uint(struct fc_cursor *c, size_t size)
{
	uint64_t value = 0;
	if (size > fc_cursor_left(c))
		c->is_bad = true;
	else
		memcpy(&value, c->at, size);
	fc_cursor_skip(c, size);
	return value;
}

/* The same, signed. */
static inline int64_t fc_cursor_int(struct fc_cursor *c, size_t size)
{
	unsigned int shift = 64 - 8 * size;
	return (int64_t)(fc_cursor_uint(c, size) << shift) >> shift;
}

/* DWARF 5, 7.6: 7 bits a byte, low ones first. Bits beyond 64 are dropped. */
static inline uint64_t fc_cursor_leb(struct fc_cursor *c, bool is_signed)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = fc_cursor_uint(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && (byte & 0x40) && shift < 64)
		value |= -(UINT64_C(1) << shift);
	return value;
}

static inline uint64_t fc_cursor_uleb(struct fc_cursor *c)
{
	return fc_cursor_leb(c, false);
}

static inline int64_t fc_cursor_sleb(struct fc_cursor *c)
{
	return (int64_t)fc_cursor_leb(c, true);
}

#endif
