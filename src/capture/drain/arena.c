/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

#ifndef F_SEAL_EXEC
#define F_SEAL_EXEC 0x0020 /* Linux 6.3; set from the beginning where vm.memfd_noexec is */
#endif

/* A file in memory without a name and with nothing in it. */
static bool is_unnamed(int fd)
{
	struct stat st;
	struct statfs fs;
	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size && !st.st_nlink &&
	       !fstatfs(fd, &fs) && fs.f_type == TMPFS_MAGIC;
}

/*
 * Another thread may have put any file in the memfd's place. Only of a memfd that may be sealed
 * are there no seals (memfd_create(2)).
 */
static bool is_fresh_memfd(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	return seals >= 0 && !(seals & ~F_SEAL_EXEC) && is_unnamed(fd);
}

/* Where pidfd_getfd() is not permitted, as in some containers. To open a file may do harm: so it
 * is looked at before that. */
static int open_again(int pid, int target_fd)
{
	fc_auto_free char *link = fc_asprintf("/proc/%d/fd/%d", pid, target_fd);
	fc_auto_close int path = open(link, O_PATH | O_CLOEXEC);
	if (path < 0)
		return -1;
	if (!is_unnamed(path)) {
		errno = EPERM;
		return -1;
	}
	fc_auto_free char *same = fc_asprintf("/proc/self/fd/%d", path);
	return open(same, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static int copy_fd(int pid, int target_fd)
{
	fc_auto_close int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int fd = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, target_fd, 0);
	return fd < 0 ? open_again(pid, target_fd) : fd;
}

int fc_arena_receive(int pid, int target_fd)
{
	int fd = copy_fd(pid, target_fd);
	if (fd < 0)
		return fc_fail(errno, "cannot share memory with process %d: %s", pid,
			       strerror(errno));
	if (is_fresh_memfd(fd))
		return fd;
	close(fd);
	return fc_fail(EPERM, "process %d has put another file in place of the shared memory",
		       pid);
}

/* Shared memory is a file: the limit of file sizes is in its way, and raised if it may be. */
static int resize(int fd, size_t size)
{
	struct rlimit old, wide;
	if (getrlimit(RLIMIT_FSIZE, &old))
		return ftruncate(fd, (off_t)size);
	wide = (struct rlimit){ old.rlim_max, old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &wide);
	int ret = ftruncate(fd, (off_t)size);
	int err = errno;
	setrlimit(RLIMIT_FSIZE, &old);
	errno = err;
	return ret;
}

/* Who has kept a descriptor cannot take memory away from under this process. */
static int set_size(int fd, size_t size)
{
	struct stat st;
	if (resize(fd, size))
		return fc_fail(errno, "cannot make %zu bytes of shared memory: %s", size,
			       errno == EFBIG
				       ? "it is above the limit of file sizes (ulimit -f)"
				       : strerror(errno));
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) || fstat(fd, &st))
		return fc_fail(errno, "cannot seal shared memory: %s", strerror(errno));
	if ((size_t)st.st_size != size)
		return fc_fail(EPERM, "the program has changed the size of the shared memory");
	return 0;
}

int fc_arena_create(struct fc_keeper *keeper, int fd, size_t size, struct fc_arena **ret)
{
	int err = set_size(fd, size);
	if (err)
		return err;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (at == MAP_FAILED)
		return fc_fail(errno, "cannot map shared memory: %s", strerror(errno));
	int slot = fc_keeper_take(keeper, fd);
	if (slot < 0) {
		munmap(at, size);
		return slot;
	}
	struct fc_arena *arena = fc_alloc(sizeof(*arena));
	arena->at = at;
	arena->size = size;
	arena->keeper = slot;
	arena->refs = 1;
	*ret = arena;
	return 0;
}

void fc_arena_let_go(struct fc_keeper *keeper, struct fc_arena *arena)
{
	fc_keeper_drop(keeper, arena->keeper);
	arena->keeper = -1;
}

void fc_arena_destroy(struct fc_arena *arena)
{
	munmap(arena->at, arena->size);
	fc_places_deinit(&arena->places);
	free(arena);
}

bool fc_arena_has_letters(const struct fc_arena *arena)
{
	return __atomic_load_n(&arena->at->letters, __ATOMIC_ACQUIRE) !=
	       __atomic_load_n(&arena->heard, __ATOMIC_ACQUIRE);
}

void fc_arena_hear(struct fc_arena *arena)
{
	__atomic_store_n(&arena->heard, __atomic_load_n(&arena->at->letters, __ATOMIC_ACQUIRE),
			 __ATOMIC_SEQ_CST);
}
