/* SPDX-License-Identifier: Apache-2.0 */
/* What was recorded comes back from the file: records, times, names, lives. */
#include "trace/runs.h"
#include "trace/test_mark.h"
#include "trace/test_trace.h"

#include "trace/facts.h"

static void assert_event(const struct fc_event *got, const struct fc_event *want)
{
	assert_int_equal(got->kind, want->kind);
	assert_int_equal(got->func, want->func);
	assert_int_equal(got->mark, want->mark);
	assert_int_equal(got->tsc, want->tsc);
	assert_int_equal(got->pid, want->pid);
	assert_int_equal(got->tid, want->tid);
	assert_true(want->kind != FC_MARK || has_same_words(got, want));
}

/* Every event of every stream, by time and then by strand, and the strands' ends. */
static void assert_streams(struct fc_reader *reader, struct stream *streams, size_t nr)
{
	size_t *seen = fc_alloc(nr * sizeof(*seen)), nr_ends = 0;
	uint64_t last = 0;
	uint32_t last_strand = 0;
	struct fc_cursor *cursor;
	struct fc_event event;

	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	while (fc_cursor_next(cursor, &event) == 1) {
		struct stream *s = &streams[event.strand - 1];
		assert_true(event.tsc > last ||
			    (event.tsc == last && event.strand >= last_strand));
		last = event.tsc;
		last_strand = event.strand;
		if (event.kind == FC_MARK && event.mark == FC_MARK_END) {
			assert_int_equal(seen[event.strand - 1], s->events.nr);
			nr_ends++;
			continue;
		}
		assert_in_range(seen[event.strand - 1], 0, s->events.nr - 1);
		assert_event(&event, &s->events.at[seen[event.strand - 1]++]);
	}
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(seen[i], streams[i].events.nr);
	assert_int_equal(nr_ends, nr);
	fc_cursor_destroy(cursor);
	free(seen);
}

static void assert_strand_totals(struct fc_reader *reader, size_t i,
				 const struct stream *stream)
{
	struct fc_strand_totals sums;
	uint64_t ticks, waits = stream_waits(stream, &ticks);
	fc_reader_strand_totals(reader, i, &sums);
	assert_int_equal(sums.records, stream->events.nr);
	assert_int_equal(sums.marks, stream_marks(stream));
	assert_int_equal(sums.calls, stream_calls(stream));
	assert_int_equal(sums.lost, stream_lost(stream));
	assert_int_equal(sums.waits, waits);
	assert_int_equal(sums.waited_ns, fc_clock_duration_ns(fc_reader_clock(reader), ticks));
}

static void assert_totals(struct fc_reader *reader, const struct stream *streams, size_t nr)
{
	uint64_t records = 0, calls = 0, lost = 0, marks = 0, waits = 0, ticks;
	for (size_t i = 0; i < nr; i++) {
		assert_strand_totals(reader, i, &streams[i]);
		marks += stream_marks(&streams[i]);
		waits += stream_waits(&streams[i], &ticks);
		records += streams[i].events.nr;
		calls += stream_calls(&streams[i]);
		lost += stream_lost(&streams[i]);
	}
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.records, records);
	assert_int_equal(totals.calls, calls);
	assert_int_equal(totals.lost, lost);
	assert_int_equal(totals.marks, marks);
	assert_int_equal(totals.waits, waits);
	assert_true(waits > nr);
}

static void streams_come_back_merged_by_time(void **state)
{
	enum { NR = 5 };
	struct stream streams[NR];
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	for (uint32_t i = 0; i < NR; i++) {
		streams[i] = stream_of(i + 1, 100 + (int)i / 2, 100 + (int)i);
		stream_run(&streams[i], 90000 * i + 10);
	}
	for (bool is_more = true; is_more;) {
		is_more = false;
		for (size_t i = 0; i < NR; i++) {
			struct stream *s = &streams[i];
			assert_int_equal(stream_send(s, tap, 1 + stream_random(s) % 9000), 0);
			is_more |= s->sent < s->words.nr;
		}
	}
	for (size_t i = 0; i < NR; i++)
		assert_int_equal(tap->strand_end(tap, &streams[i].info, streams[i].tsc), 0);
	assert_int_equal(trace_close(writer, 3 << 8), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	assert_null(fc_reader_trouble(reader));
	assert_int_equal(fc_reader_verify(reader), 0);
	assert_int_equal(fc_reader_nr_strands(reader), NR);
	assert_int_equal(fc_reader_strand(reader, 4)->tid, 104);
	assert_totals(reader, streams, NR);
	assert_streams(reader, streams, NR);
	assert_true(runs_tell_the_same(reader, reader, 0, SIZE_MAX));
	for (uint64_t from = 1; from < 8; from++)
		assert_true(runs_tell_the_same(reader, reader, BEGIN_TSC + from * 10000000,
					       SIZE_MAX));
	fc_reader_close(reader);
	for (size_t i = 0; i < NR; i++)
		stream_free(&streams[i]);
}

static void deep_recursion_over_many_packets_comes_back(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	for (int i = 0; i < 200000; i++)
		stream_add(&s, FC_ENTRY, 1 + (uint32_t)i % 3);
	while (s.stack.nr)
		stream_return(&s);
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	while (s.sent < s.words.nr)
		assert_int_equal(stream_send(&s, tap, 5000), 0);
	assert_int_equal(tap->strand_end(tap, &s.info, s.tsc), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	assert_streams(reader, &s, 1);
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	assert_in_range(totals.bytes, 1, s.words.nr);
	fc_reader_close(reader);
	stream_free(&s);
}

static void times_are_right_over_many_turns_of_the_tick(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	for (int i = 0; i < 40; i++) {
		stream_add(&s, i % 2 ? FC_EXIT : FC_ENTRY, 9);
		assert_int_equal(stream_send(&s, tap, 1), 0);
		s.tsc += (1ull << 34) * (unsigned)(i * i); /* up to 97 turns */
	}
	assert_int_equal(tap->strand_end(tap, &s.info, s.tsc), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	assert_streams(reader, &s, 1);
	fc_reader_close(reader);
	stream_free(&s);
}

static void a_record_younger_than_its_drain_is_not_taken_for_an_old_one(void **state)
{
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	struct fc_strand_info info = { 1, 7, 7 };
	uint64_t words[3] = {
		fc_record(BEGIN_TSC, 1, FC_ENTRY),
		fc_record(BEGIN_TSC + 800, 1,
			  FC_EXIT), /* after the drain's look at the clock */
		fc_record(BEGIN_TSC + 400, 2, FC_ENTRY), /* a TSC that is a little behind */
	};
	assert_int_equal(tap->records(tap, &info, words, 3, BEGIN_TSC + 80), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_cursor *cursor;
	struct fc_event event;
	uint64_t want[3] = { BEGIN_TSC, BEGIN_TSC + 800, BEGIN_TSC + 800 };
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fc_cursor_next(cursor, &event), 1);
		assert_int_equal(event.tsc, want[i] & QUANTUM_MASK);
	}
	assert_int_equal(fc_cursor_next(cursor, &event), 0);
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
}

static void words_that_are_no_records_count_as_lost(void **state)
{
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	struct fc_strand_info info = { 1, 7, 7 };
	uint64_t words[4] = {
		fc_record(BEGIN_TSC, 1, FC_ENTRY),
		fc_record(BEGIN_TSC + 8, 1, 7), /* no such kind */
		fc_record(BEGIN_TSC + 16, 1, FC_EXIT),
		fc_record(BEGIN_TSC + 24, fc_mark_func(FC_MARK_SYNC, 9), FC_MARK), /* cut */
	};
	assert_int_equal(tap->records(tap, &info, words, 4, BEGIN_TSC + 80), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.lost, 2);
	assert_int_equal(totals.records, 4);
	fc_reader_close(reader);
}

static const struct fc_func_info some_funcs[] = {
	{ "main", 0x1139, 0x40, 1, FC_HOW_HOOKED, "jmp5" },
	{ NULL, 0x1200, 0x10, 2, FC_HOW_HOOKED, "jmp5" },
	{ "setjmp", 0x1000, 8, 3, FC_HOW_ENTRY_ONLY, "returns twice" },
	{ "_start", 0x1100, 0x26, 0, FC_HOW_SKIPPED, "has no return address" },
	{ "never_called", 0x1300, 0x26, 4, FC_HOW_HOOKED, "jmp5" },
};

static void tell_facts(struct fc_tap *tap)
{
	struct fc_module_info module = { 1, "/usr/bin/prog", "c0ffee", some_funcs, 5 };
	struct fc_module_info empty = { 2, "libempty.so", "", NULL, 0 };
	struct fc_map_info map = { 1, 100, 0x555555554000, BEGIN_TSC };
	struct fc_life_info exit = { FC_LIFE_EXIT, 100, 100, 0, 3 << 8, BEGIN_TSC + 900, "" };
	struct fc_life_info start = { FC_LIFE_START, 100, 100, 99, 0, BEGIN_TSC + 1, "" };
	struct fc_life_info say = { FC_LIFE_SAY, 100, 100, 0, 0, BEGIN_TSC + 1, "a sentence" };
	assert_int_equal(tap->module(tap, &module), 0);
	assert_int_equal(tap->module(tap, &empty), 0);
	assert_int_equal(tap->map(tap, &map), 0);
	assert_int_equal(tap->life(tap, &exit), 0);
	assert_int_equal(tap->life(tap, &start), 0);
	assert_int_equal(tap->life(tap, &say), 0);
}

static void modules_names_maps_and_lives_come_back(void **state)
{
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	struct stream s = stream_of(1, 100, 100);
	tell_facts(tap);
	stream_add(&s, FC_ENTRY, 1);
	stream_add(&s, FC_ENTRY, 2);
	stream_add(&s, FC_ENTRY_ONLY, 3);
	assert_int_equal(stream_send(&s, tap, 100), 0);
	assert_int_equal(tap->tick(tap, s.tsc), 0);
	assert_int_equal(trace_close(writer, 9), 0);

	struct fc_reader *r = trace_open(in_dir("t"));
	assert_int_equal(fc_reader_argc(r), 2);
	assert_string_equal(fc_reader_arg(r, 1), "an argument");
	assert_null(fc_reader_arg(r, 2));
	assert_string_equal(fc_reader_options(r), "record --libs=all");
	assert_non_null(strstr(fc_reader_machine(r), "Linux"));

	assert_int_equal(fc_reader_nr_modules(r), 2);
	const struct fc_module_info *module = fc_reader_module(r, 0);
	assert_string_equal(module->path, "/usr/bin/prog");
	assert_string_equal(module->build_id, "c0ffee");
	assert_int_equal(module->nr_funcs, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(module->funcs[i].vaddr, some_funcs[i].vaddr);
		assert_int_equal(module->funcs[i].size, some_funcs[i].size);
		assert_int_equal(module->funcs[i].id, some_funcs[i].id);
		assert_int_equal(module->funcs[i].how, some_funcs[i].how);
		assert_string_equal(module->funcs[i].why, some_funcs[i].why);
	}
	assert_string_equal(module->funcs[3].name, "_start");

	assert_string_equal(fc_reader_func(r, 1).name, "main");
	assert_string_equal(fc_reader_func(r, 1).module, "prog");
	assert_ptr_equal(fc_reader_func(r, 1).info, &module->funcs[0]);
	assert_string_equal(fc_reader_func(r, 2).name, "prog+0x1200");
	assert_string_equal(fc_reader_func(r, 3).name, "setjmp");
	assert_string_equal(fc_reader_func(r, 77).name, "?");
	assert_null(fc_reader_func(r, 77).info);
	assert_int_equal(fc_reader_max_func(r), 4);

	struct fc_totals totals;
	fc_reader_totals(r, &totals);
	assert_int_equal(totals.hooked, 3);
	assert_int_equal(totals.entry_only, 1);
	assert_int_equal(totals.skipped, 1);
	assert_true(totals.is_complete);
	assert_int_equal(totals.wait_status, 9);
	assert_int_equal(totals.duration_ns, fc_clock_ns(fc_reader_clock(r), BEGIN_TSC + 900));

	assert_int_equal(fc_reader_nr_maps(r), 1);
	assert_int_equal(fc_reader_map(r, 0)->taddr, 0x555555554000);
	assert_int_equal(fc_reader_nr_lives(r), 3);
	assert_int_equal(fc_reader_life(r, 0)->life, FC_LIFE_START);
	assert_string_equal(fc_reader_life(r, 1)->text, "a sentence");
	assert_int_equal(fc_reader_life(r, 2)->status, 3 << 8);
	fc_reader_close(r);
	stream_free(&s);
}

/* The calls that a reader of the cursor's events finds open at the end. */
static size_t depth_of(struct fc_cursor *cursor, uint64_t from_tsc, size_t *nr_before)
{
	struct fc_event event;
	size_t depth = 0;
	*nr_before = 0;
	while (fc_cursor_next(cursor, &event) == 1) {
		if (event.kind == FC_ENTRY || (event.kind == FC_TAIL && !depth))
			depth++;
		if (event.kind == FC_EXIT && depth)
			depth--;
		if (event.kind == FC_POP)
			depth = event.func < depth ? event.func : depth;
		if (event.kind == FC_MARK && event.mark == FC_MARK_LOST &&
		    fc_event_word(&event, 1) && fc_event_word(&event, 1) - 1 < depth)
			depth = fc_event_word(&event, 1) - 1;
		*nr_before += event.tsc < from_tsc;
	}
	return depth;
}

static void reading_may_begin_in_the_middle(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	stream_run(&s, 300000);
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	while (s.sent < s.words.nr)
		assert_int_equal(stream_send(&s, tap, 5000), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_cursor *cursor;
	size_t nr_before;
	uint64_t from = s.events.at[250000].tsc;
	cursor = fc_cursor_create(reader, &(struct fc_choice){ .from_tsc = from });
	assert_int_equal(depth_of(cursor, from, &nr_before), s.stack.nr);
	assert_in_range(nr_before, 1, 70000); /* a packet and a stack at most */
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
	stream_free(&s);
}

/* The events of a cursor from a time on, without those that tell what was open. */
static struct fc_event next_from(struct fc_cursor *cursor, uint64_t from_tsc)
{
	struct fc_event event = { 0 };
	while (fc_cursor_next(cursor, &event) == 1)
		if (event.tsc >= from_tsc)
			return event;
	return (struct fc_event){ 0 };
}

static void what_is_read_from_the_middle_is_what_the_whole_has_there(void **state)
{
	struct stream a = stream_of(1, 7, 7), b = stream_of(2, 7, 8);
	stream_run(&a, 200000);
	stream_run(&b, 200000);
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	while (a.sent < a.words.nr)
		assert_int_equal(stream_send(&a, tap, 5000), 0);
	while (b.sent < b.words.nr)
		assert_int_equal(stream_send(&b, tap, 5000), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_cursor *whole, *part;
	uint64_t from = a.events.at[150000].tsc;
	whole = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	part = fc_cursor_create(reader, &(struct fc_choice){ .from_tsc = from });
	for (struct fc_event x = { .tsc = 1 }, y; x.tsc;) {
		x = next_from(whole, from);
		y = next_from(part, from);
		assert_int_equal(x.tsc, y.tsc);
		assert_int_equal(x.strand, y.strand);
		assert_int_equal(x.kind, y.kind);
		assert_int_equal(x.func, y.func);
	}
	fc_cursor_destroy(whole);
	fc_cursor_destroy(part);

	/* Of one thread: the other one's packets are not even looked at. */
	struct fc_choice choice = { .from_tsc = from, .tid = 8 };
	struct fc_event event = { 0 };
	part = fc_cursor_create(reader, &choice);
	assert_int_equal(fc_cursor_next(part, &event), 1);
	assert_int_equal(event.kind, FC_MARK);
	assert_int_equal(event.mark, FC_MARK_BEGIN);
	while (fc_cursor_next(part, &event) == 1)
		assert_int_equal(event.tid, 8);
	fc_cursor_destroy(part);
	fc_reader_close(reader);
	stream_free(&a);
	stream_free(&b);
}

/* Packets tell the innermost 1024: how many are around them is known. */
static void depth_is_right_where_reading_begins_in_deep_recursion(void **state)
{
	enum { DEPTH = 1400000, AT = 1300000 };
	struct stream s = stream_of(1, 7, 7);
	for (int i = 0; i < DEPTH; i++)
		stream_add(&s, FC_ENTRY, 1);
	struct fc_writer *writer = trace_create(in_dir("t"));
	while (s.sent < s.words.nr)
		assert_int_equal(stream_send(&s, fc_writer_tap(writer), 5000), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_cursor *cursor;
	struct fc_event event = { 0 };
	cursor = fc_cursor_create(reader,
				  &(struct fc_choice){ .from_tsc = s.events.at[AT].tsc });
	assert_int_equal(fc_cursor_next(cursor, &event), 1);
	assert_int_equal(event.mark, FC_MARK_BEGIN);
	assert_int_equal(fc_event_word(&event, 1), 1024);
	uint64_t depth = fc_event_word(&event, 0);
	while (fc_cursor_next(cursor, &event) == 1)
		depth += event.kind == FC_ENTRY;
	assert_int_equal(depth, DEPTH);
	fc_cursor_destroy(cursor);

	/* When they were entered not long ago, reading begins before them: all are known. */
	cursor = fc_cursor_create(reader,
				  &(struct fc_choice){ .from_tsc = s.events.at[200000].tsc });
	for (depth = 0; fc_cursor_next(cursor, &event) == 1;)
		depth += event.kind == FC_ENTRY;
	assert_int_equal(depth, DEPTH);
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
	stream_free(&s);
}

static void the_index_tells_where_the_last_records_begin(void **state)
{
	struct stream s = stream_of(1, 7, 7);
	stream_run(&s, 300000);
	struct fc_writer *writer = trace_create(in_dir("t"));
	while (s.sent < s.words.nr)
		assert_int_equal(stream_send(&s, fc_writer_tap(writer), 5000), 0);
	assert_int_equal(trace_close(writer, 0), 0);

	struct fc_reader *reader = trace_open(in_dir("t"));
	struct fc_choice all = { 0 }, other = { .tid = 9 };
	uint64_t last = fc_reader_last_from(reader, &all, UINT64_MAX, 10);
	uint64_t more = fc_reader_last_from(reader, &all, UINT64_MAX, 100000);
	assert_true(last <= s.events.at[s.events.nr - 10].tsc);
	assert_true(more <= s.events.at[s.events.nr - 100000].tsc);
	assert_true(more < last && more > s.events.at[0].tsc);
	assert_int_equal(fc_reader_last_from(reader, &all, UINT64_MAX, 1000000), 0);
	assert_int_equal(fc_reader_last_from(reader, &other, UINT64_MAX, 10), 0);
	all.from_tsc = last + 8;
	assert_int_equal(fc_reader_last_from(reader, &all, UINT64_MAX, 10), last + 8);
	fc_reader_close(reader);
	stream_free(&s);
}

static void a_tick_writes_what_is_older_than_a_second(void **state)
{
	struct fc_writer *writer = trace_create(in_dir("t"));
	struct fc_tap *tap = fc_writer_tap(writer);
	struct stream s = stream_of(1, 7, 7);
	stream_add(&s, FC_ENTRY, 1);
	assert_int_equal(stream_send(&s, tap, 1), 0);
	assert_int_equal(tap->tick(tap, s.tsc + 1000000000), 0);
	struct fc_totals totals;
	struct fc_reader *reader = trace_open(in_dir("t"));
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.records, 0);
	fc_reader_close(reader);

	assert_int_equal(tap->tick(tap, s.tsc + 2300001000), 0);
	reader = trace_open(in_dir("t"));
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.records, 1);
	assert_false(totals.is_complete);
	assert_non_null(strstr(fc_reader_trouble(reader), "has no end"));
	fc_reader_close(reader);
	assert_int_equal(trace_close(writer, 0), 0);
	stream_free(&s);
}

/* Records of another clock, as an import tells them: to the tick, on the clock that is given. */
static void what_is_told_keeps_its_clock_and_each_tick(void **state)
{
	static char *argv[] = { "prog", NULL };
	static const uint64_t ns[] = { 1000001, 1000002, 1000005, 1000008 };
	struct fc_session session = { .argc = 1,
				      .argv = argv,
				      .options = "import",
				      .clock = { 1000000, 1000000, 0, 2000000, 2000000 },
				      .is_told = true,
				      .machine = "another machine" };
	struct fc_strand_info info = { 1, 7, 7 };
	struct fc_writer_sums sums;
	struct fc_writer *writer;
	struct fc_cursor *cursor;
	struct fc_event event;

	assert_int_equal(fc_writer_create(in_dir("told"), &session, &writer), 0);
	struct fc_tap *tap = fc_writer_tap(writer);
	for (size_t i = 0; i < 4; i++) {
		uint64_t word = fc_record(ns[i], 1, i < 2 ? FC_ENTRY : FC_EXIT);
		assert_int_equal(tap->records(tap, &info, &word, 1, ns[i]), 0);
	}
	assert_int_equal(tap->tick(tap, 2000000000), 0); /* no clock of this machine gets in */
	assert_int_equal(tap->strand_end(tap, &info, ns[3]), 0);
	assert_int_equal(fc_writer_close(writer, 0, &session.clock, &sums), 0);

	struct fc_reader *reader = trace_open(in_dir("told"));
	assert_int_equal(fc_clock_ns(fc_reader_clock(reader), 1000005), 5);
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fc_cursor_next(cursor, &event), 1);
		assert_int_equal(event.tsc, ns[i]);
	}
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
}

/* As a writer of 1.2 wrote it, or with the flags of a later one. */
static bool is_flight(const char *options, const uint64_t *flags)
{
	struct fc_bytes payload = { 0 };
	struct fc_facts facts;

	fc_facts_init(&facts);
	for (int i = 0; i < 6; i++)
		fc_bytes_varint(&payload, 0);
	fc_bytes_string(&payload, "machine");
	fc_bytes_string(&payload, options);
	fc_bytes_varint(&payload, 1);
	fc_bytes_string(&payload, "./program");
	if (flags)
		fc_bytes_varint(&payload, *flags);
	struct fc_packet packet = { .kind = FC_PACKET_SESSION,
				    .raw_len = (uint32_t)payload.nr,
				    .stored_len = (uint32_t)payload.nr,
				    .stored = payload.at };
	assert_int_equal(fc_facts_take(&facts, &packet), 0);
	bool ret = facts.is_flight;
	fc_facts_deinit(&facts);
	fc_bytes_free(&payload);
	return ret;
}

static void a_session_tells_whether_it_is_a_flight_recorders(void **state)
{
	static const uint64_t none = 0, flight = 1, others = ~1ull;

	assert_true(is_flight("", &flight));
	assert_false(is_flight("--loss=ring", &none));
	assert_false(is_flight("", &others));
}

static void an_older_session_tells_it_by_its_options(void **state)
{
	assert_true(is_flight("-o t --loss=ring", NULL));
	assert_true(is_flight("--loss ring", NULL));
	assert_true(is_flight("fctrace dump 4711", NULL));
	assert_false(is_flight("-o t", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_come_back_merged_by_time),
		cmocka_unit_test(what_is_told_keeps_its_clock_and_each_tick),
		cmocka_unit_test(a_session_tells_whether_it_is_a_flight_recorders),
		cmocka_unit_test(an_older_session_tells_it_by_its_options),
		cmocka_unit_test(deep_recursion_over_many_packets_comes_back),
		cmocka_unit_test(times_are_right_over_many_turns_of_the_tick),
		cmocka_unit_test(a_record_younger_than_its_drain_is_not_taken_for_an_old_one),
		cmocka_unit_test(words_that_are_no_records_count_as_lost),
		cmocka_unit_test(modules_names_maps_and_lives_come_back),
		cmocka_unit_test(reading_may_begin_in_the_middle),
		cmocka_unit_test(what_is_read_from_the_middle_is_what_the_whole_has_there),
		cmocka_unit_test(depth_is_right_where_reading_begins_in_deep_recursion),
		cmocka_unit_test(the_index_tells_where_the_last_records_begin),
		cmocka_unit_test(a_tick_writes_what_is_older_than_a_second),
	};
	return cmocka_run_group_tests_name("trace: round trip", tests, dir_make, dir_remove);
}
