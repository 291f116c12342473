/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf.h - messages in the wire format of protocol buffers
 * (protobuf.dev/programming-guides/encoding), written by hand: a field is its number and how it
 * is held, then a number or the length of what follows.
 *
 * Small messages are gathered in memory, as their length comes before them.
 */
#ifndef FC_SHOW_EXPORT_PERFETTO_PROTOBUF_H
#define FC_SHOW_EXPORT_PERFETTO_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/vec.h"

#define FC_PB_VARINT_MAX 10 /* bytes */

enum fc_pb_wire { FC_PB_VARINT = 0, FC_PB_64 = 1, FC_PB_LEN = 2 };

/* The tag before a field: one byte for fields 1 to 15. */
#define FC_PB_TAG(field, wire) ((field) << 3 | (wire))

/* Seven bits a byte, the lowest first. Returns where the next byte goes. */
static inline char *fc_pb_put_varint(char *at, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		*at++ = (char)(n | 0x80);
	*at++ = (char)n;
	return at;
}

/* A message in the making. Zeroed: empty. */
struct fc_pb {
	FC_VEC(char) text;
};

void fc_pb_clear(struct fc_pb *pb);
void fc_pb_deinit(struct fc_pb *pb);

void fc_pb_number(struct fc_pb *pb, unsigned field, uint64_t n);
void fc_pb_double(struct fc_pb *pb, unsigned field, double number);
/* Text that must be UTF-8: what is not becomes U+FFFD. */
void fc_pb_text(struct fc_pb *pb, unsigned field, const char *text);
/* Fields that are written already. */
void fc_pb_fields(struct fc_pb *pb, const char *fields, size_t len);
/* inner as a field of pb; inner is empty afterwards. */
void fc_pb_message(struct fc_pb *pb, unsigned field, struct fc_pb *inner);
/* The same, as a field of what is streamed. */
void fc_pb_stream(struct fc_stream *out, unsigned field, struct fc_pb *inner);

#endif
