/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.h - bytes that grow while a packet is built, and a slice that is taken apart
 * safely.
 *
 * Numbers are little-endian base-128 varints (7 bits a byte, the lowest first, the top
 * bit says that more follow); signed ones are zigzag varints; strings end with a NUL.
 */
#ifndef FC_TRACE_BYTES_H
#define FC_TRACE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FC_VARINT_MAX 10 /* bytes of the longest varint */

struct fc_bytes {
	uint8_t *at;
	size_t nr, room;
};

void fc_bytes_free(struct fc_bytes *bytes);
#define fc_auto_bytes __attribute__((cleanup(fc_bytes_free)))
/* Room for n more; returns where they go. nr is the caller's to advance. */
uint8_t *fc_bytes_reserve(struct fc_bytes *bytes, size_t n);
void fc_bytes_varint(struct fc_bytes *bytes, uint64_t v);
void fc_bytes_signed(struct fc_bytes *bytes, int64_t v);
void fc_bytes_string(struct fc_bytes *bytes, const char *s); /* NULL is "" */
void fc_bytes_copy(struct fc_bytes *bytes, const void *from, size_t n);

static inline uint8_t *fc_varint_put(uint8_t *p, uint64_t v)
{
	while (v > 0x7f) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

/* The same, without a branch on the length of what is mostly short; writes 2 bytes at least. */
static inline uint8_t *fc_varint_put_small(uint8_t *p, uint64_t v)
{
	if (__builtin_expect(v > 0x3fff, 0))
		return fc_varint_put(p, v);
	unsigned is_two = v > 0x7f;
	uint16_t bytes = htole16((uint16_t)(v + (v & 0x3f80) + (is_two << 7)));
	memcpy(p, &bytes, sizeof(bytes));
	return p + 1 + is_two;
}

/* A number that grows with the distance from zero to either side. */
static inline uint64_t fc_zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t fc_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

/*
 * A varint of up to three bytes. Whether it has one or two is hard to foretell, so no branch
 * depends on it. False, and nothing is taken: it is longer, or perhaps not whole.
 */
static inline __attribute__((always_inline)) bool
fc_varint_take_small(const uint8_t **at, const uint8_t *end, uint32_t *ret)
{
	const uint8_t *p = *at;
	if (__builtin_expect(end - p < 3, 0))
		return false;
	unsigned one = p[0], two = p[1], is_two = one >> 7;
	if (__builtin_expect(is_two & two >> 7, 0)) {
		*ret = (one & 0x7f) | (two & 0x7f) << 7 | (uint32_t)p[2] << 14;
		*at = p[2] < 0x80 ? p + 3 : p;
		return p[2] < 0x80;
	}
	*ret = (one & 0x7f) | (two << 7 & -is_two);
	*at = p + 1 + is_two;
	return true;
}

/* The bytes that are left to read. Reading past the end gives zeros and "", and sets is_bad. */
struct fc_slice {
	const uint8_t *at, *end;
	bool is_bad;
};

/* All nr bytes; at may be NULL when there are none. */
static inline struct fc_slice fc_slice_of(const uint8_t *at, size_t nr)
{
	return (struct fc_slice){ at, nr ? at + nr : at, false };
}

uint64_t fc_slice_varint_slow(struct fc_slice *slice);
int64_t fc_slice_signed(struct fc_slice *slice);
/* A string of the slice itself: it lives as long as the bytes. */
const char *fc_slice_string(struct fc_slice *slice);
/* n bytes of the slice itself, or NULL. */
const uint8_t *fc_slice_take(struct fc_slice *slice, uint64_t n);

static inline size_t fc_slice_left(const struct fc_slice *slice)
{
	return (size_t)(slice->end - slice->at);
}

static inline uint64_t fc_slice_varint(struct fc_slice *slice)
{
	if (slice->at < slice->end && !(*slice->at & 0x80))
		return *slice->at++;
	return fc_slice_varint_slow(slice);
}

#endif
