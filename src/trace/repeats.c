/* SPDX-License-Identifier: Apache-2.0 */
/* repeats.c - finds long repeats by a hash, and writes them as sequences for zstd. */
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_compressSequences() */
#include "trace/repeats.h"

#include <stdlib.h>

#include "base/little.h"
#include "base/memory.h"
#include "trace/packet.h"

enum {
	LEAST = 24,    /* bytes of a repeat */
	STRIDE = 4,    /* from one look to the next… */
	PATIENCE = 32, /* …and one more for each so many bytes without a repeat… */
	FURTHEST = 16, /* …up to so many: what comes later is to find something */
	MOST = ZSTD_BLOCKSIZE_MAX, /* bytes at once; all are one block of zstd */
	TABLE_BITS = 12,
};

/* Not promised to be in every libzstd: without it the column is compressed as any other. */
#pragma weak ZSTD_compressSequences

struct repeats {
	const uint8_t *raw;
	size_t n, told;			/* bytes, and those of them that are in seq */
	uint32_t seen[1 << TABLE_BITS]; /* where what has this hash was seen last */
	size_t nr;
	ZSTD_Sequence seq[MOST / LEAST + 1];
};

/* Three odd numbers without a pattern; the product's top bits depend on all below. */
static inline uint32_t hash_of(const uint8_t *p)
{
	uint64_t mixed = fc_get_64(p) * 0x9e3779b185ebca87ull ^
			 fc_get_64(p + 8) * 0xc2b2ae3d27d4eb4full ^
			 fc_get_64(p + 16) * 0x165667b19e3779f9ull;
	return (uint32_t)(mixed >> (64 - TABLE_BITS));
}

static inline bool is_same(const uint8_t *a, const uint8_t *b)
{
	return !((fc_get_64(a) ^ fc_get_64(b)) | (fc_get_64(a + 8) ^ fc_get_64(b + 8)) |
		 (fc_get_64(a + 16) ^ fc_get_64(b + 16)));
}

/* The end of the repeat: the first byte where what follows `to` differs from what follows `from`. */
static size_t end_of(const struct repeats *r, size_t from, size_t to)
{
	size_t distance = to - from;
	while (to + 8 <= r->n && fc_get_64(r->raw + to) == fc_get_64(r->raw + to - distance))
		to += 8;
	while (to < r->n && r->raw[to] == r->raw[to - distance])
		to++;
	return to;
}

/* The bytes from..from + LEAST stand at `to`, too, and maybe more on both sides of them. */
static void put_sequence(struct repeats *r, size_t from, size_t to)
{
	size_t end = end_of(r, from + LEAST, to + LEAST);
	while (to > r->told && from && r->raw[to - 1] == r->raw[from - 1]) {
		to--;
		from--;
	}
	r->seq[r->nr++] = (ZSTD_Sequence){
		.offset = (unsigned)(to - from),
		.litLength = (unsigned)(to - r->told),
		.matchLength = (unsigned)(end - to),
	};
	r->told = end;
}

/* The bytes behind the last repeat need no sequence. */
static void find(struct repeats *r)
{
	/* From 1 on: a place of 0 is none, and only the first byte's. */
	for (size_t at = 1; at + LEAST <= r->n;) {
		uint32_t *seen = &r->seen[hash_of(r->raw + at)], before = *seen;
		*seen = (uint32_t)at;
		if (__builtin_expect(is_same(r->raw + before, r->raw + at), 0)) {
			put_sequence(r, before, at);
			at = r->told;
		} else {
			size_t stride = STRIDE + (at - r->told) / PATIENCE;
			at += stride < FURTHEST ? stride : FURTHEST;
		}
	}
}

size_t fc_repeats_deflate(ZSTD_CCtx *zstd, const void *raw, size_t n, struct fc_bytes *out)
{
	if (n < LEAST || n > MOST || !ZSTD_compressSequences)
		return fc_deflate(zstd, raw, n, out);

	struct repeats *r = fc_realloc(NULL, sizeof(*r)); /* seq is filled as far as needed */
	r->raw = raw;
	r->n = n;
	r->told = r->nr = 0;
	memset(r->seen, 0, sizeof(r->seen));
	find(r);
	size_t bound = ZSTD_compressBound(n);
	uint8_t *to = fc_bytes_reserve(out, bound);
	size_t stored = ZSTD_compressSequences(zstd, to, bound, r->seq, r->nr, raw, n);
	free(r);
	return fc_deflated(raw, n, stored, out);
}
