/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks.h - what uftrace's task.txt says: which thread ran which program, and when.
 *
 * A session is a program in a process's memory: one more with each exec. A task is a thread; its
 * turns say from when on it ran in which session.
 */
#ifndef FC_READ_IMPORT_TASKS_H
#define FC_READ_IMPORT_TASKS_H

#include "base/pairs.h"
#include "base/vec.h"
#include "read/import/folder.h"

#define FC_UF_NONE SIZE_MAX

/* A library that was opened while the program ran. */
struct fc_uf_opened {
	uint64_t ns, base;
	char *path;
};

struct fc_uf_session {
	char sid[17];
	int pid;
	uint64_t ns;
	char *exe;
	FC_VEC(struct fc_uf_opened) opened; /* in order of the file */
};

struct fc_uf_turn {
	uint64_t ns;
	size_t session;
};

struct fc_uf_task {
	int tid, pid;
	int ppid;    /* of a process that was forked, else 0 */
	uint64_t ns; /* when it was first told of */
	FC_VEC(struct fc_uf_turn) turns;
};

struct fc_uf_tasks {
	FC_VEC(struct fc_uf_session) sessions;
	FC_VEC(struct fc_uf_task) tasks; /* in order of the file */
	struct fc_pairs by_tid;		 /* their numbers are places among tasks, + 1 */
	size_t nr_bad;			 /* lines that say nothing */
};

/* -ENOENT…, -EBADMSG: it tells of no program. With a sentence. */
int fc_uf_tasks_read(const struct fc_folder *folder, struct fc_uf_tasks *ret);
void fc_uf_tasks_deinit(struct fc_uf_tasks *tasks);

struct fc_uf_task *fc_uf_tasks_find(const struct fc_uf_tasks *tasks, int tid);

#endif
