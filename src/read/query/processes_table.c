/* SPDX-License-Identifier: Apache-2.0 */
/* processes_table.c - the table of processes. */
#include <sys/wait.h>

#include "read/query/cell.h"
#include "read/query/sheet.h"
#include "read/sums/processes.h"

const char fc_processes_schema[] = "CREATE TABLE processes(\n"
				   "  pid INTEGER,\n"
				   "  parent INTEGER,\n"
				   "  program TEXT,\n"
				   "  begin_ns INTEGER,\n"
				   "  end_ns INTEGER,\n"
				   "  exit_status INTEGER,\n"
				   "  signal INTEGER,\n"
				   "  threads INTEGER)";

static int processes_open(struct fc_query *query, void **rows, size_t *nr)
{
	struct fc_processes processes = { 0 };

	fc_processes_find(query->reader, &processes);
	*rows = processes.list.at;
	*nr = processes.list.nr;
	fc_threads_deinit(&processes.latest);
	return 0;
}

static void process_ending(const struct fc_process_info *process, bool is_signal,
			   sqlite3_context *ctx)
{
	bool by_signal = process->has_ended && WIFSIGNALED(process->status);

	if (!process->has_ended || (is_signal && !by_signal))
		sqlite3_result_null(ctx);
	else if (is_signal)
		sqlite3_result_int(ctx, WTERMSIG(process->status));
	else
		sqlite3_result_int(ctx, fc_exit_status(process->status));
}

static int processes_cell(struct fc_query *query, const void *rows, size_t row, int column,
			  sqlite3_context *ctx)
{
	const struct fc_process_info *process = (const struct fc_process_info *)rows + row;

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
