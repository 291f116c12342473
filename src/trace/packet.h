/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packet.h - what a trace file is made of (docs/format.md).
 *
 *   file head | SESSION | packet | packet | … | END | trailer
 *
 * A packet is a head of 32 bytes and its payload, both with a checksum.
 */
#ifndef FC_TRACE_PACKET_H
#define FC_TRACE_PACKET_H

#include <zstd.h>

#include "trace/bytes.h"

#define FC_FORMAT_MAJOR 1 /* a reader refuses later majors, reads later minors */
#define FC_FORMAT_MINOR 6

#define FC_FILE_HEAD	16 /* bytes */
#define FC_PACKET_HEAD	32
#define FC_FILE_TRAILER 16

enum fc_packet_kind {
	FC_PACKET_SESSION = 1,
	FC_PACKET_MODULES = 2,
	FC_PACKET_NAMES = 3,
	FC_PACKET_MAPS = 4,
	FC_PACKET_LIFE = 5,
	FC_PACKET_EVENTS = 6,
	FC_PACKET_CLOCK = 7,
	FC_PACKET_END = 8,
	FC_PACKET_HOOKS = 9,   /* since 1.1 */
	FC_PACKET_COUNTS = 10, /* since 1.1 */
	FC_PACKET_MARKS = 11,  /* since 1.1 */
	FC_PACKET_FUNCS = 12,  /* since 1.2 */
	FC_PACKET_VALUES = 13, /* since 1.5 */
};

enum {
	FC_PACKET_ZSTD = 1 << 0, /* the payload is one zstd frame */
};

/* Flags of SESSION for the whole trace, since 1.3. */
enum {
	FC_SESSION_FLIGHT = 1 << 0, /* a flight recorder's: the newest records only */
};

struct fc_packet {
	uint8_t kind, flags;
	uint32_t seq;	  /* 0 for SESSION, then one more each */
	uint32_t raw_len; /* of the payload before compression */
	uint32_t stored_len;
	uint64_t off;	       /* of its head in the file */
	const uint8_t *stored; /* the payload, as stored */
};

/* The most that a stored length may unpack to: a small forged file must not ask for much memory. */
static inline uint64_t fc_raw_limit(uint64_t stored_len)
{
	return (1u << 20) + stored_len * 1024;
}

/* The compressor of events' columns: fast enough for two threads that do nothing but call. */
ZSTD_CCtx *fc_events_zstd(void);

/* Append n bytes to out, compressed when that makes them smaller. Returns how many. */
size_t fc_deflate(ZSTD_CCtx *zstd, const void *raw, size_t n, struct fc_bytes *out);

/*
 * The same when zstd has put `stored` bytes (or what ZSTD_isError() tells) behind those of
 * out, where there was room for them.
 */
size_t fc_deflated(const void *raw, size_t n, size_t stored, struct fc_bytes *out);

/*
 * The raw_len bytes that the stored ones stand for, in *out (which it fills from its
 * start). -EBADMSG without a sentence when they are something else.
 */
int fc_inflate(ZSTD_DCtx *zstd, const uint8_t *stored, size_t stored_len, uint64_t raw_len,
	       struct fc_bytes *out);

void fc_file_head_put(uint8_t head[FC_FILE_HEAD]);
/*
 * -ENODATA: empty. -EBADMSG: not a trace. -EPROTONOSUPPORT: a later major. Each with a
 * sentence that begins with name.
 */
int fc_file_head_check(const uint8_t *image, size_t size, const char *name);

void fc_file_trailer_put(uint8_t trailer[FC_FILE_TRAILER], uint64_t end_off);
/* Where the end packet should be, or 0 when the image does not end with a trailer. */
uint64_t fc_file_trailer_get(const uint8_t *image, size_t size);

/* The head for packet, whose stored payload has that checksum. */
void fc_packet_head_put(uint8_t head[FC_PACKET_HEAD], const struct fc_packet *packet,
			uint32_t checksum);
/* Decode a head; without off and stored. -EBADMSG without a sentence: it is none. */
int fc_packet_head_get(const uint8_t head[FC_PACKET_HEAD], struct fc_packet *ret);

/* The packet at off, whole and with right checksums. -EBADMSG without a sentence. */
int fc_packet_at(const uint8_t *image, size_t size, uint64_t off, struct fc_packet *ret);

/* Where the next packet may begin, at off or after it; size when none does. */
uint64_t fc_packet_search(const uint8_t *image, size_t size, uint64_t off);

static inline uint64_t fc_packet_end(const struct fc_packet *packet)
{
	return packet->off + FC_PACKET_HEAD + packet->stored_len;
}

#endif
