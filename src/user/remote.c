/* SPDX-License-Identifier: Apache-2.0 */
#include "user/remote.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

static const uint8_t syscall_insn[] = { 0x0f, 0x05 };

/* Let the thread run one instruction. 0, or -ESRCH when it is gone. */
static int step(int tid)
{
	for (;;) {
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0))
			return -errno;
		int status;
		while (waitpid(tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return -errno;
		if (!WIFSTOPPED(status))
			return -ESRCH;
		if (status >> 8 == SIGTRAP)
			return 0;
		/* A stop of the whole group comes in between: the step is still to be made. */
	}
}

static int64_t borrow_call(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6])
{
	struct fc_borrow *borrow = (struct fc_borrow *)caller;
	struct user_regs_struct regs = borrow->regs;
	regs.rax = nr;
	regs.orig_rax = -1;
	regs.rdi = arg[0];
	regs.rsi = arg[1];
	regs.rdx = arg[2];
	regs.r10 = arg[3];
	regs.r8 = arg[4];
	regs.r9 = arg[5];
	/*
	 * The first step out of a ptrace stop inside execve() only ends that call, which
	 * writes its own result into rax: try again.
	 */
	struct user_regs_struct after;
	do {
		if (ptrace(PTRACE_SETREGS, borrow->tid, 0, &regs))
			return -errno;
		int ret = step(borrow->tid);
		if (ret)
			return ret;
		if (ptrace(PTRACE_GETREGS, borrow->tid, 0, &after))
			return -errno;
	} while (after.rip == regs.rip);
	return (int64_t)after.rax;
}

int fc_borrow_begin(struct fc_borrow *borrow, int tid)
{
	*borrow = (struct fc_borrow){ .caller.call = borrow_call, .tid = tid };
	uint64_t all = ~0ull;
	if (ptrace(PTRACE_GETREGS, tid, 0, &borrow->regs))
		return fc_fail(errno, "cannot read the registers of %d: %s", tid,
			       strerror(errno));
	errno = 0;
	borrow->code = ptrace(PTRACE_PEEKTEXT, tid, borrow->regs.rip, 0);
	uint64_t code = borrow->code;
	memcpy(&code, syscall_insn, sizeof(syscall_insn));
	if (errno || ptrace(PTRACE_GETSIGMASK, tid, sizeof(borrow->signals), &borrow->signals) ||
	    ptrace(PTRACE_SETSIGMASK, tid, sizeof(all), &all) ||
	    ptrace(PTRACE_POKETEXT, tid, borrow->regs.rip, code))
		return fc_fail(errno, "cannot write to %d: %s", tid, strerror(errno));
	return 0;
}

int fc_borrow_end(struct fc_borrow *borrow)
{
	borrow->regs.orig_rax = -1;
	if (ptrace(PTRACE_POKETEXT, borrow->tid, borrow->regs.rip, borrow->code) ||
	    ptrace(PTRACE_SETREGS, borrow->tid, 0, &borrow->regs) ||
	    ptrace(PTRACE_SETSIGMASK, borrow->tid, sizeof(borrow->signals), &borrow->signals))
		return fc_fail(errno, "cannot restore %d: %s", borrow->tid, strerror(errno));
	return 0;
}

int64_t fc_remote_call(struct fc_caller *caller, uint64_t nr, uint64_t a, uint64_t b, uint64_t c,
		       uint64_t d, uint64_t e, uint64_t f)
{
	uint64_t arg[6] = { a, b, c, d, e, f };
	return caller->call(caller, nr, arg);
}

int fc_remote_read(int mem_fd, uint64_t taddr, void *ret, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(mem_fd, (char *)ret + done, size - done, (off_t)(taddr + done));
		if (n <= 0)
			return fc_fail(n ? errno : EIO, "cannot read the target's memory at %#llx",
				       (unsigned long long)(taddr + done));
		done += n;
	}
	return 0;
}

int fc_remote_write(int mem_fd, uint64_t taddr, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(mem_fd, (const char *)bytes + done, size - done,
				   (off_t)(taddr + done));
		if (n <= 0)
			return fc_fail(n ? errno : EIO, "cannot write the target's memory at %#llx: %s",
				       (unsigned long long)(taddr + done), strerror(errno));
		done += n;
	}
	return 0;
}
