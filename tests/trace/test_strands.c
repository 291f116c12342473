/* SPDX-License-Identifier: Apache-2.0 */
/* What a file tells of strands: what kind of stack each is. */
#include "calls/ends.h"
#include "trace/test_trace.h"

#include "trace/index.h"
#include "trace/packets.h"

enum { ROUND = 300 };

static void send_round(struct stream *s, struct fc_tap *tap)
{
	stream_run(s, ROUND);
	assert_int_equal(stream_send(s, tap, SIZE_MAX), 0);
}

static void the_kind_of_a_strand_comes_back(void **state)
{
	enum { NR = 7 };
	static const uint8_t kinds[NR] = { FC_STRAND_THREAD,  FC_STRAND_SIGNAL,
					   FC_STRAND_CONTEXT, FC_STRAND_GO,
					   FC_STRAND_KERNEL,  FC_STRAND_KERNEL + 1,
					   63 };
	struct stream streams[NR];
	struct fc_writer *writer = trace_create(in_dir("kinds"));
	struct fc_tap *tap = fc_writer_tap(writer);
	for (uint32_t i = 0; i < NR; i++) {
		streams[i] = stream_of(i + 1, 7, 7);
		streams[i].info.kind = kinds[i];
		send_round(&streams[i], tap);
		if (i % 2)
			tap->strand_end(tap, &streams[i].info, streams[i].tsc);
	}
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("kinds"));
	assert_int_equal(fc_reader_verify(reader), 0);
	assert_int_equal(fc_reader_nr_strands(reader), NR);
	for (size_t i = 0; i < NR; i++) {
		assert_int_equal(fc_reader_strand(reader, i)->kind, kinds[i]);
		assert_int_equal(fc_reader_packet(reader, i, 0)->kind, kinds[i]);
		assert_int_equal(fc_reader_packet(reader, i, 0)->has_ended, i % 2);
		stream_free(&streams[i]);
	}
	fc_reader_close(reader);
}

/* What was written before 1.4 has one bit there. */
static void an_older_head_is_of_a_threads_own_stack(void **state)
{
	struct fc_events_head head = { .strand = 3, .pid = 7, .tid = 8, .has_ended = true };
	struct fc_bytes bytes = { 0 };
	fc_events_head_put(&bytes, &head);
	assert_int_equal(bytes.at[0], 1);
	struct fc_slice slice = fc_slice_of(bytes.at, bytes.nr);
	assert_int_equal(fc_events_head_get(&slice, &head), 0);
	assert_int_equal(head.kind, FC_STRAND_THREAD);
	assert_true(head.has_ended);
	fc_bytes_free(&bytes);
}

/* The same for who reads a strand alone. */
static void only_a_threads_own_stacks_end_with_it(void **state)
{
	enum { NR = 6, THREAD_EXIT = 1000, EXIT = 2000 };
	struct fc_life_info thread = {
		.life = FC_LIFE_THREAD_EXIT, .pid = 7, .tid = 8, .tsc = THREAD_EXIT, .text = ""
	};
	struct fc_life_info process = {
		.life = FC_LIFE_EXIT, .pid = 7, .tid = 7, .tsc = EXIT, .text = ""
	};
	struct fc_writer *writer = trace_create(in_dir("ends"));
	struct fc_tap *tap = fc_writer_tap(writer);
	tap->life(tap, &thread);
	tap->life(tap, &process);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("ends"));
	struct fc_ends *ends = fc_ends_create(reader);
	for (uint8_t kind = 0; kind < NR; kind++) {
		struct fc_strand_info info = { 1, 7, 8, kind };
		bool is_own = kind == FC_STRAND_THREAD || kind == FC_STRAND_SIGNAL ||
			      kind == FC_STRAND_KERNEL;
		assert_int_equal(fc_ends_next(ends, &info, 1), is_own ? THREAD_EXIT : EXIT);
		assert_int_equal(fc_ends_next(ends, &info, THREAD_EXIT + 1), EXIT);
	}
	fc_ends_destroy(ends);
	fc_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kind_of_a_strand_comes_back),
		cmocka_unit_test(an_older_head_is_of_a_threads_own_stack),
		cmocka_unit_test(only_a_threads_own_stacks_end_with_it),
	};
	return cmocka_run_group_tests_name("trace: strands", tests, dir_make, dir_remove);
}
