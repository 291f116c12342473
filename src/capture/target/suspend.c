/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/suspend.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "capture/target/interrupted.h"
#include "capture/target/status.h"
#include "capture/target/foreground.h"
#include "capture/target/waker.h"
#include "trace/clock.h"

enum {
	/* For a signal to come to all of a job, and for their handlers to end. */
	SETTLE_NS = 100 * 1000 * 1000,
};

static const int stops[] = { SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT };

/* ---- fctrace's own signals ---- */

void fc_suspend_signals(bool is_attached, sigset_t *set)
{
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		sigaddset(set, stops[i]);
	if (!is_attached && fc_foreground_stops_others())
		sigdelset(set, SIGTTOU);
}

void fc_suspend_end(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		sigaddset(&set, stops[i]);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static sigset_t only(int sig)
{
	sigset_t ret;
	sigemptyset(&ret);
	sigaddset(&ret, sig);
	return ret;
}

static bool take_pending(int sig, siginfo_t *info)
{
	sigset_t set = only(sig);
	return sigtimedwait(&set, info, &(struct timespec){ 0 }) == sig;
}

void fc_suspend_self(int sig)
{
	siginfo_t info;
	sigset_t set = only(sig), before;
	while (take_pending(sig, &info))
		; /* the terminal's: once is enough */
	sigprocmask(SIG_UNBLOCK, &set, &before);
	raise(sig);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- whose stop it is ---- */

static int sender_of(const siginfo_t *info)
{
	return info->si_code <= 0 ? info->si_pid : 0;
}

static bool is_of_job(int pid)
{
	return pid > 0 && getpgid(pid) == getpgrp();
}

/* Does a shell take fctrace and the program for one job? */
static bool has_job(const struct fc_job *job)
{
	if (job->is_attached || *job->is_ending || !is_of_job(*job->first_pid))
		return false;
	return fc_foreground_exists();
}

static bool is_of_first(const struct fc_job *job, const struct fc_tracee *tracee)
{
	return tracee->process && tracee->process->pid == *job->first_pid;
}

/* SIGSTOP is no business of a terminal's: some programs send it to themselves instead of SIGTSTP. */
static bool is_ours(const struct fc_job *job, int sig, int sender)
{
	if (sig == SIGSTOP)
		return sender == *job->first_pid;
	return !sender || is_of_job(sender);
}

void fc_suspend_signal(struct fc_job *job, const struct fc_tracee *tracee, int sig)
{
	siginfo_t info;
	if (!fc_is_stop_signal(sig) || !is_of_first(job, tracee) ||
	    ptrace(PTRACE_GETSIGINFO, tracee->tid, 0, &info))
		return;
	bool is_for_both = job->is_asked && job->asked_by == sender_of(&info);
	job->sender = sender_of(&info);
	job->is_stop_ours = is_for_both || is_ours(job, sig, job->sender);
	if (is_for_both)
		job->asked_by = 0;
}

bool fc_suspend_rest(struct fc_job *job, struct fc_tracee *tracee, int sig)
{
	bool was_stopped = tracee->is_group_stopped, is_stopped = fc_is_stop_signal(sig);
	tracee->is_group_stopped = is_stopped;
	tracee->was_stopped |= is_stopped;
	if (!is_stopped && !was_stopped)
		fc_interrupted_by_stop(tracee->tid);
	else if (is_of_first(job, tracee))
		job->stopped_by = is_stopped ? sig : 0;
	return is_stopped;
}

void fc_suspend_told(struct fc_job *job, const siginfo_t *info)
{
	uint64_t then_ns = fc_clock_mono_ns() + SETTLE_NS;
	if (info->si_signo == SIGCONT) {
		if (!job->settled_ns || info->si_pid == job->waker)
			return;
		job->settled_ns = UINT64_MAX;
		job->go_on_ns = then_ns;
		return;
	}
	if (job->is_attached)
		return;
	bool is_for_both = sender_of(info) == job->sender;
	job->is_stop_ours |= is_for_both;
	job->is_asked = true;
	job->asked_ns = then_ns;
	job->asked_by = is_for_both ? 0 : sender_of(info);
}

/* By its time the program should have had the signal, too: what came to fctrace alone is passed on. */
static void pass_on_stop(struct fc_job *job)
{
	const uint64_t stop = 1ull << (SIGTSTP - 1);
	struct fc_status status;
	int sender = job->asked_by;
	job->is_asked = false;
	job->asked_by = 0;
	if (sender && !is_of_job(sender) && has_job(job) &&
	    fc_status_read(*job->first_pid, &status) && !(status.pending & stop))
		kill(*job->first_pid, SIGTSTP);
}

/* ---- stopping and going on ---- */

/* A leader that has ended before its threads does not stop any more. */
static bool can_stop(const struct fc_tracee *tracee)
{
	struct fc_status status;
	return tracee->tid != tracee->process->pid ||
	       (fc_status_read(tracee->tid, &status) && !status.is_zombie);
}

static bool has_first_stopped(const struct fc_job *job)
{
	bool is_any = false;
	fc_tracees_each (job->tracees, t) {
		if (!is_of_first(job, t))
			continue;
		if (!t->is_group_stopped && can_stop(t))
			return false;
		is_any = true;
	}
	return is_any;
}

static bool have_all_stopped(const struct fc_job *job)
{
	fc_tracees_each (job->tracees, t)
		if (!t->is_group_stopped)
			return false;
	return true;
}

/*
 * To a shell a job that the waker has let go on is running: fg gives it the terminal, and no signal.
 * But for that the shell must have taken the terminal before, which it does once it has seen the job stop:
 * the waker looks for that, too, as fctrace cannot.
 */
static bool was_given_terminal(struct fc_job *job)
{
	bool has = fc_foreground_is_ours(), ret = has && job->was_in_background;
	job->was_in_background = !has;
	return ret;
}

/* It is to go on with fctrace; what has had the signal as well does so by itself. */
static void go_on(struct fc_job *job)
{
	job->settled_ns = UINT64_MAX;
	job->go_on_ns = fc_clock_mono_ns() + SETTLE_NS;
}

/* SIGSTOP would stop fctrace also where no shell looks after it. */
static int own_signal(const struct fc_job *job)
{
	return job->stopped_by == SIGSTOP ? SIGTSTP : job->stopped_by;
}

static void suspend(struct fc_job *job)
{
	siginfo_t info = { 0 };
	job->catch_up(job->ctx);
	int before = job->waker;
	job->waker = fc_waker_start(job->tracees);
	bool went_on = take_pending(SIGCONT, &info) && info.si_pid != before &&
		       info.si_pid != job->waker;
	if (!went_on && !was_given_terminal(job)) {
		fc_suspend_self(own_signal(job));
		/* If it does not stop, it need not try again. */
		job->settled_ns = UINT64_MAX;
		went_on = take_pending(SIGCONT, &info);
		job->was_in_background |= fc_waker_saw_background();
	}
	fc_waker_end(job->waker);
	job->is_asked = false;
	job->asked_by = 0;
	if (went_on && info.si_pid == job->waker)
		job->settled_ns = fc_clock_mono_ns(); /* as soon as events are seen to */
	else if (went_on || job->settled_ns != UINT64_MAX)
		go_on(job);
}

/* Has the job been stopped, or was it, and fctrace goes on with the waker's leave? */
static bool is_to_stop(const struct fc_job *job)
{
	return job->stopped_by && has_first_stopped(job) &&
	       (job->is_stop_ours || job->is_asked || job->settled_ns) && has_job(job);
}

static void forget_stop(struct fc_job *job)
{
	job->settled_ns = job->go_on_ns = 0;
	job->was_in_background = false;
	job->waker = 0;
}

void fc_suspend_look(struct fc_job *job)
{
	uint64_t now_ns = fc_clock_mono_ns();
	if (!job->stopped_by && !job->is_asked && !job->settled_ns)
		return;
	if (!is_to_stop(job)) {
		forget_stop(job);
		if (job->is_asked && now_ns >= job->asked_ns)
			pass_on_stop(job);
		return;
	}
	if (job->go_on_ns && now_ns >= job->go_on_ns) { /* SIGCONT was for fctrace alone */
		job->go_on_ns = 0;
		job->settled_ns = now_ns + SETTLE_NS;
		kill(*job->first_pid, SIGCONT);
		return;
	}
	if (!job->settled_ns)
		job->settled_ns = now_ns + SETTLE_NS;
	bool may_stop = job->settled_ns != UINT64_MAX;
	if (may_stop && (now_ns >= job->settled_ns || have_all_stopped(job)))
		suspend(job);
}

static uint64_t earlier(uint64_t at_ns, uint64_t ret)
{
	return at_ns && at_ns < ret ? at_ns : ret;
}

uint64_t fc_suspend_next_ns(const struct fc_job *job)
{
	uint64_t asked_ns = job->is_asked ? job->asked_ns : 0;
	return earlier(asked_ns, earlier(job->go_on_ns, earlier(job->settled_ns, UINT64_MAX)));
}

/* ---- at the end ---- */

/* Is this process what connects its job with a shell? */
static bool is_link(void)
{
	int parent = getppid();
	return getsid(parent) == getsid(0) && getpgid(parent) != getpgrp();
}

static bool has_stopped(int pid)
{
	struct fc_status status;
	return fc_status_read(pid, &status) && status.state == 'T' && status.ppid == getpid();
}

void fc_suspend_stay(const struct fc_job *job, const sigset_t *signals)
{
	while (is_of_job(*job->first_pid) && is_link() && has_stopped(*job->first_pid)) {
		int sig = sigwaitinfo(signals, NULL);
		if (sig == SIGTERM || sig == SIGHUP)
			return;
		if (sig == SIGTSTP)
			fc_suspend_self(sig);
	}
}
