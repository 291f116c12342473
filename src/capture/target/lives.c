/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/lives.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "capture/target/status.h"
#include "trace/source.h"

/* ---- births ---- */

static void begin(struct fc_lives *lives, struct fc_birth *birth)
{
	struct fc_tracee *child = birth->child;
	int ppid = birth->parent ? birth->parent->pid : 0;
	if (birth->is_thread)
		fc_tracee_enter(child, birth->parent);
	else if (!lives->no_follow)
		fc_tracee_enter(child, fc_process_add(lives->tracees, child->tid));
	child->first = child->process ? FC_FIRST_GO : FC_FIRST_DETACH;
	if (birth->is_thread)
		lives->does->tell(lives->ctx, FC_LIFE_THREAD_START, ppid, child->tid, 0, 0,
				  NULL);
	else if (child->process)
		lives->does->tell(lives->ctx, FC_LIFE_START, child->tid, child->tid, ppid, 0,
				  NULL);
	lives->does->born(lives->ctx, birth);
}

static void leave_first_stop(struct fc_lives *lives, struct fc_tracee *child)
{
	enum fc_first_stop first = child->first;
	child->first = FC_FIRST_NONE;
	if (first == FC_FIRST_DETACH)
		lives->does->let_go(lives->ctx, child);
	else
		lives->does->go(lives->ctx, child);
}

static void adopt(struct fc_lives *lives, struct fc_birth *birth)
{
	begin(lives, birth);
	leave_first_stop(lives, birth->child);
}

/* A new thread stops, of which its maker has not told. */
static void on_foundling(struct fc_lives *lives, struct fc_tracee *child)
{
	struct fc_status status;
	if (!fc_status_read(child->tid, &status))
		return;
	bool is_thread = status.tgid != child->tid;
	struct fc_process *parent =
		fc_process_find(lives->tracees, is_thread ? status.tgid : status.ppid);
	struct fc_birth birth = {
		.child = child,
		.parent = parent,
		.is_thread = is_thread && parent,
		.has_parents_memory =
			parent && (is_thread || fc_shares_memory(parent->pid, child->tid, 0)),
	};
	if (parent && lives->does->waits(lives->ctx, &birth))
		child->maker_pid = parent->pid;
	else
		adopt(lives, &birth);
}

static struct fc_tracee *find_parked(const struct fc_tracees *tracees, int pid)
{
	fc_tracees_each (tracees, t)
		if (fc_tracee_is_parked(t) && (!pid || t->maker_pid == pid))
			return t;
	return NULL;
}

void fc_lives_adopt(struct fc_lives *lives, int pid)
{
	struct fc_tracee *child;
	while ((child = find_parked(lives->tracees, pid))) {
		struct fc_process *parent = fc_process_find(lives->tracees, child->maker_pid);
		struct fc_birth birth = {
			.child = child,
			.parent = parent,
			.is_thread = parent && fc_is_thread_of(parent->pid, child->tid),
		};
		adopt(lives, &birth);
	}
}

/* False: it was adopted, and has ended or was let go since. */
static bool is_traced(int tid)
{
	siginfo_t info;
	return !waitid(P_PID, tid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL);
}

void fc_lives_told(struct fc_lives *lives, struct fc_tracee *maker, int event)
{
	unsigned long message = 0;
	if (ptrace(PTRACE_GETEVENTMSG, maker->tid, 0, &message))
		return;
	int tid = (int)message, pid = maker->process->pid;
	struct fc_tracee *known = fc_tracee_find(lives->tracees, tid);
	if (!known && !is_traced(tid))
		return;
	bool is_thread = event == PTRACE_EVENT_CLONE && fc_is_thread_of(pid, tid);
	struct fc_birth birth = {
		.child = known ? known : fc_tracee_add(lives->tracees, tid, NULL),
		.parent = maker->process,
		.maker = maker,
		.is_thread = is_thread,
		.has_parents_memory = is_thread || fc_shares_memory(pid, tid, event),
		.is_late = known && known->process,
	};
	if (birth.is_late)
		lives->does->born(lives->ctx, &birth);
	else if (known)
		adopt(lives, &birth);
	else
		begin(lives, &birth);
}

/*
 * A child that was let go and then asked for its parent, which is this process (PTRACE_TRACEME): it
 * goes on without a tracer.
 */
static void let_stranger_go(int tid, int sig)
{
	siginfo_t info;
	/* Of a program that was executed; and a stop of its group goes on without being sent. */
	bool is_none = ptrace(PTRACE_GETSIGINFO, tid, 0, &info) ||
		       (sig == SIGTRAP && info.si_code == SI_USER);
	ptrace(PTRACE_DETACH, tid, 0, is_none ? 0 : sig);
}

struct fc_tracee *fc_lives_stopped(struct fc_lives *lives, int tid, int status)
{
	struct fc_tracee *tracee = fc_tracee_find(lives->tracees, tid);
	if (tracee && tracee->first == FC_FIRST_NONE)
		return fc_tracee_is_parked(tracee) ? NULL : tracee;
	if (tracee)
		leave_first_stop(lives, tracee);
	/* The first stop of a thread that is traced from its birth is of that kind. */
	else if (status >> 16 == PTRACE_EVENT_STOP)
		on_foundling(lives, fc_tracee_add(lives->tracees, tid, NULL));
	else
		let_stranger_go(tid, WSTOPSIG(status));
	return NULL;
}

/* ---- execs and deaths ---- */

void fc_lives_exec(struct fc_lives *lives, struct fc_tracee *tracee, char path[FC_EXE_PATH])
{
	int pid = tracee->tid;
	fc_lives_adopt(lives, pid);
	fc_process_renew(lives->tracees, tracee);
	fc_exe_path(pid, path);
	lives->does->tell(lives->ctx, FC_LIFE_EXEC, pid, pid, 0, 0, path);
}

bool fc_lives_ended(struct fc_lives *lives, int tid, int status)
{
	const struct fc_lives_does *does = lives->does;
	struct fc_tracee *tracee = fc_tracee_find(lives->tracees, tid);
	struct fc_process *process = tracee ? tracee->process : NULL;
	int pid = process ? process->pid : 0;
	bool is_leader = pid == tid;
	int other = process && does->ended
			    ? does->ended(lives->ctx, process, is_leader ? 0 : tid)
			    : 0;
	if (is_leader) {
		fc_lives_adopt(lives, pid);
		fc_process_remove(lives->tracees, process);
	} else if (tracee) {
		/* Its leader may have been let go, and traced by another. */
		fc_tracee_leave(lives->tracees, tracee);
	}
	if (pid)
		does->tell(lives->ctx, is_leader ? FC_LIFE_EXIT : FC_LIFE_THREAD_EXIT, pid, tid,
			   other, status, NULL);
	return is_leader;
}
