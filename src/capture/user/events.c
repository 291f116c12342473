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

static void adopt(void *ctx, struct fc_tracee *tracee);

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

/* The thread group of tid runs a new program; tid is its leader now. */
static void on_exec(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	int pid = process->pid;
	if (process->space)
		fc_drain_gone(tracer->shared.drain, fc_space_arena(process->space), pid, 0);
	fc_tracee_keep_only(&tracer->tracees, process, pid);
	tracee->call_stops = 0;
	fc_space_put(process->space);
	process->space = NULL;
	process->cave = 0;
	if (tracer->throttle)
		fc_throttle_left(tracer->throttle, process);
	fc_tracees_each_parked(&tracer->tracees, adopt, tracer);

	char path[FC_EXE_PATH];
	fc_exe_path(pid, path);
	fc_tracer_life(tracer, FC_LIFE_EXEC, pid, pid, 0, 0, path);
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

static struct fc_space *space_of_child(struct fc_tracer *tracer, struct fc_process *parent,
				       int child, int event)
{
	if (!parent->space)
		return NULL;
	if (fc_shares_memory(parent->pid, child, event))
		return fc_space_share(parent->space);
	struct fc_space *space = fc_space_fork(parent->space, child);
	if (space && tracer->throttle)
		fc_throttle_forked(tracer->throttle, space);
	return space;
}

static struct fc_process *add_process(struct fc_tracer *tracer, struct fc_process *parent,
				      int child, int event)
{
	struct fc_process *process = fc_process_add(&tracer->tracees, child);
	process->space = parent ? space_of_child(tracer, parent, child, event) : NULL;
	fc_space_born(process->space, child, child);
	fc_tracer_life(tracer, FC_LIFE_START, child, child, parent ? parent->pid : 0, 0, NULL);
	return process;
}

/* A thread that is new: its process, made if need be. NULL: it is not to be followed. */
static struct fc_process *process_of_new(struct fc_tracer *tracer, struct fc_process *parent,
					 int child, int event)
{
	if (event == PTRACE_EVENT_CLONE && fc_is_thread_of(parent->pid, child)) {
		fc_tracer_life(tracer, FC_LIFE_THREAD_START, parent->pid, child, 0, 0, NULL);
		fc_space_born(parent->space, parent->pid, child);
		return parent;
	}
	return tracer->shared.opts->no_follow ? NULL
					      : add_process(tracer, parent, child, event);
}

/*
 * Who has the same memory may not begin with its maker's strand: its stack is its own, or its
 * calls are (vfork).
 */
static void expect_first_stop(struct fc_tracee *tracee, struct fc_process *parent, int event)
{
	bool is_same = parent->space && (tracee->process == parent ||
					 fc_shares_memory(parent->pid, tracee->tid, event));
	tracee->root = is_same ? fc_space_root(parent->space) : 0;
	tracee->first = tracee->process ? FC_FIRST_GO : FC_FIRST_DETACH;
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

/* What is to be done at the first stop, and on from there. */
static void leave_first_stop(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	int tid = tracee->tid;
	enum fc_first_stop first = tracee->first;
	tracee->first = FC_FIRST_NONE;
	if (tracee->root)
		fc_space_begin_thread(tracee->process ? tracee->process->space : NULL, tid,
				      tracee->root);
	if (first == FC_FIRST_DETACH) {
		fc_tracee_remove(&tracer->tracees, tid);
		ptrace(PTRACE_DETACH, tid, 0, 0);
	} else {
		on_rest(tracer, tracee, 0);
	}
}

/* False: it was adopted, and has ended or was let go since. */
static bool is_traced(int tid)
{
	siginfo_t info;
	return !waitid(P_PID, tid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL);
}

static void on_birth(struct fc_tracer *tracer, struct fc_tracee *tracee, int event)
{
	unsigned long message = 0;
	if (ptrace(PTRACE_GETEVENTMSG, tracee->tid, 0, &message))
		return;
	int child = (int)message;
	struct fc_process *parent = tracee->process;
	struct fc_tracee *known = fc_tracee_find(&tracer->tracees, child);
	if (known && known->process) {
		/* Adopted already; whose memory it has may not have been known then. */
		if (!known->process->space && known->process->pid == child)
			known->process->space = space_of_child(tracer, parent, child, event);
		return;
	}
	if (!known && !is_traced(child))
		return;
	struct fc_process *process = process_of_new(tracer, parent, child, event);
	if (!known) {
		known = fc_tracee_add(&tracer->tracees, child, process);
		expect_first_stop(known, parent, event);
		return;
	}
	/* It stopped before this event came. */
	if (process)
		fc_tracee_enter(known, process);
	expect_first_stop(known, parent, event);
	leave_first_stop(tracer, known);
}

/* ---- threads whose maker may never tell of them: it may have been killed ---- */

/*
 * Let a parked thread go on, as one of its process or of a process of its own. It stays if
 * its parent is there to tell more: whether it stands on the parent's stack (vfork).
 */
static void adopt(void *ctx, struct fc_tracee *tracee)
{
	struct fc_tracer *tracer = ctx;
	struct fc_status status;
	int tid = tracee->tid;
	fc_status_read(tid, &status);
	struct fc_process *process = fc_process_find(&tracer->tracees, status.tgid);
	struct fc_process *parent = fc_process_find(&tracer->tracees, status.ppid);
	if (process && status.tgid != tid) {
		fc_tracer_life(tracer, FC_LIFE_THREAD_START, status.tgid, tid, 0, 0, NULL);
		fc_space_born(process->space, status.tgid, tid);
		tracee->root = process->space ? fc_space_root(process->space) : 0;
	} else if (parent && parent->space && fc_shares_memory(parent->pid, tid, 0)) {
		return;
	} else if (tracer->shared.opts->no_follow) {
		tracee->first = FC_FIRST_DETACH;
	} else {
		process = add_process(tracer, parent, tid, 0);
	}
	if (process)
		fc_tracee_enter(tracee, process);
	leave_first_stop(tracer, tracee);
}

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

static void on_death(struct fc_tracer *tracer, struct fc_tracee *tracee, int status)
{
	int tid = tracee->tid;
	struct fc_process *process = tracee->process;
	if (!process) {
		fc_tracee_remove(&tracer->tracees, tid);
		return;
	}
	int pid = process->pid;
	bool is_leader = tid == pid;
	if (process->space)
		fc_drain_gone(tracer->shared.drain, fc_space_arena(process->space), pid,
			      is_leader ? 0 : tid);
	if (is_leader) {
		fc_tracer_life(tracer, FC_LIFE_EXIT, pid, tid, 0, status, NULL);
		if (tracer->throttle)
			fc_throttle_gone(tracer->throttle, process);
		fc_process_remove(&tracer->tracees, process);
		/* It may have been what they wait for. */
		fc_tracees_each_parked(&tracer->tracees, adopt, tracer);
	} else {
		fc_tracer_life(tracer, FC_LIFE_THREAD_EXIT, pid, tid, 0, status, NULL);
		/* Its leader may have been let go, and traced by another. */
		fc_tracee_leave(&tracer->tracees, tracee);
	}
	if (pid == tracer->first_pid && is_leader)
		tracer->wait_status = status;
	if (is_leader && is_crash(status))
		fc_tracer_dump(tracer, "process %d was killed by SIG%s", pid,
			       sigabbrev_np(WTERMSIG(status)));
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
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	int sig = WSTOPSIG(status), event = status >> 16;
	if (!tracee) {
		/* The first stop of a thread that is traced from its birth is of that kind. */
		if (event == PTRACE_EVENT_STOP)
			adopt(tracer, fc_tracee_add(&tracer->tracees, tid, NULL));
		else
			fc_rival_let_go(tid, sig);
		return;
	}
	if (tracee->first != FC_FIRST_NONE) {
		leave_first_stop(tracer, tracee);
		return;
	}
	if (!tracee->process)
		return;
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		on_birth(tracer, tracee, event);
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
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee)
		on_death(tracer, tracee, status);
	else if (tid == tracer->first_pid)
		tracer->wait_status = status; /* a child, no longer traced */
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
