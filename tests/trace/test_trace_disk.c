/* SPDX-License-Identifier: Apache-2.0 */
/* Where a trace is written to, and what happens when there is no more room. */
#include <fcntl.h>
#include <glob.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "trace/test_trace.h"

static uint64_t records_in(const char *path, bool *is_complete)
{
	struct fc_reader *reader = trace_open(path);
	struct fc_cursor *cursor;
	struct fc_event event;
	struct fc_totals totals;
	uint64_t nr = 0;
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	while (fc_cursor_next(cursor, &event) == 1)
		nr += event.kind != FC_MARK || event.mark != FC_MARK_END;
	fc_cursor_destroy(cursor);
	fc_reader_totals(reader, &totals);
	assert_int_equal(totals.records, nr);
	*is_complete = totals.is_complete;
	if (totals.is_complete)
		assert_null(fc_reader_trouble(reader));
	else
		assert_non_null(strstr(fc_reader_trouble(reader), "has no end"));
	fc_reader_close(reader);
	return nr;
}

static void write_trace(const char *path, size_t nr_records)
{
	struct stream s = stream_of(1, 7, 7);
	struct fc_writer *writer = trace_create(path);
	for (size_t i = 0; i < nr_records; i++)
		stream_add(&s, FC_ENTRY_ONLY, 1);
	assert_int_equal(stream_send(&s, fc_writer_tap(writer), nr_records), 0);
	assert_int_equal(trace_close(writer, 0), 0);
	stream_free(&s);
}

static void an_earlier_trace_becomes_old(void **state)
{
	bool is_complete;
	write_trace(in_dir("t"), 1);
	write_trace(in_dir("t"), 2);
	write_trace(in_dir("t"), 3);
	assert_int_equal(records_in(in_dir("t"), &is_complete), 3);
	assert_int_equal(records_in(in_dir("t.old"), &is_complete), 2);
	assert_int_equal(access(in_dir("t.old.old"), F_OK), -1);
}

/* What is recorded may be anybody's secret: of all users, where root does it. */
static void nobody_else_may_read_it(void **state)
{
	struct stat st;
	mode_t before = umask(0);
	write_trace(in_dir("secret"), 1);
	umask(before);
	assert_int_equal(stat(in_dir("secret"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_link_is_written_through_and_not_renamed(void **state)
{
	bool is_complete;
	write_trace(in_dir("behind"), 9);
	assert_int_equal(symlink(in_dir("behind"), in_dir("link")), 0);
	write_trace(in_dir("link"), 4);
	assert_int_equal(records_in(in_dir("behind"), &is_complete), 4);
	assert_int_equal(access(in_dir("link.old"), F_OK), -1);
}

static void a_trace_can_be_written_to_a_pipe(void **state)
{
	char *copy = fc_asprintf("%s/copy", test_dir), *pipe = fc_asprintf("%s/pipe", test_dir);
	bool is_complete;
	assert_int_equal(mkfifo(pipe, 0600), 0);
	pid_t pid = fork();
	if (!pid) {
		execlp("cp", "cp", "--copy-contents", pipe, copy, NULL);
		_exit(99);
	}
	write_trace(pipe, 100000);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(records_in(copy, &is_complete), 100000);
	assert_true(is_complete);
	free(copy);
	free(pipe);
}

/* A packet each: strands of one record. */
static void write_packets(const char *path, uint32_t nr)
{
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	for (uint32_t i = 1; i <= nr; i++) {
		struct stream s = stream_of(i, 7, 7);
		stream_add(&s, FC_ENTRY_ONLY, 1);
		assert_int_equal(stream_send(&s, tap, 1), 0);
		assert_int_equal(tap->strand_end(tap, &s.info, s.tsc), 0);
		stream_free(&s);
	}
	assert_int_equal(trace_close(writer, 0), 0);
}

enum { PACKETS_MANY = 80000 }; /* more than an index in memory tells of */

/* Its index is read back: nothing is different for a reader. */
static void a_trace_of_very_many_packets_has_an_index(void **state)
{
	bool is_complete;
	write_packets(in_dir("many"), PACKETS_MANY);
	assert_int_equal(records_in(in_dir("many"), &is_complete), PACKETS_MANY);
	assert_true(is_complete);

	/* It is used: what is wrong in the middle of the file is not looked at. */
	struct file_bytes bytes = file_read(in_dir("many"));
	bytes.at[bytes.nr / 2] ^= 0xff;
	bytes.at[bytes.nr / 2 + 40] ^= 0xff;
	file_write(in_dir("wrong"), bytes.at, bytes.nr);
	struct fc_reader *reader = trace_open(in_dir("wrong"));
	assert_null(fc_reader_trouble(reader));
	assert_int_equal(fc_reader_nr_strands(reader), PACKETS_MANY);
	fc_reader_close(reader);
	free(bytes.at);
}

/* Packets of a record each: one comes every two seconds. */
static void write_slowly(struct fc_writer *writer, struct stream *s, size_t nr)
{
	struct fc_tap *tap = fc_writer_tap(writer);
	for (size_t i = 0; i < nr; i++) {
		s->words.nr = s->events.nr = s->sent = 0;
		s->tsc += 5000000000ull;
		stream_add(s, FC_ENTRY_ONLY, 1);
		assert_int_equal(stream_send(s, tap, 1), 0);
		assert_int_equal(tap->tick(tap, s->tsc + 4000000000ull), 0);
	}
}

/* (With a sanitizer's allocator mallinfo2() knows nothing, and this shows nothing.) */
static void memory_stays_what_it_is_however_long_is_recorded(void **state)
{
	bool is_complete;
	struct stream s = stream_of(1, 7, 7);
	struct fc_writer *writer = trace_create(in_dir("slow"));
	write_slowly(writer, &s, 60000);
	struct mallinfo2 before = mallinfo2();
	write_slowly(writer, &s, 60000);
	struct mallinfo2 after = mallinfo2();
	assert_in_range(after.uordblks, 0, before.uordblks + 4096);
	assert_in_range(after.hblkhd, 0, before.hblkhd);
	assert_int_equal(trace_close(writer, 0), 0);
	assert_int_equal(records_in(in_dir("slow"), &is_complete), 120000);
	assert_true(is_complete);
	stream_free(&s);
}

/* What can't be read back has no index then, and is read all the same. */
static void very_many_packets_can_be_written_to_a_pipe(void **state)
{
	char *copy = fc_asprintf("%s/long", test_dir),
	     *pipe = fc_asprintf("%s/longpipe", test_dir);
	bool is_complete;
	assert_int_equal(mkfifo(pipe, 0600), 0);
	pid_t pid = fork();
	if (!pid) {
		execlp("cp", "cp", "--copy-contents", pipe, copy, NULL);
		_exit(99);
	}
	write_packets(pipe, PACKETS_MANY);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(records_in(copy, &is_complete), PACKETS_MANY);
	assert_true(is_complete);
	free(copy);
	free(pipe);
}

static void a_trace_that_cannot_be_created_is_said(void **state)
{
	struct fc_session session = { .clock = test_clock() };
	struct fc_writer *writer = NULL;
	assert_int_equal(fc_writer_create("/nowhere/t", &session, &writer), -ENOENT);
	assert_non_null(strstr(fc_fail_text(), "/nowhere/t"));
	assert_int_equal(fc_writer_create(test_dir, &session, &writer), -EISDIR);
	assert_non_null(strstr(fc_fail_text(), test_dir));
	assert_int_equal(fc_writer_create("/dev/full", &session, &writer), -ENOSPC);
	assert_non_null(strstr(fc_fail_text(), "No space left on device"));
	assert_null(writer);
}

static bool is_there(const char *path)
{
	return !access(path, F_OK);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void assert_text(const char *path, const char *text)
{
	char found[64] = "";
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(found, sizeof(found), file));
	assert_string_equal(found, text);
	fclose(file);
}

/* Files beside path whose names begin with its own. */
static size_t nr_beside(const char *path)
{
	fc_auto_free char *pattern = fc_asprintf("%s.*", path);
	glob_t found;
	size_t nr = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
	globfree(&found);
	return nr;
}

static void the_older_trace_goes_when_there_is_something_new(void **state)
{
	struct fc_session session = { .clock = test_clock() };
	struct fc_writer *writer = NULL;
	fc_auto_free char *path = fc_asprintf("%s/rotated", test_dir);
	fc_auto_free char *old = fc_asprintf("%s.old", path);

	write_text(path, "earlier");
	write_text(old, "oldest");
	assert_int_equal(fc_writer_create(path, &session, &writer), 0);
	assert_text(old, "earlier");
	assert_int_equal(nr_beside(path), 2);
	fc_writer_discard(writer);
	assert_text(path, "earlier");
	assert_text(old, "oldest");
	assert_int_equal(nr_beside(path), 1);

	write_trace(path, 3);
	assert_text(old, "earlier");
	assert_int_equal(nr_beside(path), 1);
	unlink(path);
	unlink(old);
}

/* A full disk before anything is written. */
static void a_trace_that_cannot_begin_leaves_the_ones_before(void **state)
{
	struct fc_session session = { .clock = test_clock() };
	struct fc_writer *writer = NULL;
	fc_auto_free char *path = fc_asprintf("%s/begun", test_dir);
	fc_auto_free char *old = fc_asprintf("%s.old", path);
	struct rlimit limit, none;

	write_text(path, "earlier");
	write_text(old, "oldest");
	getrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t size = 0; size <= 40; size += 40) { /* not the head; the head only */
		none = (struct rlimit){ size, limit.rlim_max };
		setrlimit(RLIMIT_FSIZE, &none);
		int err = fc_writer_create(path, &session, &writer);
		setrlimit(RLIMIT_FSIZE, &limit);
		assert_int_equal(err, -EFBIG);
		assert_null(strstr(fc_fail_text(), "it holds"));
		assert_text(path, "earlier");
		assert_text(old, "oldest");
		assert_int_equal(nr_beside(path), 1);
	}
	unlink(path);
	unlink(old);
}

static void a_trace_that_is_discarded_leaves_the_one_before(void **state)
{
	struct fc_session session = { .clock = test_clock() };
	struct fc_writer *writer = NULL;
	char *path = fc_asprintf("%s/discarded", test_dir);
	char *old = fc_asprintf("%s.old", path);

	assert_int_equal(fc_writer_create(path, &session, &writer), 0);
	assert_true(fc_writer_is_empty(writer));
	fc_writer_discard(writer);
	assert_false(is_there(path));

	write_text(path, "earlier");
	assert_int_equal(fc_writer_create(path, &session, &writer), 0);
	assert_true(is_there(old));
	fc_writer_discard(writer);
	assert_false(is_there(old));
	assert_text(path, "earlier");
	unlink(path);
	free(old);
	free(path);
}

/* Record until the limit strikes; the trace must be whole up to there, without a rest. */
static void assert_whole_within(rlim_t limit)
{
	char *path = fc_asprintf("%s/limited", test_dir);
	struct stream s = stream_of(1, 7, 7);
	stream_run(&s, 400000);
	struct rlimit old, now;
	getrlimit(RLIMIT_FSIZE, &old);
	now = (struct rlimit){ limit, old.rlim_max };

	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	setrlimit(RLIMIT_FSIZE, &now);
	int ret = 0;
	while (!ret && s.sent < s.words.nr)
		ret = stream_send(&s, tap, 5000);
	assert_int_equal(ret, -EFBIG);
	assert_non_null(strstr(fc_fail_text(), "it holds what was recorded before"));
	fc_fail_clear();
	struct fc_life_info life = { FC_LIFE_SAY, 7, 7, 0, 0, s.tsc, "more" };
	assert_int_equal(tap->life(tap, &life), -EFBIG);
	assert_int_equal(tap->tick(tap, s.tsc), -EFBIG);
	assert_int_equal(tap->strand_end(tap, &s.info, s.tsc), -EFBIG);
	fc_fail_clear();
	assert_int_equal(trace_close(writer, 0), -EFBIG);
	assert_non_null(strstr(fc_fail_text(), "File too large"));
	setrlimit(RLIMIT_FSIZE, &old);

	bool is_complete = true;
	uint64_t nr = records_in(path, &is_complete);
	assert_false(is_complete);
	assert_int_equal(nr % 65536, 0);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_true((rlim_t)st.st_size <= limit);
	stream_free(&s);
	free(path);
}

static void a_full_disk_leaves_a_whole_trace(void **state)
{
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t limit = 2000; limit < 250000; limit += 13999)
		assert_whole_within(limit);
}

/* Wherever it is cut, and however far it was read before. */
static void a_trace_that_becomes_shorter_is_told(void **state)
{
	enum { PAGE = 4096 };
	struct stat st;
	write_trace(in_dir("whole"), 200000);
	assert_int_equal(stat(in_dir("whole"), &st), 0);
	for (off_t at = 0; at < st.st_size; at += PAGE) {
		struct fc_cursor *cursor;
		struct fc_event event;
		write_trace(in_dir("shrinking"), 200000);
		struct fc_reader *reader = trace_open(in_dir("shrinking"));
		assert_null(fc_reader_trouble(reader));
		cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
		assert_int_equal(fc_cursor_next(cursor, &event), 1);
		assert_int_equal(truncate(in_dir("shrinking"), at), 0);
		while (fc_cursor_next(cursor, &event) == 1)
			;
		fc_cursor_destroy(cursor);
		fc_reader_verify(reader);
		assert_non_null(strstr(fc_reader_trouble(reader), "became shorter"));
		fc_reader_close(reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_earlier_trace_becomes_old),
		cmocka_unit_test(the_older_trace_goes_when_there_is_something_new),
		cmocka_unit_test(a_trace_that_cannot_begin_leaves_the_ones_before),
		cmocka_unit_test(nobody_else_may_read_it),
		cmocka_unit_test(a_link_is_written_through_and_not_renamed),
		cmocka_unit_test(a_trace_can_be_written_to_a_pipe),
		cmocka_unit_test(a_trace_of_very_many_packets_has_an_index),
		cmocka_unit_test(memory_stays_what_it_is_however_long_is_recorded),
		cmocka_unit_test(very_many_packets_can_be_written_to_a_pipe),
		cmocka_unit_test(a_trace_that_cannot_be_created_is_said),
		cmocka_unit_test(a_trace_that_is_discarded_leaves_the_one_before),
		cmocka_unit_test(a_full_disk_leaves_a_whole_trace),
		cmocka_unit_test(a_trace_that_becomes_shorter_is_told),
	};
	return cmocka_run_group_tests_name("trace: disk", tests, dir_make, dir_remove);
}
