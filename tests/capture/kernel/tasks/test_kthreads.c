/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel threads are found by their names, in a folder as /proc is; programs' threads are none. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail.h"
#include "capture/kernel/tasks/kthreads.h"

static char folder[] = "/tmp/test_kthreads.XXXXXX";

/* As proc(5) has it; 2129984 and 69238880 are flags of kernel threads, 4194304 of a program. */
static const struct {
	const char *pid, *stat;
} there[] = {
	{ "2", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 12 0 0 18446744\n" },
	{ "9", "9 (kworker/0:1-events) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0 12 0\n" },
	{ "11", "11 (kworker/u4:0+flush-8:0) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1\n" },
	{ "17", "17 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 0 0 0 20 0 1 0 12 0 0\n" },
	{ "77", "77 (kworker/9:9) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 12 0 0\n" },
	{ "78", "78 (a) S 2 (b) S 1 77 77 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 12 0 0\n" },
	{ "79", "79 (gone" },
	{ "self", "9 (kworker/0:1-events) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0\n" },
};

enum { NR_THERE = sizeof(there) / sizeof(there[0]) };

static void note(void *ctx, const struct fc_kthread *kthread)
{
	int *found = ctx;
	found[kthread->tid]++;
}

/* The numbers of those that are found, added up. */
static int sum_of(char *const *globs)
{
	int found[100] = { 0 }, sum = 0;
	fc_kthreads_find(folder, globs, note, found);
	for (int i = 0; i < 100; i++) {
		assert_true(found[i] <= 1);
		sum += found[i] * i;
	}
	return sum;
}

static void names_are_matched_whole(void **state)
{
	char *const soft[] = { "ksoftirqd/*", NULL }, *const part[] = { "ksoft", NULL };
	assert_int_equal(sum_of(soft), 17);
	assert_int_equal(sum_of(part), 0);
}

static void workers_are_found_by_what_they_work_on_and_without(void **state)
{
	char *const all[] = { "kworker/*", NULL }, *const alone[] = { "kworker/0:1", NULL },
		    *const work[] = { "*-events", NULL }, *const busy[] = { "*+flush*", NULL };
	assert_int_equal(sum_of(all), 9 + 11);
	assert_int_equal(sum_of(alone), 9);
	assert_int_equal(sum_of(work), 9);
	assert_int_equal(sum_of(busy), 11);
	assert_false(fc_kthread_matches("mykworker-0:1", alone));
	assert_false(fc_kthread_matches("irq/9-acpi", (char *const[]){ "irq/9", NULL }));
}

static void globs_add_up(void **state)
{
	char *const globs[] = { "kthreadd", "ksoftirqd/0", "k*d", NULL };
	assert_int_equal(sum_of(globs), 2 + 17);
}

static void no_program_is_a_kernel_thread_by_its_name(void **state)
{
	struct fc_kthread kthread;
	char *const every[] = { "*", NULL };
	assert_int_equal(sum_of(every), 2 + 9 + 11 + 17);
	assert_false(fc_kthread_read(there[4].stat, &kthread));
	assert_false(fc_kthread_read(there[5].stat, &kthread));
	assert_false(fc_kthread_read("", &kthread));
	assert_false(fc_kthread_read(") (", &kthread));
	assert_true(fc_kthread_read(there[1].stat, &kthread));
	assert_int_equal(kthread.tid, 9);
	assert_string_equal(kthread.name, "kworker/0:1-events");
}

static void one_that_matches_none_is_named(void **state)
{
	char *const globs[] = { "ksoftirqd/*", "kworker/9:9", NULL };
	assert_int_equal(fc_kthreads_check(folder, globs), -EINVAL);
	assert_non_null(strstr(fc_fail_text(), "--kthread kworker/9:9"));
	assert_int_equal(fc_kthreads_check(folder, (char *const[]){ "k*", NULL }), 0);
	assert_int_equal(fc_kthreads_check(folder, NULL), 0);
}

static void path_of(char path[64], size_t i, const char *file)
{
	snprintf(path, 64, "%s/%s%s", folder, there[i].pid, file);
}

static int set_up(void **state)
{
	char path[64];
	if (!mkdtemp(folder))
		return -1;
	for (size_t i = 0; i < NR_THERE; i++) {
		path_of(path, i, "");
		if (mkdir(path, 0700))
			return -1;
		path_of(path, i, "/stat");
		FILE *out = fopen(path, "w");
		if (!out || fputs(there[i].stat, out) < 0 || fclose(out))
			return -1;
	}
	return 0;
}

static int tear_down(void **state)
{
	char path[64];
	for (size_t i = 0; i < NR_THERE; i++) {
		path_of(path, i, "/stat");
		unlink(path);
		path_of(path, i, "");
		rmdir(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_matched_whole),
		cmocka_unit_test(workers_are_found_by_what_they_work_on_and_without),
		cmocka_unit_test(globs_add_up),
		cmocka_unit_test(no_program_is_a_kernel_thread_by_its_name),
		cmocka_unit_test(one_that_matches_none_is_named),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
