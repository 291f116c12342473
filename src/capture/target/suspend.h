/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suspend.h - Ctrl-Z, fg and bg. A shell waits for fctrace, its child, and not for the program: so
 * fctrace stops when its job has been stopped, and goes on with it.
 *
 *   Ctrl-Z  -->  SIGTSTP to both: fctrace waits, the program stops, at once or after its handler
 *                fctrace empties the rings, and stops                        shell: "Stopped"
 *   fg      -->  SIGCONT to both; if only fctrace got it, it passes it on
 *
 * The job is fctrace and the program that it launched, in one process group that has a terminal. It
 * was stopped if the signal came from the terminal, from a process of the group, or to fctrace as well.
 * Who stops the program alone, from elsewhere, does not stop fctrace.
 *
 * A tracer that stands still must not hold up what it traces. A process of its own, the waker, looks
 * while it stands: if somebody lets the program go on, if it ends, or if others that have not stopped
 * need the tracer, that process lets fctrace go on.
 */
#ifndef FC_CAPTURE_TARGET_SUSPEND_H
#define FC_CAPTURE_TARGET_SUSPEND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/target/tracee.h"

/* The shell's job that the launched program and fctrace are as whoever traces keeps it. */
struct fc_job {
	/* Of whoever traces: */
	const struct fc_tracees *tracees;
	const int *first_pid; /* the launched program */
	const bool *is_ending;
	bool is_attached;	     /* to a program that has a job of its own */
	void (*catch_up)(void *ctx); /* before fctrace stands still */
	void *ctx;
	/* Zeroed at the begin: */
	int stopped_by;		/* this signal; 0: the program runs, or parts of it do */
	bool is_stop_ours;	/* it came from the terminal or from within the job */
	int sender;		/* of that signal; 0: the kernel */
	bool is_asked;		/* fctrace itself got such a signal, just now... */
	int asked_by;		/* ...from this process; 0: the kernel */
	uint64_t asked_ns;	/* until then the program should have had it */
	uint64_t settled_ns;	/* when fctrace may stop; UINT64_MAX: it has; 0: not to */
	uint64_t go_on_ns;	/* when the program is to be told to go on; 0: not */
	bool was_in_background; /* when it stopped last */
	int waker;		/* that has looked after it, or does; 0: none */
};

/* What fctrace keeps back, of SIGTSTP, SIGTTIN, SIGTTOU and SIGCONT: added to *set. */
void fc_suspend_signals(bool is_attached, sigset_t *set);
/* From now on they do to fctrace what they do to any process. */
void fc_suspend_end(void);

/* A thread of the program has stopped for this signal, which it is about to get. */
void fc_suspend_signal(struct fc_job *job, const struct fc_tracee *tracee, int sig);
/*
 * It is in a PTRACE_EVENT_STOP by sig. True: it has stopped with its group, and is to stay so; else the
 * call that this stop has ended is made again.
 */
bool fc_suspend_rest(struct fc_job *job, struct fc_tracee *tracee, int sig);
/* A stop signal or SIGCONT has come to fctrace. If it is attached, nothing comes of the former. */
void fc_suspend_told(struct fc_job *job, const siginfo_t *info);

/* Events are seen to: stop, if the job has. It returns when fctrace goes on. */
void fc_suspend_look(struct fc_job *job);

/*
 * Stop by this signal, which is blocked, until SIGCONT. SIGTSTP and its like do not stop a process of
 * a group that no shell looks after.
 */
void fc_suspend_self(int sig);

/* When to look again, by the monotonic clock; UINT64_MAX: not before something happens. */
uint64_t fc_suspend_next_ns(const struct fc_job *job);

/*
 * fctrace has let go of the program that it launched, and is about to exit. If the program has stopped
 * the kernel would kill it then by SIGHUP, as the last of its job that a shell looked after: so wait
 * until it goes on. SIGTERM and SIGHUP end the wait.
 */
void fc_suspend_stay(const struct fc_job *job, const sigset_t *signals);

#endif
