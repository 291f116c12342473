/* SPDX-License-Identifier: Apache-2.0 */
/* Files that others named are opened without harm, and those that become shorter are read. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
/* after those it needs */
#include <cmocka.h>

#include "base/crew.h"
#include "base/foreign.h"
#include "base/guard.h"

enum { PAGE = 4096, PAGES = 64 };

static char folder[] = "/tmp/fctrace-test-foreign-XXXXXX";

static int enter(void **state)
{
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave(void **state)
{
	return unlink("file") | unlink("fifo") | rmdir(folder);
}

static int make_file(size_t size)
{
	static uint8_t bytes[PAGE];
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	memset(bytes, 'x', sizeof(bytes));
	for (size_t at = 0; at < size; at += PAGE)
		assert_int_equal(write(fd, bytes, PAGE), PAGE);
	return fd;
}

static void a_regular_file_is_opened(void **state)
{
	struct stat st;
	close(make_file(PAGE));
	int fd = fc_foreign_open(AT_FDCWD, "file", &st);
	assert_true(fd >= 0);
	assert_int_equal(st.st_size, PAGE);
	char c;
	assert_int_equal(read(fd, &c, 1), 1);
	close(fd);
	assert_int_equal(fc_foreign_open(AT_FDCWD, "none", &st), -ENOENT);
	assert_int_equal(fc_foreign_open(AT_FDCWD, "/", &st), -EISDIR);
}

/* A device would notice as a FIFO does. */
static void what_is_not_regular_is_not_even_opened(void **state)
{
	struct stat st;
	char events[256];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_true(inotify_add_watch(watch, "fifo", IN_OPEN) >= 0);
	assert_int_equal(fc_foreign_open(AT_FDCWD, "fifo", &st), -EINVAL);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(read(watch, events, sizeof(events)), -1);
	assert_int_equal(fc_foreign_open(AT_FDCWD, "/dev/null", &st), -EINVAL);
	close(watch);
}

static size_t sum(const uint8_t *at, size_t size)
{
	size_t nr = 0;
	for (size_t i = 0; i < size; i++)
		nr += at[i];
	return nr;
}

static void a_file_that_becomes_shorter_ends_in_zeros(void **state)
{
	int fd = make_file(PAGES * PAGE);
	const uint8_t *at = fc_guard_map(fd, PAGES * PAGE), *other;
	assert_non_null(at);
	assert_int_equal(sum(at, PAGES * PAGE), PAGES * PAGE * 'x');
	assert_false(fc_guard_is_torn(at));
	assert_int_equal(ftruncate(fd, 3 * PAGE + 1), 0);
	assert_int_equal(sum(at, PAGES * PAGE), (3 * PAGE + 1) * 'x');
	assert_true(fc_guard_is_torn(at));
	fc_guard_unmap((void *)at, PAGES * PAGE);

	other = fc_guard_map(fd, 3 * PAGE);
	assert_false(fc_guard_is_torn(other));
	fc_guard_unmap((void *)other, 3 * PAGE);
	close(fd);
}

static void behind_a_file_there_is_a_zero(void **state)
{
	int fd = make_file(2 * PAGE);
	const char *at = fc_guard_map(fd, 2 * PAGE);
	assert_int_equal(strlen(at), 2 * PAGE);
	fc_guard_unmap((void *)at, 2 * PAGE);
	close(fd);
}

static void read_part(void *ctx, size_t i)
{
	volatile const uint8_t *at = ctx;
	assert_int_equal(at[i * PAGE], i ? 0 : 'x');
}

/* Threads that take no signals take this one. */
static void threads_read_it_as_well(void **state)
{
	int fd = make_file(PAGES * PAGE);
	uint8_t *at = fc_guard_map(fd, PAGES * PAGE);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	fc_crew_each(PAGES, read_part, at);
	assert_true(fc_guard_is_torn(at));
	fc_guard_unmap(at, PAGES * PAGE);
	close(fd);
}

/* A fault elsewhere ends the program, as it would without. */
static void fault_elsewhere(void)
{
	int fd = make_file(PAGE);
	signal(SIGBUS, SIG_DFL);
	if (!fc_guard_map(fd, PAGE))
		_exit(1);
	volatile char *other = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	_exit(ftruncate(fd, 0) || *other);
}

static void other_faults_are_not_hidden(void **state)
{
	int status = 0;
	pid_t pid = fork();
	if (!pid)
		fault_elsewhere();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_regular_file_is_opened),
		cmocka_unit_test(what_is_not_regular_is_not_even_opened),
		cmocka_unit_test(a_file_that_becomes_shorter_ends_in_zeros),
		cmocka_unit_test(behind_a_file_there_is_a_zero),
		cmocka_unit_test(threads_read_it_as_well),
		cmocka_unit_test(other_faults_are_not_hidden),
	};
	return cmocka_run_group_tests(tests, enter, leave);
}
