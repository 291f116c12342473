/* SPDX-License-Identifier: Apache-2.0 */
/* unmove.c - unhooks functions in whose moved instructions threads have faulted. */
#include "capture/user/unmove.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/hook/fault.h"
#include "capture/user/rehook.h"
#include "capture/user/moved.h"
#include "capture/user/throttle.h"

static void say(struct fc_tracer *tracer, int pid, const char *name, int sig)
{
	fc_tracer_say(tracer, pid,
		      "%s runs unhooked from here on: SIG%s came in one of its first "
		      "instructions, and the program's handler is to find it there",
		      name, sigabbrev_np(sig));
}

/* Others may run the function: in all processes it is unhooked, or in none. */
static void unhook(struct fc_tracer *tracer, int pid, const struct fc_fault_place *place,
		   int sig)
{
	fc_auto_free char *name = fc_strdup(place->name);
	struct fc_rehooked done;
	uint32_t func = place->func;
	if (fc_tracer_rehook(tracer, &func, 1, false, &done))
		return;
	if (tracer->throttle)
		fc_throttle_told(tracer->throttle, tracer, &func, 1, false);
	if (done.nr_done)
		say(tracer, pid, name, sig);
}

bool fc_unmove_serve(struct fc_tracer *tracer)
{
	if (!tracer->moved.nr)
		return false;
	struct fc_fault_place place;
	int tid = tracer->moved.at[--tracer->moved.nr];
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee && tracee->deadly && !tracer->is_ending &&
	    fc_fault_find(tracee->process->space, tid, &place))
		unhook(tracer, tracee->process->pid, &place, tracee->deadly);
	tracee = fc_tracee_find(&tracer->tracees, tid); /* it may have been killed */
	if (tracee && tracee->deadly)
		fc_moved_pass_on(tracer, tracee);
	return true;
}
