/* SPDX-License-Identifier: Apache-2.0 */
/* processes.c - collects processes and threads from their lives and strands. */
#include "read/sums/processes.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/order.h"
#include "calls/thread_names.h"
#include "trace/peek.h"

/* ---- processes ---- */

static struct fc_process_info *add_process(struct fc_processes *processes,
					   struct fc_process_info process)
{
	fc_vec_push(&processes->list, process);
	fc_threads_make(&processes->latest, process.pid)->current =
		(uint32_t)processes->list.nr;
	return &processes->list.at[processes->list.nr - 1];
}

static struct fc_process_info *process_of(struct fc_processes *processes, int pid)
{
	uint32_t place = fc_threads_make(&processes->latest, pid)->current;
	if (place)
		return &processes->list.at[place - 1];
	return add_process(processes, (struct fc_process_info){ .pid = pid, .nr_threads = 1 });
}

static void take_life(struct fc_processes *processes, const struct fc_life_info *life)
{
	struct fc_process_info *process;

	switch (life->life) {
	case FC_LIFE_START:
		add_process(processes, (struct fc_process_info){ .pid = life->pid,
								 .parent = life->other,
								 .begin_tsc = life->tsc,
								 .has_begun = true,
								 .nr_threads = 1 });
		break;
	case FC_LIFE_EXEC:
		process_of(processes, life->pid)->program = life->text;
		break;
	case FC_LIFE_THREAD_START:
		process_of(processes, life->pid)->nr_threads++;
		break;
	case FC_LIFE_EXIT:
		process = process_of(processes, life->pid);
		process->has_ended = true;
		process->end_tsc = life->tsc;
		process->status = life->status;
		break;
	default:
		break;
	}
}

void fc_processes_find(const struct fc_reader *reader, struct fc_processes *ret)
{
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++)
		take_life(ret, fc_reader_life(reader, i));
}

void fc_processes_deinit(struct fc_processes *processes)
{
	fc_vec_free(&processes->list);
	fc_threads_deinit(&processes->latest);
}

const char *fc_processes_program(struct fc_processes *processes, int pid)
{
	enum { MOST_FORKS = 64 }; /* of a trace that tells of a ring */

	for (int i = 0; i < MOST_FORKS; i++) {
		uint32_t place = fc_threads_make(&processes->latest, pid)->current;
		if (!place)
			break;
		const struct fc_process_info *process = &processes->list.at[place - 1];
		if (process->program)
			return process->program;
		pid = process->parent;
	}
	return "";
}

int fc_exit_status(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
					: WEXITSTATUS(wait_status);
}

/* ---- threads ---- */

static struct fc_task strand_at(struct fc_reader *reader, size_t i)
{
	const struct fc_strand_info *info = fc_reader_strand(reader, i);
	size_t nr = fc_reader_nr_packets(reader, i);
	unsigned shift = fc_reader_time_shift(reader);
	struct fc_task task = {
		.strand = info->id,
		.kind = info->kind,
		.pid = info->pid,
		.tid = info->tid,
		.begin_tsc = fc_reader_packet(reader, i, 0)->begin << shift,
		.end_tsc = fc_reader_packet(reader, i, nr - 1)->end << shift,
		.nr_strands = 1,
	};
	fc_reader_strand_totals(reader, i, &task.sums);
	return task;
}

static int by_thread(const void *a, const void *b)
{
	const struct fc_task *x = a, *y = b;
	return fc_order(x->pid, y->pid) ?: fc_order(x->tid, y->tid);
}

void fc_task_add(struct fc_task *to, const struct fc_task *by)
{
	to->begin_tsc = by->begin_tsc < to->begin_tsc ? by->begin_tsc : to->begin_tsc;
	to->end_tsc = by->end_tsc > to->end_tsc ? by->end_tsc : to->end_tsc;
	to->nr_strands += by->nr_strands;
	to->sums.records += by->sums.records;
	to->sums.marks += by->sums.marks;
	to->sums.calls += by->sums.calls;
	to->sums.lost += by->sums.lost;
	to->sums.waits += by->sums.waits;
	to->sums.waited_ns += by->sums.waited_ns;
}

size_t fc_tasks_strands(struct fc_reader *reader, struct fc_task **ret)
{
	size_t nr = fc_reader_nr_strands(reader);

	*ret = fc_alloc((nr + 1) * sizeof(**ret));
	for (size_t i = 0; i < nr; i++)
		(*ret)[i] = strand_at(reader, i);
	return nr;
}

size_t fc_tasks_threads(struct fc_reader *reader, struct fc_task **ret)
{
	size_t nr = fc_tasks_strands(reader, ret), last = 0;
	struct fc_task *tasks = *ret;

	qsort(tasks, nr, sizeof(*tasks), by_thread);
	for (size_t i = 1; i < nr; i++) {
		if (by_thread(&tasks[last], &tasks[i]))
			tasks[++last] = tasks[i];
		else
			fc_task_add(&tasks[last], &tasks[i]);
	}
	nr = nr ? last + 1 : 0;
	struct fc_thread_names names = { 0 };
	fc_thread_names_find(&names, reader);
	for (size_t i = 0; i < nr; i++)
		tasks[i].name = fc_thread_names_of(&names, tasks[i].pid, tasks[i].tid);
	fc_thread_names_deinit(&names);
	return nr;
}
