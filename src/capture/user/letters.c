/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/letters.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/vec.h"
#include "capture/hook/desks.h"
#include "capture/hook/space.h"
#include "capture/target/comm.h"
#include "capture/target/status.h"
#include "capture/user/comms.h"
#include "capture/user/dropped.h"
#include "capture/user/quiet.h"
#include "capture/user/reclaim.h"
#include "capture/user/rival.h"
#include "capture/user/sever.h"
#include "capture/user/throttle.h"
#include "capture/user/watches.h"
#include "capture/user/writable.h"

enum {
	ANSWER_MS =
		1000, /* a thread that makes no system call for so long is asked again later */
	LOOK_NS = 1000 * 1000,
};

/* A letter, and the thread that waits for the answer. */
struct letter {
	struct fc_caller caller;
	struct fc_tracer *tracer;
	struct fc_space *space; /* a reference of its own */
	int pid, tid;
	uint64_t taddr;	      /* of the desk */
	struct fca_desk desk; /* as it was when it was read */
	bool is_gone;	      /* the thread has ended, or runs another program */
};

/* ---- desks ---- */

#define WRITE(letter, field, from)                                                             \
	fc_remote_write((letter)->space->mem_fd,                                               \
			(letter)->taddr + offsetof(struct fca_desk, field), from,              \
			sizeof((letter)->desk.field))

static bool read_desk(const struct letter *letter, struct fca_desk *ret)
{
	return !fc_remote_read(letter->space->mem_fd, letter->taddr, ret, sizeof(*ret));
}

/* False: the agent did not want to wait any longer. */
static bool take(struct letter *letter)
{
	struct fca_desk now;
	if (WRITE(letter, taken, &letter->desk.asked) || !read_desk(letter, &now))
		return false;
	if (now.asked == letter->desk.asked)
		return true;
	fc_desk_answer(letter->space, letter->taddr, &letter->desk, letter->is_gone);
	return false;
}

/* ---- commands ---- */

static bool is_there(const struct letter *letter)
{
	const struct fc_tracee *tracee = fc_tracee_find(&letter->tracer->tracees, letter->tid);
	return tracee && tracee->process && tracee->process->space == letter->space;
}

/* Written so that the agent takes it whole: an earlier command may not have been answered. */
static bool write_command(struct letter *letter, uint64_t nr, const uint64_t arg[6],
			  uint32_t *number)
{
	static const uint32_t none;
	struct fca_desk *desk = &letter->desk;
	uint64_t call[7] = { nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5] };
	*number = desk->command + 1 ? desk->command + 1 : 1;
	bool ok = !WRITE(letter, command, &none) &&
		  !fc_remote_write(letter->space->mem_fd,
				   letter->taddr + offsetof(struct fca_desk, nr), call,
				   sizeof(call)) &&
		  !WRITE(letter, command, number);
	desk->command = *number;
	fc_desks_ring(letter->space);
	return ok;
}

/*
 * The thread may be in a stop that only this thread can end, like any that it waits for: what
 * happens to the targets is learned while it is waited for.
 */
static bool wait_for_answer(struct letter *letter, uint32_t number, int64_t *ret)
{
	uint32_t *answers = &letter->space->arena->at->answers;
	uint64_t until_ns = fc_clock_mono_ns() + ANSWER_MS * 1000000ull;
	struct timespec look = { .tv_nsec = LOOK_NS };
	struct fca_desk now;
	for (;;) {
		uint32_t seen = __atomic_load_n(answers, __ATOMIC_ACQUIRE);
		if (!read_desk(letter, &now))
			letter->is_gone = true;
		else if (now.answered == number && read_desk(letter, &now)) {
			*ret = now.result;
			return true;
		}
		letter->tracer->take(letter->tracer);
		letter->is_gone = letter->is_gone || !is_there(letter);
		if (letter->is_gone || fc_tracer_is_told(letter->tracer) ||
		    fc_clock_mono_ns() > until_ns)
			return false;
		syscall(SYS_futex, answers, FUTEX_WAIT, seen, &look, NULL, 0);
	}
}

/* struct fc_caller's call(). */
static int64_t call(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6])
{
	struct letter *letter = (struct letter *)caller;
	uint32_t number;
	int64_t result = -ESRCH;
	if (!caller->is_silent)
		caller->is_silent = !write_command(letter, nr, arg, &number) ||
				    !wait_for_answer(letter, number, &result);
	return result;
}

/* ---- what is asked ---- */

/* Objects were loaded. Who waits for its hooks may be killed meanwhile. */
static void update(struct letter *letter)
{
	struct fc_tracer *tracer = letter->tracer;
	struct fc_throttle *throttle = tracer->throttle;
	uint64_t begin_ns = fc_clock_mono_ns();
	struct fc_process *process = fc_process_find(&tracer->tracees, letter->pid);
	if (process && process->space == letter->space)
		fc_reclaim(tracer, process);
	fc_space_hook_new(letter->space, &letter->caller);
	letter->space->of.is_started = true;
	process = fc_process_find(&tracer->tracees, letter->pid);
	if (!process || process->space != letter->space)
		return;
	if (throttle)
		fc_throttle_took(throttle, process, fc_clock_mono_ns() - begin_ns);
	fc_watches_say_missing(tracer, process);
}

/* May the one trace the other, as far as their users tell? What it hides is its own then. */
static bool may_trace(const struct fc_status *who, const struct fc_status *whom)
{
	bool is_own = true;
	for (int i = 0; i < FC_NR_UIDS; i++)
		is_own = is_own && whom->rights.uid[i] == who->rights.uid[FC_UID_EFFECTIVE];
	return is_own || !who->rights.uid[FC_UID_EFFECTIVE];
}

/* The thread that the sender calls tid, and may trace. 0: none of those that are traced. */
static int thread_named(const struct letter *letter, uint64_t tid)
{
	struct fc_status sender, status;
	if (tid > INT_MAX || !fc_status_read(letter->tid, &sender))
		return 0;
	fc_tracees_each (&letter->tracer->tracees, t)
		if (fc_status_read(t->tid, &status) &&
		    fc_status_seen_by(&sender, &status) == (int)tid)
			return may_trace(&sender, &status) ? t->tid : 0;
	return 0;
}

/* A target wants to trace a process, or to be traced by its parent. */
static void give_up(struct letter *letter)
{
	uint64_t whom = letter->desk.arg[0];
	int tid = whom ? thread_named(letter, whom) : 0;
	if (!whom)
		fc_rival_is_parent(letter->tracer, letter->tid);
	else if (tid)
		fc_rival_attaches(letter->tracer, letter->pid, tid);
}

/* LeakSanitizer's thread, or its like, is about to trace all threads of the sender. */
static void lend(struct letter *letter)
{
	fc_rival_is_inside(letter->tracer, letter->tid);
}

/* The sender is about to have other rights than those that it shares rings with. */
static void part(struct letter *letter)
{
	if (fc_sever(letter->tracer, letter->pid))
		fc_tracer_say(letter->tracer, letter->pid, "%s", fc_fail_text());
}

/* A watched function was called, and its thread waits: write what there is. */
static void dump(struct letter *letter)
{
	fc_watches_dump(letter->tracer, letter->desk.arg, letter->pid);
}

/* Code is about to be made writable. */
static void unhook(struct letter *letter)
{
	const uint64_t *range = letter->desk.arg;
	fc_writable_unhook(letter->tracer, letter->pid, letter->space, range[0], range[1]);
}

/* The sender is about to drop what was written over a file's code. */
static void drop(struct letter *letter)
{
	const uint64_t *range = letter->desk.arg;
	fc_dropped_unhook(letter->tracer, letter->pid, letter->space, range[0], range[1]);
}

/* The sender gives itself a name. */
static void name(struct letter *letter)
{
	char text[FC_COMM_SIZE] = "";
	memcpy(text, letter->desk.arg, FC_COMM_SIZE - 1);
	fc_comms_set(letter->tracer, letter->tid, text);
}

static void serve_others(const struct letter *than);

/* The sender is about to install a filter. Who waits for another letter's answer is in its agent. */
static void forbid(struct letter *letter)
{
	serve_others(letter);
	if (is_there(letter))
		fc_quiet_begin(letter->tracer, letter->space, letter->tid, letter->desk.owner);
}

static void serve(struct letter *letter)
{
	static void (*const by[])(struct letter * letter) = {
		[FCA_LETTER_OBJECTS] = update, [FCA_LETTER_GIVE_UP] = give_up,
		[FCA_LETTER_LEND] = lend,      [FCA_LETTER_DUMP] = dump,
		[FCA_LETTER_RIGHTS] = part,    [FCA_LETTER_WRITE] = unhook,
		[FCA_LETTER_FILTER] = forbid,  [FCA_LETTER_DROP] = drop,
		[FCA_LETTER_NAME] = name,
	};
	if (!take(letter))
		return;
	if (letter->desk.what < sizeof(by) / sizeof(by[0]))
		by[letter->desk.what](letter);
	/* Else it is served when the thread goes on, which asks again. */
	if (letter->is_gone || !letter->caller.is_silent)
		fc_desk_answer(letter->space, letter->taddr, &letter->desk, letter->is_gone);
}

/* ---- whose letters they are ---- */

static bool is_thread(const struct fc_tracee *tracee, const struct fc_space *space, int own_tid)
{
	struct fc_status status;
	return tracee && tracee->process && tracee->process->space == space &&
	       fc_status_read(tracee->tid, &status) && status.own_tid == own_tid;
}

/* The thread with this id in its own pid namespace, of those that share the memory. */
static const struct fc_tracee *thread_of(struct fc_tracer *tracer, const struct fc_space *space,
					 int own_tid)
{
	const struct fc_tracee *same = fc_tracee_find(&tracer->tracees, own_tid);
	if (is_thread(same, space, own_tid))
		return same;
	fc_tracees_each (&tracer->tracees, t)
		if (is_thread(t, space, own_tid))
			return t;
	return NULL;
}

static void serve_desk(struct fc_tracer *tracer, struct fc_space *space, int i,
		       const struct fca_desk *desk)
{
	const struct fc_tracee *tracee = thread_of(tracer, space, (int)desk->owner);
	if (!tracee)
		return;
	struct letter letter = {
		.caller.call = call,
		.tracer = tracer,
		.space = fc_space_share(space),
		.pid = tracee->process->pid,
		.tid = tracee->tid,
		.taddr = fc_desk_at(space, i),
		.desk = *desk,
	};
	serve(&letter);
	fc_space_put(letter.space);
}

/*
 * Those of a filter, or all others. The process may have ended by now, and the space with it: it is
 * looked for anew.
 */
static void serve_process(struct fc_tracer *tracer, int pid, bool of_filters)
{
	struct fca_desk desks[FCA_NR_DESKS];
	struct fc_process *process = fc_process_find(&tracer->tracees, pid);
	if (!process || !process->space || !fc_desks_read(process->space, desks))
		return;
	for (int i = 0; i < FCA_NR_DESKS && !fc_tracer_is_told(tracer); i++) {
		process = fc_process_find(&tracer->tracees, pid);
		if (process && process->space && fc_desk_is_open(&desks[i]) &&
		    (desks[i].what == FCA_LETTER_FILTER) == of_filters)
			serve_desk(tracer, process->space, i, &desks[i]);
	}
}

static void serve_others(const struct letter *than)
{
	serve_process(than->tracer, than->pid, false);
}

static bool has_written(const struct fc_space *space)
{
	const struct fc_arena *arena = space ? space->arena : NULL;
	return arena && fc_arena_has_letters(arena);
}

void fc_letters_serve(struct fc_tracer *tracer)
{
	fc_auto_vec FC_VEC(int) pids = { 0 };
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (has_written(p->space))
			fc_vec_push(&pids, p->pid);
	/* Before they are looked at: what comes later is looked at again. */
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (has_written(p->space))
			fc_arena_hear(p->space->arena);
	fc_vec_each (&pids, pid) {
		serve_process(tracer, *pid, false);
		serve_process(tracer, *pid, true);
	}
}
