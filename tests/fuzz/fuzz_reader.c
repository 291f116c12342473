/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_reader.c - any bytes are safe to open as a trace, and to walk to the end.
 *
 * A fuzzer does not guess checksums: the input is a row of packets as {kind, flags, raw
 * length, stored length, payload}, which is dressed as a file with right checksums. With
 * a first byte of 0 it is taken as the file itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "trace/checksum.h"
#include "trace/packet.h"
#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENTS_MAX 200000 /* a forged packet may tell 64 Ki records in a few bytes */

static void walk_events(struct fc_reader *reader, uint64_t from_tsc)
{
	struct fc_cursor *cursor;
	struct fc_event event;
	if (fc_cursor_create_at(reader, from_tsc, &cursor))
		return;
	for (int i = 0; i < EVENTS_MAX && fc_cursor_next(cursor, &event) == 1; i++) {
		if (!fc_reader_func(reader, event.func).name || !event.kind)
			abort();
	}
	fc_cursor_destroy(cursor);
}

static void walk(struct fc_reader *reader)
{
	size_t length = 0;
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	for (int i = 0; i < fc_reader_argc(reader); i++)
		length += strlen(fc_reader_arg(reader, i));
	length += strlen(fc_reader_options(reader)) + strlen(fc_reader_machine(reader));
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++)
		length += strlen(fc_reader_life(reader, i)->text);
	for (size_t i = 0; i < fc_reader_nr_modules(reader); i++) {
		const struct fc_module_info *module = fc_reader_module(reader, i);
		length += strlen(module->path) + strlen(module->build_id);
		for (size_t j = 0; j < module->nr_funcs; j++)
			length +=
				strlen(module->funcs[j].why) +
				strlen(fc_reader_func(reader, module->funcs[j].id).name);
	}
	if (length == (size_t)-1) /* so that nothing above is optimised away */
		abort();
	walk_events(reader, 0);
	walk_events(reader, totals.duration_ns);
	fc_reader_verify(reader);
	fc_reader_totals(reader, &totals);
}

static void open_and_walk(const uint8_t *bytes, size_t size)
{
	struct fc_reader *reader = NULL;
	fc_fail_clear();
	if (!fc_reader_open_memory(bytes, size, "fuzz", &reader)) {
		walk(reader);
		fc_reader_close(reader);
	} else if (!fc_fail_text()[0]) {
		abort();
	}
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (!data[0]) {
		open_and_walk(data + 1, size - 1);
		return 0;
	}
	struct fc_bytes file = { 0 };
	dress(&file, (struct fc_slice){ data + 1, data + size, false });
	open_and_walk(file.at, file.nr);
	fc_bytes_free(&file);
	return 0;
}
