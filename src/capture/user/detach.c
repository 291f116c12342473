/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/detach.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/drain/drain.h"
#include "capture/hook/copies.h"
#include "capture/hook/desks.h"
#include "capture/hook/remnant.h"
#include "capture/user/hold.h"
#include "capture/user/moved.h"
#include "trace/clock.h"

typedef FC_VEC(struct fc_stand) stands;

/* ---- one process ---- */

static bool shares_memory(const struct fc_process *a, const struct fc_process *b)
{
	return a == b || (a && b && a->space && a->space == b->space);
}

int fc_standing_of(struct fc_tracer *tracer, const struct fc_process *process,
		   struct fc_standing *ret)
{
	fc_tracees_each (&tracer->tracees, t)
		if ((t->is_held || t->deadly) && shares_memory(t->process, process))
			fc_standing_add(ret, t->tid);
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
	fc_vec_each (&remnant->inside, stand) {
		struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, stand->tid);
		if (!tracee || !tracee->is_group_stopped)
			continue;
		tracee->is_held = false;
		tracee->call_stops = 0;
		ptrace(PTRACE_CONT, stand->tid, 0, 0);
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
			    const struct fc_standing *standing, enum fca_undo undo,
			    stands *inside)
{
	fc_auto_close int mem_fd = fc_remote_open(standing->threads.at[0].tid);
	struct fc_remnant remnant;
	if (mem_fd < 0)
		return CLEAN;
	int err = fc_remnant_find(standing->threads.at[0].tid, mem_fd, &remnant);
	if (err == -EBADMSG) {
		say_stuck(process->pid);
		return STUCK;
	}
	if (err && !process->cave)
		return CLEAN;
	remnant.cave = process->cave;
	enum progress ret = INSIDE;
	err = fc_remnant_unhook(&remnant, standing, undo);
	if (!err)
		err = fc_remnant_settle(&remnant, standing);
	if (!err) {
		err = fc_copies_check(&remnant, standing);
		if (!err)
			err = fc_remnant_remove(&remnant, standing,
						tracer->shared.ptrace_options);
		ret = !err ? CLEAN : err == -EBUSY ? COPIED : STUCK;
		process->cave = 0;
	} else if (err == -EAGAIN) {
		let_out(tracer, &remnant);
		fc_vec_each (&remnant.inside, stand)
			fc_vec_push(inside, *stand);
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

enum {
	LEAST_ROUNDS = 30,
	LEAST_LATE_ROUNDS = 100, /* with FCA_UNDO_LATE, where all could be stopped */
	UNHELD_ROUNDS = 5, /* for so many counts a round in which some could not be stopped */
};

/* What could not be taken out, and why, while the others go on. */
struct unhooking {
	struct fc_tracer *tracer;
	const struct fc_process *only; /* NULL: all */
	enum fca_undo undo;
	char *why; /* of the last process of which something stays; NULL: of none */
	bool has_copies;
	int nr_rounds;		    /* in which somebody could have come out */
	int nr_late_rounds;	    /* of these, with FCA_UNDO_LATE */
	bool is_starved;	    /* in the last one a thread inside was given no CPU */
	stands inside, were_inside; /* in this round, and in the one before */
	uint64_t begin_ns;
};

static bool is_meant(const struct unhooking *u, const struct fc_process *process)
{
	if (u->only)
		return process == u->only;
	/* While it attaches: what is hooked by now stays so. */
	return !process->space || u->tracer->is_ending;
}

/* Something stays in it: it is not looked at again. Each is said, the last by the caller. */
static void note_stuck(struct unhooking *u, struct fc_process *process)
{
	process->is_stuck = true;
	if (u->why)
		fc_tracer_say(u->tracer, process->pid, "%s", u->why);
	free(u->why);
	u->why = fc_strdup(fc_fail_text());
}

static bool is_told(const struct unhooking *u)
{
	bool ret = u->tracer->was_told || fc_tracer_is_told(u->tracer);
	if (ret && !u->tracer->told_ns)
		u->tracer->told_ns = fc_clock_mono_ns();
	return ret;
}

/* Who was told to let go does so within a second, if the threads inside get a CPU. */
static bool was_told_before(const struct unhooking *u, uint64_t ms)
{
	return is_told(u) && fc_clock_mono_ns() - u->tracer->told_ns > ms * 1000000;
}

static bool is_late_for(const struct unhooking *u)
{
	return was_told_before(u, 600);
}

/* All are held. False: somebody is inside, or frames may be copied, which does not last. */
static bool unhook_one(struct unhooking *u, struct fc_process *process)
{
	enum {
		LOOKS = 10
	}; /* at all memory, for copies of frames: some are soon written over */
	fc_auto_standing struct fc_standing standing = { 0 };
	enum progress progress =
		fc_standing_of(u->tracer, process, &standing)
			? CLEAN
			: unhook(u->tracer, process, &standing, u->undo, &u->inside);
	if (progress == CLEAN)
		forget_space(u->tracer, process);
	if (progress == STUCK ||
	    (progress == COPIED && (++process->nr_looks >= LOOKS || is_late_for(u))))
		note_stuck(u, process);
	u->has_copies |= progress == COPIED;
	return progress == CLEAN || process->is_stuck;
}

static bool unhook_held(struct unhooking *u)
{
	bool is_done = true;
	u->has_copies = false;
	stands before = u->were_inside;
	u->were_inside = u->inside;
	u->inside = before;
	u->inside.nr = 0;
	for (struct fc_process *p = u->tracer->tracees.first; p; p = p->next)
		if (is_meant(u, p) && !p->is_stuck)
			is_done &= unhook_one(u, p);
	return is_done;
}

/* A thread that no CPU was given to could not come out. */
static bool has_run(const struct unhooking *u)
{
	fc_vec_each (&u->inside, now)
		fc_vec_each (&u->were_inside, before)
			if (now->tid == before->tid && now->ip == before->ip &&
			    now->sp == before->sp)
				return false;
	return true;
}

/* ---- all of them ---- */

static int give_up(const struct unhooking *u, bool is_held, int tid)
{
	if (!is_held)
		return fc_fail(
			EBUSY,
			"thread %d cannot be stopped: it waits for its vfork child, or in "
			"the kernel",
			tid);
	if (u->has_copies)
		return fc_fail(EBUSY, "a process may have copied stack frames away that "
				      "return to stubs: these stay mapped, unused");
	return fc_fail(EBUSY, "a thread does not come out of a stub: the stubs stay mapped, "
			      "unused");
}

/*
 * On a machine that is busy all the same each thread inside has run so often, or that takes too long. Not
 * before all hooks that can be out were so for a while: who calls setjmp() all the time is never out of its
 * stub, and who copies frames all the time seldom out of the agent, whose hooks for that go last.
 */
static bool is_over(const struct unhooking *u, bool is_held)
{
	const uint64_t patience_ns = 10000000000;
	if (fc_clock_mono_ns() - u->begin_ns > patience_ns)
		return true;
	if (!is_held || u->has_copies)
		return is_late_for(u) && u->nr_rounds >= LEAST_ROUNDS;
	return was_told_before(u, 3000) && !u->is_starved &&
	       u->nr_late_rounds >= LEAST_LATE_ROUNDS;
}

/* Functions with an exit are not in their stubs for so long. */
static bool is_late(const struct unhooking *u)
{
	const uint64_t late_ns = 300 * 1000 * 1000;
	return fc_clock_mono_ns() - u->begin_ns > late_ns;
}

static void count_round(struct unhooking *u, bool is_held)
{
	u->is_starved = is_held && !has_run(u);
	if (u->is_starved)
		return;
	u->nr_rounds += is_held ? 1 : UNHELD_ROUNDS;
	u->nr_late_rounds += is_held && u->undo != FCA_UNDO_FIRST;
}

/*
 * For how long they run until the next look. When hooks were out for a while it is chance whether nobody is
 * inside: then many looks help, at times that follow no rhythm of the program's.
 */
static uint64_t next_moment(const struct unhooking *u, uint64_t moment_ns)
{
	enum { LONGEST_NS = 20 * 1000 * 1000, LEAST_NS = 300 * 1000, STEP_NS = 137 * 1000 };
	if (u->undo != FCA_UNDO_FIRST)
		return LEAST_NS + (uint64_t)u->nr_rounds * STEP_NS % (2 * LEAST_NS);
	return moment_ns < LONGEST_NS ? moment_ns + moment_ns / 4 : moment_ns;
}

/* Who waits for an answer, of one process or (NULL) of all, need not wait. */
static void decline_letters(struct fc_tracer *tracer, const struct fc_process *only)
{
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space && fc_space_arena(p->space) && (!only || p == only))
			fc_desks_decline(p->space);
}

/*
 * By turns they are stopped and run, until no thread is where it should not be. They are let run
 * with room in their rings: who waits for some does so inside the agent.
 */
static int unhook_by_turns(struct unhooking *u)
{
	enum {
		HOLD_MS = 500,
		HASTY_MS = 200,
		CATCH_UP_MS = 100,
		UNHELD_NS = 100 * 1000 * 1000
	};
	uint64_t moment_ns = 500 * 1000;
	for (;;) {
		int tid = 0;
		bool is_held = fc_hold_all(u->tracer, is_told(u) ? HASTY_MS : HOLD_MS, &tid);
		if (is_held && unhook_held(u))
			return 0;
		count_round(u, is_held);
		if (is_over(u, is_held)) {
			fc_moved_let_go(u->tracer);
			return give_up(u, is_held, tid);
		}
		if (is_late(u))
			u->undo = FCA_UNDO_LATE;
		if (u->tracer->shared.drain) /* the command detach has none */
			fc_drain_catch_up(u->tracer->shared.drain, CATCH_UP_MS);
		fc_release_all(u->tracer);
		fc_moved_let_go(u->tracer);
		decline_letters(u->tracer, u->only);
		/* A vfork child is to come as far as to its exec, also where many ask for a CPU. */
		fc_hold_let_run(u->tracer, is_held ? moment_ns : UNHELD_NS);
		moment_ns = next_moment(u, moment_ns);
	}
}

static int unhook_processes(struct fc_tracer *tracer, const struct fc_process *only)
{
	struct unhooking u = { .tracer = tracer,
			       .only = only,
			       .undo = FCA_UNDO_FIRST,
			       .begin_ns = fc_clock_mono_ns() };
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		p->is_stuck = false;
		p->nr_looks = 0;
	}
	int ret = unhook_by_turns(&u);
	fc_vec_free(&u.inside);
	fc_vec_free(&u.were_inside);
	fc_auto_free char *why = u.why;
	if (ret && why)
		fc_tracer_say(tracer, tracer->first_pid, "%s", why);
	return !ret && why ? fc_fail(EBUSY, "%s", why) : ret;
}

int fc_unhook_all(struct fc_tracer *tracer)
{
	return unhook_processes(tracer, NULL);
}

/*
 * Let go of the threads that are held, of one process or of all, and of those that are at the start
 * of a program: nothing is in that yet.
 */
static void detach_held(struct fc_tracer *tracer, const struct fc_process *only)
{
	fc_auto_vec FC_VEC(int) tids = { 0 };
	fc_tracees_each (&tracer->tracees, t)
		if ((t->is_held || t->is_at_start) && (!only || t->process == only))
			fc_vec_push(&tids, t->tid);
	fc_vec_each (&tids, tid) {
		fc_wells_leave(tracer->shared.opts->wells, *tid);
		ptrace(PTRACE_DETACH, *tid, 0, 0);
		fc_tracee_remove(&tracer->tracees, *tid);
	}
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
	fc_wells_turn_on(tracer->shared.opts->wells, false);
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
	fc_wells_leave(tracer->shared.opts->wells, tracee->tid);
	ptrace(PTRACE_DETACH, tracee->tid, 0, 0);
	fc_tracee_leave(&tracer->tracees, tracee);
}
