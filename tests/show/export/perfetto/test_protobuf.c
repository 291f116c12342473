/* SPDX-License-Identifier: Apache-2.0 */
/* Messages are the bytes that the encoding's own description gives for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "show/export/perfetto/protobuf.h"

static void is_bytes(const struct fc_pb *pb, const char *bytes, size_t nr)
{
	assert_int_equal(pb->text.nr, nr);
	if (nr)
		assert_memory_equal(pb->text.at, bytes, nr);
}

#define is(pb, bytes) is_bytes(pb, bytes, sizeof(bytes) - 1)

/* "150" and "testing" are protobuf.dev's examples. */
static void numbers_and_texts_are_as_described(void **state)
{
	struct fc_pb pb = { 0 };

	fc_pb_number(&pb, 1, 150);
	is(&pb, "\x08\x96\x01");
	fc_pb_clear(&pb);
	fc_pb_text(&pb, 2, "testing");
	is(&pb, "\x12\x07testing");
	fc_pb_clear(&pb);
	fc_pb_number(&pb, 1, 0);
	fc_pb_number(&pb, 16, UINT64_MAX);
	is(&pb, "\x08\x00\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	fc_pb_deinit(&pb);
}

static void messages_hold_messages(void **state)
{
	struct fc_pb pb = { 0 }, inner = { 0 };

	fc_pb_message(&pb, 1, &inner);
	fc_pb_number(&inner, 1, 150);
	fc_pb_message(&pb, 3, &inner);
	is(&pb, "\x0a\x00\x1a\x03\x08\x96\x01");
	is(&inner, "");
	fc_pb_deinit(&inner);
	fc_pb_deinit(&pb);
}

static void texts_are_utf8_whatever_they_were(void **state)
{
	struct fc_pb pb = { 0 };

	fc_pb_text(&pb, 1, "a\xff" "b\xc3\xb6\xc3");
	is(&pb, "\x0a\x0a" "a\xef\xbf\xbd" "b\xc3\xb6\xef\xbf\xbd");
	fc_pb_deinit(&pb);
}

static size_t nr_written;

static int count(void *ctx, const void *data, size_t len)
{
	nr_written += len;
	return 0;
}

/* Longer than a stream gathers at once. */
static void long_messages_are_streamed(void **state)
{
	size_t len = 3 * FC_STREAM_ROOM;
	char *text = calloc(1, len + 1);
	struct fc_pb pb = { 0 };
	struct fc_stream out;

	memset(text, 'x', len);
	fc_pb_text(&pb, 1, text);
	fc_stream_init(&out, count, NULL);
	fc_pb_stream(&out, 1, &pb);
	assert_int_equal(fc_stream_flush(&out), 0);
	assert_int_equal(nr_written, len + 2 * (1 + 3));
	fc_stream_deinit(&out);
	fc_pb_deinit(&pb);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_texts_are_as_described),
		cmocka_unit_test(messages_hold_messages),
		cmocka_unit_test(texts_are_utf8_whatever_they_were),
		cmocka_unit_test(long_messages_are_streamed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
