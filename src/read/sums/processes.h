/* SPDX-License-Identifier: Apache-2.0 */
/* processes.h - the processes and the threads of a trace: their lives, and what they recorded. */
#ifndef FC_READ_SUMS_PROCESSES_H
#define FC_READ_SUMS_PROCESSES_H

#include "base/vec.h"
#include "calls/threads.h"
#include "trace/reader.h"

struct fc_process_info {
	int pid, parent;
	const char *program; /* the last one it ran; NULL: its parent's */
	uint64_t begin_tsc, end_tsc;
	bool has_begun, has_ended; /* as far as was seen */
	int status;		   /* as wait() has it */
	size_t nr_threads;
};

struct fc_processes {
	FC_VEC(struct fc_process_info) list; /* in order of their begin */
	struct fc_threads latest; /* by pid: pids are used again; current = place + 1 */
};

/* *ret is empty before. */
void fc_processes_find(const struct fc_reader *reader, struct fc_processes *ret);
void fc_processes_deinit(struct fc_processes *processes);

/* What the latest of that pid ran last, or who forked it; "": it is not known. */
const char *fc_processes_program(struct fc_processes *processes, int pid);

/* As a shell says what wait() has: 128 + the signal if one ended it. */
int fc_exit_status(int wait_status);

/* A thread, or one of its strands. */
struct fc_task {
	uint32_t strand;
	uint8_t kind;
	int pid, tid;
	uint64_t begin_tsc, end_tsc; /* of its first and its last record */
	uint64_t nr_strands;
	const char *name; /* of a thread, its own, of the reader; NULL: none is known */
	struct fc_strand_totals sums;
};

/* Of each strand, by its place. The caller frees *ret. Returns how many. */
size_t fc_tasks_strands(struct fc_reader *reader, struct fc_task **ret);
/* Of each thread, by pid and tid. The caller frees *ret. Returns how many. */
size_t fc_tasks_threads(struct fc_reader *reader, struct fc_task **ret);
/* Both together: from the first begin to the last end. */
void fc_task_add(struct fc_task *to, const struct fc_task *by);

#endif
