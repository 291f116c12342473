/* SPDX-License-Identifier: Apache-2.0 */
/* timekinds.c - recognizes functions that wait, end a process, or belong to the loader. */
#include "read/diff/timekinds.h"

#include <stddef.h>
#include <string.h>

/* Words with a space on either side. */
static const struct {
	enum fc_kind_of_time kind;
	const char *names;
} known[] = {
	{ FC_TIME_SLEEP, " clock_nanosleep nanosleep sleep thrd_sleep usleep " },
	{ FC_TIME_JOIN,
	  " pclose pthread_clockjoin_np pthread_join pthread_timedjoin_np system thrd_join"
	  " wait wait3 wait4 waitid waitpid " },
	{ FC_TIME_WAIT,
	  " cnd_timedwait cnd_wait epoll_pwait epoll_pwait2 epoll_wait flock futex"
	  " io_getevents lockf mq_receive mq_timedreceive msgrcv mtx_lock mtx_timedlock"
	  " pause poll ppoll pselect pthread_barrier_wait pthread_cond_clockwait"
	  " pthread_cond_timedwait pthread_cond_wait pthread_mutex_clocklock"
	  " pthread_mutex_lock pthread_mutex_timedlock pthread_rwlock_rdlock"
	  " pthread_rwlock_wrlock pthread_spin_lock sched_yield select sem_clockwait"
	  " sem_timedwait sem_wait semop semtimedop sigsuspend sigtimedwait sigwait"
	  " sigwaitinfo " },
	/* The kernel works for these, or waits, or lets another thread run first. */
	{ FC_TIME_WAIT,
	  " accept accept4 access brk clone close connect copy_file_range execve fdatasync"
	  " fork fstat fstat64 fstatat fstatat64 fsync ftruncate getdents64 getrandom"
	  " ioctl lstat lstat64 madvise mmap msync munmap open open64 openat openat64"
	  " posix_spawn posix_spawnp pread pread64 preadv pthread_create pwrite pwrite64"
	  " pwritev read readahead readv recv recvfrom recvmmsg recvmsg rename sbrk send"
	  " sendfile sendmmsg sendmsg sendto splice stat stat64 statx sync sync_file_range"
	  " syncfs tee thrd_create truncate unlink vfork vmsplice write writev " },
};

static bool is_among(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = names; len && (at = strstr(at, name)); at += len)
		if (at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

static bool is_loader(const char *module)
{
	return !strncmp(module, "ld-linux", 8) || !strncmp(module, "ld-musl", 7) ||
	       !strncmp(module, "ld.so", 5);
}

static bool is_c_library(const char *module)
{
	return !strncmp(module, "libc.", 5) || !strncmp(module, "libc-", 5) ||
	       !strncmp(module, "libpthread", 10);
}

enum fc_kind_of_time fc_kind_of_time(struct fc_name name)
{
	const char *symbol = name.symbol ? name.symbol : name.name;

	if (is_loader(name.module))
		return FC_TIME_LOADER;
	symbol += strspn(symbol, "_");
	for (size_t i = 0; is_c_library(name.module) && i < sizeof(known) / sizeof(*known); i++)
		if (is_among(known[i].names, symbol))
			return known[i].kind;
	return FC_TIME_WORK;
}
