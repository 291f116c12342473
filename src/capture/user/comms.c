/* SPDX-License-Identifier: Apache-2.0 */
/* comms.c - names are looked for, and told where they have changed. */
#include "capture/user/comms.h"

#include <stdio.h>
#include <string.h>

#include "capture/target/comm.h"

enum {
	LOOK_NS = 1000 * 1000 * 1000,
	SOON_NS = 20 * 1000 * 1000,
	SHARE = 100, /* one part of so many of the time is for looking */
};

static void set(struct fc_tracer *tracer, struct fc_tracee *tracee, const char *name)
{
	if (!strcmp(tracee->name, name))
		return;
	snprintf(tracee->name, sizeof(tracee->name), "%s", name);
	fc_tracer_life(tracer, FC_LIFE_NAME, tracee->process->pid, tracee->tid, 0, 0, name);
}

void fc_comms_set(struct fc_tracer *tracer, int tid, const char *name)
{
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (!tracee || !tracee->process)
		return;
	if (!fc_comm_read(tid, tracee->old_name, sizeof(tracee->old_name)))
		tracee->old_name[0] = 0;
	set(tracer, tracee, name);
}

/* What it has from its maker, or from its program, is no name of its own. */
static bool is_inherited(const struct fc_tracee *tracee, const char *name)
{
	char first[FC_COMM_SIZE];
	return !tracee->name[0] && (tracee->tid == tracee->process->pid ||
				    !fc_comm_read(tracee->process->pid, first, sizeof(first)) ||
				    !strcmp(first, name));
}

static void look_at(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	char name[FC_COMM_SIZE];
	if (!tracee->process || !tracee->process->space ||
	    !fc_comm_read(tracee->tid, name, sizeof(name)))
		return;
	if (tracee->old_name[0] && !strcmp(tracee->old_name, name))
		return;
	tracee->old_name[0] = 0;
	if (!is_inherited(tracee, name))
		set(tracer, tracee, name);
	else if (tracee->tid == tracee->process->pid)
		memcpy(tracee->name, name, sizeof(name)); /* another one is seen */
}

/* Who makes a thread often gives it its name, just behind that. */
void fc_comms_expect(struct fc_tracer *tracer)
{
	uint64_t then_ns = fc_clock_mono_ns() + SOON_NS;
	if (then_ns < tracer->comms_least_ns)
		then_ns = tracer->comms_least_ns;
	if (then_ns < tracer->comms_ns)
		tracer->comms_ns = then_ns;
}

uint64_t fc_comms_next_ns(const struct fc_tracer *tracer)
{
	return tracer->comms_ns;
}

void fc_comms_look(struct fc_tracer *tracer)
{
	uint64_t begin_ns = fc_clock_mono_ns();
	fc_tracees_each (&tracer->tracees, tracee)
		look_at(tracer, tracee);
	uint64_t now_ns = fc_clock_mono_ns();
	tracer->comms_least_ns = now_ns + fc_clock_pause_ns(begin_ns, SHARE, 0);
	tracer->comms_ns = now_ns + fc_clock_pause_ns(begin_ns, SHARE, LOOK_NS);
}
