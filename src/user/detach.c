/* SPDX-License-Identifier: Apache-2.0 */
#include "user/detach.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "trace/clock.h"
#include "user/hold.h"
#include "user/letters.h"
#include "user/remnant.h"

/* ---- one process ---- */

struct gathering {
	const struct fc_process *process;
	struct fc_standing *standing;
};

static bool shares_memory(const struct fc_process *a, const struct fc_process *b)
{
	return a == b || (a && b && a->space && a->space == b->space);
}

static void gather(void *ctx, struct fc_tracee *tracee)
{
	struct gathering *self = ctx;
	if (shares_memory(tracee->process, self->process))
		fc_standing_add(self->standing, tracee->tid);
}

int fc_standing_of(struct fc_tracer *tracer, const struct fc_process *process,
		   struct fc_standing *ret)
{
	struct gathering gathering = { process, ret };
	fc_hold_each(tracer, gather, &gathering);
	return ret->threads.nr ? 0 : fc_fail(ESRCH, "process %d has ended", process->pid);
}

enum progress {
	CLEAN = 0, /* nothing of fctrace's is in it */
	STUCK,	   /* there is a sentence why something stays */
	COPIED,	   /* the same: it may have copies of frames, or what is left of such */
	INSIDE,	   /* a thread is in a stub or in the agent */
};

/*
 * A thread that has stopped with its group (SIGSTOP) is let run for a moment all the same, to
 * leave the stub. When it is detached from it joins the stop again (ptrace(2), PTRACE_LISTEN;
 * __ptrace_unlink() in kernel/ptrace.c).
 */
static void let_out(struct fc_tracer *tracer, const struct fc_remnant *remnant)
{
	fc_vec_each (&remnant->inside, tid) {
		struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, *tid);
		if (!tracee || !tracee->is_group_stopped)
			continue;
		tracee->is_held = false;
		ptrace(PTRACE_CONT, *tid, 0, 0);
	}
}

/* As after a controller that was killed: what is there works, and records nothing. */
static void say_stuck(int pid)
{
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	fc_fail(EIO,
		"hooks stay in process %d, unused: %s; fctrace detach %d removes them "
		"when that works",
		pid, why, pid);
}

static enum progress unhook(struct fc_tracer *tracer, struct fc_process *process,
			    const struct fc_standing *standing, enum fca_undo undo)
{
	fc_auto_close int mem_fd = fc_remote_open(standing->threads.at[0].tid);
	struct fc_remnant remnant;
	if (mem_fd < 0 ||
	    (fc_remnant_find(standing->threads.at[0].tid, mem_fd, &remnant) && !process->cave))
		return CLEAN;
	remnant.cave = process->cave;
	enum progress ret = INSIDE;
	int err = fc_remnant_unhook(&remnant, standing, undo);
	if (!err)
		err = fc_remnant_settle(&remnant, standing, fc_space_moved_from,
					process->space);
	if (!err) {
		err = fc_remnant_remove(&remnant, standing, tracer->shared.ptrace_options);
		ret = !err ? CLEAN : err == -EBUSY ? COPIED : STUCK;
		process->cave = 0;
	} else if (err == -EAGAIN) {
		let_out(tracer, &remnant);
	} else {
		say_stuck(process->pid);
		ret = STUCK;
	}
	fc_remnant_deinit(&remnant);
	return ret;
}

/* Threads that are born while others are still inside must not be given what is gone. */
static void forget_space(struct fc_tracer *tracer, struct fc_process *process)
{
	const struct fc_space *space = process->space;
	for (struct fc_process *p = tracer->tracees.first; p && space; p = p->next)
		if (p->space == space) {
			fc_space_put(p->space);
			p->space = NULL;
		}
}

/* All are held. */
static enum progress unhook_held(struct fc_tracer *tracer, const struct fc_process *only,
				 enum fca_undo undo)
{
	enum progress worst = CLEAN;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		struct fc_standing standing = { 0 };
		if (only && p != only)
			continue;
		/* While it attaches: a child that executed a program meanwhile is hooked. */
		if (p->space && !only && !tracer->is_ending)
			continue;
		enum progress one = fc_standing_of(tracer, p, &standing)
					    ? CLEAN
					    : unhook(tracer, p, &standing, undo);
		fc_standing_deinit(&standing);
		if (one == CLEAN)
			forget_space(tracer, p);
		if (one > worst)
			worst = one;
	}
	return worst;
}

/* ---- all of them ---- */

static int give_up(bool is_held, int tid)
{
	if (!is_held)
		return fc_fail(
			EBUSY,
			"thread %d cannot be stopped: it waits for its vfork child, or in "
			"the kernel",
			tid);
	return fc_fail(EBUSY, "a thread does not come out of a stub: the stubs stay mapped, "
			      "unused");
}

/* By turns they are stopped and run, until no thread is where it should not be. */
static int unhook_processes(struct fc_tracer *tracer, const struct fc_process *only)
{
	enum { PATIENCE_S = 10, LATE_S = 3, HOLD_MS = 500, LONGEST_NS = 20 * 1000 * 1000 };
	int looks_left =
		10; /* at all memory, for copies of frames: some are soon written over */
	uint64_t moment_ns = 500 * 1000;
	struct timespec begin, now;
	enum fca_undo undo = FCA_UNDO_FIRST;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (;;) {
		int tid = 0;
		bool is_held = fc_hold_all(tracer, HOLD_MS, &tid);
		enum progress progress = is_held ? unhook_held(tracer, only, undo) : INSIDE;
		if (progress == CLEAN)
			return 0;
		if (progress == STUCK || (progress == COPIED && !--looks_left))
			return -EBUSY;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - begin.tv_sec > PATIENCE_S)
			return progress == COPIED ? -EBUSY : give_up(is_held, tid);
		/* Functions with an exit are not in their stubs for so long. */
		if (now.tv_sec - begin.tv_sec > LATE_S)
			undo = FCA_UNDO_LATE;
		fc_release_all(tracer);
		fc_letters_decline(tracer, only);
		fc_hold_let_run(tracer, moment_ns);
		if (moment_ns < LONGEST_NS)
			moment_ns += moment_ns / 4;
	}
}

int fc_unhook_all(struct fc_tracer *tracer)
{
	return unhook_processes(tracer, NULL);
}

struct collecting {
	const struct fc_process *only;
	FC_VEC(int) tids;
};

static void collect(void *ctx, struct fc_tracee *tracee)
{
	struct collecting *self = ctx;
	if (!self->only || tracee->process == self->only)
		fc_vec_push(&self->tids, tracee->tid);
}

/* Let go of the threads that are held, of one process or of all. */
static void detach_held(struct fc_tracer *tracer, const struct fc_process *only)
{
	struct collecting held = { .only = only };
	fc_hold_each(tracer, collect, &held);
	fc_vec_each (&held.tids, tid) {
		ptrace(PTRACE_DETACH, *tid, 0, 0);
		fc_tracee_remove(&tracer->tracees, *tid);
	}
	fc_vec_free(&held.tids);
	for (struct fc_process *p = tracer->tracees.first, *next; p; p = next) {
		next = p->next;
		if (!p->nr_threads)
			fc_process_remove(&tracer->tracees, p);
	}
}

/* Of those that were cleaned no space is known any more. */
static void leave_held(struct fc_tracer *tracer)
{
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space)
			fc_space_leave(p->space);
}

int fc_detach_all(struct fc_tracer *tracer)
{
	int ret = fc_unhook_all(tracer);
	if (ret)
		leave_held(tracer);
	detach_held(tracer, NULL);
	tracer->is_holding = false;
	return ret;
}

int fc_detach_one(struct fc_tracer *tracer, const struct fc_process *process)
{
	int ret = unhook_processes(tracer, process);
	for (struct fc_process *p = tracer->tracees.first; ret && p; p = p->next)
		if (p == process && p->space) /* others may record into its arena */
			fc_drain_leave(fc_space_arena(p->space));
	detach_held(tracer, process);
	fc_release_all(tracer);
	return ret;
}

void fc_detach_thread(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	ptrace(PTRACE_DETACH, tracee->tid, 0, 0);
	fc_tracee_remove(&tracer->tracees, tracee->tid);
	if (process && !process->nr_threads)
		fc_process_remove(&tracer->tracees, process);
}
