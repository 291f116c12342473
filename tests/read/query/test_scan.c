/* SPDX-License-Identifier: Apache-2.0 */
/* A scan finds what the whole trace holds, and decodes no more than it must. */
#include "rounds.h"
#include "trace/test_trace.h"

#include "calls/play.h"
#include "read/query/seek.h"
#include "trace/checksum.h"
#include "trace/packet.h"
#include "trace/peek.h"

#define NR_FUNCS 45

/* Calls and returns without marks: outer calls stay open for long, two functions are rare. */
#define FUNC_RARE 44
#define FUNC_LONG 40

static void calm_step(struct stream *s)
{
	size_t depth = s->stack.nr;
	unsigned what = stream_random(s) % 1000, func = 1 + stream_random(s) % 39;

	if (what == 0 && stream_random(s) % 100 == 0)
		stream_add(s, FC_ENTRY_ONLY, FUNC_RARE);
	else if (what < 20)
		stream_add(s, FC_ENTRY_ONLY, 41);
	else if (what < 60 && depth)
		stream_add(s, FC_TAIL, 42);
	else if (what < 63 && depth > 5)
		stream_add(s, FC_POP, (uint32_t)depth - 3);
	else if (what < 520 && depth > 4)
		stream_return(s);
	else if (depth < 20 || (depth < 60 && what < 700))
		stream_add(s, FC_ENTRY, func);
	else
		stream_return(s);
}

static void calm_run(struct stream *s, size_t nr_steps)
{
	for (size_t i = 0; i < nr_steps; i++) {
		if (i % 90000 == 30000) {
			stream_add(s, FC_POP, 2);
			stream_add(s, FC_ENTRY, FUNC_LONG);
		}
		calm_step(s);
	}
}

/* Deeper than a packet tells, down and up again, with a packet's worth of calls at the bottom. */
static void deep_run(struct stream *s)
{
	calm_run(s, 70000);
	for (uint32_t i = 0; i < 3000; i++)
		stream_add(s, FC_ENTRY, 43);
	for (int i = 0; i < 70000; i++) {
		stream_add(s, FC_ENTRY, 1);
		stream_return(s);
	}
	while (s->stack.nr > 3)
		stream_return(s);
	calm_run(s, 70000);
}

static void fork_run(struct stream *s)
{
	uint64_t fork[2] = { 100, 4 };
	stream_mark(s, FC_MARK_FORK, 2, fork);
	for (uint32_t i = 1; i <= 3; i++)
		stream_add(s, FC_ENTRY, i);
	calm_run(s, 200000);
}

static void odd_run(struct stream *s)
{
	calm_run(s, 70000);
	stream_run(s, 100000); /* with lost records */
}

static void (*const runs[])(struct stream *s) = { NULL, deep_run, fork_run, odd_run, NULL };
enum { NR = 5 };

/* Strands end by themselves, with their process, or with the trace. */
static void make_trace(const char *path, bool is_deep, bool is_idle)
{
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	uint64_t last = 0;

	trace_add_off_cpu(tap);
	for (uint32_t i = 0; i < NR; i++) {
		struct stream s = stream_of(i + 1, 100 + (int)i / 2, 100 + (int)i);
		if (runs[i] && (is_deep || runs[i] != deep_run))
			runs[i](&s);
		else
			calm_run(&s, i ? 100 : 400000);
		assert_int_equal(stream_send(&s, tap, SIZE_MAX / 2), 0);
		if (i % 3 == 0 && is_idle) {
			/* For so long that its records are written: its end comes alone. */
			for (uint32_t k = 0; k < 3; k++)
				stream_add(&s, FC_ENTRY, FUNC_LONG);
			assert_int_equal(stream_send(&s, tap, SIZE_MAX / 2), 0);
			s.tsc += 10000000000;
			assert_int_equal(tap->tick(tap, s.tsc), 0);
		}
		if (i % 3 == 0)
			assert_int_equal(tap->strand_end(tap, &s.info, s.tsc), 0);
		last = s.tsc > last ? s.tsc : last;
		stream_free(&s);
	}
	struct fc_life_info exit = {
		.life = FC_LIFE_EXIT, .pid = 101, .tid = 101, .tsc = last + 5000, .text = ""
	};
	assert_int_equal(tap->life(tap, &exit), 0);
	assert_int_equal(trace_close(writer, 0), 0);
}

struct rows {
	struct fc_call_sink sink;
	FC_VEC(struct fc_call) calls;
};

static void on_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
}

static void on_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct rows *rows = (struct rows *)sink;
	fc_vec_push(&rows->calls, *call);
}

static void on_event(struct fc_call_sink *sink, const struct fc_event *event)
{
}

static void on_finish(struct fc_call_sink *sink)
{
}

/* All calls as fc_play() tells them, strand after strand. */
static struct rows play_all(struct fc_reader *reader)
{
	struct rows all = { .sink = { on_enter, on_leave, on_event, on_finish } };
	struct rows sorted = { 0 };
	struct fc_play_opts opts = { 0 };

	fc_play(reader, &opts, &all.sink);
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++)
		for (size_t k = 0; k < all.calls.nr; k++)
			if (all.calls.at[k].strand == fc_reader_strand(reader, i)->id)
				fc_vec_push(&sorted.calls, all.calls.at[k]);
	fc_vec_free(&all.calls);
	return sorted;
}

static bool is_same_call(const struct fc_call *a, const struct fc_call *b, bool has_self)
{
	return a->strand == b->strand && a->func == b->func && a->begin_tsc == b->begin_tsc &&
	       a->end_tsc == b->end_tsc && a->depth == b->depth && a->caller == b->caller &&
	       a->left == b->left && a->tid == b->tid && a->pid == b->pid &&
	       a->is_recursive == b->is_recursive && a->is_inherited == b->is_inherited &&
	       a->is_resumed == b->is_resumed &&
	       (!has_self ||
		(a->self_ticks == b->self_ticks && a->wait_ticks == b->wait_ticks &&
		 a->self_wait_ticks == b->self_wait_ticks && a->is_off_cpu == b->is_off_cpu));
}

/* There are many millions: one comparison each, and words only for those that differ. */
static void assert_call(const struct fc_call *got, const struct fc_call *want, bool has_self)
{
	if (is_same_call(got, want, has_self))
		return;
	assert_int_equal(got->strand, want->strand);
	assert_int_equal(got->func, want->func);
	assert_int_equal(got->begin_tsc, want->begin_tsc);
	assert_int_equal(got->end_tsc, want->end_tsc);
	assert_int_equal(got->depth, want->depth);
	assert_int_equal(got->caller, want->caller);
	assert_int_equal(got->left, want->left);
	assert_int_equal(got->tid, want->tid);
	assert_int_equal(got->pid, want->pid);
	assert_int_equal(got->is_recursive, want->is_recursive);
	assert_int_equal(got->is_inherited, want->is_inherited);
	assert_int_equal(got->is_resumed, want->is_resumed);
	if (has_self) {
		assert_int_equal(got->self_ticks, want->self_ticks);
		assert_int_equal(got->wait_ticks, want->wait_ticks);
		assert_int_equal(got->self_wait_ticks, want->self_wait_ticks);
	}
	fail();
}

static bool is_asked_for(const struct fc_scan_want *want, const struct fc_call *call)
{
	return call->begin_tsc >= want->begin_min && call->begin_tsc <= want->begin_max &&
	       call->end_tsc >= want->end_min && call->end_tsc <= want->end_max &&
	       call->depth >= want->depth_min && call->depth <= want->depth_max &&
	       (!want->has_tid || call->tid == want->tid) &&
	       (!want->funcs || (call->func < want->nr_funcs &&
				 want->funcs[call->func / 8] >> call->func % 8 & 1));
}

/* The scan's rows are those of all that are wanted; ids: of all. Returns the packets decoded. */
static size_t assert_scan(struct fc_reader *reader, const struct fc_scan_want *want,
			  const struct rows *all, const uint64_t *ids)
{
	struct fc_scan *scan = fc_scan_create(reader, want);
	struct fc_scan_row row;

	for (size_t i = 0; i < all->calls.nr; i++) {
		if (!is_asked_for(want, &all->calls.at[i]))
			continue;
		if (fc_scan_next(scan, &row) != 1 || row.id != ids[i])
			fail_msg("row %zu is not the call of that number", i);
		assert_call(&row.call, &all->calls.at[i], want->needs_self);
	}
	assert_int_equal(fc_scan_next(scan, &row), 0);
	size_t nr = fc_scan_nr_decoded(scan);
	fc_scan_destroy(scan);
	return nr;
}

static uint64_t *ids_of(struct fc_reader *reader, const struct rows *all)
{
	struct fc_scan_want want = fc_scan_want_all();
	struct fc_scan *scan = fc_scan_create(reader, &want);
	uint64_t *ids = fc_alloc((all->calls.nr + 1) * sizeof(*ids));
	struct fc_scan_row row;

	for (size_t i = 0; i < all->calls.nr; i++) {
		assert_int_equal(fc_scan_next(scan, &row), 1);
		assert_call(&row.call, &all->calls.at[i], true);
		ids[i] = row.id;
		assert_true(!i || ids[i] > ids[i - 1]);
	}
	assert_int_equal(fc_scan_next(scan, &row), 0);
	fc_scan_destroy(scan);
	return ids;
}

static uint64_t random_tsc(const struct rows *all)
{
	uint64_t first = all->calls.at[0].begin_tsc, last = 0;
	for (size_t i = 0; i < all->calls.nr; i += 1000)
		last = all->calls.at[i].end_tsc > last ? all->calls.at[i].end_tsc : last;
	return first + (uint64_t)rand() % (last - first + 1);
}

static struct fc_scan_want random_want(const struct rows *all, uint8_t *funcs)
{
	struct fc_scan_want want = fc_scan_want_all();
	uint64_t width = 1ull << rand() % 24;

	if (rand() % 2)
		want.begin_min = random_tsc(all);
	if (rand() % 2)
		want.begin_max = (want.begin_min ? want.begin_min : random_tsc(all)) + width;
	if (rand() % 3 == 0)
		want.end_min = random_tsc(all);
	if (rand() % 4 == 0)
		want.end_max = (want.end_min ? want.end_min : random_tsc(all)) + width;
	if (rand() % 3 == 0)
		want.depth_max = (uint32_t)rand() % 12;
	if (rand() % 8 == 0)
		want.depth_min = (uint32_t)rand() % 30;
	want.has_tid = rand() % 3 == 0;
	want.tid = 100 + rand() % NR;
	want.needs_self = rand() % 2;
	bool is_rare = rand() % 2;
	if (rand() % 2) {
		memset(funcs, 0, NR_FUNCS / 8 + 1);
		for (int i = rand() % 3; i >= 0; i--) {
			unsigned func = 1 + (unsigned)rand() % (NR_FUNCS - 1);
			if (is_rare)
				func = rand() % 2 ? FUNC_RARE : FUNC_LONG;
			funcs[func / 8] |= (uint8_t)(1u << func % 8);
		}
		want.funcs = funcs;
		want.nr_funcs = NR_FUNCS;
	}
	return want;
}

static void assert_scans(struct fc_reader *reader, int nr_scans)
{
	struct rows all = play_all(reader);
	uint64_t *ids = ids_of(reader, &all);

	for (int i = 0; i < nr_scans && all.calls.nr; i++) {
		uint8_t funcs[NR_FUNCS / 8 + 1];
		struct fc_scan_want want = random_want(&all, funcs);
		assert_scan(reader, &want, &all, ids);
	}
	fc_vec_free(&all.calls);
	free(ids);
}

static void a_scan_finds_what_a_play_of_the_whole_trace_does(void **state)
{
	static const char *const traces[] = { "t", "idle" };
	for (size_t i = 0; i < 2; i++) {
		struct fc_reader *reader = trace_open(in_dir(traces[i]));
		srand(1);
		assert_scans(reader, rounds(3, 80));
		fc_reader_close(reader);
	}
}

/*
 * Of a stack deeper than a packet tells, a play takes the outer calls over from before the damage,
 * which may be long gone; a scan that begins behind knows better. Hence a trace without one.
 */
static void a_scan_of_a_damaged_trace_finds_what_a_play_of_it_does(void **state)
{
	struct file_bytes file = file_read(in_dir("shallow"));
	srand(2);
	for (int i = 0; i < rounds(4, 24); i++) {
		uint8_t *bytes = fc_alloc(file.nr);
		size_t nr = i % 4 ? file.nr : (size_t)rand() % file.nr;
		struct fc_reader *reader;
		memcpy(bytes, file.at, file.nr);
		for (int k = i % 3; k >= 0 && i % 4; k--)
			bytes[1000 + (size_t)rand() % (nr - 3000)] ^= 1;
		if (i % 5 >= 3) /* no index: damaged packets are not even known of */
			bytes[nr - 1] ^= 1;
		if (!fc_reader_open_memory(bytes, nr, "damaged", &reader)) {
			assert_scans(reader, 6);
			fc_reader_close(reader);
		}
		free(bytes);
	}
	free(file.at);
}

/* A strand whose first packet is damaged begins with calls that began in that one. */
static void what_began_in_a_damaged_first_packet_is_found_by_its_begin(void **state)
{
	struct file_bytes file = file_read(in_dir("shallow"));
	struct fc_scan_want want = fc_scan_want_all();
	struct fc_reader *reader;
	struct fc_packet packet;
	uint64_t off = FC_FILE_HEAD;

	for (; !fc_packet_at(file.at, file.nr, off, &packet); off = fc_packet_end(&packet))
		if (packet.kind == FC_PACKET_EVENTS)
			break;
	file.at[off + FC_PACKET_HEAD + packet.stored_len / 2] ^= 1;
	file.at[file.nr - 1] ^= 1; /* no index */
	assert_int_equal(fc_reader_open_memory(file.at, file.nr, "damaged", &reader), 0);
	assert_true(fc_reader_packet(reader, 0, 0)->depth > 0);

	struct rows all = play_all(reader);
	uint64_t *ids = ids_of(reader, &all);
	want.begin_max =
		(fc_reader_packet(reader, 0, 0)->begin << fc_reader_time_shift(reader)) - 1;
	assert_scan(reader, &want, &all, ids);
	fc_vec_free(&all.calls);
	free(ids);
	fc_reader_close(reader);
	free(file.at);
}

/* ---- rosters: where functions are ---- */

/* fn is given each roster of the file, to change it. Returns how many there are. */
static size_t each_roster(struct file_bytes *file,
			  void (*fn)(uint8_t *head, const struct fc_packet *packet))
{
	struct fc_packet packet;
	size_t nr = 0;
	for (uint64_t off = FC_FILE_HEAD; !fc_packet_at(file->at, file->nr, off, &packet);
	     off = fc_packet_end(&packet)) {
		if (packet.kind != FC_PACKET_FUNCS)
			continue;
		fn((uint8_t *)file->at + off, &packet);
		nr++;
	}
	return nr;
}

static void damage(uint8_t *head, const struct fc_packet *packet)
{
	head[FC_PACKET_HEAD + packet->stored_len / 2] ^= 0x10;
}

/* The same packets, and no function in any of them; with right checksums. */
static void empty(uint8_t *head, const struct fc_packet *packet)
{
	struct fc_packet emptied = *packet;
	uint8_t *payload = head + FC_PACKET_HEAD;
	if (packet->flags & FC_PACKET_ZSTD) {
		ZSTD_DCtx *zstd = ZSTD_createDCtx();
		struct fc_bytes raw = { 0 };
		assert_int_equal(fc_inflate(zstd, packet->stored, packet->stored_len,
					    packet->raw_len, &raw),
				 0);
		memcpy(payload, raw.at, packet->stored_len); /* cut off within the functions */
		emptied.flags = 0;
		fc_bytes_free(&raw);
		ZSTD_freeDCtx(zstd);
	}
	struct fc_slice slice = { payload, payload + packet->stored_len, false };
	for (uint64_t left = fc_slice_varint(&slice); left; left--)
		fc_slice_varint(&slice);
	assert_false(slice.is_bad);
	/* A function that is in none, as often as there is room: it has no row of two bytes. */
	uint8_t *rows = payload + (slice.at - payload);
	size_t nr_rows = fc_slice_left(&slice) / 2;
	emptied.raw_len = emptied.stored_len = packet->stored_len;
	for (size_t i = 0; i < nr_rows; i++) {
		rows[2 * i] = 1;
		rows[2 * i + 1] = 0;
	}
	if (fc_slice_left(&slice) % 2) {
		memmove(rows + 3, rows + 2, 2 * nr_rows - 2);
		rows[0] = 0x81, rows[1] = 0, rows[2] = 0; /* 1, in two bytes */
	}
	fc_packet_head_put(head, &emptied, fc_checksum(payload, packet->stored_len));
}

static void assert_same_without(void (*fn)(uint8_t *head, const struct fc_packet *packet))
{
	struct file_bytes file = file_read(in_dir("t"));
	struct fc_reader *reader;
	assert_true(each_roster(&file, fn) > 0);
	assert_int_equal(fc_reader_open_memory(file.at, file.nr, "changed", &reader), 0);
	srand(1);
	assert_scans(reader, rounds(2, 12));
	assert_int_equal(fc_reader_verify(reader), -EBADMSG);
	assert_scans(reader, 3);
	fc_reader_close(reader);
	free(file.at);
}

static void a_damaged_roster_changes_nothing(void **state)
{
	assert_same_without(damage);
}

static void a_roster_that_contradicts_the_index_changes_nothing(void **state)
{
	assert_same_without(empty);
}

/*
 * A flight recorder's, whatever its command line was: RESUME marks tell of calls that began before
 * what was kept, the first of them in the first packet.
 */
static void a_scan_of_a_flight_recording_finds_what_a_play_of_it_does(void **state)
{
	struct fc_session session = { .options = "fctrace dump 100",
				      .is_flight = true,
				      .clock = test_clock() };
	uint64_t resume[3] = { 5000, 4, 2 };
	struct fc_writer *writer;

	assert_int_equal(fc_writer_create(in_dir("flight"), &session, &writer), 0);
	for (uint32_t i = 0; i < 2; i++) {
		struct stream s = stream_of(i + 1, 100, 100 + (int)i);
		stream_mark(&s, FC_MARK_RESUME, 3, resume);
		for (uint32_t func = 1; func <= 3; func++)
			stream_add(&s, FC_ENTRY, func);
		calm_run(&s, 200000);
		assert_int_equal(stream_send(&s, fc_writer_tap(writer), SIZE_MAX / 2), 0);
		stream_free(&s);
	}
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("flight"));
	srand(3);
	assert_scans(reader, rounds(3, 40));
	fc_reader_close(reader);
}

static size_t nr_packets_of(struct fc_reader *reader, int tid)
{
	size_t nr = 0;
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++)
		if (!tid || fc_reader_strand(reader, i)->tid == tid)
			nr += fc_reader_nr_packets(reader, i);
	return nr;
}

static void only_packets_that_matter_are_decoded(void **state)
{
	struct fc_reader *reader = trace_open(in_dir("t"));
	struct rows all = play_all(reader);
	uint64_t *ids = ids_of(reader, &all);
	struct fc_scan_want want = fc_scan_want_all();
	uint8_t rare[NR_FUNCS / 8 + 1] = { 0 };
	const struct fc_events_head *third = fc_reader_packet(reader, 0, 3);
	unsigned shift = fc_reader_time_shift(reader);

	assert_int_equal(assert_scan(reader, &want, &all, ids), nr_packets_of(reader, 0));
	want.has_tid = true;
	want.tid = 100;
	assert_int_equal(assert_scan(reader, &want, &all, ids), nr_packets_of(reader, 100));
	assert_true(nr_packets_of(reader, 100) >= 6);

	/* A time within the fourth packet: that one, and those in which what began there ends. */
	want.begin_min = (third->begin + 1000) << shift;
	want.begin_max = (third->begin + 2000) << shift;
	assert_in_range(assert_scan(reader, &want, &all, ids), 1, 4);

	/* All that was open then, whenever it began. */
	want.begin_min = 0;
	want.end_min = want.begin_max = (third->begin + 1000) << shift;
	want.depth_max = 0;
	assert_in_range(assert_scan(reader, &want, &all, ids), 1, 2);

	/* A function that was called in few packets. */
	want = fc_scan_want_all();
	want.has_tid = true;
	want.tid = 100;
	rare[FUNC_RARE / 8] |= 1u << FUNC_RARE % 8;
	want.funcs = rare;
	want.nr_funcs = NR_FUNCS;
	size_t with_rare = assert_scan(reader, &want, &all, ids);
	assert_in_range(with_rare, 1, nr_packets_of(reader, 100) - 1);

	/* Over all strands, with what they spent in others: one is open in few packets. */
	want.has_tid = false;
	want.needs_self = true;
	assert_in_range(assert_scan(reader, &want, &all, ids), 1, 12);
	fc_vec_free(&all.calls);
	free(ids);
	fc_reader_close(reader);
}

static int make(void **state)
{
	int ret = dir_make(state);
	if (ret)
		return ret;
	make_trace(in_dir("t"), true, false);
	make_trace(in_dir("shallow"), false, false);
	make_trace(in_dir("idle"), true, true);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scan_finds_what_a_play_of_the_whole_trace_does),
		cmocka_unit_test(a_scan_of_a_damaged_trace_finds_what_a_play_of_it_does),
		cmocka_unit_test(what_began_in_a_damaged_first_packet_is_found_by_its_begin),
		cmocka_unit_test(a_scan_of_a_flight_recording_finds_what_a_play_of_it_does),
		cmocka_unit_test(a_damaged_roster_changes_nothing),
		cmocka_unit_test(a_roster_that_contradicts_the_index_changes_nothing),
		cmocka_unit_test(only_packets_that_matter_are_decoded),
	};

	return cmocka_run_group_tests_name("query: scan", tests, make, dir_remove);
}
