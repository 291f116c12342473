/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/rival.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/vec.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"

enum {
	PATIENCE_MS = 500,
	MOST_STOPS =
		100, /* at system calls, of a thread that does not make the one it told of */
};

static void say_untraced(struct fc_tracer *tracer, int pid)
{
	fc_tracer_say(tracer, pid, "what the program traces itself runs untraced by fctrace");
}

static bool is_own_child(int tid)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && status.ppid == getpid();
}

void fc_rival_is_parent(struct fc_tracer *tracer, int tid)
{
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	/* A second time it must fail, and does. */
	if (!tracee || !tracee->process || tracee->has_traceme ||
	    !fc_hold_one(tracer, tid, PATIENCE_MS))
		return;
	tracee = fc_tracee_find(&tracer->tracees, tid);
	if (is_own_child(tid)) {
		tracee->has_traceme = true;
		tracee->call_stops = MOST_STOPS;
		tracee->awaited = FC_AWAITED_TRACEME;
		fc_hold_let_go(tracer, tracee);
		return;
	}
	say_untraced(tracer, tracee->process->pid);
	fc_detach_thread(tracer, tracee);
}

/*
 * The kernel refuses, since the thread is traced: by its parent, which is what it has asked
 * for. At a call's entry its result is -ENOSYS.
 */
void fc_rival_on_call(struct fc_tracee *tracee)
{
	struct fc_regs regs;
	if (fc_registers_read(tracee->tid, &regs) ||
	    fc_regs_get(&regs, FC_REG_CALL) != SYS_ptrace ||
	    fc_regs_get(&regs, FC_REG_ARG) != PTRACE_TRACEME ||
	    (int64_t)fc_regs_get(&regs, FC_REG_RESULT) != -EPERM)
		return;
	fc_regs_set(&regs, FC_REG_RESULT, 0);
	fc_registers_write(tracee->tid, &regs);
	tracee->call_stops = 0;
}

void fc_rival_attaches(struct fc_tracer *tracer, int asker, int tid)
{
	const struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	struct fc_process *process = tracee ? tracee->process : NULL;
	if (!process || process->pid == asker) /* nobody traces itself */
		return;
	int pid = process->pid;
	say_untraced(tracer, pid);
	if (fc_detach_one(tracer, process))
		fc_tracer_say(tracer, pid, "%s", fc_fail_text());
}

void fc_rival_is_inside(struct fc_tracer *tracer, int tid)
{
	int who = 0;
	fc_hold_all(tracer, PATIENCE_MS, &who);
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	bool is_there = tracee && !tracee->is_at_start; /* not of another program */
	const struct fc_process *process = is_there ? tracee->process : NULL;
	if (process) {
		fc_tracer_life(tracer, FC_LIFE_SAY, process->pid, tid, 0, 0,
			       "the program traces itself: births and programs that it "
			       "executes are not followed from here on");
		/* Its arena is drained until the end. */
		if (process->space) {
			fc_space_lend(process->space);
			fc_vec_push(&tracer->lent, fc_space_share(process->space));
		}
	}
	fc_auto_vec FC_VEC(int) tids = { 0 };
	fc_tracees_each (&tracer->tracees, t)
		if (process && t->is_held && t->process == process)
			fc_vec_push(&tids, t->tid);
	fc_vec_each (&tids, one)
		fc_detach_thread(tracer, fc_tracee_find(&tracer->tracees, *one));
	fc_release_all(tracer);
}
