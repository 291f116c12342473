/* SPDX-License-Identifier: Apache-2.0 */
/* packet.c - encodes and checks the heads of packets. */
#include "trace/packet.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/little.h"
#include "base/memory.h"
#include "trace/checksum.h"

static const uint8_t file_magic[8] = { 0x89, 'f', 'c', 't', 'r', 'a', 'c', 'e' };
static const uint8_t trailer_magic[8] = { 'f', 'c', 'e', 'n', 'd', 0x0d, 0x0a, 0x89 };
static const uint8_t packet_magic[4] = { 0x8f, 'f', 'c', 'P' };

ZSTD_CCtx *fc_events_zstd(void)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
	/* Shorter matches cost more than the few bits by which they are told at all. */
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_minMatch, 7);
	return zstd;
}

size_t fc_deflated(const void *raw, size_t n, size_t stored, struct fc_bytes *out)
{
	if (ZSTD_isError(stored) || stored >= n || n > fc_raw_limit(stored)) {
		fc_bytes_copy(out, raw, n);
		return n;
	}
	out->nr += stored;
	return stored;
}

size_t fc_deflate(ZSTD_CCtx *zstd, const void *raw, size_t n, struct fc_bytes *out)
{
	size_t bound = ZSTD_compressBound(n);
	uint8_t *to = fc_bytes_reserve(out, bound);
	return fc_deflated(raw, n, n ? ZSTD_compress2(zstd, to, bound, raw, n) : 0, out);
}

int fc_inflate(ZSTD_DCtx *zstd, const uint8_t *stored, size_t stored_len, uint64_t raw_len,
	       struct fc_bytes *out)
{
	if (raw_len > fc_raw_limit(stored_len) ||
	    ZSTD_getFrameContentSize(stored, stored_len) != raw_len)
		return -EBADMSG;
	out->nr = 0;
	uint8_t *to = fc_bytes_reserve(out, raw_len);
	/* A file that is mapped may change while zstd looks at it for a second time. */
	fc_auto_free uint8_t *own = fc_memdup(stored, stored_len);
	size_t n = ZSTD_decompressDCtx(zstd, to, raw_len, own, stored_len);
	if (ZSTD_isError(n) || n != raw_len)
		return -EBADMSG;
	out->nr = n;
	return 0;
}

/*    0 magic   8 major   10 minor   12 checksum of these */
void fc_file_head_put(uint8_t head[FC_FILE_HEAD])
{
	memcpy(head, file_magic, 8);
	fc_put_16(head + 8, FC_FORMAT_MAJOR);
	fc_put_16(head + 10, FC_FORMAT_MINOR);
	fc_put_32(head + 12, fc_checksum(head, 12));
}

int fc_file_head_check(const uint8_t *image, size_t size, const char *name)
{
	if (!size)
		return fc_fail(ENODATA, "%s is empty: nothing was recorded into it", name);
	size_t seen = size < 8 ? size : 8;
	if (memcmp(image, file_magic, seen))
		return fc_fail(EBADMSG, "%s is not a trace of fctrace", name);
	if (size < FC_FILE_HEAD)
		return fc_fail(EBADMSG,
			       "%s is cut off after %zu bytes: nothing of it can be read", name,
			       size);
	if (fc_get_32(image + 12) != fc_checksum(image, 12))
		return fc_fail(EBADMSG, "%s is damaged in its first %d bytes", name,
			       FC_FILE_HEAD);
	unsigned major = fc_get_16(image + 8), minor = fc_get_16(image + 10);
	if (major != FC_FORMAT_MAJOR)
		return fc_fail(EPROTONOSUPPORT,
			       "%s has format %u.%u, this fctrace reads format %d: take the "
			       "fctrace that recorded it, or a later one",
			       name, major, minor, FC_FORMAT_MAJOR);
	return 0;
}

void fc_file_trailer_put(uint8_t trailer[FC_FILE_TRAILER], uint64_t end_off)
{
	fc_put_64(trailer, end_off);
	memcpy(trailer + 8, trailer_magic, 8);
}

uint64_t fc_file_trailer_get(const uint8_t *image, size_t size)
{
	if (size < FC_FILE_HEAD + FC_FILE_TRAILER)
		return 0;
	const uint8_t *trailer = image + size - FC_FILE_TRAILER;
	return memcmp(trailer + 8, trailer_magic, 8) ? 0 : fc_get_64(trailer);
}

/*
 *   0 magic        4 kind    5 flags     6 length of this head
 *   8 raw length  12 stored length      16 sequence number   20 zero
 *  24 checksum of the payload as stored 28 checksum of bytes 0..27
 */
void fc_packet_head_put(uint8_t head[FC_PACKET_HEAD], const struct fc_packet *packet,
			uint32_t checksum)
{
	memcpy(head, packet_magic, 4);
	head[4] = packet->kind;
	head[5] = packet->flags;
	fc_put_16(head + 6, FC_PACKET_HEAD);
	fc_put_32(head + 8, packet->raw_len);
	fc_put_32(head + 12, packet->stored_len);
	fc_put_32(head + 16, packet->seq);
	fc_put_32(head + 20, 0);
	fc_put_32(head + 24, checksum);
	fc_put_32(head + 28, fc_checksum(head, 28));
}

int fc_packet_head_get(const uint8_t head[FC_PACKET_HEAD], struct fc_packet *ret)
{
	if (memcmp(head, packet_magic, 4) || fc_get_16(head + 6) != FC_PACKET_HEAD ||
	    fc_get_32(head + 28) != fc_checksum(head, 28))
		return -EBADMSG;
	*ret = (struct fc_packet){
		.kind = head[4],
		.flags = head[5],
		.seq = fc_get_32(head + 16),
		.raw_len = fc_get_32(head + 8),
		.stored_len = fc_get_32(head + 12),
	};
	return 0;
}

int fc_packet_at(const uint8_t *image, size_t size, uint64_t off, struct fc_packet *ret)
{
	if (off > size || size - off < FC_PACKET_HEAD)
		return -EBADMSG;
	const uint8_t *head = image + off;
	if (fc_packet_head_get(head, ret))
		return -EBADMSG;
	ret->off = off;
	ret->stored = head + FC_PACKET_HEAD;
	if (ret->stored_len > size - off - FC_PACKET_HEAD ||
	    fc_get_32(head + 24) != fc_checksum(ret->stored, ret->stored_len))
		return -EBADMSG;
	return 0;
}

uint64_t fc_packet_search(const uint8_t *image, size_t size, uint64_t off)
{
	if (off >= size)
		return size;
	const uint8_t *p = memmem(image + off, size - off, packet_magic, sizeof(packet_magic));
	return p ? (uint64_t)(p - image) : size;
}
