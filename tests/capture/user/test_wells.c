/* SPDX-License-Identifier: Apache-2.0 */
/* Two sources at once: what programs do, and what a well has, are one trace. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail.h"
#include "capture/drain/well.h"
#include "capture/step/step.h"
#include "capture/user/user.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* Has one function, and a call of it each time that it is asked. */
struct clockwork {
	struct fc_well well;
	struct fc_tap *tap;
	struct fc_func_info func;
	struct fc_module_info module;
	struct fc_strand_info strand;
	uint64_t nr_told;
	int nr_stopped;
	pid_t taker; /* thread; 0: none has */
};

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct clockwork *clockwork = (struct clockwork *)well;
	clockwork->tap = tap;
	clockwork->strand.id = fc_numbers_strand(numbers);
	clockwork->func = (struct fc_func_info){
		.name = "tick_tock", .size = 1, .id = ++numbers->funcs, .how = FC_HOW_HOOKED
	};
	clockwork->module = (struct fc_module_info){ .id = ++numbers->modules,
						     .path = "clockwork",
						     .build_id = "",
						     .funcs = &clockwork->func,
						     .nr_funcs = 1 };
	return tap->module(tap, &clockwork->module);
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct clockwork *clockwork = (struct clockwork *)well;
	const uint64_t words[] = { fc_record(now_tsc - 2, clockwork->func.id, FC_ENTRY),
				   fc_record(now_tsc - 1, clockwork->func.id, FC_EXIT) };
	if (!clockwork->taker)
		clockwork->taker = gettid();
	assert_int_equal(clockwork->taker, gettid());
	clockwork->tap->records(clockwork->tap, &clockwork->strand, words, 2, now_tsc);
	clockwork->nr_told++;
	return 2;
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct clockwork *clockwork = (struct clockwork *)well;
	take(well, now_tsc);
	clockwork->tap->strand_end(clockwork->tap, &clockwork->strand, now_tsc);
	clockwork->nr_stopped++;
}

static int cannot_start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	return fc_fail(EPERM, "the clockwork is locked");
}

static void say(void *ctx, const char *sentence)
{
	print_message("# %s\n", sentence);
}

static const struct fc_well works = { .start = start, .take = take, .stop = stop };

static char path[] = "/tmp/fctrace-wells-XXXXXX";

static struct fc_writer *create(void)
{
	static char *argv[] = { "true", NULL };
	struct fc_session session = { .argc = 1, .argv = argv, .options = "" };
	struct fc_writer *writer;
	fc_clock_start(&session.clock);
	assert_int_equal(fc_writer_create(path, &session, &writer), 0);
	return writer;
}

static int run_true(const struct fc_backend *backend, struct fc_well *const *wells,
		    struct fc_writer *writer, int *wait_status)
{
	/* Where it is static, no loader's instructions are gone through one by one. */
	static char *applet[] = { "/bin/busybox", "true", NULL };
	static char *alone[] = { "/bin/true", NULL };
	char **argv = access(applet[0], X_OK) ? alone : applet;
	struct fc_user_opts opts = { .wells = wells, .say = say, .no_cache = true };
	return backend->run(&opts, argv, fc_writer_tap(writer), wait_status);
}

/* Calls in the file, of that function and of others. */
static void count(const char *name, uint64_t *of_it, uint64_t *of_others)
{
	struct fc_reader *reader;
	struct fc_cursor *cursor;
	struct fc_event event;
	assert_int_equal(fc_reader_open(path, &reader), 0);
	cursor = fc_cursor_create(reader, &(struct fc_choice){ 0 });
	uint64_t last = 0;
	*of_it = *of_others = 0;
	while (fc_cursor_next(cursor, &event)) {
		assert_true(event.tsc >= last);
		last = event.tsc;
		if (event.kind != FC_ENTRY)
			continue;
		const char *its = fc_reader_func(reader, event.func).name;
		++*(its && !strcmp(its, name) ? of_it : of_others);
	}
	assert_null(fc_reader_trouble(reader));
	fc_cursor_destroy(cursor);
	fc_reader_close(reader);
}

static void check_one_trace(const struct fc_backend *backend)
{
	struct clockwork clockwork = { .well = works };
	struct fc_well *const wells[] = { &clockwork.well, NULL };
	struct fc_writer *writer = create();
	struct fc_writer_sums sums;
	struct fc_clock clock;
	int wait_status = -1;
	uint64_t of_it, of_others;
	assert_int_equal(run_true(backend, wells, writer, &wait_status), 0);
	assert_int_equal(wait_status, 0);
	fc_clock_start(&clock);
	assert_int_equal(fc_writer_close(writer, wait_status, &clock, &sums), 0);
	assert_int_equal(clockwork.nr_stopped, 1);
	count("tick_tock", &of_it, &of_others);
	assert_int_equal(of_it, clockwork.nr_told);
	assert_true(of_others > 0);
}

static void a_traced_program_and_a_well_are_one_trace(void **state)
{
	check_one_trace(&fc_user_backend);
}

static void a_witnessed_program_and_a_well_are_one_trace(void **state)
{
	check_one_trace(&fc_step_backend);
}

static void check_refused(const struct fc_backend *backend)
{
	struct clockwork first = { .well = works };
	struct clockwork second = { .well = { .start = cannot_start, .take = take, .stop = stop } };
	struct fc_well *const wells[] = { &first.well, &second.well, NULL };
	struct fc_writer *writer = create();
	int wait_status = -1;
	assert_int_equal(run_true(backend, wells, writer, &wait_status), -EPERM);
	assert_string_equal(fc_fail_text(), "the clockwork is locked");
	assert_int_equal(wait_status, -1);
	assert_int_equal(first.nr_stopped, 1);
	assert_int_equal(second.nr_stopped, 0);
	fc_writer_discard(writer);
}

static void if_a_well_cannot_start_nothing_is_run(void **state)
{
	check_refused(&fc_user_backend);
	check_refused(&fc_step_backend);
}

static int dump(struct fc_tap *tap, const char *why, bool is_end,
		void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	return 0;
}

static void beside_the_newest_records_of_rings_no_well_starts(void **state)
{
	struct clockwork clockwork = { .well = works };
	struct fc_well *const wells[] = { &clockwork.well, NULL };
	struct fc_numbers numbers = { 0 };
	struct fc_tap tap = { .dump = dump };
	assert_int_equal(fc_wells_start(wells, &numbers, &tap), -EINVAL);
	assert_non_null(strstr(fc_fail_text(), "--loss=ring"));
	assert_null(clockwork.tap);
	assert_int_equal(fc_wells_start(NULL, &numbers, &tap), 0);
}

static int make_file(void **state)
{
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	char old[sizeof(path) + 4];
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_traced_program_and_a_well_are_one_trace),
		cmocka_unit_test(a_witnessed_program_and_a_well_are_one_trace),
		cmocka_unit_test(if_a_well_cannot_start_nothing_is_run),
		cmocka_unit_test(beside_the_newest_records_of_rings_no_well_starts),
	};
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
