/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into fctrace: whenever fctrace lets a certain thread go on, the thread executes some
 * instructions and waits. So it stands at each instruction of its way when fctrace stops it next.
 *
 *   fctrace              this library                      thread
 *   PTRACE_CONT   --->   PTRACE_SINGLESTEP, nr times  -->  executes, waits
 *   ...
 *   PTRACE_INTERRUPT ->  the same, and PTRACE_CONT    -->  stops at rest, without a step
 *
 * $STEPPER is a file that holds struct stepper, shared with the suite.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

struct stepper {
	int32_t tid;	  /* 0: none */
	int32_t nr;	  /* instructions each time that it goes on; 0: it runs */
	int32_t before;	  /* so many, after *flag was set, before the first stop; once */
	int32_t is_set;	  /* ...which was done */
	uint64_t flag;	  /* address in the thread's memory of an int */
	int64_t nr_steps; /* so far */
	uint64_t ip;	  /* where it is */
};

enum { SYSTEM_CALL_NS = 20 * 1000 * 1000 };

static enum {
	FREE = 0, /* it runs, or is in a stop that fctrace knows of */
	STEPPING, /* a step is not done yet: it waits in a system call */
	PARKED,	  /* it waits for fctrace, which takes it for running */
} state;

static struct stepper *stepper;
static bool has_told; /* a stop that fctrace is yet to be told of */
static int told;

static long (*real_ptrace)(enum __ptrace_request, ...);
static pid_t (*real_waitpid)(pid_t, int *, int);
static int (*real_waitid)(idtype_t, id_t, siginfo_t *, int);

__attribute__((constructor)) static void begin(void)
{
	const char *name = getenv("STEPPER");
	int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	void *at = mmap(NULL, sizeof(*stepper), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || at == MAP_FAILED)
		abort();
	stepper = at;
	real_ptrace = dlsym(RTLD_NEXT, "ptrace");
	real_waitpid = dlsym(RTLD_NEXT, "waitpid");
	real_waitid = dlsym(RTLD_NEXT, "waitid");
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool is_step(int status)
{
	return WIFSTOPPED(status) && status >> 8 == SIGTRAP;
}

/* False: the step is not done, or something else has come, which fctrace is to be told. */
static bool wait_for_step(int tid)
{
	uint64_t end_ns = now_ns() + SYSTEM_CALL_NS;
	int status;
	pid_t got;
	while (!(got = real_waitpid(tid, &status, __WALL | WNOHANG)) && now_ns() < end_ns)
		sched_yield();
	if (!got)
		return false;
	state = FREE;
	if (got == tid && is_step(status)) {
		stepper->nr_steps++;
		return true;
	}
	told = status;
	has_told = got == tid;
	if (has_told)
		raise(SIGCHLD);
	return false;
}

static bool steps(int tid, long nr, long sig)
{
	for (; nr > 0; nr--, sig = 0) {
		if (real_ptrace(PTRACE_SINGLESTEP, tid, 0, sig))
			return false;
		state = STEPPING;
		if (!wait_for_step(tid))
			return false;
	}
	struct user_regs_struct regs;
	if (!real_ptrace(PTRACE_GETREGS, tid, 0, &regs))
		stepper->ip = regs.rip;
	return true;
}

/* A step's trap that is yet to come would come to fctrace, or to the program. */
static bool has_trap(int tid)
{
	siginfo_t infos[8];
	struct __ptrace_peeksiginfo_args all = { .nr = 8 };
	long nr = real_ptrace(PTRACE_PEEKSIGINFO, tid, &all, infos);
	for (long i = 0; i < nr; i++)
		if (infos[i].si_signo == SIGTRAP)
			return true;
	return false;
}

/* It stands behind a step: fctrace sees it stop at rest. */
static long come_to_rest(int tid)
{
	state = FREE;
	long ret = real_ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	return ret ? ret : real_ptrace(PTRACE_CONT, tid, 0, 0);
}

/* The same of one that waits in a system call, which it is to leave. */
static long leave_call(int tid)
{
	int status;
	long ret = real_ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	if (ret || real_waitpid(tid, &status, __WALL) != tid)
		return ret;
	if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP && has_trap(tid)) {
		real_ptrace(PTRACE_CONT, tid, 0, 0);
		real_waitpid(tid, &status, __WALL);
	}
	if (is_step(status)) {
		stepper->nr_steps++;
		return come_to_rest(tid);
	}
	state = FREE;
	told = status;
	has_told = true;
	return 0;
}

/* fctrace is about to stop it, for the first time: it is to stand elsewhere then. */
static void go_there(int tid)
{
	int status, flag = 1;
	if (real_ptrace(PTRACE_INTERRUPT, tid, 0, 0) ||
	    real_waitpid(tid, &status, __WALL) != tid)
		return;
	real_ptrace(PTRACE_POKEDATA, tid, stepper->flag, (long)flag);
	int nr = stepper->before;
	stepper->before = 0;
	stepper->is_set = 1;
	if (steps(tid, nr, 0))
		state = PARKED;
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list list;
	va_start(list, request);
	int tid = va_arg(list, int);
	void *at = va_arg(list, void *), *data = va_arg(list, void *);
	va_end(list);
	if (!stepper->tid || tid != stepper->tid)
		return real_ptrace(request, tid, at, data);
	if (request == PTRACE_INTERRUPT && stepper->before)
		go_there(tid);
	if (request == PTRACE_INTERRUPT && state == PARKED)
		return come_to_rest(tid);
	if (request == PTRACE_INTERRUPT && state == STEPPING)
		return leave_call(tid);
	if (request == PTRACE_CONT)
		has_told = false; /* it was looked at, and is passed on */
	if (request == PTRACE_CONT && stepper->nr) {
		if (steps(tid, stepper->nr, (long)data))
			state = PARKED;
		return 0;
	}
	return real_ptrace(request, tid, at, data);
}

/* It has stopped. Is that for fctrace? A step is not. */
static bool is_for_fctrace(int status)
{
	bool was_stepping = state == STEPPING;
	state = FREE;
	if (!is_step(status))
		return true;
	stepper->nr_steps += was_stepping;
	if (stepper->nr)
		state = PARKED;
	else
		real_ptrace(PTRACE_CONT, stepper->tid, 0, 0);
	return false;
}

/* fctrace looks first, and may then wait for the thread that it has seen. */
int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	if (type != P_ALL)
		return real_waitid(type, id, info, options);
	if (has_told) {
		info->si_pid = stepper->tid;
		info->si_code = WIFSTOPPED(told) ? CLD_TRAPPED : CLD_EXITED;
		info->si_status = told >> 8;
		return 0;
	}
	for (;;) {
		int status, ret = real_waitid(type, id, info, options);
		if (ret || !info->si_pid || info->si_pid != stepper->tid)
			return ret;
		if (info->si_code != CLD_TRAPPED || info->si_status != SIGTRAP) {
			state = FREE;
			return ret;
		}
		if (real_waitpid(info->si_pid, &status, __WALL | WNOHANG) == info->si_pid)
			is_for_fctrace(status);
		info->si_pid = 0;
	}
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	if (pid == stepper->tid && has_told) {
		has_told = false;
		*status = told;
		return pid;
	}
	for (;;) {
		pid_t got = real_waitpid(pid, status, options);
		if (got <= 0 || got != stepper->tid || is_for_fctrace(*status))
			return got;
	}
}
