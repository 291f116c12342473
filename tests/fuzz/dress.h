/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dress.h - what a fuzzer made up, as a trace.
 *
 * A fuzzer does not guess checksums: the input is a row of packets as {kind, flags, raw
 * length, stored length, payload}, which is dressed as a file with right checksums. With
 * a first byte of 0 it is taken as the file itself.
 */
#ifndef FC_TEST_DRESS_H
#define FC_TEST_DRESS_H

#include <stdlib.h>
#include <string.h>

#include "trace/checksum.h"
#include "trace/packet.h"

static void add_packet(struct fc_bytes *file, struct fc_packet *packet)
{
	uint8_t head[FC_PACKET_HEAD];
	packet->off = file->nr;
	fc_packet_head_put(head, packet, fc_checksum(packet->stored, packet->stored_len));
	fc_bytes_copy(file, head, sizeof(head));
	fc_bytes_copy(file, packet->stored, packet->stored_len);
	packet->seq++;
}

static void dress(struct fc_bytes *file, struct fc_slice in)
{
	static const uint8_t session[] = { 3, 1, 1, 1, 9, 5, 'm', 0, 'o', 0, 1, 'a', 0 };
	struct fc_packet packet = { .kind = FC_PACKET_SESSION,
				    .raw_len = sizeof(session),
				    .stored_len = sizeof(session),
				    .stored = session };
	fc_file_head_put(fc_bytes_reserve(file, FC_FILE_HEAD));
	file->nr = FC_FILE_HEAD;
	add_packet(file, &packet);
	while (fc_slice_left(&in) && !in.is_bad) {
		packet.kind = (uint8_t)fc_slice_varint(&in);
		packet.flags = (uint8_t)fc_slice_varint(&in);
		packet.raw_len = (uint32_t)fc_slice_varint(&in);
		uint64_t len = fc_slice_varint(&in);
		if (len > fc_slice_left(&in))
			len = fc_slice_left(&in);
		packet.stored_len = (uint32_t)len;
		packet.stored = fc_slice_take(&in, len);
		add_packet(file, &packet);
	}
	if (packet.kind != FC_PACKET_END)
		return;
	fc_file_trailer_put(fc_bytes_reserve(file, FC_FILE_TRAILER), packet.off);
	file->nr += FC_FILE_TRAILER;
}

/* Call fn with the trace that the input stands for. */
static void with_trace(const uint8_t *data, size_t size,
		       void (*fn)(const uint8_t *bytes, size_t size))
{
	struct fc_bytes file = { 0 };
	if (!size)
		return;
	if (!data[0]) {
		fn(data + 1, size - 1);
		return;
	}
	dress(&file, (struct fc_slice){ data + 1, data + size, false });
	fn(file.at, file.nr);
	fc_bytes_free(&file);
}

#endif
