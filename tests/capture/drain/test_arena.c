/* SPDX-License-Identifier: Apache-2.0 */
/* What a target passes off as shared memory: nothing but a fresh memfd is touched. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail.h"
#include "capture/drain/arena.h"

enum { SIZE = 1 << 20 };

static int received(int fd)
{
	int got = fc_arena_receive(getpid(), fd);
	close(fd);
	return got;
}

static void a_fresh_memfd_is_taken(void **state)
{
	int fd = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int got = received(fd);
	assert_true(got >= 0);
	close(got);
}

static void other_files_are_not(void **state)
{
	char path[] = "/tmp/fctrace-arena-XXXXXX", fifo[64];
	int file = mkstemp(path);
	int sealed = memfd_create("x", MFD_CLOEXEC);
	int used = memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int unnamed = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
	assert_int_equal(ftruncate(used, 4096), 0);
	snprintf(fifo, sizeof(fifo), "%s.fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	int pipe_fd = open(fifo, O_RDWR);
	unlink(path);
	unlink(fifo);
	assert_true(received(file) < 0);
	assert_true(received(sealed) < 0);
	assert_true(received(used) < 0);
	assert_true(received(pipe_fd) < 0);
	if (unnamed >= 0)
		assert_true(received(unnamed) < 0);
	assert_true(received(open("/dev/null", O_RDWR)) < 0);
	assert_true(fc_arena_receive(getpid(), 999) < 0);
	assert_true(fc_arena_receive(getpid(), -1) < 0);
}

static struct fc_arena *made(struct fc_keeper *keeper, int fd)
{
	struct fc_arena *arena = NULL;
	assert_int_equal(fc_arena_create(keeper, fd, SIZE, &arena), 0);
	return arena;
}

/* Who has kept a descriptor could else end the session by SIGBUS. */
static void its_size_stays(void **state)
{
	struct fc_keeper *keeper;
	assert_int_equal(fc_keeper_create(&keeper), 0);
	int fd = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct fc_arena *arena = made(keeper, fd);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(fd, 2 * SIZE), -1);
	fc_arena_let_go(keeper, arena);
	fc_arena_destroy(arena);
	fc_keeper_destroy(keeper);
	close(fd);
}

/* As much as the kernel follows, in any order of coming and going. */
static void many_arenas_have_a_keeper(void **state)
{
	enum { NR = 100 };
	struct fc_keeper *keeper;
	struct fc_arena *arenas[NR];
	assert_int_equal(fc_keeper_create(&keeper), 0);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < NR; i++) {
			int fd = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
			arenas[i] = made(keeper, fd);
			assert_int_equal(arenas[i]->at->keeper, gettid());
			close(fd);
		}
		for (int i = 0; i < NR; i++) {
			struct fc_arena *arena = arenas[(i * 37 + round) % NR];
			fc_arena_let_go(keeper, arena);
			assert_int_equal(arena->at->keeper, 0);
			fc_arena_let_go(keeper, arena);
			fc_arena_destroy(arena);
		}
	}
	fc_keeper_destroy(keeper);
}

/* The words say who is alive: after a SIGKILL that nobody is, in all arenas that were not let go. */
static void a_dead_keeper_is_seen(void **state)
{
	enum { NR = 5 };
	int fds[NR];
	for (int i = 0; i < NR; i++)
		fds[i] = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	pid_t pid = fork();
	if (!pid) {
		struct fc_keeper *keeper;
		struct fc_arena *arenas[NR];
		if (fc_keeper_create(&keeper))
			_exit(1);
		for (int i = 0; i < NR; i++)
			if (fc_arena_create(keeper, fds[i], SIZE, &arenas[i]))
				_exit(1);
		fc_arena_let_go(keeper, arenas[2]);
		kill(getpid(), SIGKILL);
	}
	int status;
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	for (int i = 0; i < NR; i++) {
		struct fca_arena *at = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fds[i], 0);
		assert_ptr_not_equal(at, MAP_FAILED);
		if (i == 2)
			assert_int_equal(at->keeper, 0);
		else
			assert_true(at->keeper & FCA_KEEPER_DIED);
		munmap(at, SIZE);
		close(fds[i]);
	}
}

/* What a target writes into the shared word leads nowhere. */
static void a_spoilt_word_harms_nobody(void **state)
{
	struct fc_keeper *keeper;
	assert_int_equal(fc_keeper_create(&keeper), 0);
	int fd = memfd_create("fctrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct fc_arena *arena = made(keeper, fd);
	uint32_t *words = (uint32_t *)arena->at;
	for (int i = 0; i < 1024; i++)
		words[i] = 0x41414141;
	fc_arena_let_go(keeper, arena);
	fc_arena_destroy(arena);
	fc_keeper_destroy(keeper);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fresh_memfd_is_taken),
		cmocka_unit_test(other_files_are_not),
		cmocka_unit_test(its_size_stays),
		cmocka_unit_test(many_arenas_have_a_keeper),
		cmocka_unit_test(a_dead_keeper_is_seen),
		cmocka_unit_test(a_spoilt_word_harms_nobody),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
