/* SPDX-License-Identifier: Apache-2.0 */
/* A finished trace is given names behind its end, and nothing that was in it is touched. */
#include <signal.h>
#include <sys/resource.h>

#include "trace/packet.h"
#include "trace/postscript.h"

#include "trace/runs.h"
#include "trace/test_trace.h"

enum { NR_STEPS = 500 };

static const struct fc_told_name outer = { 1, "outer" }, inner = { 2, "_ZN5inner1fEv" };

/* Functions 1 and 2 have no names. */
static struct file_bytes trace_of_nameless(const char *path, bool has_end)
{
	static const struct fc_func_info funcs[] = {
		{ NULL, 0x1139, 0x40, 1, FC_HOW_HOOKED, "jmp5" },
		{ NULL, 0x1200, 0x10, 2, FC_HOW_HOOKED, "jmp5" },
	};
	struct fc_module_info module = { 1, "/usr/bin/prog", "c0ffee", funcs, 2 };
	struct fc_life_info life = { FC_LIFE_START, 7, 7, 1, 0, BEGIN_TSC, "" };
	struct fc_writer *writer = trace_create(path);
	struct fc_tap *tap = fc_writer_tap(writer);
	struct stream s = stream_of(1, 7, 7);
	tap->module(tap, &module);
	tap->life(tap, &life);
	for (int i = 0; i < NR_STEPS; i++)
		stream_step(&s);
	assert_int_equal(stream_send(&s, tap, s.words.nr), 0);
	tap->strand_end(tap, &s.info, s.tsc);
	tap->tick(tap, s.tsc + 3000000000);
	struct file_bytes before = file_read(path);
	stream_free(&s);
	assert_int_equal(trace_close(writer, 0), 0);
	if (has_end) {
		free(before.at);
		return file_read(path);
	}
	file_write(path, before.at, before.nr);
	return before;
}

static void assert_named(const char *path, const char *first, const char *second)
{
	struct fc_reader *reader = trace_open(path);
	assert_string_equal(fc_reader_func(reader, 1).name, first);
	assert_string_equal(fc_reader_func(reader, 2).name, second);
	fc_reader_close(reader);
}

/* The same records as in what it was before, and nothing is wrong with it. */
static void assert_whole(const char *path, const struct file_bytes *original)
{
	struct fc_reader *before, *after = trace_open(path);
	assert_int_equal(fc_reader_open_memory(original->at, original->nr, "before", &before),
			 0);
	if (fc_reader_verify(after))
		fail_msg("%s", fc_fail_text());
	assert_true(runs_tell_the_same(before, after, 0, SIZE_MAX));
	struct fc_totals totals;
	fc_reader_totals(after, &totals);
	assert_true(totals.is_complete);
	assert_int_equal(totals.wait_status, 0);
	fc_reader_close(after);
	fc_reader_close(before);
}

static void assert_begins_with(const char *path, const struct file_bytes *original)
{
	struct file_bytes now = file_read(path);
	assert_true(now.nr >= original->nr);
	assert_memory_equal(now.at, original->at, original->nr);
	free(now.at);
}

static void names_are_added_behind_the_end(void **state)
{
	const char *path = in_dir("added");
	struct file_bytes original = trace_of_nameless(path, true);
	assert_named(path, "prog+0x1139", "prog+0x1200");
	assert_int_equal(fc_postscript_add(path, &outer, 1), 0);
	assert_named(path, "outer", "prog+0x1200");
	assert_int_equal(fc_postscript_add(path, &inner, 1), 0);
	assert_named(path, "outer", "_ZN5inner1fEv");
	assert_whole(path, &original);
	assert_begins_with(path, &original);
	free(original.at);
}

/* As after a crash of the machine: a piece of what was added is there. */
static void a_trace_cut_behind_its_end_is_what_it_was(void **state)
{
	const char *path = in_dir("cut");
	struct file_bytes original = trace_of_nameless(path, true);
	assert_int_equal(fc_postscript_add(path, &outer, 1), 0);
	struct file_bytes whole = file_read(path);
	for (size_t size = original.nr; size < whole.nr; size++) {
		struct fc_reader *reader;
		struct fc_totals totals;
		assert_int_equal(fc_reader_open_memory(whole.at, size, "cut", &reader), 0);
		fc_reader_totals(reader, &totals);
		assert_true(totals.is_complete);
		const char *trouble = fc_reader_trouble(reader);
		assert_true(!trouble || strstr(trouble, "behind its end"));
		fc_reader_close(reader);

		file_write(path, whole.at, size);
		assert_int_equal(fc_postscript_add(path, &inner, 1), 0);
		reader = trace_open(path);
		assert_string_equal(fc_reader_func(reader, 2).name, "_ZN5inner1fEv");
		assert_null(fc_reader_trouble(reader));
		fc_reader_close(reader);
	}
	assert_whole(path, &original);
	free(original.at);
	free(whole.at);
}

static void a_copy_leaves_the_trace_as_it_is(void **state)
{
	const char *path = in_dir("from"), *to = in_dir("to");
	struct file_bytes original = trace_of_nameless(path, true);
	file_write(to, "what was there", 14);
	assert_int_equal(fc_postscript_copy(path, to, &outer, 1), 0);
	assert_named(to, "outer", "prog+0x1200");
	assert_named(path, "prog+0x1139", "prog+0x1200");
	assert_whole(to, &original);
	struct file_bytes old = file_read(in_dir("to.old"));
	assert_int_equal(old.nr, 14);
	free(old.at);
	free(original.at);
}

static void assert_copied_with_its_trouble(const char *path, const char *trouble)
{
	struct file_bytes before = file_read(path);
	assert_int_equal(fc_postscript_add(path, &outer, 1), -ENODATA);
	assert_non_null(strstr(fc_fail_text(), "has no end"));
	assert_begins_with(path, &before);

	const char *to = in_dir("named");
	assert_int_equal(fc_postscript_copy(path, to, &outer, 1), 0);
	assert_named(to, "outer", "prog+0x1200");
	struct fc_reader *reader = trace_open(to);
	assert_non_null(strstr(fc_reader_trouble(reader), trouble));
	fc_reader_close(reader);
	free(before.at);
}

static void one_without_an_end_is_copied_only(void **state)
{
	const char *path = in_dir("open");
	struct file_bytes bytes = trace_of_nameless(path, false);
	assert_copied_with_its_trouble(path, "has no end");
	file_write(path, bytes.at, bytes.nr - 7);
	assert_copied_with_its_trouble(path, "is cut off: its last");
	free(bytes.at);
}

static void a_disk_that_is_full_leaves_it_as_it_was(void **state)
{
	const char *path = in_dir("full"), *never = in_dir("never");
	struct file_bytes original = trace_of_nameless(path, true);
	struct rlimit before, limit;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (size_t more = 0; more < 40; more += 13) {
		limit = (struct rlimit){ original.nr + more, before.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		int err = fc_postscript_add(path, &outer, 1);
		int copy_err = fc_postscript_copy(path, never, &outer, 1);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(err, -EFBIG);
		assert_int_equal(copy_err, -EFBIG);
		assert_int_equal(access(never, F_OK), -1);
		struct file_bytes now = file_read(path);
		assert_int_equal(now.nr, original.nr);
		assert_memory_equal(now.at, original.at, original.nr);
		free(now.at);
	}
	free(original.at);
}

static void random_damage_does_no_harm(void **state)
{
	const char *path = in_dir("damaged");
	struct file_bytes original = trace_of_nameless(path, true);
	unsigned seed = 1;
	for (int i = 0; i < 2000; i++) {
		uint8_t *bytes = fc_memdup(original.at, original.nr);
		for (int k = 0; k < 4; k++) {
			seed = seed * 1103515245u + 12345u;
			size_t tail = i % 2 ? original.nr : 120;
			bytes[original.nr - 1 - (seed >> 8) % tail] ^= (uint8_t)(seed >> 3);
		}
		file_write(path, bytes, original.nr);
		struct file_bytes damaged = file_read(path);
		struct fc_reader *reader;
		if (fc_postscript_add(path, &outer, 1))
			assert_begins_with(path, &damaged);
		if (!fc_reader_open(path, &reader))
			fc_reader_close(reader);
		free(damaged.at);
		free(bytes);
	}
	free(original.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_added_behind_the_end),
		cmocka_unit_test(a_trace_cut_behind_its_end_is_what_it_was),
		cmocka_unit_test(a_copy_leaves_the_trace_as_it_is),
		cmocka_unit_test(one_without_an_end_is_copied_only),
		cmocka_unit_test(a_disk_that_is_full_leaves_it_as_it_was),
		cmocka_unit_test(random_damage_does_no_harm),
	};
	return cmocka_run_group_tests_name("trace: names behind the end", tests, dir_make,
					   dir_remove);
}
