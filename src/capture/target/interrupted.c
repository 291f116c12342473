/* SPDX-License-Identifier: Apache-2.0 */
/* interrupted.c - a call that failed with EINTR gets a result with which the kernel makes it again. */
#include "capture/target/interrupted.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "capture/target/registers.h"
#include "capture/target/status.h"

/*
 * Calls that end with EINTR when their thread is stopped and goes on, where others start
 * anew (signal(7), "Interruption of system calls by stop signals"; sockets with a time
 * limit). Not close(): it must not be made twice.
 */
static bool is_made_once(uint64_t nr)
{
	static const uint16_t calls[] = {
#ifdef SYS_epoll_wait /* not of newer machines */
		SYS_epoll_wait,
#endif
		SYS_epoll_pwait,  SYS_epoll_pwait2,  SYS_semop,		  SYS_semtimedop,
		SYS_msgrcv,	  SYS_msgsnd,	     SYS_rt_sigtimedwait, SYS_futex,
		SYS_io_getevents, SYS_io_pgetevents, SYS_io_uring_enter,  SYS_recvfrom,
		SYS_recvmsg,	  SYS_recvmmsg,	     SYS_sendto,	  SYS_sendmsg,
		SYS_sendmmsg,	  SYS_accept,	     SYS_accept4,	  SYS_connect,
		SYS_read,	  SYS_readv,	     SYS_write,		  SYS_writev,
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i] == nr)
			return true;
	return false;
}

static bool has_ended_one(const struct fc_regs *regs)
{
	int64_t call = (int64_t)fc_regs_get(regs, FC_REG_CALL);
	return call >= 0 && (int64_t)fc_regs_get(regs, FC_REG_RESULT) == -EINTR &&
	       is_made_once((uint64_t)call);
}

/*
 * With -ERESTARTNOHAND in its place the kernel decides when the thread goes on: the call is
 * made again, or fails with EINTR if a signal's handler runs before.
 */
static void make_again(int tid, struct fc_regs *regs)
{
	enum { ERESTARTNOHAND = 514 };
	fc_regs_set(regs, FC_REG_RESULT, -ERESTARTNOHAND);
	fc_registers_write(tid, regs);
}

void fc_interrupted_by_stop(int tid)
{
	struct fc_regs regs;
	if (!fc_registers_read(tid, &regs) && has_ended_one(&regs))
		make_again(tid, &regs);
}

/* To an untraced process it is not sent then: sig_ignored(), kernel/signal.c. */
static bool is_ignored(int tid, int sig)
{
	static const uint64_t by_default = 1ull << (SIGCHLD - 1) | 1ull << (SIGCONT - 1) |
					   1ull << (SIGURG - 1) | 1ull << (SIGWINCH - 1);
	struct fc_status status;
	if (sig <= 0 || !fc_status_read(tid, &status))
		return false;
	uint64_t ignored = status.ignored | (by_default & ~status.caught);
	return ignored >> (sig - 1) & 1;
}

void fc_interrupted_by_signal(struct fc_tracee *tracee, int sig)
{
	struct fc_regs regs;
	bool was_stopped = tracee->was_stopped;
	int tid = tracee->tid;
	tracee->was_stopped = false;
	if (sig == SIGCONT && was_stopped)
		return;
	if (!fc_registers_read(tid, &regs) && has_ended_one(&regs) && is_ignored(tid, sig))
		make_again(tid, &regs);
}
