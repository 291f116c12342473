/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/tracee.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- threads ---- */

struct fc_tracee *fc_tracee_find(struct fc_tracees *tracees, int tid)
{
	struct fc_tracee *t = tid > 0 ? tracees->bucket[tid % FC_NR_BUCKETS] : NULL;
	while (t && t->tid != tid)
		t = t->next;
	return t;
}

struct fc_tracee *fc_tracee_add(struct fc_tracees *tracees, int tid, struct fc_process *process)
{
	struct fc_tracee *t =
		fc_alloc(tracees->tracee_size ? tracees->tracee_size : sizeof(*t));
	t->tid = tid;
	t->sees_calls = tracees->sees_calls;
	if (process)
		fc_tracee_enter(t, process);
	t->next = tracees->bucket[tid % FC_NR_BUCKETS];
	tracees->bucket[tid % FC_NR_BUCKETS] = t;
	tracees->nr++;
	return t;
}

void fc_tracee_enter(struct fc_tracee *tracee, struct fc_process *process)
{
	tracee->process = process;
	process->nr_threads++;
}

static void unlink_at(struct fc_tracees *tracees, struct fc_tracee **at)
{
	struct fc_tracee *t = *at;
	*at = t->next;
	if (t->process)
		t->process->nr_threads--;
	if (tracees->forget)
		tracees->forget(t);
	free(t);
	tracees->nr--;
}

void fc_tracee_remove(struct fc_tracees *tracees, int tid)
{
	struct fc_tracee **at = &tracees->bucket[tid % FC_NR_BUCKETS];
	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	if (*at)
		unlink_at(tracees, at);
}

void fc_tracee_leave(struct fc_tracees *tracees, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	fc_tracee_remove(tracees, tracee->tid);
	if (process && !process->nr_threads)
		fc_process_remove(tracees, process);
}

static void keep_only(struct fc_tracees *tracees, struct fc_process *process, int tid)
{
	for (int i = 0; i < FC_NR_BUCKETS; i++)
		for (struct fc_tracee **at = &tracees->bucket[i]; *at;)
			if ((*at)->process == process && (*at)->tid != tid)
				unlink_at(tracees, at);
			else
				at = &(*at)->next;
}

bool fc_tracee_is_parked(const struct fc_tracee *tracee)
{
	return !tracee->process && tracee->first == FC_FIRST_NONE;
}

/* ---- processes ---- */

struct fc_process *fc_process_find(struct fc_tracees *tracees, int pid)
{
	struct fc_process *p = tracees->first;
	while (p && p->pid != pid)
		p = p->next;
	return p;
}

struct fc_process *fc_process_add(struct fc_tracees *tracees, int pid)
{
	struct fc_process *p =
		fc_alloc(tracees->process_size ? tracees->process_size : sizeof(*p));
	p->pid = pid;
	p->next = tracees->first;
	tracees->first = p;
	return p;
}

void fc_process_renew(struct fc_tracees *tracees, struct fc_tracee *tracee)
{
	struct fc_process *process = tracee->process;
	keep_only(tracees, process, tracee->tid);
	tracee->call_stops = 0;
	tracee->name[0] = tracee->old_name[0] = 0;
	if (tracees->forget)
		tracees->forget(tracee);
	if (tracees->forget_process)
		tracees->forget_process(process);
}

void fc_process_remove(struct fc_tracees *tracees, struct fc_process *process)
{
	keep_only(tracees, process, 0);
	struct fc_process **at = &tracees->first;
	while (*at != process)
		at = &(*at)->next;
	*at = process->next;
	if (tracees->forget_process)
		tracees->forget_process(process);
	free(process);
}

void fc_tracees_deinit(struct fc_tracees *tracees)
{
	while (tracees->first)
		fc_process_remove(tracees, tracees->first);
	for (int i = 0; i < FC_NR_BUCKETS; i++)
		while (tracees->bucket[i])
			unlink_at(tracees, &tracees->bucket[i]);
}
