/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 1 a thread stops for the signal: it waits until no event is being served
 * 2 all threads are held
 * 3 those that stand in a stub go on to where they leave it, or are put where they would be without;
 *   return addresses become the true ones
 * 4 the signal is passed on; the kernel kills the others where they stand
 */
#include "capture/user/dying.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/crash.h"
#include "capture/hook/fault.h"
#include "capture/hook/remnant.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"

bool fc_dying_is_core(int sig)
{
	static const int signals[] = { SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE,
				       SIGSEGV, SIGBUS, SIGSYS,	 SIGXCPU, SIGXFSZ };
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sig == signals[i])
			return true;
	return false;
}

/* The first process of a pid namespace gets no signal that it does not handle. */
bool fc_dying_is_deadly(const struct fc_tracee *tracee, int sig)
{
	struct fc_status status;
	const struct fc_process *process = tracee->process;
	if (!fc_dying_is_core(sig) || !process || !process->space ||
	    !fc_status_read(tracee->tid, &status))
		return false;
	return !((status.caught | status.ignored) >> (sig - 1) & 1) && status.own_tid != 1;
}

/* What is done with it is not for memory that others go on with. */
static bool is_shared(const struct fc_tracer *tracer, const struct fc_process *process)
{
	for (const struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p != process && p->space == process->space)
			return true;
	return false;
}

bool fc_dying_add(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig)
{
	struct fc_process *process = tracee->process;
	/* Two of its threads at once. */
	if (process && process->is_dying) {
		tracee->deadly = sig;
		return true;
	}
	if (!tracer->is_serving || tracer->is_ending || !fc_dying_is_deadly(tracee, sig) ||
	    is_shared(tracer, process))
		return false;
	tracee->deadly = sig;
	process->is_dying = true;
	fc_vec_push(&tracer->dying, tracee->tid);
	return true;
}

/* ---- out of a stub ---- */

/* Of the next instruction it is not known how long it takes: it is a system call. */
static bool may_wait(int mem_fd, uint64_t ip)
{
	uint8_t code[8];
	return !fc_remote_get(mem_fd, ip, code, sizeof(code)) ||
	       fc_arch_here->code->traits(code) & FC_TRAIT_SYSTEM_CALL;
}

/* False: it has ended, or there is another signal for it, which it will not live to see. */
static bool step(int tid)
{
	int status;
	siginfo_t info = { 0 };
	if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) ||
	    waitid(P_PID, (id_t)tid, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL) ||
	    (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED))
		return false; /* its end is told to who sees to events */
	return waitpid(tid, &status, __WALL) == tid && WSTOPSIG(status) == SIGTRAP;
}

/* Has it come out? In the agent it may wait for others. */
static bool leave(const struct fc_remnant *remnant, int tid)
{
	enum { MOST_STEPS = 5000 };
	struct fc_regs regs;
	for (int i = 0; i < MOST_STEPS && !fc_registers_read(tid, &regs); i++) {
		uint64_t ip = fc_regs_get(&regs, FC_REG_IP);
		if (!fc_remnant_is_inside(remnant, ip))
			return true;
		uint64_t from = fc_remnant_way_out(remnant, ip);
		if (from)
			return !fc_register_write(tid, FC_REG_IP, from);
		if ((int64_t)fc_regs_get(&regs, FC_REG_CALL) >= 0 ||
		    may_wait(remnant->mem_fd, ip) || !step(tid))
			return false;
	}
	return false;
}

static bool is_raised_by_itself(const siginfo_t *info)
{
	return fc_is_fault(info->si_signo) && info->si_code > 0;
}

/* Its signal is for where it stands, or for any place: then its stub may end first. */
static void leave_with_signal(const struct fc_remnant *remnant, const struct fc_tracee *tracee)
{
	siginfo_t info;
	int tid = tracee->tid;
	if (ptrace(PTRACE_GETSIGINFO, tid, 0, &info))
		return;
	if (is_raised_by_itself(&info)) {
		fc_fault_place(tracee->process->space, tid, true);
		return;
	}
	leave(remnant, tid);
	ptrace(PTRACE_SETSIGINFO, tid, 0, &info);
}

/* ---- the whole process ---- */

/* All are held, and those of the process that do not come out by themselves let go. */
static bool have_left(struct fc_tracer *tracer, const struct fc_process *process,
		      const struct fc_remnant *remnant)
{
	bool ret = true;
	fc_tracees_each (&tracer->tracees, t) {
		if (t->process != process || !t->is_held || t->deadly || leave(remnant, t->tid))
			continue;
		ret = false;
		fc_hold_let_go(tracer, t);
	}
	return ret;
}

/* False: some could not be held. */
static bool drive_out(struct fc_tracer *tracer, const struct fc_process *process,
		      const struct fc_remnant *remnant)
{
	enum { HOLD_MS = 200, MOST_ROUNDS = 30, MOMENT_NS = 1000 * 1000, CATCH_UP_MS = 20 };
	int who = 0;
	bool is_all = fc_hold_all(tracer, HOLD_MS, &who);
	for (int i = 0; i < MOST_ROUNDS && !have_left(tracer, process, remnant); i++) {
		fc_drain_catch_up(tracer->shared.drain, CATCH_UP_MS);
		fc_hold_let_run(tracer, MOMENT_NS);
		is_all = fc_hold_all(tracer, HOLD_MS, &who);
	}
	return is_all;
}

static void show_truth(struct fc_tracer *tracer, const struct fc_tracee *tracee)
{
	const struct fc_process *process = tracee->process;
	fc_auto_standing struct fc_standing standing = { 0 };
	struct fc_remnant remnant;
	int tid = tracee->tid;
	fc_auto_close int mem_fd = fc_remote_open(tid);
	if (mem_fd < 0 || fc_remnant_find(tid, mem_fd, &remnant))
		return;
	bool is_all = drive_out(tracer, process, &remnant);
	tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee && !fc_standing_of(tracer, tracee->process, &standing)) {
		leave_with_signal(&remnant, tracee);
		fc_remnant_show_returns(&remnant, &standing, is_all);
	}
	fc_remnant_deinit(&remnant);
}

static void pass_on(const struct fc_tracee *tracee)
{
	ptrace(PTRACE_CONT, tracee->tid, 0, tracee->deadly);
}

bool fc_dying_serve(struct fc_tracer *tracer)
{
	if (!tracer->dying.nr)
		return false;
	int tid = tracer->dying.at[--tracer->dying.nr];
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee && tracee->deadly)
		show_truth(tracer, tracee);
	tracee = fc_tracee_find(&tracer->tracees, tid); /* it may have been killed */
	if (tracee && tracee->deadly) {
		pass_on(tracee);
		tracee->deadly = 0;
	}
	fc_release_all(tracer);
	return true;
}

void fc_dying_revive(struct fc_tracer *tracer, struct fc_process *process)
{
	process->is_dying = false;
	fc_tracees_each (&tracer->tracees, t) {
		if (t->process != process)
			continue;
		if (t->deadly)
			pass_on(t);
		else if (t->is_held && !tracer->is_holding)
			fc_hold_let_go(tracer, t);
		t->deadly = 0;
	}
}
