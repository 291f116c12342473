/* SPDX-License-Identifier: Apache-2.0 */
/* What records do to the open calls, and that marks of any length and number come through. */
#include "trace/effect.h"

#include "read/sums/crunch.h"
#include "calls/play.h"
#include "calls/sieve.h"
#include "trace/test_mark.h"
#include "trace/test_trace.h"
#include "trace/checksum.h"
#include "trace/mark.h"
#include "trace/packet.h"
#include "trace/words.h"
#include "show/tui/reels.h"

/* ---- the rule ---- */

struct rule {
	const char *what;
	struct fc_event event;
	uint64_t before, stay, unknown, after;
	enum fc_left left;
	enum fc_entered entered;
};

#define RECORD(of_kind, of_func)                                                               \
	{                                                                                      \
		.kind = (of_kind), .func = (of_func)                                           \
	}
#define MARK(number, ...)                                                                      \
	{                                                                                      \
		.kind = FC_MARK, .mark = (number), WORDS(__VA_ARGS__)                          \
	}

static void each_record_does_what_the_table_says(void **state)
{
	const uint64_t most = FC_UNKNOWN_MAX;
	const struct rule rules[] = {
		{ "entry", RECORD(FC_ENTRY, 9), 2, 2, 0, 3, 0, FC_ENTERED_CALL },
		{ "first entry", RECORD(FC_ENTRY, 9), 0, 0, 0, 1, 0, FC_ENTERED_CALL },
		{ "return", RECORD(FC_EXIT, 9), 2, 1, 0, 1, FC_LEFT_RETURN, 0 },
		{ "return of what began before", RECORD(FC_EXIT, 9), 0, 0, 0, 0, 0, 0 },
		{ "tail call", RECORD(FC_TAIL, 9), 2, 1, 0, 2, FC_LEFT_TAIL, FC_ENTERED_TAIL },
		{ "tail call of what began before", RECORD(FC_TAIL, 9), 0, 0, 0, 1,
		  FC_LEFT_TAIL, FC_ENTERED_CALL },
		{ "entry only", RECORD(FC_ENTRY_ONLY, 9), 2, 2, 0, 2, 0, FC_ENTERED_UNSEEN },
		{ "pop", RECORD(FC_POP, 1), 5, 1, 0, 1, FC_LEFT_POP, 0 },
		{ "pop of nothing", RECORD(FC_POP, 7), 5, 5, 0, 5, FC_LEFT_POP, 0 },
		{ "pop of all", RECORD(FC_POP, 0), 5, 0, 0, 0, FC_LEFT_POP, 0 },
		{ "pad", RECORD(FC_PAD, 3), 5, 5, 0, 5, 0, 0 },
		{ "lost, fewer open", MARK(FC_MARK_LOST, 9, 2 + 1), 5, 2, 0, 2, FC_LEFT_LOST,
		  0 },
		{ "lost, none open", MARK(FC_MARK_LOST, 9, 0 + 1), 5, 0, 0, 0, FC_LEFT_LOST,
		  0 },
		{ "lost, as many open", MARK(FC_MARK_LOST, 9, 5 + 1), 5, 5, 0, 5, FC_LEFT_LOST,
		  0 },
		{ "lost, more open", MARK(FC_MARK_LOST, 9, 7 + 1), 5, 5, 2, 7, FC_LEFT_LOST,
		  0 },
		{ "lost, nobody knows", MARK(FC_MARK_LOST, 9, 0), 5, 5, 0, 5, FC_LEFT_LOST, 0 },
		{ "lost, without the word", MARK(FC_MARK_LOST, 9), 5, 5, 0, 5, FC_LEFT_LOST,
		  0 },
		{ "lost, with more words", MARK(FC_MARK_LOST, 9, 2 + 1, 7, 7), 5, 2, 0, 2,
		  FC_LEFT_LOST, 0 },
		{ "lost, damaged", MARK(FC_MARK_LOST, 9, UINT64_MAX), 5, 5, most - 5, most,
		  FC_LEFT_LOST, 0 },
		{ "lost, deep", MARK(FC_MARK_LOST, 9, most + 9), most + 7, most + 7, 0,
		  most + 7, FC_LEFT_LOST, 0 },
		{ "fork", MARK(FC_MARK_FORK, 6, 3 + 1), 5, 5, 0, 5, FC_LEFT_LOST, 0 },
		{ "sync", MARK(FC_MARK_SYNC, 6, 1), 5, 5, 0, 5, FC_LEFT_LOST, 0 },
		{ "waited", MARK(FC_MARK_WAITED, 6, 1), 5, 5, 0, 5, FC_LEFT_LOST, 0 },
		{ "resume", MARK(FC_MARK_RESUME, 6, 3 + 1, 0), 5, 0, 0, 0, FC_LEFT_LOST, 0 },
		{ "end", MARK(FC_MARK_END, 0), 5, 0, 0, 0, FC_LEFT_END, 0 },
		{ "begin", MARK(FC_MARK_BEGIN, 4, 2), 0, 0, 4, 4, FC_LEFT_LOST, 0 },
		{ "begin of few", MARK(FC_MARK_BEGIN, 0, 2), 0, 0, 0, 0, FC_LEFT_LOST, 0 },
		{ "unknown", MARK(42, 1, 2), 5, 5, 0, 5, FC_LEFT_LOST, 0 },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *rule = &rules[i];
		struct fc_effect effect = fc_effect_of(&rule->event, rule->before);
		bool is_left = effect.stay < rule->before;
		if (effect.stay != rule->stay || effect.unknown != rule->unknown ||
		    effect.entered != rule->entered || (is_left && effect.left != rule->left) ||
		    fc_effect_depth(&effect) != rule->after ||
		    fc_effect_known(&effect) != rule->after - rule->unknown)
			fail_msg("%s: %llu stay, %llu unknown, left %d, entered %d", rule->what,
				 (unsigned long long)effect.stay,
				 (unsigned long long)effect.unknown, effect.left,
				 effect.entered);
	}
}

static void marks_announce_calls_that_are_open(void **state)
{
	const struct fc_event entry = { .kind = FC_ENTRY }, tail = { .kind = FC_TAIL },
			      exit = { .kind = FC_EXIT };
	const struct fc_event wait = MARK(FC_MARK_WAITED, 5), lost = MARK(FC_MARK_LOST, 1);
	const struct fc_event fork = MARK(FC_MARK_FORK, 7, 2 + 1),
			      none = MARK(FC_MARK_FORK, 7, 1);
	const struct fc_event forked = MARK(FC_MARK_FORK, 7),
			      kept = MARK(FC_MARK_RESUME, 7, 2, 0);
	const struct fc_event begin = MARK(FC_MARK_BEGIN, 3, 3);
	const struct {
		const struct fc_event *event;
		enum fc_since since;
	} row[] = {
		{ &entry, FC_SINCE_ITSELF },
		{ &exit, FC_SINCE_ITSELF },
		{ &fork, 0 },
		{ &entry, FC_SINCE_FORK },
		{ &wait, 0 },
		{ &entry, FC_SINCE_FORK },
		{ &entry, FC_SINCE_ITSELF },
		{ &none, 0 },
		{ &entry, FC_SINCE_ITSELF },
		{ &fork, 0 },
		{ &exit, 0 },
		{ &entry, FC_SINCE_ITSELF },
		{ &fork, 0 },
		{ &lost, 0 },
		{ &entry, FC_SINCE_ITSELF },
		{ &fork, 0 },
		{ &tail, FC_SINCE_ITSELF },
		{ &entry, FC_SINCE_ITSELF },
		{ &forked, 0 },
		{ &entry, FC_SINCE_FORK },
		{ &entry, FC_SINCE_FORK },
		{ &entry, FC_SINCE_FORK },
		{ &exit, 0 },
		{ &entry, FC_SINCE_ITSELF },
		{ &fork, 0 },
		{ &kept, 0 },
		{ &entry, FC_SINCE_KEPT },
		{ &entry, FC_SINCE_ITSELF },
		{ &begin, 0 },
		{ &entry, FC_SINCE_READ },
		{ &tail, FC_SINCE_READ },
		{ &entry, FC_SINCE_READ },
		{ &entry, FC_SINCE_ITSELF },
	};
	struct fc_announced announced = { 0 };

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (fc_announced_next(&announced, row[i].event) != row[i].since)
			fail_msg("row %zu", i);
}

/* Every number is a known mark, or one that a reader passes over, or one that ends its packet. */
static void each_mark_is_told_or_of_the_format_alone(void **state)
{
	size_t nr_told = 0, nr_recorded = 0;
	for (uint64_t mark = 0; mark < FC_NR_MARKS; mark++) {
		nr_told += fc_mark_word(mark) != NULL;
		nr_recorded += fc_mark_is_recorded(mark);
		assert_int_equal(!fc_mark_word(mark), !fc_mark_value_word(mark));
		assert_true(!fc_mark_word(mark) || fc_mark_is_recorded(mark));
		assert_false(fc_mark_is_aside(mark) &&
			     (fc_mark_announces(mark) || fc_mark_has_count(mark)));
		assert_true(mark < FC_MARK_ASIDE || fc_mark_is_aside(mark));
	}
	assert_int_equal(nr_told, 4);
	assert_int_equal(nr_recorded, 8);
	assert_false(fc_mark_is_recorded(FC_MARK_LOST + 256));
	assert_true(fc_mark_is_aside(1ull << 40));
}

/* ---- marks of any number of words ---- */

/* What a sink is told of marks. */
struct told {
	struct fc_call_sink sink;
	size_t nr, nr_calls;
	uint8_t mark[64];
	unsigned nr_words[64];
	uint64_t words[64][FC_MARK_MAX_VALUES];
};

static void told_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
}

static void told_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	((struct told *)sink)->nr_calls++;
}

static void told_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct told *told = (struct told *)sink;
	assert_in_range(told->nr, 0, 63);
	told->mark[told->nr] = event->mark;
	told->nr_words[told->nr] = event->nr_words;
	for (unsigned i = 0; i < event->nr_words; i++)
		told->words[told->nr][i] = event->words[i];
	told->nr++;
}

static void told_finish(struct fc_call_sink *sink)
{
}

static struct fc_call_sink *told_create(void *ctx)
{
	struct told *told = fc_alloc(sizeof(*told));
	told->sink = (struct fc_call_sink){ told_enter, told_leave, told_event, told_finish };
	return &told->sink;
}

static void told_merge(struct fc_call_sink *into, struct fc_call_sink *from)
{
	fail_msg("one thread is enough");
}

static void told_destroy(struct fc_call_sink *sink)
{
	free(sink);
}

static const struct fc_crunch_opts crunch_opts = { .create = told_create,
						   .merge = told_merge,
						   .destroy = told_destroy };

static const unsigned lengths[] = { 0, 1, 2, 3, 4, 15, 16, 60, 255 };
enum { NR_LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

/* A mark of each kind and length, between calls. */
static struct stream stream_of_marks(void)
{
	static const enum fc_mark marks[] = { FC_MARK_WAITED, FC_MARK_LOST, FC_MARK_RESUME,
					      FC_MARK_FORK, FC_MARK_SYNC };
	struct stream s = stream_of(1, 7, 7);
	uint64_t words[FC_MARK_MAX_VALUES];

	for (unsigned i = 0; i < FC_MARK_MAX_VALUES; i++)
		words[i] = i == 1 ? 1 : i + 1;
	for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++)
		for (size_t i = 0; i < NR_LENGTHS; i++) {
			stream_add(&s, FC_ENTRY, 1 + (uint32_t)i);
			stream_mark(&s, marks[m], lengths[i], words);
			stream_add(&s, FC_EXIT, 1 + (uint32_t)i);
		}
	return s;
}

static void write_marks(struct stream *s, const char *path, bool is_sieved)
{
	static const struct fc_filter_opts all = { .depth = 100 };
	struct fc_writer *writer = trace_create(path);
	struct fc_sieve *sieve =
		is_sieved ? fc_sieve_create(&all, fc_writer_tap(writer)) : NULL;
	struct fc_tap *tap = sieve ? fc_sieve_tap(sieve) : fc_writer_tap(writer);

	s->sent = 0;
	assert_int_equal(stream_send(s, tap, s->words.nr), 0);
	tap->strand_end(tap, &s->info, s->tsc);
	fc_sieve_destroy(sieve);
	assert_int_equal(trace_close(writer, 0), 0);
}

/* Of a stream's marks those with a word, as they were written. */
static void assert_told(const struct told *told, const struct stream *s)
{
	size_t at = 0;
	for (size_t i = 0; i < s->events.nr; i++) {
		const struct fc_event *want = &s->events.at[i];
		if (want->kind != FC_MARK || !fc_mark_word(want->mark))
			continue;
		struct fc_event got = { .words = told->words[at],
					.nr_words = (uint8_t)told->nr_words[at] };
		assert_int_equal(told->mark[at], want->mark);
		/* A sieve says how many it tells as open, where the mark may. */
		bool is_short = fc_mark_has_count(want->mark) && want->nr_words < 2;
		assert_true(has_same_words(&got, want) || (is_short && got.nr_words == 2));
		at++;
	}
	assert_int_equal(told->nr, at);
}

static void marks_of_any_length_reach_the_sinks(void **state)
{
	static const struct fc_play_opts nothing = { 0 };
	const char *path = in_dir("marks");
	struct stream s = stream_of_marks();

	for (int is_sieved = 0; is_sieved < 2; is_sieved++) {
		write_marks(&s, path, is_sieved);
		struct fc_reader *reader = trace_open(path);
		struct fc_call_sink *played = told_create(NULL), *crunched = NULL;
		fc_play(reader, &nothing, played);
		assert_told((struct told *)played, &s);
		assert_int_equal(fc_crunch_unordered(reader, &crunch_opts, &crunched), 0);
		assert_told((struct told *)crunched, &s);
		assert_null(fc_reader_trouble(reader));
		told_destroy(played);
		told_destroy(crunched);
		fc_reader_close(reader);
	}
	stream_free(&s);
}

static void a_row_of_many_words_is_told_in_batches(void **state)
{
	const char *path = in_dir("many");
	struct stream s = stream_of(1, 7, 7);
	uint64_t words[FC_MARK_MAX_VALUES], sum = 0;
	struct fc_event batch[100];
	struct fc_cursor *cursor;

	for (uint64_t k = 0; k < 300; k++) {
		for (unsigned i = 0; i < FC_MARK_MAX_VALUES; i++)
			words[i] = k << 56 | i;
		stream_mark(&s, FC_MARK_WAITED, (uint32_t)(k % 256), words);
	}
	write_marks(&s, path, false);
	struct fc_reader *reader = trace_open(path);
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	for (size_t nr; (nr = fc_cursor_run(cursor, batch, 100)); sum += nr)
		for (size_t i = 0; i < nr && batch[i].mark != FC_MARK_END; i++)
			assert_true(has_same_words(&batch[i], &s.events.at[sum + i]));
	assert_int_equal(sum, 301); /* and the end */
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
	stream_free(&s);
}

/* ---- marks that nobody knows ---- */

static void words_that_are_no_known_mark_are_lost(void **state)
{
	const struct fc_strand_info info = { 1, 7, 7 };
	const uint64_t numbers[] = { 0, FC_MARK_END, FC_MARK_BEGIN, 42, 200 };
	struct fc_event event;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t words[] = {
			fc_record(50, fc_mark_func((enum fc_mark)numbers[i], 2), FC_MARK), 8, 9
		};
		assert_int_equal(fc_words_decode(words, 2, &info, 60, &event), 0);
		assert_int_equal(fc_words_decode(words, 3, &info, 60, &event), 3);
		assert_int_equal(event.mark, FC_MARK_LOST);
		assert_int_equal(event.nr_words, 1);
		assert_int_equal(fc_mark_lost(&event), 1);
	}
}

/*
 * 70000 calls in two packets. The tenth record of the first is a mark whose bytes, 3 2 1 5 (SYNC
 * with words 1 and 5), become these; the checksum is right.
 */
static struct file_bytes with_mark(const uint8_t bytes[4])
{
	static const uint8_t sync[] = { FC_MARK_SYNC, 2, 1, 5 };
	const uint64_t words[] = { 1, 5 };
	struct stream s = stream_of(1, 7, 7);
	struct fc_packet packet;
	size_t nr_changed = 0;

	stream_add(&s, FC_ENTRY, 1);
	for (unsigned i = 0; i < 70000; i++) {
		if (i == 4)
			stream_mark(&s, FC_MARK_SYNC, 2, words);
		stream_add(&s, FC_ENTRY, 2);
		stream_add(&s, FC_EXIT, 2);
	}
	write_marks(&s, in_dir("unknown"), false);
	stream_free(&s);
	struct file_bytes file = file_read(in_dir("unknown"));
	for (size_t off = FC_FILE_HEAD; !fc_packet_at(file.at, file.nr, off, &packet);
	     off = fc_packet_end(&packet)) {
		uint8_t *stored = file.at + off + FC_PACKET_HEAD;
		uint8_t *at = memmem(stored, packet.stored_len, sync, sizeof(sync));
		if (packet.kind != FC_PACKET_EVENTS || !at)
			continue;
		memcpy(at, bytes, sizeof(sync));
		fc_packet_head_put(file.at + off, &packet,
				   fc_checksum(stored, packet.stored_len));
		nr_changed++;
	}
	assert_int_equal(nr_changed, 1);
	return file;
}

static struct fc_reader *read_bytes(const struct file_bytes *file)
{
	struct fc_reader *reader = NULL;
	assert_int_equal(fc_reader_open_memory(file->at, file->nr, "t.data", &reader), 0);
	return reader;
}

/* By each way of reading: how many calls and what marks are told, and what is said. */
static void expect(const uint8_t bytes[4], size_t nr_calls, size_t nr_marks, const char *said)
{
	static const struct fc_play_opts nothing = { 0 };
	struct file_bytes file = with_mark(bytes);
	struct fc_call_sink *played = told_create(NULL), *crunched = NULL;
	const struct told *told = (struct told *)played;

	struct fc_reader *reader = read_bytes(&file);
	assert_null(fc_reader_trouble(reader));
	fc_play(reader, &nothing, played);
	assert_int_equal(told->nr_calls, nr_calls);
	assert_int_equal(told->nr, nr_marks);
	if (nr_marks)
		assert_int_equal(told->mark[0], FC_MARK_LOST);
	assert_string_equal(fc_reader_trouble(reader), said);
	fc_reader_close(reader);

	reader = read_bytes(&file);
	assert_int_equal(fc_crunch(reader, &crunch_opts, &crunched), 0);
	assert_int_equal(((struct told *)crunched)->nr_calls, nr_calls);
	assert_int_equal(((struct told *)crunched)->nr, nr_marks);
	assert_string_equal(fc_reader_trouble(reader), said);
	fc_reader_close(reader);

	reader = read_bytes(&file);
	struct fc_reels *reels = fc_reels_create(reader, 4);
	const struct fc_reel *reel = fc_reels_get(reels, 0, 0);
	assert_int_equal(reel->nr_lost, nr_marks);
	assert_string_equal(fc_reader_trouble(reader), said);
	fc_reels_destroy(reels);
	fc_reader_close(reader);

	told_destroy(played);
	told_destroy(crunched);
	free(file.at);
}

static void what_follows_an_unknown_mark_is_left_out_and_said(void **state)
{
	/* Of 70001 calls those that ended before it, and those that end behind its packet. */
	const size_t nr_records = 1 + 2 * 70000 + 1,
		     left = 4 + (nr_records - FC_PACKET_RECORDS) / 2 + 1;

	expect((const uint8_t[]){ 42, 2, 1, 5 }, left, 1,
	       "t.data has a mark that this version does not know (kind 42, record 10 of "
	       "strand "
	       "1): what follows in the same packet is left out; a later fctrace reads more");
	/* Marks that a reader makes up are none that a file may hold. */
	expect((const uint8_t[]){ FC_MARK_END, 2, 1, 5 }, left, 1,
	       "t.data has a mark that this version does not know (kind 4, record 10 of strand "
	       "1): what follows in the same packet is left out; a later fctrace reads more");
}

static void an_unknown_mark_beside_the_calls_is_passed_over_and_said(void **state)
{
	expect((const uint8_t[]){ 0xc8, 1, 1, 5 }, 70001, 0,
	       "t.data has a mark that this version does not know (kind 200, record 10 of "
	       "strand "
	       "1): passed over; a later fctrace reads more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_record_does_what_the_table_says),
		cmocka_unit_test(marks_announce_calls_that_are_open),
		cmocka_unit_test(each_mark_is_told_or_of_the_format_alone),
		cmocka_unit_test(marks_of_any_length_reach_the_sinks),
		cmocka_unit_test(a_row_of_many_words_is_told_in_batches),
		cmocka_unit_test(words_that_are_no_known_mark_are_lost),
		cmocka_unit_test(what_follows_an_unknown_mark_is_left_out_and_said),
		cmocka_unit_test(an_unknown_mark_beside_the_calls_is_passed_over_and_said),
	};
	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
