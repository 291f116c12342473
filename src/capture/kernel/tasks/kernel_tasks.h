/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_tasks.h - a tap for what the kernel's well tells of threads that nobody traces otherwise: each gets
 * a strand of its own, and who it is is looked up (proc(5)).
 *
 *	well --records(no strand, thread 42)-->   tasks --records(strand 7: thread 42 of process 40)--> next
 *	     --life(thread 43, made by 42)---->         --life(process 43, made by process 40)-------->
 *
 * A process ends with its last thread; of one of which it was not told how, only its threads end.
 */
#ifndef FC_CAPTURE_KERNEL_TASKS_KERNEL_TASKS_H
#define FC_CAPTURE_KERNEL_TASKS_KERNEL_TASKS_H

#include "capture/kernel/tasks/kthreads.h"
#include "trace/source.h"

struct fc_tasks;

/* is_all: not only what fc_tasks_add() names, but nothing of this process. next outlives it. */
struct fc_tasks *fc_tasks_create(struct fc_numbers *numbers, bool is_all, struct fc_tap *next);
/* The well has stopped: all strands end. */
void fc_tasks_destroy(struct fc_tasks *tasks);
struct fc_tap *fc_tasks_tap(struct fc_tasks *tasks);

/* From now on what this one does is told. False: it was so before. */
bool fc_tasks_add(struct fc_tasks *tasks, const struct fc_kthread *kthread);
/* It is no more; its number may become another's. */
void fc_tasks_remove(struct fc_tasks *tasks, int tid);

/* All that was before has been told: for the next tap's tick(). */
uint64_t fc_tasks_told_until(const struct fc_tasks *tasks);
/* What the next tap could not do; 0: nothing. */
int fc_tasks_error(const struct fc_tasks *tasks);

#endif
