/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/signals/suspend.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "capture/user/signals/waker.h"

enum {
	SETTLE_NS = 100 * 1000 *
		    1000, /* for the signal to come to all, and their handlers to end */
	CATCH_UP_MS = 1000,
};

/* By which signal has the program stopped? 0: it runs, or some of its threads do. */
static int stopped_by(const struct fc_tracer *tracer)
{
	int sig = 0;
	fc_tracees_each (&tracer->tracees, t) {
		if (!t->process || t->process->pid != tracer->first_pid)
			continue;
		if (!t->is_group_stopped)
			return 0;
		sig = t->stopped_by;
	}
	return sig;
}

static bool have_all_stopped(const struct fc_tracer *tracer)
{
	fc_tracees_each (&tracer->tracees, t)
		if (!t->is_group_stopped)
			return false;
	return true;
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

static bool has_terminal(void)
{
	fc_auto_close int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	return fd >= 0 && tcgetpgrp(fd) == getpgrp();
}

/*
 * To a shell a job that the waker has let go on is running: fg gives it the terminal, and no signal.
 * But for that the shell must have taken the terminal before.
 */
static bool was_given_terminal(struct fc_tracer *tracer)
{
	bool has = has_terminal(), ret = has && tracer->was_in_background;
	tracer->was_in_background = !has;
	return ret;
}

/* It is to go on with fctrace; what has had the signal as well does so by itself. */
static void go_on(struct fc_tracer *tracer)
{
	tracer->settled_ns = UINT64_MAX;
	tracer->go_on_ns = fc_clock_mono_ns() + SETTLE_NS;
}

void fc_suspend_continued(struct fc_tracer *tracer, const siginfo_t *info)
{
	if (tracer->settled_ns && info->si_pid != tracer->waker)
		go_on(tracer);
}

static void suspend(struct fc_tracer *tracer, int sig)
{
	siginfo_t info = { 0 };
	fc_drain_catch_up(tracer->shared.drain, CATCH_UP_MS);
	int before = tracer->waker;
	tracer->waker = fc_waker_start(&tracer->tracees);
	bool went_on = take_pending(SIGCONT, &info) && info.si_pid != before &&
		       info.si_pid != tracer->waker;
	if (!went_on && !was_given_terminal(tracer)) {
		fc_suspend_self(sig);
		tracer->settled_ns =
			UINT64_MAX; /* if it does not stop, it need not try again */
		went_on = take_pending(SIGCONT, &info);
	}
	fc_waker_end(tracer->waker);
	if (went_on && info.si_pid == tracer->waker)
		tracer->settled_ns = fc_clock_mono_ns(); /* as soon as events are seen to */
	else if (went_on || tracer->settled_ns != UINT64_MAX)
		go_on(tracer);
}

void fc_suspend_look(struct fc_tracer *tracer)
{
	int sig = stopped_by(tracer);
	if (!sig || tracer->is_attached || tracer->is_ending ||
	    tracer->shared.opts->keeps_terminal) {
		tracer->settled_ns = tracer->go_on_ns = 0;
		tracer->was_in_background = false;
		tracer->waker = 0;
		return;
	}
	uint64_t now_ns = fc_clock_mono_ns();
	if (tracer->go_on_ns &&
	    now_ns >= tracer->go_on_ns) { /* SIGCONT was for fctrace alone */
		tracer->go_on_ns = 0;
		tracer->settled_ns = now_ns + SETTLE_NS;
		kill(tracer->first_pid, SIGCONT);
		return;
	}
	if (!tracer->settled_ns)
		tracer->settled_ns = now_ns + SETTLE_NS;
	bool may_stop = tracer->settled_ns != UINT64_MAX;
	if (may_stop && (now_ns >= tracer->settled_ns || have_all_stopped(tracer)))
		suspend(tracer, sig);
}

uint64_t fc_suspend_next_ns(const struct fc_tracer *tracer)
{
	uint64_t at = tracer->settled_ns ? tracer->settled_ns : UINT64_MAX;
	return tracer->go_on_ns && tracer->go_on_ns < at ? tracer->go_on_ns : at;
}
