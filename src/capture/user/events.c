/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - takes what ptrace reports of the threads, and does what each event asks for. */
#include "capture/user/events.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/crash.h"
#include "capture/target/dispatch.h"
#include "capture/target/interrupted.h"
#include "capture/target/status.h"
#include "capture/user/arrivals.h"
#include "capture/user/call_stops.h"
#include "capture/user/comms.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"
#include "capture/user/execs.h"
#include "capture/user/throttle.h"
#include "capture/user/session.h"
#include "capture/user/dying.h"
#include "capture/user/moved.h"
#include "capture/user/unmove.h"

enum { SIGTRAP_OF_CALL = SIGTRAP | 0x80 /* PTRACE_O_TRACESYSGOOD */ };

/* ---- births and deaths ---- */

static void tell(void *ctx, int what, int pid, int tid, int other, int status, const char *text)
{
	fc_tracer_life(ctx, what, pid, tid, other, status, text);
	if (what == FC_LIFE_THREAD_START)
		fc_comms_expect(ctx);
}

/* Hooks find in memory what they need; whether it stands on its parent's stack (vfork) they do not. */
static bool waits(void *ctx, const struct fc_birth *birth)
{
	(void)ctx;
	return !birth->is_thread && birth->parent->space && birth->has_parents_memory;
}

static struct fc_space *space_of_child(struct fc_tracer *tracer, const struct fc_birth *birth)
{
	struct fc_space *parents = birth->parent ? birth->parent->space : NULL;
	if (!parents)
		return NULL;
	if (birth->has_parents_memory)
		return fc_space_share(parents);
	struct fc_space *space = fc_space_fork(parents, birth->child->tid);
	if (space && tracer->throttle)
		fc_throttle_forked(tracer->throttle, space);
	return space;
}

/*
 * Who has the same memory may not begin with its maker's strand: its stack is its own, or its
 * calls are (vfork).
 */
static void born(void *ctx, const struct fc_birth *birth)
{
	struct fc_tracee *child = birth->child;
	struct fc_process *process = child->process, *parent = birth->parent;
	/* Whose memory it has may not have been known yet when it began. */
	if (process && !process->space && !birth->is_thread)
		process->space = space_of_child(ctx, birth);
	if (birth->is_late)
		return;
	if (birth->has_parents_memory && parent->space)
		child->root = fc_space_root(parent->space);
	if (process)
		fc_space_born(process->space, process->pid, child->tid);
}

/*
 * In a stop by PTRACE_INTERRUPT, at a thread's birth or with its group: between two
 * instructions of its program, or about to make a system call again.
 */
static void on_rest(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig)
{
	bool is_stopped = fc_suspend_rest(&tracer->job, tracee, sig);
	bool is_to_stay = tracer->is_holding || tracee->is_to_rest;
	/* What a signal is on its way to tell of must not change: it rests when that is delivered. */
	bool is_early = !is_stopped && fc_dispatch_is_coming(tracee->tid);
	if (is_to_stay && !is_early) {
		tracee->is_held = true;
	} else {
		fc_hold_let_go(tracer, tracee);
	}
}

static void go(void *ctx, struct fc_tracee *child)
{
	struct fc_tracer *tracer = ctx;
	if (child->root)
		fc_space_begin_thread(child->process->space, child->tid, child->root);
	if (child->process)
		fc_wells_born(tracer->shared.opts->wells, child->tid);
	on_rest(tracer, child, 0);
}

static void let_go(void *ctx, struct fc_tracee *child)
{
	if (child->root)
		fc_space_begin_thread(NULL, child->tid, child->root);
	fc_detach_thread(ctx, child);
}

static int ended(void *ctx, struct fc_process *process, int tid)
{
	struct fc_tracer *tracer = ctx;
	if (tracer->throttle && !tid)
		fc_throttle_gone(tracer->throttle, process);
	return process->space &&
	       fc_drain_gone(tracer->shared.drain, fc_space_arena(process->space), process->pid,
			     tid);
}

const struct fc_lives_does fc_events_lives = {
	.tell = tell,
	.waits = waits,
	.born = born,
	.go = go,
	.let_go = let_go,
	.ended = ended,
};

static bool is_crash(int status)
{
	return WIFSIGNALED(status) && fc_dying_is_core(WTERMSIG(status));
}

/* ---- stops ---- */

static bool is_fault(int sig)
{
	return fc_is_fault(sig) || sig == SIGSYS;
}

static void on_signal(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig)
{
	if (sigismember(&tracer->shared.opts->dump_on.signals, sig) == 1)
		fc_tracer_dump(tracer, "SIG%s came to process %d", sigabbrev_np(sig),
			       tracee->process->pid);
	fc_arrivals_tell(tracer, tracee, sig);
	fc_suspend_signal(&tracer->job, tracee, sig);
	if (fc_dying_add(tracer, tracee, sig))
		return;
	if (is_fault(sig) && fc_moved_add(tracer, tracee, sig))
		return;
	if (is_fault(sig))
		fc_moved_place(tracee);
	fc_interrupted_by_signal(tracee, sig);
	fc_hold_go_on(tracer, tracee, sig);
}

static void on_stop(struct fc_tracer *tracer, int tid, int status)
{
	struct fc_tracee *tracee = fc_lives_stopped(&tracer->lives, tid, status);
	int sig = WSTOPSIG(status), event = status >> 16;
	if (!tracee)
		return;
	if (tracee->process && tracee->process->is_dying && !tracer->is_holding &&
	    !tracer->dying.nr && event != PTRACE_EVENT_STOP)
		fc_dying_revive(tracer, tracee->process);
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		fc_lives_told(&tracer->lives, tracee, event);
		fc_hold_go_on(tracer, tracee, 0);
		break;
	case PTRACE_EVENT_EXEC:
		tracee->deadly = 0; /* of the thread that had its id */
		fc_execs_add(tracer, tracee);
		break;
	case PTRACE_EVENT_STOP:
		on_rest(tracer, tracee, sig);
		break;
	case 0:
		if (sig == SIGTRAP_OF_CALL) {
			fc_call_stops_take(tracer, tracee);
			fc_hold_go_on(tracer, tracee, 0);
			break;
		}
		on_signal(tracer, tracee, sig);
		break;
	default:
		fc_hold_go_on(tracer, tracee, 0);
	}
}

static void handle(struct fc_tracer *tracer, int tid, int status)
{
	if (WIFSTOPPED(status)) {
		on_stop(tracer, tid, status);
		return;
	}
	/* Traced or not: it is a child. */
	if (tid == tracer->first_pid)
		tracer->wait_status = status;
	if (fc_lives_ended(&tracer->lives, tid, status) && is_crash(status))
		fc_tracer_dump(tracer, "process %d was killed by SIG%s", tid,
			       sigabbrev_np(WTERMSIG(status)));
}

/* ---- the wait ---- */

/* A signal on its way to a thread that nothing else is done with than to pass it on. */
static bool is_passing(struct fc_tracer *tracer, const siginfo_t *info)
{
	int sig = info->si_status;
	/* Events and system calls have more in it than a signal. */
	if (info->si_code != CLD_TRAPPED || sig <= 0 || sig >= SIGTRAP_OF_CALL ||
	    (fc_dying_is_core(sig) && sig != SIGSYS) ||
	    sigismember(&tracer->shared.opts->dump_on.signals, sig) == 1)
		return false;
	const struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, info->si_pid);
	return tracee && tracee->process && tracee->first == FC_FIRST_NONE &&
	       !tracee->process->is_dying;
}

/*
 * From the moment that a signal has been waited for it is the tracer's: were fctrace killed before it passed
 * it on, the kernel would drop it. So it is looked at, and passed on, without a wait for it.
 */
static void pass(struct fc_tracer *tracer, siginfo_t *info)
{
	int tid = info->si_pid;
	handle(tracer, tid, W_STOPCODE(info->si_status));
	const struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee && tracee->deadly) /* it stays where it is */
		waitid(P_PID, (id_t)tid, info, WSTOPPED | WNOHANG | __WALL);
}

static bool take_one(struct fc_tracer *tracer)
{
	siginfo_t info = { 0 };
	int status;
	if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) ||
	    !info.si_pid)
		return false;
	if (is_passing(tracer, &info))
		pass(tracer, &info);
	else if (waitpid(info.si_pid, &status, __WALL | WNOHANG) > 0)
		handle(tracer, info.si_pid, status);
	return true;
}

bool fc_events_take(struct fc_tracer *tracer)
{
	do
		errno = 0;
	while (take_one(tracer));
	return errno != ECHILD;
}

/* Nothing is held, as it may be where others take events. */
static bool take_first(struct fc_tracer *tracer)
{
	tracer->is_serving = true;
	bool ret = fc_events_take(tracer);
	tracer->is_serving = false;
	return ret;
}

/* What has happened while a program was hooked is known before the next is. */
bool fc_events_serve(struct fc_tracer *tracer)
{
	bool is_any = take_first(tracer);
	while (fc_execs_start(tracer) || fc_dying_serve(tracer) || fc_unmove_serve(tracer))
		is_any = take_first(tracer);
	return is_any;
}
