/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/tracee.h"

#include <stdlib.h>

#include "base/memory.h"

struct fc_tracee *fc_tracee_find(struct fc_tracees *tracees, int tid)
{
	struct fc_tracee *t = tid > 0 ? tracees->bucket[tid % FC_NR_BUCKETS] : NULL;
	while (t && t->tid != tid)
		t = t->next;
	return t;
}

struct fc_tracee *fc_tracee_add(struct fc_tracees *tracees, int tid, struct fc_process *process)
{
	struct fc_tracee *t = fc_alloc(sizeof(*t));
	t->tid = tid;
	t->process = process;
	if (process)
		process->nr_threads++;
	t->next = tracees->bucket[tid % FC_NR_BUCKETS];
	tracees->bucket[tid % FC_NR_BUCKETS] = t;
	tracees->nr++;
	return t;
}

static void unlink_at(struct fc_tracees *tracees, struct fc_tracee **at)
{
	struct fc_tracee *t = *at;
	*at = t->next;
	if (t->process)
		t->process->nr_threads--;
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

void fc_tracee_keep_only(struct fc_tracees *tracees, struct fc_process *process, int tid)
{
	for (int i = 0; i < FC_NR_BUCKETS; i++)
		for (struct fc_tracee **at = &tracees->bucket[i]; *at;)
			if ((*at)->process == process && (*at)->tid != tid)
				unlink_at(tracees, at);
			else
				at = &(*at)->next;
}

struct fc_process *fc_process_find(struct fc_tracees *tracees, int pid)
{
	struct fc_process *p = tracees->first;
	while (p && p->pid != pid)
		p = p->next;
	return p;
}

struct fc_process *fc_process_add(struct fc_tracees *tracees, int pid, struct fc_space *space)
{
	struct fc_process *p = fc_alloc(sizeof(*p));
	p->pid = pid;
	p->space = space;
	p->next = tracees->first;
	tracees->first = p;
	return p;
}

void fc_process_remove(struct fc_tracees *tracees, struct fc_process *process)
{
	fc_tracee_keep_only(tracees, process, 0);
	struct fc_process **at = &tracees->first;
	while (*at != process)
		at = &(*at)->next;
	*at = process->next;
	fc_space_put(process->space);
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
