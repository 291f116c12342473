/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/events.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/hook/fault.h"
#include "capture/target/exe.h"
#include "capture/target/status.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"
#include "capture/user/quiet.h"
#include "capture/user/rival.h"
#include "capture/user/throttle.h"
#include "capture/user/session.h"
#include "capture/user/watches.h"
#include "trace/clock.h"

/* Let it run; when all are to be held it comes no further than to where it can rest. */
static void resume(struct fc_tracer *tracer, int tid, int sig)
{
	const struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracer->is_holding)
		ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	ptrace(tracee ? fc_hold_request(tracee) : PTRACE_CONT, tid, 0, sig);
}

/* ---- exec ---- */

static void warn_set_uid(struct fc_tracer *tracer, int pid, const char *path)
{
	struct stat st;
	if (!geteuid() || stat(fc_exe_link(pid).text, &st))
		return;
	bool is_set = (st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
		      (st.st_mode & S_ISGID && st.st_gid != getegid());
	if (!is_set)
		return;
	fc_auto_free char *text =
		fc_asprintf("%s is set-uid: while traced it runs without its privileges", path);
	fc_tracer_say(tracer, pid, text);
}

/* A stopped thread that does not answer is being killed: its status is still to come. */
static bool is_dying(int tid)
{
	unsigned long message;
	return ptrace(PTRACE_GETEVENTMSG, tid, 0, &message) && errno == ESRCH;
}

/* The agent could not be put into the program. */
static void on_untraced(struct fc_tracer *tracer, int pid, const char *path)
{
	if (is_dying(pid))
		return;
	fc_auto_free char *text = fc_asprintf("%s runs untraced: %s", path, fc_fail_text());
	fc_tracer_say(tracer, pid, text);
}

/* Tracing may be about to end, or a budget not allow for it. */
static bool may_hook(struct fc_tracer *tracer, struct fc_process *process, const char *path)
{
	int pid = process->pid;
	struct fc_throttle *throttle = tracer->throttle;
	if (tracer->is_ending)
		return false;
	/* What was asked for is traced, whatever it takes. */
	if (!throttle || pid == tracer->first_pid || fc_throttle_allows(throttle, process))
		return true;
	fc_auto_free char *text = fc_asprintf(
		"%s: some of its processes run untraced, for the budget: to hook them takes "
		"too long",
		path);
	fc_tracer_say(tracer, pid, text);
	return false;
}

static int hook(struct fc_tracer *tracer, struct fc_process *process)
{
	uint64_t begin_ns = fc_clock_mono_ns();
	int err = fc_space_create(&tracer->shared, process->pid, &process->space);
	if (tracer->throttle)
		fc_throttle_took(tracer->throttle, process, fc_clock_mono_ns() - begin_ns);
	if (!err)
		fc_space_born(process->space, process->pid, process->pid);
	return err;
}

/* The thread group runs a new program; tracee is its leader now. */
static void on_exec(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	int pid = process->pid;
	char path[FC_EXE_PATH];
	if (process->space)
		fc_drain_gone(tracer->shared.drain, fc_space_arena(process->space), pid, 0);
	if (tracer->throttle)
		fc_throttle_left(tracer->throttle, process);
	fc_lives_exec(&tracer->lives, tracee, path);
	warn_set_uid(tracer, pid, path);

	int err = may_hook(tracer, process, path) ? hook(tracer, process) : -ECANCELED;
	if (pid == tracer->first_pid && !tracer->is_started) {
		tracer->is_started = true;
		if (err == -ENOTSUP) {
			/* Not a program for fctrace at all: better not run than not traced. */
			tracer->error = fc_fail(ENOEXEC, "%s", fc_fail_text());
			kill(pid, SIGKILL);
			return;
		}
	}
	if (err && err != -ECANCELED)
		on_untraced(tracer, pid, path);
	else if (!err)
		fc_watches_say_missing(tracer, process);
}

/* ---- births and deaths ---- */

static void tell(void *ctx, int what, int pid, int tid, int other, int status, const char *text)
{
	fc_tracer_life(ctx, what, pid, tid, other, status, text);
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
	bool was_group_stopped = tracee->is_group_stopped;
	tracee->is_group_stopped = fc_is_stop_signal(sig);
	if (!was_group_stopped && !tracee->is_group_stopped)
		fc_hold_keep_call(tracee->tid);
	if (tracer->is_holding || tracee->is_to_rest) {
		tracee->is_held = true;
	} else {
		fc_hold_let_go(tracee);
	}
}

static void go(void *ctx, struct fc_tracee *child)
{
	if (child->root)
		fc_space_begin_thread(child->process->space, child->tid, child->root);
	on_rest(ctx, child, 0);
}

static void let_go(void *ctx, struct fc_tracee *child)
{
	if (child->root)
		fc_space_begin_thread(NULL, child->tid, child->root);
	fc_detach_thread(ctx, child);
}

static void ended(void *ctx, struct fc_process *process, int tid)
{
	struct fc_tracer *tracer = ctx;
	if (process->space)
		fc_drain_gone(tracer->shared.drain, fc_space_arena(process->space),
			      process->pid, tid);
	if (tracer->throttle && !tid)
		fc_throttle_gone(tracer->throttle, process);
}

const struct fc_lives_does fc_events_lives = {
	.tell = tell,
	.waits = waits,
	.born = born,
	.go = go,
	.let_go = let_go,
	.ended = ended,
};

/* Signals whose default is to dump core (signal(7)). */
static bool is_crash(int status)
{
	static const int signals[] = { SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE,
				       SIGSEGV, SIGBUS, SIGSYS,	 SIGXCPU, SIGXFSZ };
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == signals[i])
			return true;
	return false;
}

/* ---- stops ---- */

/* At the entry or the end of a system call. */
static void on_call(struct fc_tracee *tracee)
{
	if (!tracee->call_stops)
		return;
	tracee->call_stops--;
	if (tracee->awaited == FC_AWAITED_FILTER)
		fc_quiet_on_call(tracee);
	else
		fc_rival_on_call(tracee);
}

static void on_stop(struct fc_tracer *tracer, int tid, int status)
{
	struct fc_tracee *tracee = fc_lives_stopped(&tracer->lives, tid, status);
	int sig = WSTOPSIG(status), event = status >> 16;
	if (!tracee)
		return;
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		fc_lives_told(&tracer->lives, tracee, event);
		resume(tracer, tid, 0);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(tracer, tracee);
		resume(tracer, tid, 0);
		break;
	case PTRACE_EVENT_STOP:
		on_rest(tracer, tracee, sig);
		break;
	case 0:
		if (sig == (SIGTRAP | 0x80)) { /* PTRACE_O_TRACESYSGOOD */
			on_call(tracee);
			resume(tracer, tid, 0);
			break;
		}
		if (sig == SIGSEGV || sig == SIGBUS)
			fc_fault_place(tracee->process->space, tid);
		if (sigismember(&tracer->shared.opts->dump_on.signals, sig) == 1)
			fc_tracer_dump(tracer, "SIG%s came to process %d", sigabbrev_np(sig),
				       tracee->process->pid);
		resume(tracer, tid, sig);
		break;
	default:
		resume(tracer, tid, 0);
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

/* False: nothing is left to be waited for. */
bool fc_events_wait(struct fc_tracer *tracer)
{
	int status, tid;
	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
		handle(tracer, tid, status);
	return tid == 0 || errno != ECHILD;
}
