/* SPDX-License-Identifier: Apache-2.0 */
/* What the index tells is found again: numbers, strands in any order, the last records. */
#include "trace/test_trace.h"

#include "trace/bytes.h"
#include "trace/packets.h"

/* Numbers of every length, alone and with others behind them, and cut off at each byte. */
static void numbers_come_back_from_anywhere(void **state)
{
	for (unsigned i = 0; i < 64 * 3; i++) {
		uint64_t value = (1ull << i / 3) - 1 + i % 3;
		uint8_t at[3 * FC_VARINT_MAX], *end = fc_varint_put(at, value), *behind = end;
		for (int k = 0; k < 12; k++) {
			struct fc_slice slice = { at, behind, false };
			assert_int_equal(fc_slice_varint(&slice), value);
			assert_ptr_equal(slice.at, end);
			assert_false(slice.is_bad);
			*behind++ = k % 2 ? 0xff : 0;
		}
		for (const uint8_t *cut = at; cut < end; cut++) {
			struct fc_slice slice = { at, cut, false };
			assert_int_equal(fc_slice_varint(&slice), 0);
			assert_true(slice.is_bad);
		}
	}
}

static void a_number_of_more_than_64_bits_is_none(void **state)
{
	uint8_t at[24];
	memset(at, 0xff, sizeof(at));
	at[9] = 2;
	struct fc_slice slice = { at, at + sizeof(at), false };
	assert_int_equal(fc_slice_varint(&slice), 0);
	assert_true(slice.is_bad);
}

/* Packets of strands in turn; far: ids that are no count of strands. */
static void make_turns(const char *path, uint32_t far)
{
	const uint32_t ids[] = { 3 + far, 1, 2 * far + 4, 2 };
	enum { NR_STRANDS = 4, NR_TURNS = 5 };
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	struct stream streams[NR_STRANDS];

	for (int i = 0; i < NR_STRANDS; i++) {
		streams[i] = stream_of(ids[i], 10, 10 + i);
		streams[i].tsc = BEGIN_TSC;
	}
	for (int turn = 0; turn < NR_TURNS; turn++) {
		for (int i = 0; i < NR_STRANDS; i++) {
			for (int k = 0; k <= 10 * turn + i; k++)
				stream_add(&streams[i], FC_ENTRY_ONLY, 1);
			assert_int_equal(stream_send(&streams[i], tap, SIZE_MAX / 2), 0);
		}
		for (int i = 0; i < NR_STRANDS; i++)
			streams[i].tsc += 3000000000ull;
		assert_int_equal(tap->tick(tap, streams[0].tsc), 0);
	}
	assert_int_equal(trace_close(writer, 0), 0);
	for (int i = 0; i < NR_STRANDS; i++)
		stream_free(&streams[i]);
}

static void assert_turns(struct fc_reader *reader, uint32_t far)
{
	const uint32_t ids[] = { 1, 2, 3 + far, 2 * far + 4 }, made[] = { 1, 3, 0, 2 };
	assert_int_equal(fc_reader_nr_strands(reader), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fc_reader_strand(reader, i)->id, ids[i]);
		assert_int_equal(fc_reader_strand(reader, i)->tid, 10 + made[i]);
		assert_int_equal(fc_reader_nr_packets(reader, i), 5);
		for (size_t k = 0; k < 5; k++)
			assert_int_equal(fc_reader_packet(reader, i, k)->nr_records,
					 10 * k + made[i] + 1);
	}
}

static void strands_that_take_turns_are_told_apart(void **state)
{
	static const uint32_t fars[] = { 0, 100, 500000 };
	for (size_t i = 0; i < sizeof(fars) / sizeof(fars[0]); i++) {
		make_turns(in_dir("turns"), fars[i]);
		struct fc_reader *reader = trace_open(in_dir("turns"));
		assert_turns(reader, fars[i]);
		fc_reader_close(reader);
	}
}

struct begin {
	uint64_t begin;
	uint32_t nr_records;
};

static int latest_first(const void *a, const void *b)
{
	const struct begin *x = a, *y = b;
	return (x->begin < y->begin) - (x->begin > y->begin);
}

/* As its header says it: all packets, latest first, until there are enough. */
static uint64_t last_from(struct fc_reader *reader, const struct fc_choice *choice, uint64_t nr)
{
	FC_VEC(struct begin) begins = { 0 };
	uint64_t found = 0, from = 0;
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++)
		for (size_t k = 0; k < fc_reader_nr_packets(reader, i); k++) {
			const struct fc_events_head *head = fc_reader_packet(reader, i, k);
			if (!choice->tid || head->tid == choice->tid)
				fc_vec_push(&begins,
					    (struct begin){ head->begin, head->nr_records });
		}
	if (begins.nr)
		qsort(begins.at, begins.nr, sizeof(*begins.at), latest_first);
	for (size_t i = 0; i < begins.nr && found < nr; i++) {
		found += begins.at[i].nr_records;
		if (found >= nr)
			from = begins.at[i].begin << fc_reader_time_shift(reader);
	}
	fc_vec_free(&begins);
	return from;
}

static void the_last_records_begin_where_the_latest_packets_do(void **state)
{
	make_turns(in_dir("last"), 0);
	struct fc_reader *reader = trace_open(in_dir("last"));
	for (int tid = 9; tid <= 14; tid++) {
		struct fc_choice choice = { .tid = tid > 9 ? tid : 0 };
		for (uint64_t nr = 0; nr < 500; nr++)
			assert_int_equal(fc_reader_last_from(reader, &choice, UINT64_MAX, nr),
					 last_from(reader, &choice, nr));
	}
	fc_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back_from_anywhere),
		cmocka_unit_test(a_number_of_more_than_64_bits_is_none),
		cmocka_unit_test(strands_that_take_turns_are_told_apart),
		cmocka_unit_test(the_last_records_begin_where_the_latest_packets_do),
	};
	return cmocka_run_group_tests_name("trace: index", tests, dir_make, dir_remove);
}
