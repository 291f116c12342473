/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracer: starts the program and follows it and its children by ptrace events, hooking
 * each program as it is executed. Between events the targets run; their calls reach the
 * drain without a stop.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "trace/clock.h"
#include "user/launch.h"
#include "user/tracee.h"

struct tracer {
	struct fc_shared shared;
	struct fc_tracees tracees;
	struct fc_launch launch;
	int first_pid;
	int wait_status;
	bool is_started; /* the first program was executed */
	bool is_ending;	 /* told to stop tracing: SIGTERM, SIGHUP */
	int error;	 /* of the first program's start */
	FC_VEC(char *) said;
};

static void life(struct tracer *tracer, int what, int pid, int tid, int other, int status,
		 const char *text)
{
	tracer->shared.tap->life(tracer->shared.tap, &(struct fc_life_info){
							     .life = what,
							     .pid = pid,
							     .tid = tid,
							     .other = other,
							     .status = status,
							     .tsc = fc_clock_tsc(),
							     .text = text ? text : "",
						     });
}

static void say_once(struct tracer *tracer, int pid, const char *sentence)
{
	fc_vec_each (&tracer->said, said)
		if (!strcmp(*said, sentence))
			return;
	fc_vec_push(&tracer->said, fc_strdup(sentence));
	fc_shared_say(&tracer->shared, pid, sentence);
}

static void resume(int tid, int sig)
{
	ptrace(PTRACE_CONT, tid, 0, sig);
}

/* ---- exec ---- */

static void warn_set_uid(struct tracer *tracer, int pid, const char *exe, const char *path)
{
	struct stat st;
	if (!geteuid() || stat(exe, &st))
		return;
	bool is_set = (st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
		      (st.st_mode & S_ISGID && st.st_gid != getegid());
	if (!is_set)
		return;
	fc_auto_free char *text =
		fc_asprintf("%s is set-uid: while traced it runs without its privileges", path);
	say_once(tracer, pid, text);
}

/* The thread group of tid runs a new program; tid is its leader now. */
static void on_exec(struct tracer *tracer, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	int pid = process->pid;
	if (process->space)
		fc_drain_gone(fc_space_arena(process->space), pid, 0);
	fc_tracee_keep_only(&tracer->tracees, process, pid);
	fc_space_put(process->space);
	process->space = NULL;

	char exe[64], path[4096];
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	ssize_t n = readlink(exe, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	life(tracer, FC_LIFE_EXEC, pid, pid, 0, 0, path);
	warn_set_uid(tracer, pid, exe, path);

	int err = tracer->is_ending ? -ECANCELED
				    : fc_space_create(&tracer->shared, pid, &process->space);
	if (pid == tracer->first_pid && !tracer->is_started) {
		tracer->is_started = true;
		if (err == -ENOTSUP) {
			/* Not a program for fctrace at all: better not run than not traced. */
			tracer->error = fc_fail(ENOEXEC, "%s", fc_fail_text());
			kill(pid, SIGKILL);
			return;
		}
	}
	if (err && err != -ECANCELED) {
		fc_auto_free char *text =
			fc_asprintf("%s runs untraced: %s", path, fc_fail_text());
		say_once(tracer, pid, text);
	}
}

/* ---- births and deaths ---- */

static bool is_thread_of(int pid, int tid)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/task/%d", pid, tid);
	return !access(name, F_OK);
}

static bool shares_memory(int pid, int child, int event)
{
	long same = syscall(SYS_kcmp, pid, child, KCMP_VM, 0, 0);
	return same < 0 ? event == PTRACE_EVENT_VFORK : same == 0;
}

static struct fc_space *space_of_child(struct fc_process *parent, int child, int event)
{
	if (!parent->space)
		return NULL;
	if (shares_memory(parent->pid, child, event))
		return fc_space_share(parent->space);
	return fc_space_fork(parent->space, child);
}

static void on_birth(struct tracer *tracer, struct fc_tracee *tracee, int event)
{
	unsigned long message = 0;
	if (ptrace(PTRACE_GETEVENTMSG, tracee->tid, 0, &message))
		return;
	int child = (int)message;
	struct fc_process *parent = tracee->process;
	struct fc_tracee *known = fc_tracee_find(&tracer->tracees, child);
	struct fc_process *process = parent;
	if (event == PTRACE_EVENT_CLONE && is_thread_of(parent->pid, child)) {
		life(tracer, FC_LIFE_THREAD_START, parent->pid, child, 0, 0, NULL);
	} else if (tracer->shared.opts->no_follow) {
		process = NULL; /* only clone() with a process' flags comes here: let go */
	} else {
		process = fc_process_add(&tracer->tracees, child,
					 space_of_child(parent, child, event));
		life(tracer, FC_LIFE_START, child, child, parent->pid, 0, NULL);
	}
	if (known && process) {
		/* It stopped before this event came. */
		known->process = process;
		process->nr_threads++;
		resume(child, 0);
	} else if (process) {
		fc_tracee_add(&tracer->tracees, child, process);
	} else if (known) {
		fc_tracee_remove(&tracer->tracees, child);
		ptrace(PTRACE_DETACH, child, 0, 0);
	}
}

static void on_death(struct tracer *tracer, struct fc_tracee *tracee, int status)
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
		fc_drain_gone(fc_space_arena(process->space), pid, is_leader ? 0 : tid);
	if (is_leader) {
		life(tracer, FC_LIFE_EXIT, pid, tid, 0, status, NULL);
		fc_process_remove(&tracer->tracees, process);
	} else {
		life(tracer, FC_LIFE_THREAD_EXIT, pid, tid, 0, status, NULL);
		fc_tracee_remove(&tracer->tracees, tid);
	}
	if (pid == tracer->first_pid && is_leader)
		tracer->wait_status = status;
}

/* ---- stops ---- */

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static void on_stop(struct tracer *tracer, int tid, int status)
{
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	int sig = WSTOPSIG(status), event = status >> 16;
	if (!tracee) {
		/* A child whose parent's event is still to come: it waits for that. */
		fc_tracee_add(&tracer->tracees, tid, NULL);
		return;
	}
	if (!tracee->process)
		return;
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		on_birth(tracer, tracee, event);
		resume(tid, 0);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(tracer, tracee);
		resume(tid, 0);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop_signal(sig))
			ptrace(PTRACE_LISTEN, tid, 0, 0); /* the whole group is stopped */
		else
			resume(tid, 0);
		break;
	case 0:
		resume(tid, sig);
		break;
	default:
		resume(tid, 0);
	}
}

static void on_status(struct tracer *tracer, int tid, int status)
{
	if (WIFSTOPPED(status)) {
		on_stop(tracer, tid, status);
		return;
	}
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee)
		on_death(tracer, tracee, status);
}

/* ---- letters ---- */

static void on_mail(struct tracer *tracer)
{
	struct fc_arena *arena;
	struct fca_mail *mail = fc_drain_mail(tracer->shared.drain, &arena);
	if (!mail)
		return;
	struct fc_process *process = tracer->tracees.first;
	for (; process; process = process->next)
		if (process->space && fc_space_arena(process->space) == arena &&
		    process->pid == mail->pid)
			break;
	if (process) {
		fc_space_update(process->space, mail);
		return;
	}
	/* Of a process that is not followed: it need not wait. */
	__atomic_store_n(&mail->state, FCA_MAIL_DONE, __ATOMIC_RELEASE);
}

/* ---- the loop ---- */

static void wait_all(struct tracer *tracer)
{
	int status, tid;
	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
		on_status(tracer, tid, status);
}

static void run(struct tracer *tracer, const sigset_t *signals)
{
	while (tracer->tracees.nr) {
		int sig = sigwaitinfo(signals, NULL);
		switch (sig) {
		case SIGUSR1:
			on_mail(tracer);
			break;
		case SIGTERM:
		case SIGHUP:
			tracer->is_ending = true;
			return;
		default:
			break; /* SIGINT and SIGQUIT are the program's business */
		}
		wait_all(tracer);
	}
}

/* Options of ptrace that make children traced from their first instruction. */
static unsigned long ptrace_options(const struct fc_user_opts *opts)
{
	unsigned long options =
		PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD;
	if (!opts->no_follow)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	return options;
}

static int trace(struct tracer *tracer, const char *path, char *const *argv)
{
	const struct fc_user_opts *opts = tracer->shared.opts;
	static const int mine[] = { SIGCHLD, SIGUSR1, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t signals, old;
	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(mine) / sizeof(mine[0]); i++)
		sigaddset(&signals, mine[i]);
	sigprocmask(SIG_BLOCK, &signals, &old);

	int err = fc_launch_start(&tracer->launch, path, argv, &old, ptrace_options(opts));
	if (err)
		return err;
	int pid = tracer->launch.pid;
	tracer->first_pid = tracer->shared.first_pid = pid;
	err = fc_drain_start(tracer->shared.tap, &tracer->shared.drain);
	if (err) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
		return err;
	}
	struct fc_process *process = fc_process_add(&tracer->tracees, pid, NULL);
	fc_tracee_add(&tracer->tracees, pid, process);
	life(tracer, FC_LIFE_START, pid, pid, 0, 0, NULL);
	run(tracer, &signals);
	if (tracer->is_ending)
		fc_drain_mute(tracer->shared.drain);
	fc_tracees_deinit(&tracer->tracees);
	fc_drain_stop(tracer->shared.drain); /* the tap keeps its own error */
	if (!tracer->is_started && !tracer->is_ending)
		err = fc_launch_error(&tracer->launch, path);
	else
		close(tracer->launch.error_fd);
	return err ? err : tracer->error;
}

int fc_user_run(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		int *wait_status)
{
	fc_auto_free char *path = NULL;
	int err = fc_user_find_program(argv[0], &path);
	if (err)
		return err;
	struct tracer tracer = {
		.shared = { .opts = opts,
			    .tap = tap,
			    .modules = { .next_func = 1, .tap = tap } },
	};
	err = trace(&tracer, path, argv);
	*wait_status = tracer.wait_status;
	fc_modules_deinit(&tracer.shared.modules);
	fc_vec_each (&tracer.said, said)
		free(*said);
	fc_vec_free(&tracer.said);
	return err;
}
