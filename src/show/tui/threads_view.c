/* SPDX-License-Identifier: Apache-2.0 */
/* threads_view.c - the threads of a trace; all views show one of them, or all. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/vec.h"
#include "read/sums/processes.h"
#include "show/tui/app.h"
#include "show/tui/rows.h"
#include "show/tui/tree_text.h"

struct fc_tasks {
	FC_VEC(struct fc_task) rows; /* the first: of all, its tid 0 */
	bool has_names;		     /* one of them */
	struct fc_list list;
};

/* A thread may have several strands: its own stack, a signal's, coroutines'. */
static void find_tasks(struct fc_app *app)
{
	struct fc_tasks *tasks = fc_alloc(sizeof(*tasks));
	fc_auto_free struct fc_task *threads = NULL;
	size_t nr = fc_tasks_threads(app->opts->reader, &threads);
	struct fc_task all = { 0 };

	if (nr)
		all.begin_tsc = threads[0].begin_tsc;
	fc_vec_push(&tasks->rows, all);
	for (size_t i = 0; i < nr; i++) {
		fc_task_add(&tasks->rows.at[0], &threads[i]);
		fc_vec_push(&tasks->rows, threads[i]);
		tasks->has_names |= threads[i].name != NULL;
	}
	tasks->list.nr = tasks->rows.nr;
	app->tasks = tasks;
}

static void reset(struct fc_app *app)
{
	if (app->tasks)
		fc_vec_free(&app->tasks->rows);
	free(app->tasks);
	app->tasks = NULL;
}

static void draw_task(const struct fc_app *app, size_t at, int row, enum fc_look look)
{
	const struct fc_task *task = &app->tasks->rows.at[at];
	const struct fc_clock *clock = fc_reader_clock(app->opts->reader);
	char tid[FC_TREE_CELL] = "all", pid[FC_TREE_CELL] = "", calls[FC_TREE_CELL];
	char lost[FC_TREE_CELL], begin[FC_TREE_CELL], lasts[FC_TREE_CELL];
	uint64_t ns = fc_clock_ns(clock, task->begin_tsc);

	if (task->tid) {
		snprintf(tid, sizeof(tid), "%d", task->tid);
		snprintf(pid, sizeof(pid), "%d", task->pid);
	}
	snprintf(calls, sizeof(calls), "%" PRIu64, task->sums.calls);
	snprintf(lost, sizeof(lost), "%" PRIu64, task->sums.lost);
	snprintf(begin, sizeof(begin), "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		 ns % 1000000000);
	fc_clock_ns_cell(fc_clock_duration_ns(clock, task->end_tsc - task->begin_tsc), lasts);
	const struct fc_cell cells[] = { { 9, tid },   { 9, pid },    { 14, calls },
					 { 12, lost }, { 16, begin }, { 13, lasts } };
	char name[FC_TREE_CELL];
	bool is_shown = task->tid == app->tid;
	snprintf(name, sizeof(name), "%s%s%s", task->name ? task->name : "",
		 task->name && is_shown ? " " : "", is_shown ? "<-" : "");
	fc_make_printable(name, strlen(name));
	fc_list_row(row, look, cells, 6, name);
}

static void draw(struct fc_app *app, int row, int height)
{
	static const struct fc_cell heads[] = { { 9, "TID" },	   { 9, "PID" },
						{ 14, "CALLS" },   { 12, "LOST" },
						{ 16, "BEGIN s" }, { 13, "LASTS" } };
	if (!app->tasks)
		find_tasks(app);
	fc_list_row(row, FC_LOOK_HEAD, heads, 6, app->tasks->has_names ? "NAME" : "");
	fc_list_draw(&app->tasks->list, row, height, draw_task, app);
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
	fc_app_set_thread(app, tasks->rows.at[tasks->list.selected].tid);
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
