/* SPDX-License-Identifier: Apache-2.0 */
/* Long work: what is told of it, and that it is given up. */
#include "elf/test_elf.h"

#include "base/crew.h"
#include "base/progress.h"
#include "capture/patch/plan.h"

struct watcher {
	size_t looks, most; /* after that many looks it is given up */
};

static bool look(void *ctx, const struct fc_progress *progress)
{
	struct watcher *watcher = ctx;
	assert_true(progress->is_looking);
	return ++watcher->looks > watcher->most;
}

static void nobody_need_wait(void **state)
{
	(void)state;
	fc_progress_add(NULL, "file", 10);
	assert_false(fc_progress_did(NULL, 10));
	assert_false(fc_progress_is_over(NULL));
}

static void what_is_left_is_told_by_what_was_done(void **state)
{
	(void)state;
	struct fc_progress progress = { .begin_ns = 1000 };
	fc_progress_add(&progress, "small", 10);
	fc_progress_add(&progress, "large", 80);
	fc_progress_add(&progress, "another", 10);
	assert_string_equal(progress.what, "large");
	assert_int_equal(fc_progress_left_ns(&progress, 2000), 0);
	assert_false(fc_progress_did(&progress, 25));
	assert_int_equal(fc_progress_left_ns(&progress, 2000), 3000);
	fc_progress_did(&progress, 85);
	assert_int_equal(fc_progress_left_ns(&progress, 2000), 0);
}

static void work_begins_anew(void **state)
{
	(void)state;
	static const char file[] = "file", other[] = "other";
	struct fc_progress progress = { 0 };
	fc_progress_restart(NULL, file, 10);
	fc_progress_restart(&progress, file, 10);
	fc_progress_did(&progress, 7);
	assert_int_equal(progress.nr_times, 1);
	fc_progress_restart(&progress, file, 20);
	assert_int_equal(progress.done, 0);
	assert_int_equal(progress.all, 20);
	assert_int_equal(progress.nr_times, 2);
	fc_progress_restart(&progress, other, 5);
	assert_string_equal(progress.what, "other");
	assert_int_equal(progress.nr_times, 1);
	assert_in_range(progress.begin_ns, 1, UINT64_MAX);
}

static void work(void *ctx, size_t i)
{
	(void)i;
	fc_progress_did(ctx, 1);
}

static void each_amount_counts_whoever_does_it(void **state)
{
	(void)state;
	struct watcher watcher = { .most = SIZE_MAX };
	struct fc_progress progress = { .look = look, .ctx = &watcher };
	fc_crew_each(10000, work, &progress);
	assert_int_equal(progress.done, 10000);
	assert_in_range(watcher.looks, 1, 10000);
}

static void a_plan_that_is_given_up_is_none(void **state)
{
	(void)state;
	struct watcher watcher = { .most = 0 };
	struct fc_progress progress = { .look = look, .ctx = &watcher };
	struct fc_plan_opts opts = { .progress = &progress };
	struct fc_plan *plan = NULL;
	struct fc_elf *elf;
	if (fc_elf_open("/lib/x86_64-linux-gnu/libc.so.6", "libc", &elf))
		skip();
	assert_int_equal(fc_plan_create(elf, &opts, &plan), -ECANCELED);
	assert_null(plan);
	assert_int_equal(watcher.looks, 1);
	fc_elf_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_need_wait),
		cmocka_unit_test(what_is_left_is_told_by_what_was_done),
		cmocka_unit_test(work_begins_anew),
		cmocka_unit_test(each_amount_counts_whoever_does_it),
		cmocka_unit_test(a_plan_that_is_given_up_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
