/* SPDX-License-Identifier: Apache-2.0 */
/* processes_table.c - the table of processes. */
#include <sys/wait.h>

#include "base/memory.h"
#include "base/vec.h"
#include "calls/threads.h"
#include "read/query/cell.h"
#include "read/query/sheet.h"

const char fc_processes_schema[] = "CREATE TABLE processes(\n"
				   "  pid INTEGER,\n"
				   "  parent INTEGER,\n"
				   "  program TEXT,\n"
				   "  begin_ns INTEGER,\n"
				   "  end_ns INTEGER,\n"
				   "  exit_status INTEGER,\n"
				   "  signal INTEGER,\n"
				   "  threads INTEGER)";

struct process {
	int pid, parent;
	const char *program; /* the last one it ran; NULL: its parent's */
	uint64_t begin_tsc, end_tsc;
	bool has_begun, has_ended;
	int status;
	size_t nr_threads;
};

struct processes {
	FC_VEC(struct process) list;
	struct fc_threads latest; /* by pid: pids are used again; current = place + 1 */
};

static struct process *add_process(struct processes *processes, struct process process)
{
	fc_vec_push(&processes->list, process);
	fc_threads_make(&processes->latest, process.pid)->current =
		(uint32_t)processes->list.nr;
	return &processes->list.at[processes->list.nr - 1];
}

static struct process *process_of(struct processes *processes, int pid)
{
	uint32_t place = fc_threads_make(&processes->latest, pid)->current;
	if (place)
		return &processes->list.at[place - 1];
	return add_process(processes, (struct process){ .pid = pid, .nr_threads = 1 });
}

static void take_life(struct processes *processes, const struct fc_life_info *life)
{
	struct process *process;

	switch (life->life) {
	case FC_LIFE_START:
		add_process(processes, (struct process){ .pid = life->pid,
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

static int processes_open(struct fc_query *query, void **rows, size_t *nr)
{
	struct processes processes = { 0 };

	for (size_t i = 0; i < fc_reader_nr_lives(query->reader); i++)
		take_life(&processes, fc_reader_life(query->reader, i));
	fc_threads_deinit(&processes.latest);
	*rows = processes.list.at;
	*nr = processes.list.nr;
	return 0;
}

static void process_ending(const struct process *process, bool is_signal, sqlite3_context *ctx)
{
	bool by_signal = process->has_ended && WIFSIGNALED(process->status);

	/* As a shell says it: 128 + the signal if one ended it. */
	if (!process->has_ended || (is_signal && !by_signal))
		sqlite3_result_null(ctx);
	else if (is_signal)
		sqlite3_result_int(ctx, WTERMSIG(process->status));
	else
		sqlite3_result_int(ctx, by_signal ? 128 + WTERMSIG(process->status)
						  : WEXITSTATUS(process->status));
}

static int processes_cell(struct fc_query *query, const void *rows, size_t row, int column,
			  sqlite3_context *ctx)
{
	const struct process *process = (const struct process *)rows + row;

	switch (column) {
	case 0:
		sqlite3_result_int(ctx, process->pid);
		break;
	case 1:
		if (process->has_begun)
			sqlite3_result_int(ctx, process->parent);
		break;
	case 2:
		fc_cell_string(ctx, process->program);
		break;
	case 3:
		fc_cell_tsc(ctx, query, process->has_begun, process->begin_tsc);
		break;
	case 4:
		fc_cell_tsc(ctx, query, process->has_ended, process->end_tsc);
		break;
	case 7:
		fc_cell_number(ctx, process->nr_threads);
		break;
	default:
		process_ending(process, column == 6, ctx);
	}
	return 0;
}

const struct fc_sheet fc_sheet_processes = { processes_open, processes_cell, -1, NULL };
