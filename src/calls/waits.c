/* SPDX-License-Identifier: Apache-2.0 */
/* waits.c - the functions and system calls that wait, by name, and the words for what they wait for. */
#include "calls/waits.h"

#include <stddef.h>
#include <string.h>

#include "trace/source.h"

struct known {
	enum fc_wait wait;
	const char *names; /* with a space on either side */
};

static const struct known calls[] = {
	{ FC_WAIT_TIMER, " clock_nanosleep nanosleep sleep thrd_sleep usleep " },
	{ FC_WAIT_END, " pclose pthread_clockjoin_np pthread_join pthread_timedjoin_np system"
		       " thrd_join wait wait3 wait4 waitid waitpid " },
	{ FC_WAIT_EXIT, " Exit exit_group " }, /* without the _ in front */
	{ FC_WAIT_LOCK, " flock lockf mtx_lock mtx_timedlock pthread_mutex_clocklock"
			" pthread_mutex_lock pthread_mutex_timedlock pthread_rwlock_rdlock"
			" pthread_rwlock_wrlock pthread_spin_lock " },
	{ FC_WAIT_THREAD, " cnd_timedwait cnd_wait futex pthread_barrier_wait"
			  " pthread_cond_clockwait pthread_cond_timedwait pthread_cond_wait"
			  " sched_yield sem_clockwait sem_timedwait sem_wait semop"
			  " semtimedop " },
	{ FC_WAIT_EVENT, " epoll_pwait epoll_pwait2 epoll_wait io_getevents mq_receive"
			 " mq_timedreceive msgrcv pause poll ppoll pselect select"
			 " sigsuspend sigtimedwait sigwait sigwaitinfo " },
	{ FC_WAIT_IO, " copy_file_range fdatasync fsync msync pread pread64 preadv pwrite"
		      " pwrite64 pwritev read readahead readv recv recvfrom recvmmsg recvmsg"
		      " send sendfile sendmmsg sendmsg sendto splice sync sync_file_range"
		      " syncfs tee vmsplice write writev " },
	{ FC_WAIT_KERNEL,
	  " accept accept4 access brk clone close connect execve fork fstat fstat64 fstatat"
	  " fstatat64 ftruncate getdents64 getrandom ioctl lstat lstat64 madvise mmap munmap"
	  " open open64 openat openat64 posix_spawn posix_spawnp pthread_create rename sbrk"
	  " stat stat64 statx thrd_create truncate unlink vfork " },
};

/* Of [off CPU]. */
static const struct known off_cpu[] = {
	{ FC_WAIT_OTHER, " asleep asleep_uninterruptible stopped " },
	{ FC_WAIT_CPU, " runnable " },
};

static const struct known system_calls[] = {
	{ FC_WAIT_THREAD, " futex_wait futex_waitv " },
	{ FC_WAIT_EVENT, " epoll_wait_old pselect6 rt_sigsuspend rt_sigtimedwait " },
};

#define NR(known) (sizeof(known) / sizeof((known)[0]))

static bool is_among(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = names; len && (at = strstr(at, name)); at += len)
		if (at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

static enum fc_wait find(const struct known *known, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (is_among(known[i].names, name))
			return known[i].wait;
	return FC_WAIT_NONE;
}

static bool is_c_library(const char *module)
{
	return !strncmp(module, "libc.", 5) || !strncmp(module, "libc-", 5) ||
	       !strncmp(module, "libpthread", 10);
}

enum fc_wait fc_wait_of(struct fc_name name)
{
	const char *symbol = name.symbol ? name.symbol : name.name;

	if (!strcmp(name.module, FC_OFF_CPU_MODULE))
		return find(off_cpu, NR(off_cpu), symbol);
	if (!strcmp(name.module, FC_SYSCALL_MODULE)) {
		enum fc_wait wait = find(system_calls, NR(system_calls), symbol);
		if (!wait)
			wait = find(calls, NR(calls), symbol);
		return wait ? wait : FC_WAIT_KERNEL;
	}
	if (!is_c_library(name.module))
		return FC_WAIT_NONE;
	return find(calls, NR(calls), symbol + strspn(symbol, "_"));
}

const char *fc_wait_word(enum fc_wait wait)
{
	static const char *const words[] = {
		[FC_WAIT_TIMER] = "a timer",
		[FC_WAIT_END] = "the end of a thread or process",
		[FC_WAIT_EXIT] = "its own end",
		[FC_WAIT_LOCK] = "a lock",
		[FC_WAIT_THREAD] = "another thread",
		[FC_WAIT_EVENT] = "an event",
		[FC_WAIT_IO] = "input or output",
		[FC_WAIT_KERNEL] = "the kernel",
		[FC_WAIT_CPU] = "a CPU",
		[FC_WAIT_OTHER] = "something else",
	};
	return wait < NR(words) ? words[wait] : NULL;
}
