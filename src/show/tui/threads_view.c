/* SPDX-License-Identifier: Apache-2.0 */
/* threads_view.c - the threads of a trace; all views show one of them, or all. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "show/tui/app.h"
#include "show/tui/rows.h"
#include "show/tui/tree_text.h"
#include "trace/packets.h"

struct task {
	int pid, tid; /* tid 0: the row of all */
	uint64_t calls, records, lost;
	uint64_t first_tsc, last_tsc;
};

struct fc_tasks {
	FC_VEC(struct task) tasks;
	struct fc_list list;
};

static int by_thread(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct task task_of(struct fc_reader *reader, size_t i)
{
	const struct fc_strand_info *info = fc_reader_strand(reader, i);
	unsigned shift = fc_reader_time_shift(reader);
	size_t nr = fc_reader_nr_packets(reader, i);
	struct fc_strand_totals totals;

	fc_reader_strand_totals(reader, i, &totals);
	return (struct task){
		.pid = info->pid,
		.tid = info->tid,
		.calls = totals.calls,
		.records = totals.records,
		.lost = totals.lost,
		.first_tsc = fc_reader_packet(reader, i, 0)->begin << shift,
		.last_tsc = fc_reader_packet(reader, i, nr - 1)->end << shift,
	};
}

static void add(struct task *to, const struct task *task)
{
	to->calls += task->calls;
	to->records += task->records;
	to->lost += task->lost;
	if (!to->first_tsc || task->first_tsc < to->first_tsc)
		to->first_tsc = task->first_tsc;
	if (task->last_tsc > to->last_tsc)
		to->last_tsc = task->last_tsc;
}

/* A thread may have several strands: its own stack, a signal's, coroutines'. */
static void find_tasks(struct fc_app *app)
{
	struct fc_reader *reader = app->opts->reader;
	struct fc_tasks *tasks = fc_alloc(sizeof(*tasks));
	size_t nr = 1;

	app->tasks = tasks;
	fc_vec_push(&tasks->tasks, (struct task){ 0 });
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++)
		fc_vec_push(&tasks->tasks, task_of(reader, i));
	qsort(tasks->tasks.at + 1, tasks->tasks.nr - 1, sizeof(struct task), by_thread);
	for (size_t i = 1; i < tasks->tasks.nr; i++) {
		struct task task = tasks->tasks.at[i], *last = &tasks->tasks.at[nr - 1];
		add(&tasks->tasks.at[0], &task);
		if (nr > 1 && !by_thread(last, &task))
			add(last, &task);
		else
			tasks->tasks.at[nr++] = task;
	}
	tasks->tasks.nr = tasks->list.nr = nr;
}

static void reset(struct fc_app *app)
{
	if (app->tasks)
		fc_vec_free(&app->tasks->tasks);
	free(app->tasks);
	app->tasks = NULL;
}

static void draw_task(const struct fc_app *app, const struct task *task, int row, int look)
{
	const struct fc_clock *clock = fc_reader_clock(app->opts->reader);
	char tid[FC_TREE_CELL] = "all", pid[FC_TREE_CELL] = "", calls[FC_TREE_CELL];
	char lost[FC_TREE_CELL], begin[FC_TREE_CELL], lasts[FC_TREE_CELL];
	uint64_t ns = fc_clock_ns(clock, task->first_tsc);

	if (task->tid) {
		snprintf(tid, sizeof(tid), "%d", task->tid);
		snprintf(pid, sizeof(pid), "%d", task->pid);
	}
	snprintf(calls, sizeof(calls), "%" PRIu64, task->calls);
	snprintf(lost, sizeof(lost), "%" PRIu64, task->lost);
	snprintf(begin, sizeof(begin), "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		 ns % 1000000000);
	fc_clock_ns_cell(fc_clock_duration_ns(clock, task->last_tsc - task->first_tsc), lasts);
	const struct fc_cell cells[] = { { 9, tid },   { 9, pid },    { 14, calls },
					 { 12, lost }, { 16, begin }, { 13, lasts } };
	fc_list_row(row, look, cells, 6, task->tid == app->tid ? "<-" : "");
}

static void draw(struct fc_app *app, int row, int height)
{
	static const struct fc_cell heads[] = { { 9, "TID" },	   { 9, "PID" },
						{ 14, "CALLS" },   { 12, "LOST" },
						{ 16, "BEGIN s" }, { 13, "LASTS" } };
	if (!app->tasks)
		find_tasks(app);
	struct fc_tasks *tasks = app->tasks;
	fc_list_row(row, FC_LOOK_HEAD, heads, 6, "");
	fc_list_settle(&tasks->list, height - 1);
	for (int i = 1; i < height; i++) {
		size_t at = tasks->list.top + (size_t)i - 1;
		if (at < tasks->tasks.nr)
			draw_task(app, &tasks->tasks.at[at], row + i,
				  at == tasks->list.selected ? FC_LOOK_SELECTED
							     : FC_LOOK_PLAIN);
	}
}

static bool key(struct fc_app *app, int key)
{
	struct fc_tasks *tasks = app->tasks;

	if (!tasks)
		return false;
	if (fc_list_key(&tasks->list, key, app->page))
		return true;
	if (key != FC_KEY_ENTER && key != FC_KEY_RIGHT && key != ' ')
		return false;
	fc_app_set_thread(app, tasks->tasks.at[tasks->list.selected].tid);
	fc_app_show(app, FC_VIEW_TREE);
	return true;
}

static const char *const help[] = {
	"Threads",
	"",
	"  Enter               all views show this thread; of the first row: all threads",
	NULL,
};

const struct fc_view fc_view_threads = {
	.name = "Threads",
	.keys = "Enter show this thread alone; in the first row: all",
	.help = help,
	.draw = draw,
	.key = key,
	.reset = reset,
};
