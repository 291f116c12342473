/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "capture/target/permit.h"
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

/* Stopping and continuing cancel each other, as in the kernel. -EFAULT: it would come again. */
static int hold_signal(struct fc_borrow *borrow, int sig)
{
	siginfo_t info;
	if (ptrace(PTRACE_GETSIGINFO, borrow->tid, 0, &info))
		return 0;
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

/* -ETIMEDOUT: it does not come, and is nobody's to give back. */
static int wait_for(struct fc_borrow *borrow, int *status)
{
	uint64_t begin_ns = fc_clock_mono_ns(), awake_ns = begin_ns;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		int got = waitpid(borrow->tid, status, __WALL | WNOHANG);
		if (got > 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return -errno;
		uint64_t ns = fc_clock_mono_ns() - begin_ns;
		borrow->is_lost = ns > 100000000 && is_too_long(borrow, ns, &awake_ns);
		if (borrow->is_lost)
			return -ETIMEDOUT;
		sigtimedwait(&child, NULL, &(struct timespec){ .tv_nsec = 5 * 1000 * 1000 });
	}
}

static int wait_stop(struct fc_borrow *borrow, int *status)
{
	int ret = borrow->is_lost ? -ETIMEDOUT : wait_for(borrow, status);
	if (ret)
		return ret;
	if (WIFSTOPPED(*status))
		return 0;
	borrow->has_died = true;
	borrow->death = *status;
	return -ESRCH;
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
		int status;
		if (ptrace(PTRACE_SYSCALL, borrow->tid, 0, 0))
			return -errno;
		int ret = wait_stop(borrow, &status);
		if (ret)
			return ret;
		if (status >> 8 == (SIGTRAP | 0x80)) /* PTRACE_O_TRACESYSGOOD */
			return 0;
		if (!(status >> 16))
			ret = hold_signal(borrow, WSTOPSIG(status));
		if (ret)
			return ret;
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
	if (borrow->is_lost)
		return -ETIMEDOUT;
	if (ptrace(PTRACE_SETREGS, borrow->tid, 0, &regs))
		return -errno;
	int ret = run_to_syscall(borrow);
	if (!ret)
		ret = run_to_syscall(borrow);
	if (!ret && ptrace(PTRACE_GETREGS, borrow->tid, 0, &regs))
		ret = -errno;
	return ret ? ret : (int64_t)regs.rax;
}

/* ---- the cave ---- */

static uint8_t *put_code(uint8_t *at, const char *code, size_t size)
{
	memcpy(at, code, size);
	return at + size;
}

static uint8_t *put_word(uint8_t *at, uint64_t word)
{
	memcpy(at, &word, sizeof(word));
	return at + sizeof(word);
}

#define PUT(at, code)		  ((at) = put_code(at, code, sizeof(code) - 1))
#define PUT_MOV(at, opcode, word) (PUT(at, opcode), (at) = put_word(at, word))

/* Results of a call that a signal interrupted, and that is made again if no handler runs. */
static bool is_restart(const struct user_regs_struct *regs)
{
	enum { ERESTARTSYS = 512, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK = 516 };
	int64_t got = (int64_t)regs->rax;
	return (int64_t)regs->orig_rax >= 0 &&
	       (got == -ERESTARTSYS || got == -ERESTARTNOINTR || got == -ERESTARTNOHAND ||
		got == -ERESTART_RESTARTBLOCK);
}

enum { PAGE = 4096 };

/* Where words are in the cave. */
enum { NEWS = FC_BORROW_CAVE - 24, MASK = FC_BORROW_CAVE - 16, RIP = FC_BORROW_CAVE - 8 };

/* struct fc_borrow has the picture. */
static void fill_cave(const struct fc_borrow *borrow, uint8_t ret[FC_BORROW_CAVE])
{
	enum { SYSCALL_SIZE = 2 };
	const struct user_regs_struct *r = &borrow->regs;
	bool again = is_restart(r);
	uint8_t *at = ret;
	memset(ret, 0, FC_BORROW_CAVE);
	PUT(at, "\x0f\x05");			      /* syscall: what is asked */
	PUT(at, "\xb8\x0e\0\0\0");		      /* mov $14, %eax: rt_sigprocmask */
	PUT(at, "\xbf\x02\0\0\0");		      /* mov $2, %edi: SIG_SETMASK */
	PUT_MOV(at, "\x48\xbe", borrow->cave + MASK); /* mov $mask, %rsi */
	PUT(at, "\xba\0\0\0\0");		      /* mov $0, %edx */
	PUT(at, "\x41\xba\x08\0\0\0");		      /* mov $8, %r10d */
	PUT(at, "\x0f\x05");			      /* syscall */
	PUT_MOV(at, "\x48\xb8", again ? r->orig_rax : r->rax);
	PUT_MOV(at, "\x48\xb9", r->rcx);
	PUT_MOV(at, "\x48\xba", r->rdx);
	PUT_MOV(at, "\x48\xbe", r->rsi);
	PUT_MOV(at, "\x48\xbf", r->rdi);
	PUT_MOV(at, "\x49\xb8", r->r8);
	PUT_MOV(at, "\x49\xb9", r->r9);
	PUT_MOV(at, "\x49\xba", r->r10);
	PUT_MOV(at, "\x49\xbb", r->r11);
	PUT(at, "\xff\x25"); /* jmp *rip(%rip) */
	uint32_t disp = (uint32_t)(ret + RIP - (at + 4));
	memcpy(at, &disp, sizeof(disp));
	put_word(ret + NEWS, borrow->news);
	put_word(ret + MASK, borrow->signals);
	put_word(ret + RIP, r->rip - (again ? SYSCALL_SIZE : 0));
}

bool fc_borrow_is_cave(const uint8_t code[FC_BORROW_CAVE])
{
	enum { SAME = 14 }; /* bytes before the first that differ */
	static const struct fc_borrow any = { 0 };
	uint8_t cave[FC_BORROW_CAVE];
	fill_cave(&any, cave);
	return !memcmp(code, cave, SAME);
}

/* One word, so that it is there or not: pages are told in the bits that an address has not. */
int fc_borrow_announce(struct fc_borrow *borrow, uint64_t taddr, uint64_t size)
{
	borrow->news = taddr | size / PAGE;
	return fc_remote_write(borrow->mem_fd, borrow->cave + NEWS, &borrow->news,
			       sizeof(borrow->news));
}

bool fc_borrow_announced(const uint8_t code[FC_BORROW_CAVE], uint64_t *taddr, uint64_t *size)
{
	uint64_t news;
	memcpy(&news, code + NEWS, sizeof(news));
	*taddr = news & ~(uint64_t)(PAGE - 1);
	*size = news % PAGE * PAGE;
	return news;
}

static int write_cave(struct fc_borrow *borrow)
{
	uint8_t code[FC_BORROW_CAVE];
	int ret = fc_remote_read(borrow->mem_fd, borrow->cave, borrow->code,
				 sizeof(borrow->code));
	if (ret)
		return ret;
	if (fc_borrow_is_cave(borrow->code)) {
		memcpy(&borrow->news, borrow->code + NEWS, sizeof(borrow->news));
		memset(borrow->code, 0, sizeof(borrow->code));
	}
	fill_cave(borrow, code);
	return fc_remote_write(borrow->mem_fd, borrow->cave, code, sizeof(code));
}

/* ---- to borrow and to give back ---- */

static int run_to_rest(struct fc_borrow *borrow)
{
	for (;;) {
		int status;
		if (ptrace(PTRACE_INTERRUPT, borrow->tid, 0, 0) ||
		    ptrace(PTRACE_CONT, borrow->tid, 0, 0))
			return -errno;
		int ret = wait_stop(borrow, &status);
		if (ret)
			return ret;
		if (status >> 16 == PTRACE_EVENT_STOP)
			return 0;
		/* What has faulted comes to rest all the same, before it goes on. */
		if (!(status >> 16))
			hold_signal(borrow, WSTOPSIG(status));
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

int fc_borrow_begin(struct fc_borrow *borrow, int tid, unsigned long options, int mem_fd,
		    uint64_t cave)
{
	*borrow = (struct fc_borrow){
		.caller.call = borrow_call,
		.tid = tid,
		.mem_fd = mem_fd,
		.cave = cave,
	};
	uint64_t all = ~0ull;
	/* Out of the system call whose event this is: its exit would write over rax. */
	if (!is_at_rest(tid) && run_to_rest(borrow))
		return cannot_run(borrow);
	if (ptrace(PTRACE_GETREGS, tid, 0, &borrow->regs) ||
	    ptrace(PTRACE_GETSIGMASK, tid, sizeof(borrow->signals), &borrow->signals))
		return fc_fail(errno, "cannot read the registers of %d: %s", tid,
			       strerror(errno));
	int ret = suspend_filters(borrow, options);
	if (!ret)
		ret = write_cave(borrow);
	if (ret)
		return ret;
	/* Into the cave first: from there the mask is restored, whatever happens. */
	static const uint64_t nothing[6] = { 0 };
	int64_t got = borrow_call(&borrow->caller, SYS_getpid, nothing);
	if (got < 0 || ptrace(PTRACE_SETSIGMASK, tid, sizeof(all), &all))
		return cannot_run(borrow);
	borrow->is_borrowed = true;
	return 0;
}

int fc_borrow_move(struct fc_borrow *borrow, uint64_t rip)
{
	uint8_t code[FC_BORROW_CAVE];
	borrow->regs.rip = rip;
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
	if (run_to_rest(borrow))
		return cannot_run(borrow);
	if (ptrace(PTRACE_SETSIGMASK, borrow->tid, sizeof(borrow->signals), &borrow->signals) ||
	    ptrace(PTRACE_SETREGS, borrow->tid, 0, &borrow->regs))
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

int fc_remote_open(int pid)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
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
