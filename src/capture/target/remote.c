/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/little.h"
#include "capture/agent/abi.h"
#include "capture/target/permit.h"
#include "capture/target/registers.h"
#include "capture/target/restartable.h"
#include "capture/target/status.h"
#include "trace/clock.h"

static void drop_held(struct fc_borrow *borrow, bool (*is_void)(int sig))
{
	size_t kept = 0;
	fc_vec_each (&borrow->held, info)
		if (!is_void(info->si_signo))
			borrow->held.at[kept++] = *info;
	borrow->held.nr = kept;
}

static bool is_continue_signal(int sig)
{
	return sig == SIGCONT;
}

/* By what it did just now: in the cave nothing does, if nobody else writes there. */
static bool is_fault(const siginfo_t *info)
{
	return info->si_code > 0 && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS ||
				     info->si_signo == SIGILL || info->si_signo == SIGTRAP);
}

/* Its system call was dispatched: the kernel did not tell that this would happen. */
static bool is_dispatched(const siginfo_t *info)
{
	return info->si_signo == SIGSYS && info->si_code == FC_DISPATCHED;
}

/*
 * Stopping and continuing cancel each other, as in the kernel. -EFAULT: it would come again.
 * -ENOTSUP: no system call can be made.
 */
static int hold_signal(struct fc_borrow *borrow, int sig)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, borrow->tid, 0, &info))
		return 0;
	if (is_dispatched(&info))
		return -ENOTSUP;
	if (is_fault(&info))
		return -EFAULT;
	if (fc_is_stop_signal(sig))
		drop_held(borrow, is_continue_signal);
	if (is_continue_signal(sig))
		drop_held(borrow, fc_is_stop_signal);
	fc_vec_push(&borrow->held, info);
	return 0;
}

/*
 * What it is made to do takes no time, if it gets a CPU: one that sleeps is frozen, or held up in
 * the kernel; one that runs on and on was led elsewhere by who shares its memory.
 */
static bool is_too_long(const struct fc_borrow *borrow, uint64_t ns, uint64_t *since_ns)
{
	const uint64_t asleep_ns = 800000000, running_ns = 5000000000;
	struct fc_status status;
	uint64_t now = fc_clock_mono_ns();
	if (!fc_status_read(borrow->tid, &status) || status.state == 'R')
		*since_ns = now;
	return now - *since_ns > asleep_ns || ns > running_ns;
}

/*
 * *stop: the signal, and above it (>> 8) ptrace's event. -ETIMEDOUT: it does not come, and is
 * nobody's to give back. -ESRCH: it has ended, which is left for who follows it to wait for.
 */
static int wait_stop(struct fc_borrow *borrow, int *stop)
{
	uint64_t begin_ns = fc_clock_mono_ns(), awake_ns = begin_ns;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (!borrow->is_lost) {
		siginfo_t info = { 0 };
		if (waitid(P_PID, borrow->tid, &info, WSTOPPED | WNOHANG | __WALL))
			return -ESRCH;
		*stop = info.si_status;
		if (info.si_pid)
			return 0;
		uint64_t ns = fc_clock_mono_ns() - begin_ns;
		borrow->is_lost = ns > 100000000 && is_too_long(borrow, ns, &awake_ns);
		sigtimedwait(&child, NULL, &(struct timespec){ .tv_nsec = 5 * 1000 * 1000 });
	}
	return -ETIMEDOUT;
}

/* In a stop by PTRACE_INTERRUPT or of its group: between two instructions of its program. */
static bool is_at_rest(int tid)
{
	siginfo_t info;
	return !ptrace(PTRACE_GETSIGINFO, tid, 0, &info) &&
	       info.si_code >> 8 == PTRACE_EVENT_STOP;
}

/*
 * Let the thread run to the next system call's entry or exit. Single steps would do, but a
 * tracer that dies leaves the trap flag set, and the trap kills the target.
 */
static int run_to_syscall(struct fc_borrow *borrow)
{
	for (;;) {
		int stop;
		if (ptrace(PTRACE_SYSCALL, borrow->tid, 0, 0))
			return -errno;
		int ret = wait_stop(borrow, &stop);
		if (ret)
			return ret;
		if (stop == (SIGTRAP | 0x80)) /* PTRACE_O_TRACESYSGOOD */
			return 0;
		if (!(stop >> 8))
			ret = hold_signal(borrow, stop);
		if (ret)
			return ret;
		/* A stop of the whole group comes in between: the call is still to be made. */
	}
}

/* It is to make a system call, with the instruction at this place of the cave. */
static int aim(struct fc_borrow *borrow, size_t at, uint64_t nr, const uint64_t arg[6])
{
	struct fc_regs regs = borrow->regs;
	fc_arch_here->thread->to_native_mode(&regs);
	fc_regs_set(&regs, FC_REG_IP, borrow->cave + at);
	fc_regs_set(&regs, FC_REG_NR, nr);
	fc_regs_set(&regs, FC_REG_CALL, -1);
	uint64_t own[6];
	memcpy(own, arg, sizeof(own));
	fca_own_call(nr, own);
	for (int i = 0; i < 6; i++)
		fc_regs_set(&regs, FC_REG_ARG + i, own[i]);
	return fc_registers_write(borrow->tid, &regs);
}

static int64_t run_call(struct fc_borrow *borrow)
{
	struct fc_regs regs;
	int ret = run_to_syscall(borrow);
	if (!ret)
		ret = run_to_syscall(borrow);
	if (!ret)
		ret = fc_registers_read(borrow->tid, &regs);
	return ret ? ret : (int64_t)fc_regs_get(&regs, FC_REG_RESULT);
}

static int64_t borrow_call(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6])
{
	struct fc_borrow *borrow = (struct fc_borrow *)caller;
	if (borrow->is_lost)
		return -ETIMEDOUT;
	int ret = aim(borrow, 0, nr, arg);
	return ret ? ret : run_call(borrow);
}

/* ---- the cave ---- */

/* Results of a call that a signal interrupted, and that is made again if no handler runs. */
static bool is_restart(const struct fc_regs *regs)
{
	enum { ERESTARTSYS = 512, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK = 516 };
	int64_t got = (int64_t)fc_regs_get(regs, FC_REG_RESULT);
	return (int64_t)fc_regs_get(regs, FC_REG_CALL) >= 0 &&
	       (got == -ERESTARTSYS || got == -ERESTARTNOINTR || got == -ERESTARTNOHAND ||
		got == -ERESTART_RESTARTBLOCK);
}

static struct fc_last_call dispatch_call(const struct fc_dispatch *dispatch)
{
	return (struct fc_last_call){ .nr = SYS_prctl,
				      .arg = { FC_SET_DISPATCH, dispatch->mode,
					       dispatch->offset, dispatch->size,
					       dispatch->selector } };
}

/* struct fc_borrow has the picture. */
static void fill_cave(struct fc_borrow *borrow, uint8_t ret[FC_CAVE_SIZE])
{
	const struct fc_last_call on = dispatch_call(&borrow->dispatch);
	memset(ret, 0, FC_CAVE_SIZE);
	borrow->last_at = fc_arch_here->thread->make_cave(
		&borrow->regs, is_restart(&borrow->regs), borrow->dispatch.mode ? &on : NULL,
		borrow->cave, ret);
	fc_put_64(ret + FC_CAVE_NEWS, borrow->news);
	fc_put_64(ret + FC_CAVE_MASK, borrow->signals);
}

bool fc_borrow_is_cave(const uint8_t code[FC_CAVE_SIZE])
{
	struct fc_borrow any = { .regs.words = fc_arch_here->thread->reg_words };
	uint8_t cave[FC_CAVE_SIZE];
	fill_cave(&any, cave);
	return !memcmp(code, cave, FC_CAVE_SAME);
}

/* One word, so that it is there or not: pages are told in the bits that an address has not. */
int fc_borrow_announce(struct fc_borrow *borrow, uint64_t taddr, uint64_t size)
{
	borrow->news = taddr | size / fc_arch_here->page_size;
	return fc_remote_write(borrow->mem_fd, borrow->cave + FC_CAVE_NEWS, &borrow->news,
			       sizeof(borrow->news));
}

bool fc_borrow_announced(const uint8_t code[FC_CAVE_SIZE], uint64_t *taddr, uint64_t *size)
{
	uint64_t news;
	memcpy(&news, code + FC_CAVE_NEWS, sizeof(news));
	*taddr = fc_page_down(news);
	*size = (news - *taddr) * fc_arch_here->page_size;
	return news;
}

static int write_cave(struct fc_borrow *borrow)
{
	uint8_t code[FC_CAVE_SIZE];
	int ret = fc_remote_read(borrow->mem_fd, borrow->cave, borrow->code,
				 sizeof(borrow->code));
	if (ret)
		return ret;
	if (fc_borrow_is_cave(borrow->code)) {
		memcpy(&borrow->news, borrow->code + FC_CAVE_NEWS, sizeof(borrow->news));
		memset(borrow->code, 0, sizeof(borrow->code));
	}
	fill_cave(borrow, code);
	return fc_remote_write(borrow->mem_fd, borrow->cave, code, sizeof(code));
}

/* ---- to borrow and to give back ---- */

static int run_to_rest(struct fc_borrow *borrow)
{
	for (;;) {
		int stop;
		if (ptrace(PTRACE_INTERRUPT, borrow->tid, 0, 0) ||
		    ptrace(PTRACE_CONT, borrow->tid, 0, 0))
			return -errno;
		int ret = wait_stop(borrow, &stop);
		if (ret)
			return ret;
		if (stop >> 8 == PTRACE_EVENT_STOP)
			return 0;
		/* What has faulted comes to rest all the same, before it goes on. */
		if (!(stop >> 8))
			hold_signal(borrow, stop);
	}
}

static int cannot_run(const struct fc_borrow *borrow)
{
	if (borrow->is_lost)
		return fc_fail(
			ETIMEDOUT,
			"thread %d does not answer: it is frozen, or held up in the kernel",
			borrow->tid);
	return fc_fail(ESRCH, "process %d is gone", borrow->tid);
}

/*
 * A filter may kill the thread for a call that its program never makes. The kernel ends the
 * suspension when its tracer dies, too.
 */
static int suspend_filters(struct fc_borrow *borrow, unsigned long options)
{
	struct fc_status status;
	if (!fc_status_read(borrow->tid, &status) || !status.rights.seccomp)
		return 0;
	if (ptrace(PTRACE_SETOPTIONS, borrow->tid, 0, options | PTRACE_O_SUSPEND_SECCOMP))
		return fc_fail(ENOTSUP, "its system calls are filtered (seccomp); to trace it "
					"all the same, run fctrace as root");
	borrow->options = options;
	return 0;
}

/* In the cave already: it switches the dispatch on again, whatever happens. */
static int suspend_dispatch(struct fc_borrow *borrow)
{
	static const struct fc_dispatch off;
	return borrow->dispatch.mode ? fc_dispatch_write(borrow->tid, &off) : 0;
}

/*
 * With the kernel's prctl(), behind which the cave makes no call that would be dispatched: whatever
 * happens, the thread goes on as it was.
 */
static int resume_dispatch(struct fc_borrow *borrow)
{
	const struct fc_last_call on = dispatch_call(&borrow->dispatch);
	uint64_t arg[6] = { on.arg[0], on.arg[1], on.arg[2], on.arg[3], on.arg[4] };
	if (!borrow->dispatch.mode)
		return 0;
	int ret = aim(borrow, borrow->last_at, on.nr, arg);
	return ret ? ret : (int)run_call(borrow);
}

static int set_mask(const struct fc_borrow *borrow, uint64_t mask)
{
	return ptrace(PTRACE_SETSIGMASK, borrow->tid, sizeof(mask), &mask) ? -ESRCH : 0;
}

/*
 * Into the cave first: from there the mask is restored, whatever happens. The first call may be
 * dispatched where the kernel does not tell of that: if SIGSYS were blocked then, the kernel would
 * take its handler away.
 */
static int enter_cave(struct fc_borrow *borrow)
{
	static const uint64_t nothing[6] = { 0 }, sigsys = 1ull << (SIGSYS - 1);
	if (aim(borrow, 0, SYS_getpid, nothing) || suspend_dispatch(borrow) ||
	    set_mask(borrow, borrow->signals & ~sigsys))
		return -ESRCH;
	int64_t got = run_call(borrow);
	return got < 0 ? (int)got : set_mask(borrow, ~0ull);
}

int fc_borrow_begin(struct fc_borrow *borrow, int tid, unsigned long options, int mem_fd,
		    uint64_t cave)
{
	*borrow = (struct fc_borrow){
		.caller.call = borrow_call,
		.tid = tid,
		.mem_fd = mem_fd,
		.cave = cave,
	};
	/* Out of the system call whose event this is: its exit would write its result. */
	if (!is_at_rest(tid) && run_to_rest(borrow))
		return cannot_run(borrow);
	if (fc_registers_read(tid, &borrow->regs) ||
	    ptrace(PTRACE_GETSIGMASK, tid, sizeof(borrow->signals), &borrow->signals))
		return fc_fail(errno, "cannot read the registers of %d: %s", tid,
			       strerror(errno));
	uint64_t ip = fc_regs_get(&borrow->regs, FC_REG_IP);
	fc_regs_set(&borrow->regs, FC_REG_IP, fc_restartable_abort(tid, ip));
	if (fc_dispatch_is_coming(tid))
		return fc_fail(EAGAIN, "thread %d is about to handle a system call; try again",
			       tid);
	fc_dispatch_read(tid, &borrow->dispatch);
	int ret = suspend_filters(borrow, options);
	if (!ret)
		ret = write_cave(borrow);
	if (ret)
		return ret;
	ret = enter_cave(borrow);
	borrow->is_borrowed = !ret || ret == -ENOTSUP;
	if (ret == -ENOTSUP)
		return fc_fail(ENOTSUP,
			       "its system calls become signals (syscall user dispatch), "
			       "which fctrace can suspend from Linux 6.4 on");
	return ret ? cannot_run(borrow) : 0;
}

int fc_borrow_move(struct fc_borrow *borrow, uint64_t ip)
{
	uint8_t code[FC_CAVE_SIZE];
	fc_regs_set(&borrow->regs, FC_REG_IP, ip);
	fill_cave(borrow, code);
	return fc_remote_write(borrow->mem_fd, borrow->cave, code, sizeof(code));
}

/* The kernel lets a sender's identity be given only for what sigqueue() has sent. */
static void give_back_signals(struct fc_borrow *borrow)
{
	int tid = borrow->tid;
	struct fc_status status;
	if (borrow->held.nr && fc_status_read(tid, &status) &&
	    status.pending >> (SIGCONT - 1) & 1)
		drop_held(borrow, fc_is_stop_signal);
	fc_vec_each (&borrow->held, info)
		if (syscall(SYS_rt_tgsigqueueinfo, tid, tid, info->si_signo, info))
			syscall(SYS_tgkill, tid, tid, info->si_signo);
	fc_vec_free(&borrow->held);
}

/*
 * From a stop at rest the kernel looks at what the registers say of a call that was
 * interrupted, and makes it again.
 */
static int restore(struct fc_borrow *borrow)
{
	if (run_to_rest(borrow) || set_mask(borrow, borrow->signals) ||
	    resume_dispatch(borrow) || (borrow->dispatch.mode && run_to_rest(borrow)))
		return cannot_run(borrow);
	if (fc_registers_write(borrow->tid, &borrow->regs))
		return fc_fail(errno, "cannot restore %d: %s", borrow->tid, strerror(errno));
	return fc_remote_write(borrow->mem_fd, borrow->cave, borrow->code,
			       sizeof(borrow->code));
}

int fc_borrow_end(struct fc_borrow *borrow)
{
	int ret = borrow->is_borrowed ? restore(borrow) : 0;
	if (borrow->options)
		ptrace(PTRACE_SETOPTIONS, borrow->tid, 0, borrow->options);
	give_back_signals(borrow);
	return ret;
}

int64_t fc_remote_call(struct fc_caller *caller, uint64_t nr, uint64_t a, uint64_t b,
		       uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	uint64_t arg[6] = { a, b, c, d, e, f };
	return caller->call(caller, nr, arg);
}

int64_t fc_remote_map_code(struct fc_caller *caller, uint64_t at, uint64_t size)
{
	uint64_t fixed = at ? MAP_FIXED_NOREPLACE : 0;
	return fc_remote_call(caller, SYS_mmap, at, size, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
}

void fc_remote_unmap(struct fc_caller *caller, uint64_t at, uint64_t size)
{
	fc_remote_call(caller, SYS_munmap, at, fc_page_up(size), 0, 0, 0, 0);
}

int fc_remote_open(int pid)
{
	char name[64];
	int err = fc_registers_check();
	if (err)
		return err;
	snprintf(name, sizeof(name), "/proc/%d/mem", fc_living_thread(pid));
	int fd = open(name, O_RDWR | O_CLOEXEC);
	return fd < 0 ? fc_permit_fail(errno, pid, "look into process %d", pid) : fd;
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

bool fc_remote_get(int mem_fd, uint64_t taddr, void *ret, size_t size)
{
	return pread(mem_fd, ret, size, (off_t)taddr) == (ssize_t)size;
}
