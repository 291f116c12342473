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

static int processes_cell(struct fc_query *query, const void *rows, size_t row, int column,
			  sqlite3_context *ctx)
{
	const struct fc_process_info *process = (const struct fc_process_info *)rows + row;
	int status = process->status;

	switch (column) {
	case 0:
		return fc_cell_int(ctx, true, process->pid);
	case 1:
		return fc_cell_int(ctx, process->has_begun, process->parent);
	case 2:
		return fc_cell_string(ctx, process->program);
	case 3:
		return fc_cell_tsc(ctx, query, process->has_begun, process->begin_tsc);
	case 4:
		return fc_cell_tsc(ctx, query, process->has_ended, process->end_tsc);
	case 5:
		return fc_cell_int(ctx, process->has_ended, fc_exit_status(status));
	case 6:
		return fc_cell_int(ctx, process->has_ended && WIFSIGNALED(status),
				   WTERMSIG(status));
	default:
		return fc_cell_number(ctx, process->nr_threads);
	}
}

const struct fc_sheet fc_sheet_processes = { processes_open, processes_cell, -1, NULL };
