/* SPDX-License-Identifier: Apache-2.0 */
#include "user/detach.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "trace/clock.h"
#include "user/hold.h"
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
	INSIDE,	   /* a thread is in a stub or in the agent */
	STUCK,	   /* there is a sentence why something stays */
};

static enum progress unhook(struct fc_tracer *tracer, struct fc_process *process,
			    const struct fc_standing *standing)
{
	fc_auto_close int mem_fd = fc_remote_open(standing->threads.at[0].tid);
	struct fc_remnant remnant;
	if (mem_fd < 0 || fc_remnant_find(standing->threads.at[0].tid, mem_fd, &remnant))
		return CLEAN;
	enum progress ret = INSIDE;
	fc_remnant_unhook(&remnant);
	if (fc_remnant_settle(&remnant, standing, fc_space_moved_from, process->space))
		ret = fc_remnant_remove(&remnant, standing, tracer->shared.ptrace_options)
			      ? STUCK
			      : CLEAN;
	fc_remnant_deinit(&remnant);
	return ret;
}

/* All are held. */
static enum progress unhook_held(struct fc_tracer *tracer)
{
	enum progress worst = CLEAN;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		struct fc_standing standing = { 0 };
		enum progress one = fc_standing_of(tracer, p, &standing)
					    ? CLEAN
					    : unhook(tracer, p, &standing);
		fc_standing_deinit(&standing);
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
int fc_unhook_all(struct fc_tracer *tracer)
{
	enum { PATIENCE_S = 10, HOLD_MS = 500, LONGEST_NS = 20 * 1000 * 1000 };
	struct timespec moment = { .tv_nsec = 500 * 1000 }, begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (;;) {
		int tid = 0;
		bool is_held = fc_hold_all(tracer, HOLD_MS, &tid);
		enum progress progress = is_held ? unhook_held(tracer) : INSIDE;
		if (progress != INSIDE)
			return progress == CLEAN ? 0 : -EBUSY;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - begin.tv_sec > PATIENCE_S)
			return give_up(is_held, tid);
		fc_release_all(tracer);
		fc_tracer_decline_letters(tracer);
		nanosleep(&moment, NULL);
		if (moment.tv_nsec < LONGEST_NS)
			moment.tv_nsec += moment.tv_nsec / 4;
	}
}

static void collect(void *ctx, struct fc_tracee *tracee)
{
	struct fc_standing *held = ctx;
	fc_vec_push(&held->threads, (struct fc_stand){ .tid = tracee->tid });
}

int fc_detach_all(struct fc_tracer *tracer)
{
	struct fc_standing held = { 0 };
	int ret = fc_unhook_all(tracer);
	fc_hold_each(tracer, collect, &held);
	fc_vec_each (&held.threads, stand) {
		ptrace(PTRACE_DETACH, stand->tid, 0, 0);
		fc_tracee_remove(&tracer->tracees, stand->tid);
	}
	fc_standing_deinit(&held);
	for (struct fc_process *p = tracer->tracees.first, *next; p; p = next) {
		next = p->next;
		if (!p->nr_threads)
			fc_process_remove(&tracer->tracees, p);
	}
	tracer->is_holding = false;
	return ret;
}
