/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are in which packets is told exactly, or not at all. */
#include "trace/test_trace.h"

#include "trace/encode.h"
#include "trace/packets.h"
#include "trace/roster.h"
#include "trace/where.h"

#define NR_FUNCS  300
#define SET_BYTES (NR_FUNCS / 8 + 1)

static void set_add(uint8_t *set, uint32_t func)
{
	set[func / 8] |= (uint8_t)(1u << func % 8);
}

static bool set_has(const uint8_t *set, size_t i)
{
	return set[i / 8] >> i % 8 & 1;
}

/* ---- a roster alone ---- */

/* Functions by how rare they are: from each packet's to hardly any's, alone and in runs. */
static bool is_in(uint32_t func, size_t packet)
{
	unsigned hash = (unsigned)(packet * 2654435761u ^ func * 40503u) >> 7;
	if (func % 3 == 0)
		return packet / (func / 3 + 1) % 2;
	return hash % func == 0;
}

static void roster_fill(struct fc_roster *roster, size_t nr_packets)
{
	for (size_t packet = 0; packet < nr_packets; packet++) {
		FC_VEC(uint32_t) funcs = { 0 };
		for (uint32_t func = NR_FUNCS - 1; func; func--)
			for (unsigned times = is_in(func, packet) * (1 + func % 2); times; times--)
				fc_vec_push(&funcs, func);
		assert_true(fc_roster_has_room(roster, funcs.nr));
		fc_roster_add(roster, (uint32_t)(5 + packet * packet), funcs.at, funcs.nr);
		fc_vec_free(&funcs);
	}
}

static struct fc_slice slice_of(const struct fc_bytes *bytes)
{
	return (struct fc_slice){ bytes->at, bytes->at + bytes->nr, false };
}

static void assert_roll(const struct fc_bytes *payload, size_t nr_packets, uint32_t one,
			uint32_t other)
{
	static struct fc_roll roll;
	uint8_t set[SET_BYTES] = { 0 };
	set_add(set, one);
	set_add(set, other);
	assert_int_equal(fc_roll_call(slice_of(payload), set, NR_FUNCS, &roll), 0);
	assert_int_equal(roll.nr, nr_packets);
	for (size_t i = 0; i < nr_packets; i++) {
		assert_int_equal(roll.seq[i], 5 + i * i);
		assert_int_equal(fc_roll_has(roll.has_wanted, i), is_in(one, i) || is_in(other, i));
		assert_true(fc_roll_has(roll.has_any, i)); /* 1 is in each */
	}
}

static void a_roster_tells_of_each_packet_and_function(void **state)
{
	static const size_t sizes[] = { 1, 2, 7, 8, 9, 16, 17, 100, 1000, 1023, 1024 };
	struct fc_roster *roster = fc_roster_create();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct fc_bytes payload = { 0 };
		roster_fill(roster, sizes[i]);
		assert_int_equal(fc_roster_nr_packets(roster), sizes[i]);
		assert_int_equal(fc_roster_has_room(roster, 0), sizes[i] < FC_ROSTER_PACKETS);
		fc_roster_finish(roster, &payload);
		assert_int_equal(fc_roster_nr_packets(roster), 0);
		for (uint32_t func = 1; func < NR_FUNCS; func += sizes[i] < 100 ? 1 : 11)
			assert_roll(&payload, sizes[i], func, 1 + func * 7 % (NR_FUNCS - 1));
		fc_bytes_free(&payload);
	}
	fc_roster_destroy(roster);
}

/* At the end of what is mapped, and changed: right or wrong, but nothing is read beyond. */
static void a_roster_that_is_wrong_is_refused_or_harmless(void **state)
{
	struct fc_roster *roster = fc_roster_create();
	struct fc_bytes payload = { 0 };
	static struct fc_roll roll;
	uint8_t set[SET_BYTES];
	memset(set, 0xff, sizeof(set));
	roster_fill(roster, 100);
	fc_roster_finish(roster, &payload);
	srand(3);
	for (size_t nr = 0; nr < payload.nr; nr += 1 + (size_t)rand() % 9) {
		uint8_t *cut = fc_alloc(nr + 1); /* tools that watch memory see what is read */
		memcpy(cut, payload.at, nr);
		fc_roll_call((struct fc_slice){ cut, cut + nr, false }, set, NR_FUNCS, &roll);
		assert_in_range(roll.nr, 0, FC_ROSTER_PACKETS);
		free(cut);
	}
	for (int i = 0; i < 20000; i++) {
		uint8_t *at = &payload.at[(size_t)rand() % payload.nr], was = *at;
		*at = (uint8_t)rand();
		fc_roll_call(slice_of(&payload), set, NR_FUNCS, &roll);
		*at = was;
	}
	fc_bytes_free(&payload);
	fc_roster_destroy(roster);
}

static void numbers_that_cannot_be_are_refused(void **state)
{
	static const struct {
		size_t nr;
		uint8_t at[12];
	} wrong[] = {
		{ 2, { 0x81, 0x08 } },		 /* 1025 packets */
		{ 3, { 2, 7, 0 } },		 /* one twice */
		{ 7, { 1, 0x80, 0x80, 0x80, 0x80, 0x10, 0 } }, /* beyond 32 bits */
		{ 5, { 1, 7, 1, 5, 1 } },	 /* bits of two bytes, where one would do */
		{ 5, { 1, 7, 1, 4, 0 } },	 /* fewer runs than are told */
		{ 6, { 1, 7, 1, 4, 1, 1 } },	 /* a run behind the last packet */
		{ 8, { 1, 7, 0x80, 0x80, 0x80, 0x04, 3, 1 } }, /* no such function */
	};
	static struct fc_roll roll;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fc_slice slice = { wrong[i].at, wrong[i].at + wrong[i].nr, false };
		assert_int_equal(fc_roll_call(slice, NULL, 0, &roll), -EBADMSG);
	}
}

/* A forged one could have a million rows of next to no bytes. */
static void a_function_twice_is_refused(void **state)
{
	static struct fc_roll roll;
	static const uint32_t func = 1;
	struct fc_roster *roster = fc_roster_create();
	struct fc_bytes payload = { 0 };
	enum { ROW = 2 }; /* behind the number of packets and the first of them */
	fc_roster_add(roster, 7, &func, 1);
	fc_roster_finish(roster, &payload);
	size_t nr = payload.nr;
	assert_int_equal(fc_roll_call(slice_of(&payload), NULL, 0, &roll), 0);
	for (size_t i = ROW; i < nr; i++) {
		uint8_t byte = i == ROW ? 0 : payload.at[i];
		fc_bytes_copy(&payload, &byte, 1);
	}
	assert_int_equal(fc_roll_call(slice_of(&payload), NULL, 0, &roll), -EBADMSG);
	fc_bytes_free(&payload);
	fc_roster_destroy(roster);
}

/* ---- in a trace ---- */

/* What of a stream is in each packet: functions whose calls begin or end there. */
struct touched {
	FC_VEC(uint8_t *) sets; /* by packet */
	FC_VEC(uint32_t) open;
};

static void touch(struct touched *touched, size_t packet, uint32_t func)
{
	while (touched->sets.nr <= packet)
		fc_vec_push(&touched->sets, fc_alloc(SET_BYTES));
	if (func < NR_FUNCS)
		set_add(touched->sets.at[packet], func);
}

static void close_calls(struct touched *touched, size_t packet, size_t depth)
{
	while (touched->open.nr > depth)
		touch(touched, packet, touched->open.at[--touched->open.nr]);
}

static void touched_add(struct touched *touched, size_t packet, const struct fc_event *event)
{
	size_t depth = touched->open.nr;
	bool is_call = event->kind == FC_ENTRY || event->kind == FC_TAIL ||
		       event->kind == FC_ENTRY_ONLY;
	if (event->kind == FC_POP)
		close_calls(touched, packet, event->func);
	if (event->kind == FC_EXIT)
		close_calls(touched, packet, depth - 1);
	if (event->kind == FC_TAIL && depth)
		close_calls(touched, packet, depth - 1);
	if (is_call)
		touch(touched, packet, event->func);
	if (is_call && event->kind != FC_ENTRY_ONLY)
		fc_vec_push(&touched->open, event->func);
}

static struct touched touched_of(const struct stream *s)
{
	struct touched touched = { 0 };
	for (size_t i = 0; i < s->events.nr; i++)
		touched_add(&touched, i / (64 << 10), &s->events.at[i]);
	fc_vec_free(&touched.open);
	return touched;
}

static void touched_free(struct touched *touched)
{
	fc_vec_each (&touched->sets, set)
		free(*set);
	fc_vec_free(&touched->sets);
}

/* Some are called all the time, some seldom, some are open for long. */
static void step(struct stream *s)
{
	size_t depth = s->stack.nr;
	unsigned what = stream_random(s) % 100;
	uint32_t often = 1 + stream_random(s) % 50, seldom = 50 + stream_random(s) % 200;

	if (!depth)
		stream_add(s, FC_ENTRY, seldom);
	else if (stream_random(s) % 40000 == 0)
		stream_add(s, FC_POP, what % 2 ? (uint32_t)(depth / 3) : 0);
	else if (what < 40 && depth > 8)
		stream_return(s);
	else if (stream_random(s) % 4000 == 0)
		stream_add(s, what % 2 ? FC_ENTRY : FC_ENTRY_ONLY, seldom);
	else if (what < 45 && depth)
		stream_add(s, FC_TAIL, often);
	else if (depth < 12 || (depth < 60 && what < 70))
		stream_add(s, FC_ENTRY, often);
	else
		stream_return(s);
}

enum { NR_STRANDS = 3, NR_STEPS = 380000 };

static void make_trace(const char *path, struct stream *streams)
{
	struct fc_writer *writer = trace_create(path);
	bool is_more = true;
	for (uint32_t i = 0; i < NR_STRANDS; i++) {
		streams[i] = stream_of(i + 1, 10, 10 + (int)i);
		for (int k = 0; k < NR_STEPS; k++)
			step(&streams[i]);
	}
	while (is_more) {
		is_more = false;
		for (uint32_t i = 0; i < NR_STRANDS; i++) {
			assert_int_equal(stream_send(&streams[i], fc_writer_tap(writer), 9000), 0);
			is_more |= streams[i].sent < streams[i].words.nr;
		}
	}
	assert_int_equal(trace_close(writer, 0), 0);
}

static size_t assert_where(struct fc_reader *reader, const struct touched *touched)
{
	size_t nr_not = 0;
	for (uint32_t func = 1; func < NR_FUNCS; func++) {
		uint8_t set[SET_BYTES] = { 0 };
		set_add(set, func);
		struct fc_where *where = fc_where_create(reader, set, NR_FUNCS);
		for (size_t i = 0; i < NR_STRANDS; i++)
			for (size_t k = 0; k < fc_reader_nr_packets(reader, i); k++) {
				bool is_not = fc_where_is_not(where, i, k);
				assert_int_equal(is_not, !set_has(touched[i].sets.at[k], func));
				nr_not += is_not;
			}
		fc_where_destroy(where);
	}
	return nr_not;
}

static void functions_are_told_to_be_where_calls_begin_or_end(void **state)
{
	struct stream streams[NR_STRANDS];
	struct touched touched[NR_STRANDS];
	make_trace(in_dir("t"), streams);
	for (int i = 0; i < NR_STRANDS; i++)
		touched[i] = touched_of(&streams[i]);

	struct fc_reader *reader = trace_open(in_dir("t"));
	size_t nr_not = assert_where(reader, touched);
	assert_true(nr_not > 1000);
	assert_int_equal(fc_reader_verify(reader), 0);
	fc_reader_close(reader);
	for (int i = 0; i < NR_STRANDS; i++) {
		stream_free(&streams[i]);
		touched_free(&touched[i]);
	}
}

/* How many packets are told to be without function 1, of those of the first strand. */
static size_t nr_without_one(struct fc_reader *reader)
{
	uint8_t set[1] = { 2 };
	struct fc_where *where = fc_where_create(reader, set, 2);
	size_t nr = 0;
	for (size_t k = 0; k < fc_reader_nr_packets(reader, 0); k++)
		nr += fc_where_is_not(where, 0, k);
	fc_where_destroy(where);
	return nr;
}

/* So many packets, one of them with nr_funcs functions, none of which is 1. */
static struct fc_reader *trace_of_many(size_t nr_packets, uint32_t nr_funcs)
{
	struct stream s = stream_of(1, 7, 7);
	for (size_t i = 0; i < nr_packets << 16; i++)
		stream_add(&s, FC_ENTRY_ONLY, 2 + (i >> 16 ? 0 : (uint32_t)i % nr_funcs));
	struct fc_writer *writer = trace_create(in_dir("many"));
	assert_int_equal(stream_send(&s, fc_writer_tap(writer), SIZE_MAX / 2), 0);
	assert_int_equal(trace_close(writer, 0), 0);
	stream_free(&s);
	return trace_open(in_dir("many"));
}

static void of_few_packets_or_of_very_many_functions_nothing_is_told(void **state)
{
	static const struct {
		size_t nr_packets;
		uint32_t nr_funcs;
		size_t nr_without;
	} cases[] = { { 15, 1, 0 }, { 16, 1, 16 }, { 17, 4096, 17 }, { 18, 8200, 17 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fc_reader *reader =
			trace_of_many(cases[i].nr_packets, cases[i].nr_funcs);
		assert_int_equal(nr_without_one(reader), cases[i].nr_without);
		fc_reader_close(reader);
	}
}

/* Packets with other functions each fill a roster before there are many. */
static void a_roster_full_of_functions_is_followed_by_another(void **state)
{
	enum { NR_PACKETS = 20, NR = 3000 };
	struct stream s = stream_of(1, 7, 7);
	for (uint32_t i = 0; i < NR_PACKETS << 16; i++)
		stream_add(&s, FC_ENTRY_ONLY, 2 + (i >> 16) * NR + i % NR);
	struct fc_writer *writer = trace_create(in_dir("full"));
	assert_int_equal(stream_send(&s, fc_writer_tap(writer), SIZE_MAX / 2), 0);
	assert_int_equal(trace_close(writer, 0), 0);
	stream_free(&s);

	struct fc_reader *reader = trace_open(in_dir("full"));
	assert_int_equal(fc_reader_nr_packets(reader, 0), NR_PACKETS);
	/* Of fewer than 16 packets at the end nothing is told: of 20, rosters of two told 18. */
	assert_int_equal(nr_without_one(reader), NR_PACKETS - 2);
	fc_reader_close(reader);
}

/* ---- stamps ---- */

static void add_calls(struct fc_encoder *enc, uint32_t from, uint32_t to)
{
	static uint64_t tsc = 1 << 20;
	for (uint32_t func = from; func < to; func++) {
		uint64_t word = fc_record(tsc, func, FC_ENTRY_ONLY);
		assert_int_equal(fc_encoder_add(enc, &word, 1, tsc), 1);
		tsc += 8;
	}
}

static void assert_touched(struct fc_encoder *enc, ZSTD_CCtx *zstd, uint32_t from, uint32_t to)
{
	struct fc_events_head head;
	struct fc_bytes payload = { 0 };
	uint8_t set[SET_BYTES] = { 0 };
	fc_encoder_finish(enc, zstd, &payload, &head);
	fc_bytes_free(&payload);
	fc_vec_each (&enc->touched, func)
		set_add(set, *func);
	for (uint32_t func = 1; func < NR_FUNCS; func++)
		assert_int_equal(set_has(set, func), func >= from && func < to);
}

static void stamps_that_are_used_up_begin_anew(void **state)
{
	struct fc_seen seen;
	struct fc_encoder one, two;
	ZSTD_CCtx *zstd = fc_events_zstd();
	fc_seen_init(&seen);
	fc_encoder_init(&one, 3, &seen,
			&(struct fc_strand_info){ .id = 1, .pid = 2, .tid = 3 });
	fc_encoder_init(&two, 3, &seen,
			&(struct fc_strand_info){ .id = 2, .pid = 2, .tid = 4 });
	add_calls(&one, 1, 10);
	assert_touched(&one, zstd, 1, 10);
	seen.last_stamp = UINT32_MAX - 2;
	add_calls(&one, 1, 20); /* with the last but one… */
	add_calls(&two, 1, 30); /* …the last, */
	assert_touched(&one, zstd, 1, 20);
	assert_touched(&two, zstd, 1, 30);
	for (uint32_t i = 2; i < 6; i++) { /* and those that were used before */
		add_calls(&one, i, i + 40);
		assert_touched(&one, zstd, i, i + 40);
	}
	assert_int_equal(seen.fresh.nr, 44); /* none is new twice */
	fc_encoder_deinit(&one);
	fc_encoder_deinit(&two);
	fc_seen_deinit(&seen);
	ZSTD_freeCCtx(zstd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_roster_tells_of_each_packet_and_function),
		cmocka_unit_test(a_roster_that_is_wrong_is_refused_or_harmless),
		cmocka_unit_test(numbers_that_cannot_be_are_refused),
		cmocka_unit_test(a_function_twice_is_refused),
		cmocka_unit_test(functions_are_told_to_be_where_calls_begin_or_end),
		cmocka_unit_test(of_few_packets_or_of_very_many_functions_nothing_is_told),
		cmocka_unit_test(a_roster_full_of_functions_is_followed_by_another),
		cmocka_unit_test(stamps_that_are_used_up_begin_anew),
	};
	return cmocka_run_group_tests_name("trace: rosters", tests, dir_make, dir_remove);
}
