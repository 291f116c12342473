/* SPDX-License-Identifier: Apache-2.0 */
/* hold.c - threads are stopped where they can rest, and go on. */
#include "capture/user/hold.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "capture/target/status.h"
#include "trace/clock.h"

enum { LOOK_NS = 1000 * 1000 };

/* Up to its next system call, if it is awaited there. */
static int request_of(const struct fc_tracee *tracee)
{
	return tracee->call_stops || tracee->sees_calls ? PTRACE_SYSCALL : PTRACE_CONT;
}

void fc_hold_go_on(const struct fc_tracer *tracer, const struct fc_tracee *tracee, int sig)
{
	if (tracer->is_holding || tracee->is_to_rest)
		ptrace(PTRACE_INTERRUPT, tracee->tid, 0, 0);
	fc_wells_resumed(tracer->shared.opts->wells, tracee->tid);
	ptrace(request_of(tracee), tracee->tid, 0, sig);
}

void fc_hold_let_go(const struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	int request = tracee->is_group_stopped ? PTRACE_LISTEN : request_of(tracee);
	tracee->is_held = false;
	fc_wells_resumed(tracer->shared.opts->wells, tracee->tid);
	ptrace(request, tracee->tid, 0, 0);
}

/* A leader that has ended before its threads does not stop any more. */
static bool is_alive(int tid)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && !status.is_zombie;
}

/* It does not wait in the kernel, and stops as soon as a CPU is given to it. */
static bool wants_cpu(int tid)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && status.state == 'R';
}

static bool is_any(int tid)
{
	return true;
}

/*
 * Who is parked stays where it was born, who is at a program's start stays there, and who is about to
 * die does not go on.
 */
static bool is_loose(const struct fc_tracee *tracee)
{
	return !tracee->is_held && !tracee->is_at_start && !tracee->deadly &&
	       !fc_tracee_is_parked(tracee);
}

/* One of those that run; 0: there is none. */
static int find_loose(const struct fc_tracer *tracer, bool (*is_one)(int tid))
{
	fc_tracees_each (&tracer->tracees, t)
		if (is_loose(t) && is_one(t->tid))
			return t->tid;
	return 0;
}

/* It waits in the kernel for what no signal ends, as for a child in vfork(). */
static bool is_deaf(int tid)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && status.state == 'D';
}

/* Is it a child in whose vfork() the parent waits, up to the child's exec or end? */
static bool is_awaited(const struct fc_tracee *child, const struct fc_tracee *parent)
{
	struct fc_status status;
	return child->is_held && !child->is_group_stopped && !child->deadly && child->process &&
	       parent->process && child->process != parent->process &&
	       fc_status_read(child->process->pid, &status) &&
	       status.ppid == parent->process->pid &&
	       fc_shares_memory(parent->process->pid, child->process->pid, 0);
}

/*
 * A parent in vfork() does not stop before its child has gone on. A child that is held would keep it
 * there until all are released, and in a program that makes one child after the other the next is there
 * by then. So the child runs on: it comes to rest at its exec.
 */
static void let_children_go(struct fc_tracer *tracer)
{
	fc_tracees_each (&tracer->tracees, parent) {
		if (!is_loose(parent) || !is_deaf(parent->tid))
			continue;
		fc_tracees_each (&tracer->tracees, child)
			if (is_awaited(child, parent))
				fc_hold_let_go(tracer, child);
	}
}

/* Until a target stops, at most so long: false. Of what has stopped since the signal is still pending. */
static bool wait_for_targets(uint64_t ns)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return sigtimedwait(&child, NULL, &(struct timespec){ .tv_nsec = (long)ns }) > 0;
}

static uint64_t now_ms(void)
{
	return fc_clock_mono_ns() / 1000000;
}

/* A thread, or with tid 0 all, that is waited for since begin_ms. */
static bool is_late(const struct fc_tracer *tracer, int tid, uint64_t begin_ms, int ms)
{
	uint64_t waited = now_ms() - begin_ms, most = (uint64_t)ms * FC_HOLD_FOR_CPU;
	if (waited < (uint64_t)ms)
		return false;
	return waited >= most || fc_tracer_is_told(tracer) ||
	       !(tid ? wants_cpu(tid) : find_loose(tracer, wants_cpu));
}

bool fc_hold_all(struct fc_tracer *tracer, int ms, int *tid)
{
	uint64_t begin_ms = now_ms();
	tracer->is_holding = true;
	fc_tracees_each (&tracer->tracees, t)
		if (is_loose(t))
			ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
	while (tracer->take(tracer) && find_loose(tracer, is_any)) {
		*tid = find_loose(tracer, is_alive);
		if (!*tid)
			return true;
		if (is_late(tracer, 0, begin_ms, ms))
			return false;
		/* A look at many threads takes long: not while they come one by one. */
		if (!wait_for_targets(LOOK_NS))
			let_children_go(tracer);
	}
	return true;
}

/* Is it there, and not held yet? */
static bool is_running(struct fc_tracer *tracer, int tid)
{
	const struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	return tracee && is_loose(tracee);
}

bool fc_hold_one(struct fc_tracer *tracer, int tid, int ms)
{
	uint64_t begin_ms = now_ms();
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (!tracee)
		return false;
	tracee->is_to_rest = true;
	ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	while (tracer->take(tracer) && is_running(tracer, tid) &&
	       !is_late(tracer, tid, begin_ms, ms) && !fc_tracer_is_told(tracer))
		wait_for_targets(LOOK_NS);
	tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee)
		tracee->is_to_rest = false;
	return tracee && tracee->is_held;
}

void fc_release_all(struct fc_tracer *tracer)
{
	tracer->is_holding = false;
	fc_tracees_each (&tracer->tracees, t)
		if (t->is_held && !(t->process && t->process->is_dying))
			fc_hold_let_go(tracer, t);
}

void fc_hold_let_run(struct fc_tracer *tracer, uint64_t ns)
{
	uint64_t at = fc_clock_mono_ns(), end = at + ns;
	for (; at < end && tracer->take(tracer); at = fc_clock_mono_ns())
		wait_for_targets(end - at);
}
