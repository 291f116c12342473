/* SPDX-License-Identifier: Apache-2.0 */
/* moved.c - which faults of moved instructions wait until their function is unhooked, and go on. */
#include "capture/user/moved.h"

#include <signal.h>

#include "capture/hook/fault.h"
#include "capture/target/status.h"
#include "capture/user/hold.h"

static bool is_handled(int tid, int sig)
{
	struct fc_status status;
	return fc_status_read(tid, &status) && status.caught >> (sig - 1) & 1;
}

/*
 * A handler that makes a page readable lets the same instruction run again, which is frequent
 * (collectors): where the function may run from its start instead, it stays hooked. The cause of other
 * faults does not go away: the handler leads the thread elsewhere, behind the instruction perhaps.
 */
static bool may_stay(const struct fc_fault_place *place, int sig)
{
	return place->may_restart && (sig == SIGSEGV || sig == SIGBUS);
}

bool fc_moved_add(struct fc_tracer *tracer, struct fc_tracee *tracee, int sig)
{
	struct fc_fault_place place;
	/* Where all are held it is soon seen to; elsewhere somebody may wait for this thread. */
	bool may_wait = (tracer->is_serving && !tracer->is_ending) || tracer->is_holding;
	if (!may_wait || !fc_fault_find(tracee->process->space, tracee->tid, &place) ||
	    may_stay(&place, sig) || !is_handled(tracee->tid, sig))
		return false;
	tracee->deadly = sig;
	fc_vec_push(&tracer->moved, tracee->tid);
	return true;
}

void fc_moved_place(const struct fc_tracee *tracee)
{
	struct fc_fault_place place;
	const struct fc_space *space = tracee->process->space;
	bool is_bare = fc_fault_find(space, tracee->tid, &place) && place.is_bare;
	fc_fault_place(space, tracee->tid, is_bare);
}

void fc_moved_pass_on(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	int sig = tracee->deadly;
	tracee->deadly = 0;
	fc_moved_place(tracee);
	fc_hold_go_on(tracer, tracee, sig);
}

void fc_moved_let_go(struct fc_tracer *tracer)
{
	fc_vec_each (&tracer->moved, tid) {
		struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, *tid);
		if (tracee && tracee->deadly)
			fc_moved_pass_on(tracer, tracee);
	}
	tracer->moved.nr = 0;
}
