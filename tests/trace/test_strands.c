/* SPDX-License-Identifier: Apache-2.0 */
/* What a file tells of strands: what kind of stack each is, and which thread is on it. */
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
	static const uint8_t kinds[NR] = { FC_STRAND_THREAD,
					   FC_STRAND_SIGNAL,
					   FC_STRAND_CONTEXT,
					   FC_STRAND_GO,
					   FC_STRAND_KERNEL,
					   FC_STRAND_KERNEL + 1,
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

/* Calls of one function, ten ticks each; *at: when. */
static void send_calls(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t *at,
		       size_t nr)
{
	for (; nr; nr--, *at += 10) {
		uint64_t words[] = { fc_record(*at, 1, FC_ENTRY),
				     fc_record(*at + 5, 1, FC_EXIT) };
		assert_int_equal(tap->records(tap, strand, words, 2, *at + 10), 0);
	}
}

/* Within a packet, at a packet's begin, and for packets that are full meanwhile. */
static void each_event_is_told_with_the_thread_that_was_on_the_strand(void **state)
{
	static const struct {
		int tid;
		size_t nr;
	} turns[] = { { 8, 3 }, { 9, 2 }, { 8, 1 }, { 9, 40000 }, { 10, 70000 }, { 8, 1 } };
	struct fc_strand_info strand = { .id = 1, .pid = 7 }, other = { .id = 2, .pid = 7 };
	struct fc_writer *writer = trace_create(in_dir("moved"));
	struct fc_tap *tap = fc_writer_tap(writer);
	uint64_t at = 1000;
	other.tid = 11;
	send_calls(tap, &other, &at, 5);
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		strand.tid = turns[i].tid;
		send_calls(tap, &strand, &at, turns[i].nr);
	}
	assert_int_equal(tap->strand_end(tap, &strand, at), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("moved"));
	assert_int_equal(fc_reader_verify(reader), 0);
	assert_int_equal(fc_reader_strand(reader, 0)->tid, 8);
	assert_true(fc_reader_strand_has_moved(reader, 0));
	assert_false(fc_reader_strand_has_moved(reader, 1));
	assert_true(fc_reader_strand_may_be(reader, 0, 10));
	assert_false(fc_reader_strand_may_be(reader, 1, 10));

	struct fc_choice choice = { .tid = 10 };
	for (int round = 0; round < 2; round++, choice.from_tsc = at - 20) {
		struct fc_cursor *cursor = fc_cursor_create(reader, &choice);
		struct fc_event events[512];
		size_t turn = 0, left = 2 * turns[0].nr, nr;
		while ((nr = fc_cursor_run(cursor, events, 512)))
			for (size_t i = 0; i < nr; i++) {
				bool is_end = events[i].kind == FC_MARK;
				if (!left && !is_end)
					left = 2 * turns[++turn].nr;
				left -= !is_end;
				assert_int_equal(events[i].strand, 1);
				assert_int_equal(events[i].tid, turns[turn].tid);
			}
		assert_int_equal(turn, sizeof(turns) / sizeof(turns[0]) - 1);
		fc_cursor_destroy(cursor);
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
		cmocka_unit_test(each_event_is_told_with_the_thread_that_was_on_the_strand),
		cmocka_unit_test(an_older_head_is_of_a_threads_own_stack),
		cmocka_unit_test(only_a_threads_own_stacks_end_with_it),
	};
	return cmocka_run_group_tests_name("trace: strands", tests, dir_make, dir_remove);
}
