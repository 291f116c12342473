/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/execs.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "capture/target/exe.h"
#include "capture/user/call_stops.h"
#include "capture/user/hold.h"
#include "capture/user/throttle.h"
#include "capture/user/watches.h"

static void warn_set_uid(struct fc_tracer *tracer, int pid, const char *path)
{
	struct stat st;
	if (!geteuid() || stat(fc_exe_link(pid).text, &st))
		return;
	bool is_set = (st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
		      (st.st_mode & S_ISGID && st.st_gid != getegid());
	if (!is_set)
		return;
	fc_tracer_say(tracer, pid, "%s is set-uid: while traced it runs without its privileges",
		      path);
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
	if (!is_dying(pid))
		fc_tracer_say(tracer, pid, "%s runs untraced: %s", path, fc_fail_text());
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
	fc_tracer_say(tracer, pid,
		      "%s: some of its processes run untraced, for the budget: to hook them "
		      "takes too long",
		      path);
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

/* False: it is not to run at all. */
static bool hook_new(struct fc_tracer *tracer, struct fc_process *process)
{
	int pid = process->pid;
	char path[FC_EXE_PATH];
	fc_exe_path(pid, path);
	int err = may_hook(tracer, process, path) ? hook(tracer, process) : -ECANCELED;
	bool is_first = pid == tracer->first_pid && !tracer->is_started;
	tracer->is_started |= is_first;
	if (is_first && err == -ENOTSUP) {
		/* Not a program for fctrace at all: better not run than not traced. */
		tracer->error = fc_fail(ENOEXEC, "%s", fc_fail_text());
		return false;
	}
	if (err && err != -ECANCELED)
		on_untraced(tracer, pid, path);
	else if (!err)
		fc_watches_say_missing(tracer, process);
	if (is_first)
		fc_call_stops_follow(tracer, fc_tracee_find(&tracer->tracees, pid));
	return true;
}

static void start(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	if (!hook_new(tracer, tracee->process))
		kill(tracee->tid, SIGKILL);
	tracee->is_at_start = false;
	fc_hold_go_on(tracer, tracee, 0);
}

void fc_execs_add(struct fc_tracer *tracer, struct fc_tracee *tracee)
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
	tracee->is_at_start = true;
	if (tracer->is_ending) /* it is not hooked any more, and may be held */
		start(tracer, tracee);
	else
		fc_vec_push(&tracer->executed, pid);
}

bool fc_execs_start(struct fc_tracer *tracer)
{
	if (!tracer->executed.nr)
		return false;
	assert(!tracer->is_holding);
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tracer->executed.at[0]);
	tracer->executed.nr--;
	memmove(tracer->executed.at, tracer->executed.at + 1,
		tracer->executed.nr * sizeof(*tracer->executed.at));
	/* It may have been killed, or let go. */
	if (tracee && tracee->is_at_start)
		start(tracer, tracee);
	return true;
}
