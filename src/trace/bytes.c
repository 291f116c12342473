/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - appends numbers and strings to bytes, and takes them off a slice. */
#include "trace/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/memory.h"

void fc_bytes_free(struct fc_bytes *bytes)
{
	free(bytes->at);
	*bytes = (struct fc_bytes){ 0 };
}

uint8_t *fc_bytes_reserve(struct fc_bytes *bytes, size_t n)
{
	size_t want = bytes->nr + n;
	if (want > bytes->room) {
		size_t room = bytes->room ? bytes->room : 64;
		while (room < want)
			room *= 2;
		bytes->at = fc_realloc(bytes->at, room);
		bytes->room = room;
	}
	return bytes->at + bytes->nr;
}

void fc_bytes_varint(struct fc_bytes *bytes, uint64_t v)
{
	uint8_t *p = fc_varint_put(fc_bytes_reserve(bytes, FC_VARINT_MAX), v);
	bytes->nr = (size_t)(p - bytes->at);
}

void fc_bytes_signed(struct fc_bytes *bytes, int64_t v)
{
	fc_bytes_varint(bytes, fc_zigzag(v));
}

void fc_bytes_string(struct fc_bytes *bytes, const char *s)
{
	fc_bytes_copy(bytes, s ? s : "", s ? strlen(s) + 1 : 1);
}

void fc_bytes_copy(struct fc_bytes *bytes, const void *from, size_t n)
{
	if (!n)
		return;
	memcpy(fc_bytes_reserve(bytes, n), from, n);
	bytes->nr += n;
}

static uint64_t slice_bad(struct fc_slice *slice)
{
	slice->is_bad = true;
	slice->at = slice->end;
	return 0;
}

/* The low seven bits of each of eight bytes, behind each other. */
static uint64_t sevens(uint64_t v)
{
	v = (v & 0x007f007f007f007f) | (v & 0x7f007f007f007f00) >> 1;
	v = (v & 0x00003fff00003fff) | (v & 0x3fff00003fff0000) >> 2;
	return (v & 0x0fffffff) | (v & 0x0fffffff00000000) >> 4;
}

uint64_t fc_slice_varint_slow(struct fc_slice *slice)
{
	uint64_t v = 0;
	if (fc_slice_left(slice) >= sizeof(v)) {
		v = fc_get_64(slice->at);
		uint64_t ends = ~v & 0x8080808080808080; /* of numbers: the first is ours */
		if (ends) {
			slice->at += __builtin_ctzll(ends) / 8 + 1;
			return sevens(v & (ends ^ (ends - 1)));
		}
		v = 0;
	}
	for (unsigned shift = 0; shift < 64 && slice->at < slice->end; shift += 7) {
		uint8_t byte = *slice->at++;
		if (shift == 63 && byte > 1)
			break; /* more than 64 bits */
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	return slice_bad(slice);
}

int64_t fc_slice_signed(struct fc_slice *slice)
{
	return fc_unzigzag(fc_slice_varint(slice));
}

const char *fc_slice_string(struct fc_slice *slice)
{
	size_t left = fc_slice_left(slice);
	const uint8_t *nul = left ? memchr(slice->at, 0, left) : NULL;
	if (!nul) {
		slice_bad(slice);
		return "";
	}
	const char *s = (const char *)slice->at;
	slice->at = nul + 1;
	return s;
}

const uint8_t *fc_slice_take(struct fc_slice *slice, uint64_t n)
{
	if (n > fc_slice_left(slice)) {
		slice_bad(slice);
		return NULL;
	}
	const uint8_t *p = slice->at;
	slice->at += n;
	return p;
}
