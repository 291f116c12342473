/* SPDX-License-Identifier: Apache-2.0 */
#include "user/remote.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

static void drop_held(struct fc_borrow *borrow, bool (*is_void)(int sig))
{
	size_t kept = 0;
	fc_vec_each (&borrow->held, info)
		if (!is_void(info->si_signo))
			borrow->held.at[kept++] = *info;
	borrow->held.nr = kept;
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static bool is_continue_signal(int sig)
{
	return sig == SIGCONT;
}

/* Stopping and continuing cancel each other, as in the kernel. */
static void hold_signal(struct fc_borrow *borrow, int sig)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, borrow->tid, 0, &info))
		return;
	if (is_stop_signal(sig))
		drop_held(borrow, is_continue_signal);
	if (is_continue_signal(sig))
		drop_held(borrow, is_stop_signal);
	fc_vec_push(&borrow->held, info);
}

/*
 * Let the thread run to the next system call's entry or exit. Single steps would do, but a
 * tracer that dies leaves the trap flag set, and the trap kills the target.
 */
static int run_to_syscall(struct fc_borrow *borrow)
{
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, borrow->tid, 0, 0))
			return -errno;
		int status;
		while (waitpid(borrow->tid, &status, __WALL) < 0)
			if (errno != EINTR)
				return -errno;
		if (!WIFSTOPPED(status)) {
			borrow->has_died = true;
			borrow->death = status;
			return -ESRCH;
		}
		if (status >> 8 == (SIGTRAP | 0x80)) /* PTRACE_O_TRACESYSGOOD */
			return 0;
		if (!(status >> 16))
			hold_signal(borrow, WSTOPSIG(status));
		/* A stop of the whole group comes in between: the call is still to be made. */
	}
}

static int64_t borrow_call(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6])
{
	struct fc_borrow *borrow = (struct fc_borrow *)caller;
	struct user_regs_struct regs = borrow->regs;
	regs.rip = borrow->cave;
	regs.rax = nr;
	regs.orig_rax = -1;
	regs.rdi = arg[0];
	regs.rsi = arg[1];
	regs.rdx = arg[2];
	regs.r10 = arg[3];
	regs.r8 = arg[4];
	regs.r9 = arg[5];
	if (ptrace(PTRACE_SETREGS, borrow->tid, 0, &regs))
		return -errno;
	int ret = run_to_syscall(borrow);
	if (!ret)
		ret = run_to_syscall(borrow);
	if (!ret && ptrace(PTRACE_GETREGS, borrow->tid, 0, &regs))
		ret = -errno;
	return ret ? ret : (int64_t)regs.rax;
}

/* struct ucontext and sigcontext of the kernel (arch/x86/include/uapi/asm). */
struct frame {
	uint64_t flags, link;
	uint64_t stack_sp, stack_flags, stack_size;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2, fpstate, reserved[8];
	uint64_t signals;
};

static void fill_frame(const struct fc_borrow *borrow, struct frame *ret)
{
	enum { UC_SIGCONTEXT_SS = 2, UC_STRICT_RESTORE_SS = 4, NO_ALTERNATE_STACK = 2 };
	const struct user_regs_struct *r = &borrow->regs;
	*ret = (struct frame){
		.flags = UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS,
		.stack_flags = NO_ALTERNATE_STACK,
		.r8 = r->r8,
		.r9 = r->r9,
		.r10 = r->r10,
		.r11 = r->r11,
		.r12 = r->r12,
		.r13 = r->r13,
		.r14 = r->r14,
		.r15 = r->r15,
		.rdi = r->rdi,
		.rsi = r->rsi,
		.rbp = r->rbp,
		.rbx = r->rbx,
		.rdx = r->rdx,
		.rax = r->rax,
		.rcx = r->rcx,
		.rsp = r->rsp,
		.rip = r->rip,
		.eflags = r->eflags,
		.cs = (uint16_t)r->cs,
		.ss = (uint16_t)r->ss,
		.signals = borrow->signals,
	};
}

static void fill_cave(uint64_t frame, uint8_t ret[FC_BORROW_CAVE])
{
	static const uint8_t code[] = {
		0x0f, 0x05,			    /* syscall */
		0x48, 0xbc, 0, 0, 0, 0, 0, 0, 0, 0, /* mov $frame, %rsp */
		0xb8, 15,   0, 0, 0,		    /* mov $15, %eax */
		0x0f, 0x05,			    /* syscall */
	};
	memset(ret, 0, FC_BORROW_CAVE);
	memcpy(ret, code, sizeof(code));
	memcpy(ret + 4, &frame, sizeof(frame));
}

/* Below the stack and the red zone. */
static uint64_t frame_taddr(const struct fc_borrow *borrow)
{
	enum { RED_ZONE = 128, ROOM = 1024 };
	return (borrow->regs.rsp - RED_ZONE - ROOM) & ~15ull;
}

static int prepare(struct fc_borrow *borrow)
{
	struct frame frame;
	uint8_t code[FC_BORROW_CAVE];
	uint64_t at = frame_taddr(borrow);
	fill_frame(borrow, &frame);
	fill_cave(at, code);
	int ret = fc_remote_write(borrow->mem_fd, at, &frame, sizeof(frame));
	if (!ret)
		ret = fc_remote_read(borrow->mem_fd, borrow->cave, borrow->code,
				     sizeof(borrow->code));
	return ret ? ret : fc_remote_write(borrow->mem_fd, borrow->cave, code, sizeof(code));
}

int fc_borrow_begin(struct fc_borrow *borrow, int tid, int mem_fd, uint64_t cave)
{
	*borrow = (struct fc_borrow){
		.caller.call = borrow_call,
		.tid = tid,
		.mem_fd = mem_fd,
		.cave = cave,
	};
	uint64_t all = ~0ull;
	/* Out of execve(), whose exit would write its own result over rax. */
	if (run_to_syscall(borrow))
		return fc_fail(ESRCH, "process %d is gone", tid);
	if (ptrace(PTRACE_GETREGS, tid, 0, &borrow->regs) ||
	    ptrace(PTRACE_GETSIGMASK, tid, sizeof(borrow->signals), &borrow->signals))
		return fc_fail(errno, "cannot read the registers of %d: %s", tid,
			       strerror(errno));
	borrow->regs.orig_rax = -1;
	int ret = prepare(borrow);
	if (ret)
		return ret;
	/* Into the cave first: from there the mask is restored, whatever happens. */
	static const uint64_t nothing[6] = { 0 };
	int64_t got = borrow_call(&borrow->caller, SYS_getpid, nothing);
	if (got < 0 || ptrace(PTRACE_SETSIGMASK, tid, sizeof(all), &all))
		return fc_fail(ESRCH, "process %d is gone", tid);
	borrow->is_borrowed = true;
	return 0;
}

/* A signal that waits for the thread, held back by its mask until now. */
static bool is_pending(int tid, int sig)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	FILE *file = fopen(name, "re");
	char line[256];
	unsigned long mask, all = 0;
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "SigPnd: %lx", &mask) == 1 ||
		    sscanf(line, "ShdPnd: %lx", &mask) == 1)
			all |= mask;
	if (file)
		fclose(file);
	return all >> (sig - 1) & 1;
}

/* The kernel lets a sender's identity be given only for what sigqueue() has sent. */
static void give_back_signals(struct fc_borrow *borrow)
{
	int tid = borrow->tid;
	if (borrow->held.nr && is_pending(tid, SIGCONT))
		drop_held(borrow, is_stop_signal);
	fc_vec_each (&borrow->held, info)
		if (syscall(SYS_rt_tgsigqueueinfo, tid, tid, info->si_signo, info))
			syscall(SYS_tgkill, tid, tid, info->si_signo);
	fc_vec_free(&borrow->held);
}

static int restore(struct fc_borrow *borrow)
{
	if (ptrace(PTRACE_SETSIGMASK, borrow->tid, sizeof(borrow->signals), &borrow->signals) ||
	    ptrace(PTRACE_SETREGS, borrow->tid, 0, &borrow->regs))
		return fc_fail(errno, "cannot restore %d: %s", borrow->tid, strerror(errno));
	return fc_remote_write(borrow->mem_fd, borrow->cave, borrow->code,
			       sizeof(borrow->code));
}

int fc_borrow_end(struct fc_borrow *borrow)
{
	int ret = borrow->is_borrowed ? restore(borrow) : 0;
	give_back_signals(borrow);
	return ret;
}

int64_t fc_remote_call(struct fc_caller *caller, uint64_t nr, uint64_t a, uint64_t b,
		       uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	uint64_t arg[6] = { a, b, c, d, e, f };
	return caller->call(caller, nr, arg);
}

int fc_remote_read(int mem_fd, uint64_t taddr, void *ret, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n =
			pread(mem_fd, (char *)ret + done, size - done, (off_t)(taddr + done));
		if (n <= 0)
			return fc_fail(n ? errno : EIO,
				       "cannot read the target's memory at %#llx",
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
			return fc_fail(n ? errno : EIO,
				       "cannot write the target's memory at %#llx: %s",
				       (unsigned long long)(taddr + done), strerror(errno));
		done += n;
	}
	return 0;
}
