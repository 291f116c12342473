/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is wrong with a trace, what is whole of it is read and the rest is said. */
#include <sys/stat.h>

#include "trace/checksum.h"
#include "trace/packet.h"

#include "trace/runs.h"
#include "trace/test_trace.h"

enum {
	PER_PACKET = 30, /* records */
	NR_PACKETS = 12,
};

/* A trace whose packets have PER_PACKET records each, of two strands in turn. */
static struct file_bytes small_trace(struct stream streams[2])
{
	static const struct fc_func_info funcs[] = {
		{ "main", 0x1139, 0x40, 1, FC_HOW_HOOKED, "jmp5" },
		{ "helper", 0x1200, 0x10, 4, FC_HOW_HOOKED, "jmp5" },
	};
	struct fc_module_info module = { 1, "/usr/bin/prog", "c0ffee", funcs, 2 };
	struct fc_life_info life = { FC_LIFE_START, 7, 7, 1, 0, BEGIN_TSC, "" };
	struct fc_map_info map = { 1, 7, 0x555555554000, BEGIN_TSC };
	struct fc_writer *writer = trace_create(in_dir("small"));
	struct fc_tap *tap = fc_writer_tap(writer);
	tap->module(tap, &module);
	tap->life(tap, &life);
	tap->map(tap, &map);
	for (uint32_t i = 0; i < 2; i++) {
		streams[i] = stream_of(i + 1, 7, 7 + (int)i);
		for (int j = 0; j < PER_PACKET * NR_PACKETS / 2; j++)
			stream_step(&streams[i]);
	}
	for (int i = 0; i < NR_PACKETS; i++) {
		struct stream *s = &streams[i % 2];
		for (int j = 0; j < PER_PACKET; j++)
			assert_int_equal(stream_send(s, tap, 1), 0);
		tap->tick(tap, s->tsc + 3000000000);
	}
	for (int i = 0; i < 2; i++)
		tap->strand_end(tap, &streams[i].info, streams[i].tsc);
	assert_int_equal(trace_close(writer, 0), 0);
	return file_read(in_dir("small"));
}

static void streams_free(struct stream streams[2])
{
	stream_free(&streams[0]);
	stream_free(&streams[1]);
}

/* How many records a cursor tells, its own marks not counted. */
static uint64_t walk(struct fc_reader *reader)
{
	struct fc_cursor *cursor;
	struct fc_event event;
	uint64_t nr = 0;
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	while (fc_cursor_next(cursor, &event) == 1)
		nr += event.kind != FC_MARK || event.mark != FC_MARK_END;
	fc_cursor_destroy(cursor);
	for (uint32_t id = 0; id <= 5; id++)
		assert_non_null(fc_reader_func(reader, id).name);
	return nr;
}

static void assert_runs(const uint8_t *bytes, size_t nr)
{
	struct fc_reader *by_next, *by_run;
	assert_int_equal(fc_reader_open_memory(bytes, nr, "next", &by_next), 0);
	assert_int_equal(fc_reader_open_memory(bytes, nr, "run", &by_run), 0);
	assert_true(runs_tell_the_same(by_next, by_run, 0, SIZE_MAX));
	fc_reader_close(by_run);
	fc_reader_close(by_next);
}

static size_t packet_end(const struct file_bytes *file, size_t off)
{
	struct fc_packet packet;
	assert_int_equal(fc_packet_at(file->at, file->nr, off, &packet), 0);
	return fc_packet_end(&packet);
}

static bool is_events(const struct file_bytes *file, size_t off)
{
	struct fc_packet packet;
	return !fc_packet_at(file->at, file->nr, off, &packet) &&
	       packet.kind == FC_PACKET_EVENTS;
}

/* Records in the whole packets before the cut; *behind: the end of the last one. */
static uint64_t records_before(const struct file_bytes *file, size_t cut, size_t *behind)
{
	uint64_t nr = 0;
	size_t off = FC_FILE_HEAD;
	while (off < file->nr - FC_FILE_TRAILER && packet_end(file, off) <= cut) {
		nr += is_events(file, off);
		off = packet_end(file, off);
	}
	*behind = off;
	return nr < NR_PACKETS ? nr * PER_PACKET : NR_PACKETS * PER_PACKET;
}

static void a_trace_cut_at_any_byte_is_read_up_to_there(void **state)
{
	struct stream streams[2];
	struct file_bytes file = small_trace(streams);
	size_t session_end = packet_end(&file, FC_FILE_HEAD);

	for (size_t cut = 0; cut < file.nr; cut++) {
		uint8_t *bytes = fc_alloc(cut); /* ends where the sanitizer sees it */
		memcpy(bytes, file.at, cut);
		struct fc_reader *reader = NULL;
		fc_fail_clear();
		int ret = fc_reader_open_memory(bytes, cut, "cut", &reader);
		if (cut < session_end) {
			assert_int_equal(ret, cut ? -EBADMSG : -ENODATA);
			assert_true(strlen(fc_fail_text()) > 10);
			free(bytes);
			continue;
		}
		assert_int_equal(ret, 0);
		size_t behind;
		uint64_t want = records_before(&file, cut, &behind);
		struct fc_totals totals;
		fc_reader_totals(reader, &totals);
		assert_int_equal(totals.records, want);
		assert_int_equal(walk(reader), want);
		bool has_end = behind == file.nr - FC_FILE_TRAILER;
		assert_int_equal(totals.is_complete, has_end);
		if (!has_end || cut > behind)
			assert_non_null(fc_reader_trouble(reader));
		if (!has_end)
			assert_non_null(strstr(fc_reader_trouble(reader),
					       cut > behind ? "cut off" : "has no end"));
		fc_reader_close(reader);
		free(bytes);
	}
	free(file.at);
	streams_free(streams);
}

static void random_damage_is_always_noticed_and_never_crashes(void **state)
{
	struct stream streams[2];
	struct file_bytes file = small_trace(streams);
	srand(1);
	for (int i = 0; i < 10000; i++) {
		uint8_t *bytes = fc_alloc(file.nr);
		memcpy(bytes, file.at, file.nr);
		int nr_flips = i % 4 ? 1 : 1 + rand() % 20;
		for (int j = 0; j < nr_flips; j++)
			bytes[(size_t)rand() % file.nr] ^= (uint8_t)(1 + rand() % 255);
		struct fc_reader *reader = NULL;
		if (memcmp(bytes, file.at, file.nr) &&
		    !fc_reader_open_memory(bytes, file.nr, "flipped", &reader)) {
			walk(reader);
			assert_runs(bytes, file.nr);
			assert_non_null(fc_reader_trouble(reader));
			assert_int_equal(fc_reader_verify(reader), -EBADMSG);
			fc_reader_close(reader);
		}
		free(bytes);
	}
	free(file.at);
	streams_free(streams);
}

/* What an attentive reader of the events knows: which calls are open, what was lost. */
struct model {
	FC_VEC(uint32_t) stack;
	uint64_t nr, lost;
};

static void model_feed(struct model *m, const struct fc_event *e)
{
	size_t depth = m->stack.nr;
	m->nr++;
	if (e->kind == FC_ENTRY || (e->kind == FC_TAIL && !depth))
		fc_vec_push(&m->stack, e->func);
	if (e->kind == FC_EXIT && depth) {
		assert_int_equal(e->func, m->stack.at[depth - 1]);
		m->stack.nr--;
	}
	if (e->kind == FC_POP)
		m->stack.nr = e->func < depth ? e->func : depth;
	if (e->kind == FC_MARK && e->mark == FC_MARK_LOST) {
		m->lost += fc_event_word(e, 0);
		if (fc_event_word(e, 1) && fc_event_word(e, 1) - 1 < depth)
			m->stack.nr = fc_event_word(e, 1) - 1;
	}
}

/* Damage the packet of events that comes nth, read all, compare the calls open at the
 * end. */
static void assert_gap_is_bridged(const struct file_bytes *file, const struct stream streams[2],
				  int nth, bool by_scan)
{
	struct file_bytes copy = { fc_alloc(file->nr), file->nr - (by_scan ? 1 : 0) };
	memcpy(copy.at, file->at, file->nr);
	size_t off = FC_FILE_HEAD;
	for (int i = -1;; off = packet_end(file, off))
		if (is_events(file, off) && ++i == nth)
			break;
	copy.at[off + FC_PACKET_HEAD + 5] ^= 0x40;

	struct fc_reader *reader;
	struct fc_cursor *cursor;
	struct fc_event event;
	struct model models[2] = { 0 };
	uint64_t last = 0;
	assert_int_equal(fc_reader_open_memory(copy.at, copy.nr, "gap", &reader), 0);
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	while (fc_cursor_next(cursor, &event) == 1) {
		model_feed(&models[event.strand - 1], &event);
		assert_true(event.tsc >= last);
		last = event.tsc;
	}
	assert_non_null(strstr(fc_reader_trouble(reader), "is damaged in 1 place"));
	struct fc_totals totals;
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.records, (NR_PACKETS - 1) * PER_PACKET);
	for (int i = 0; i < 2; i++) {
		const struct stream *s = &streams[i];
		assert_int_equal(models[i].stack.nr, s->stack.nr);
		assert_memory_equal(models[i].stack.at, s->stack.at, s->stack.nr * 4);
		uint64_t missing = models[i].lost - stream_lost(s);
		if (i == nth % 2)
			assert_in_range(missing, PER_PACKET - 15, PER_PACKET);
		else
			assert_int_equal(missing, 0);
		fc_vec_free(&models[i].stack);
	}
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
	free(copy.at);
}

static void behind_a_damaged_packet_the_open_calls_are_known_again(void **state)
{
	struct stream streams[2];
	struct file_bytes file = small_trace(streams);
	for (int nth = 0; nth < NR_PACKETS - 2; nth++) {
		assert_gap_is_bridged(&file, streams, nth, false);
		assert_gap_is_bridged(&file, streams, nth, true);
	}
	free(file.at);
	streams_free(streams);
}

static void assert_refused(const char *path, int err, const char *sentence)
{
	struct fc_reader *reader = NULL;
	fc_fail_clear();
	assert_int_equal(fc_reader_open(path, &reader), -err);
	if (!strstr(fc_fail_text(), sentence) || !strstr(fc_fail_text(), path))
		fail_msg("%s: said \"%s\"", path, fc_fail_text());
}

static void what_is_no_trace_is_refused_with_a_sentence(void **state)
{
	uint8_t head[FC_FILE_HEAD];
	file_write(in_dir("empty"), "", 0);
	assert_refused(in_dir("empty"), ENODATA, "is empty");
	file_write(in_dir("text"), "#!/bin/sh\necho hello\n", 21);
	assert_refused(in_dir("text"), EBADMSG, "is not a trace");
	file_write(in_dir("short"), "x", 1);
	assert_refused(in_dir("short"), EBADMSG, "is not a trace");

	fc_file_head_put(head);
	file_write(in_dir("head"), head, sizeof(head));
	assert_refused(in_dir("head"), EBADMSG, "cut off or damaged in its first packet");
	head[8] = FC_FORMAT_MAJOR + 1;
	head[10] = 0;
	file_write(in_dir("damaged"), head, sizeof(head));
	assert_refused(in_dir("damaged"), EBADMSG, "is damaged in its first 16 bytes");
	uint32_t sum = htole32(fc_checksum(head, 12));
	memcpy(head + 12, &sum, 4);
	file_write(in_dir("later"), head, sizeof(head));
	assert_refused(in_dir("later"), EPROTONOSUPPORT, "has format 2.0");

	assert_int_equal(mkfifo(in_dir("pipe"), 0600), 0);
	assert_refused(in_dir("pipe"), EBADMSG, "a pipe");
	assert_refused("/dev/null", EBADMSG, "a device");
	assert_refused(test_dir, EBADMSG, "a directory");
	assert_refused(in_dir("nowhere"), ENOENT, "No such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_cut_at_any_byte_is_read_up_to_there),
		cmocka_unit_test(random_damage_is_always_noticed_and_never_crashes),
		cmocka_unit_test(behind_a_damaged_packet_the_open_calls_are_known_again),
		cmocka_unit_test(what_is_no_trace_is_refused_with_a_sentence),
	};
	return cmocka_run_group_tests_name("trace: damage", tests, dir_make, dir_remove);
}
