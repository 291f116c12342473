/* SPDX-License-Identifier: Apache-2.0 */
/* kin.c - pairs processes and threads of two traces by their order, program and first calls. */
#include "read/diff/kin.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "calls/threads.h"
#include "read/diff/twins.h"

#define NONE SIZE_MAX
#define LOOK 4096 /* candidates, of many processes or threads that have no twin yet */

struct thread {
	int tid;
	uint32_t begin; /* what its first strand began with */
	size_t twin;	/* in the other trace's process, or NONE */
	FC_VEC(uint32_t) strands;
};

struct process {
	int pid;
	size_t parent; /* NONE: the trace begins with it */
	size_t twin;   /* in the other trace, or NONE */
	const char *program;
	FC_VEC(struct thread) threads;
	struct fc_threads by_tid; /* current: the place among threads + 1 */
};

struct side {
	FC_VEC(struct process) processes;
	struct fc_threads by_pid; /* current: the place of the latest of this pid + 1 */
};

/* ---- what there is ---- */

/* The latest of this pid. */
static size_t find_process(struct side *side, int pid)
{
	return (size_t)fc_threads_make(&side->by_pid, pid)->current - 1;
}

static struct process *add_process(struct side *side, int pid, int parent)
{
	struct process process = { .pid = pid,
				   .parent = parent ? find_process(side, parent) : NONE,
				   .twin = NONE,
				   .program = "" };

	if (process.parent != NONE)
		process.program = side->processes.at[process.parent].program;
	fc_vec_push(&side->processes, process);
	fc_threads_make(&side->by_pid, pid)->current = (uint32_t)side->processes.nr;
	return &side->processes.at[side->processes.nr - 1];
}

static struct process *process_of(struct side *side, int pid)
{
	size_t i = find_process(side, pid);
	return i != NONE ? &side->processes.at[i] : add_process(side, pid, 0);
}

static struct thread *thread_of(struct process *process, int tid)
{
	struct fc_thread *known = fc_threads_make(&process->by_tid, tid);

	if (!known->current) {
		fc_vec_push(&process->threads, (struct thread){ .tid = tid, .twin = NONE });
		known->current = (uint32_t)process->threads.nr;
	}
	return &process->threads.at[known->current - 1];
}

static void take_lives(struct side *side, struct fc_reader *reader)
{
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		if (life->life == FC_LIFE_START)
			thread_of(add_process(side, life->pid, life->other), life->pid);
		else if (life->life == FC_LIFE_EXEC)
			process_of(side, life->pid)->program = life->text;
		else if (life->life == FC_LIFE_THREAD_START)
			thread_of(process_of(side, life->pid), life->tid);
	}
}

static void take_strands(const struct fc_kin_opts *opts, struct side *side, int nr)
{
	struct fc_reader *reader = opts->readers[nr];

	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++) {
		const struct fc_strand_info *strand = fc_reader_strand(reader, i);
		uint32_t begin = opts->begin_of(opts->ctx, nr, strand->id);
		if (!begin)
			continue;
		struct thread *thread = thread_of(process_of(side, strand->pid), strand->tid);
		if (!thread->strands.nr)
			thread->begin = begin;
		fc_vec_push(&thread->strands, strand->id);
	}
}

static void side_deinit(struct side *side)
{
	fc_vec_each (&side->processes, process) {
		fc_vec_each (&process->threads, thread)
			fc_vec_free(&thread->strands);
		fc_vec_free(&process->threads);
		fc_threads_deinit(&process->by_tid);
	}
	fc_vec_free(&side->processes);
	fc_threads_deinit(&side->by_pid);
}

/* ---- what goes together ---- */

static bool is_same_process(const struct side sides[2], const struct process *a,
			    const struct process *b)
{
	if (a->parent == NONE || b->parent == NONE)
		return a->parent == b->parent;
	return sides[0].processes.at[a->parent].twin == b->parent &&
	       fc_twins_is_version(fc_base_name(a->program), fc_base_name(b->program));
}

/* Parents stand before their children. Those of one kind are found in order. */
static void match_processes(struct side sides[2])
{
	size_t first = 0; /* all before have their twins */

	for (size_t i = 0; i < sides[0].processes.nr; i++) {
		struct process *a = &sides[0].processes.at[i];
		while (first < sides[1].processes.nr &&
		       sides[1].processes.at[first].twin != NONE)
			first++;
		for (size_t k = first; k < sides[1].processes.nr && k < first + LOOK; k++) {
			struct process *b = &sides[1].processes.at[k];
			if (b->twin != NONE || !is_same_process(sides, a, b))
				continue;
			a->twin = k;
			b->twin = i;
			break;
		}
	}
}

/* The first thread of a process is another's first; none that made no call is any's. */
static bool may_be_twins(const struct process *a, size_t i, const struct process *b, size_t k,
			 bool is_any)
{
	const struct thread *left = &a->threads.at[i], *right = &b->threads.at[k];

	if (right->twin != NONE || !right->strands.nr || !i != !k)
		return false;
	return !i || is_any || left->begin == right->begin;
}

static void match_threads(struct process *a, struct process *b, bool is_any)
{
	size_t first = 0; /* all before have their twins, or made no call */

	for (size_t i = 0; i < a->threads.nr; i++) {
		struct thread *left = &a->threads.at[i];
		while (first < b->threads.nr &&
		       (b->threads.at[first].twin != NONE || !b->threads.at[first].strands.nr))
			first++;
		for (size_t k = first; k < b->threads.nr && k < first + LOOK; k++) {
			if (left->twin != NONE || !left->strands.nr)
				break;
			if (!may_be_twins(a, i, b, k, is_any))
				continue;
			left->twin = k;
			b->threads.at[k].twin = i;
		}
	}
}

/* ---- the list ---- */

static void set_side(struct fc_kin *kin, int nr, const struct process *process,
		     const struct thread *thread, size_t stack)
{
	if (!thread || stack >= thread->strands.nr)
		return;
	kin->strand[nr] = thread->strands.at[stack];
	kin->pid[nr] = process->pid;
	kin->tid[nr] = thread->tid;
	kin->program[nr] = process->program;
}

/* Either thread may be NULL. */
static void list_thread(const struct process *processes[2], const struct thread *threads[2],
			struct fc_kin kin, struct fc_kins *ret)
{
	size_t nr = 0;

	for (int i = 0; i < 2; i++)
		if (threads[i] && threads[i]->strands.nr > nr)
			nr = threads[i]->strands.nr;
	for (size_t i = 0; i < nr; i++) {
		struct fc_kin own = kin;
		own.nr_stack = (uint32_t)i + 1;
		for (int k = 0; k < 2; k++)
			set_side(&own, k, processes[k], threads[k], i);
		fc_vec_push(ret, own);
	}
}

/* Either process may be NULL. */
static void list_process(const struct process *a, const struct process *b, struct fc_kin kin,
			 struct fc_kins *ret)
{
	const struct process *both[2] = { a, b };

	for (size_t i = 0; a && i < a->threads.nr; i++) {
		const struct thread *thread = &a->threads.at[i];
		const struct thread *twin =
			thread->twin != NONE ? &b->threads.at[thread->twin] : NULL;
		kin.nr_thread = (uint32_t)i + 1;
		list_thread(both, (const struct thread *[2]){ thread, twin }, kin, ret);
	}
	for (size_t i = 0; b && i < b->threads.nr; i++) {
		const struct thread *thread = &b->threads.at[i];
		kin.nr_thread = (uint32_t)i + 1;
		if (thread->twin == NONE)
			list_thread(both, (const struct thread *[2]){ NULL, thread }, kin, ret);
	}
}

static void list_all(struct side sides[2], struct fc_kins *ret)
{
	for (size_t i = 0; i < sides[0].processes.nr; i++) {
		struct process *a = &sides[0].processes.at[i];
		struct process *b = a->twin != NONE ? &sides[1].processes.at[a->twin] : NULL;
		struct fc_kin kin = { .program = { "", "" }, .nr_process = (uint32_t)i + 1 };
		if (b) {
			match_threads(a, b, false);
			match_threads(a, b, true);
		}
		list_process(a, b, kin, ret);
	}
	for (size_t i = 0; i < sides[1].processes.nr; i++) {
		const struct process *b = &sides[1].processes.at[i];
		struct fc_kin kin = { .program = { "", "" }, .nr_process = (uint32_t)i + 1 };
		if (b->twin == NONE)
			list_process(NULL, b, kin, ret);
	}
}

void fc_kin_find(const struct fc_kin_opts *opts, struct fc_kins *ret)
{
	struct side sides[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		take_lives(&sides[i], opts->readers[i]);
		take_strands(opts, &sides[i], i);
	}
	match_processes(sides);
	list_all(sides, ret);
	side_deinit(&sides[0]);
	side_deinit(&sides[1]);
}
