/* SPDX-License-Identifier: Apache-2.0 */
/* protobuf.c - encodes fields into a buffer. */
#include "show/export/perfetto/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "show/export/quoted.h"

void fc_pb_clear(struct fc_pb *pb)
{
	pb->text.nr = 0;
}

void fc_pb_deinit(struct fc_pb *pb)
{
	fc_vec_free(&pb->text);
}

static void append(struct fc_pb *pb, const void *data, size_t len)
{
	if (!len)
		return;
	fc_vec_reserve(&pb->text, len);
	memcpy(pb->text.at + pb->text.nr, data, len);
	pb->text.nr += len;
}

void fc_pb_fields(struct fc_pb *pb, const char *fields, size_t len)
{
	append(pb, fields, len);
}

static void put_varint(struct fc_pb *pb, uint64_t n)
{
	fc_vec_reserve(&pb->text, FC_PB_VARINT_MAX);
	pb->text.nr = (size_t)(fc_pb_put_varint(pb->text.at + pb->text.nr, n) - pb->text.at);
}

void fc_pb_number(struct fc_pb *pb, unsigned field, uint64_t n)
{
	put_varint(pb, FC_PB_TAG(field, FC_PB_VARINT));
	put_varint(pb, n);
}

/* As a word of 8 bytes, the lowest first. */
void fc_pb_double(struct fc_pb *pb, unsigned field, double number)
{
	put_varint(pb, FC_PB_TAG(field, FC_PB_64));
	append(pb, &number, sizeof(number));
}

static void put_bytes(struct fc_pb *pb, unsigned field, const void *data, size_t len)
{
	put_varint(pb, FC_PB_TAG(field, FC_PB_LEN));
	put_varint(pb, len);
	append(pb, data, len);
}

void fc_pb_text(struct fc_pb *pb, unsigned field, const char *text)
{
	struct fc_pb made = { 0 };
	size_t left = strlen(text), nr;
	const char *piece;

	while (left) {
		size_t taken = fc_utf8_take(text, left, &piece, &nr);
		append(&made, piece, nr);
		text += taken;
		left -= taken;
	}
	fc_pb_message(pb, field, &made);
	fc_pb_deinit(&made);
}

void fc_pb_message(struct fc_pb *pb, unsigned field, struct fc_pb *inner)
{
	put_bytes(pb, field, inner->text.at, inner->text.nr);
	fc_pb_clear(inner);
}

void fc_pb_stream(struct fc_stream *out, unsigned field, struct fc_pb *inner)
{
	char head[2 * FC_PB_VARINT_MAX];
	char *at = fc_pb_put_varint(head, FC_PB_TAG(field, FC_PB_LEN));

	at = fc_pb_put_varint(at, inner->text.nr);
	fc_stream_put(out, head, (size_t)(at - head));
	if (inner->text.nr)
		fc_stream_put(out, inner->text.at, inner->text.nr);
	fc_pb_clear(inner);
}
