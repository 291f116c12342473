/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c - reads uftrace's task.txt, line by line. */
#include "read/import/tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

#define NS_A_S	   1000000000u
#define TASKS_MAX  (1u << 20) /* of tasks, sessions and libraries each: more are passed over */
#define OPENED_MAX 1024	      /* libraries of a session */
#define LOOK_BACK  4096	      /* sessions: what a line is about was told not long before */

struct fc_uf_task *fc_uf_tasks_find(const struct fc_uf_tasks *tasks, int tid)
{
	uint32_t number = fc_pairs_find(&tasks->by_tid, (uint32_t)tid);

	return number ? &tasks->tasks.at[number - 1] : NULL;
}

static struct fc_uf_task *add_task(struct fc_uf_tasks *tasks, const struct fc_uf_task *task)
{
	fc_pairs_add(&tasks->by_tid, (uint32_t)task->tid);
	fc_vec_push(&tasks->tasks, *task);
	return &tasks->tasks.at[tasks->tasks.nr - 1];
}

/* ---- sessions ---- */

static size_t oldest_near(const struct fc_uf_tasks *tasks)
{
	return tasks->sessions.nr > LOOK_BACK ? tasks->sessions.nr - LOOK_BACK : 0;
}

/* The last one of a process that had begun by then. */
static size_t session_of_pid(const struct fc_uf_tasks *tasks, int pid, uint64_t ns)
{
	for (size_t i = tasks->sessions.nr; i-- > oldest_near(tasks);)
		if (tasks->sessions.at[i].pid == pid && tasks->sessions.at[i].ns <= ns)
			return i;
	return FC_UF_NONE;
}

static size_t last_session(const struct fc_uf_tasks *tasks, int tid)
{
	const struct fc_uf_task *task = fc_uf_tasks_find(tasks, tid);

	return task && task->turns.nr ? task->turns.at[task->turns.nr - 1].session : FC_UF_NONE;
}

/* ---- lines ---- */

struct stamped {
	uint64_t ns;
	int first, second; /* tid and pid, pid and ppid */
};

/* The number behind key in line: false when there is none. */
static bool find_number(const char *line, const char *key, int base, uint64_t *ret)
{
	const char *at = strstr(line, key);
	char *end;

	if (!at)
		return false;
	at += strlen(key);
	errno = 0;
	*ret = strtoull(at, &end, base);
	return end != at && !errno && *at != '-';
}

static bool find_id(const char *line, const char *key, int *ret)
{
	uint64_t n;

	if (!find_number(line, key, 10, &n) || !n || n > INT32_MAX)
		return false;
	*ret = (int)n;
	return true;
}

/* timestamp=SECONDS.NANOSECONDS, nine digits of these. */
static bool find_time(const char *line, uint64_t *ret)
{
	uint64_t s, ns;
	const char *dot = strchr(line, '.');

	if (!find_number(line, " timestamp=", 10, &s) || !dot ||
	    !find_number(dot, ".", 10, &ns) || s > UINT32_MAX || ns >= NS_A_S)
		return false;
	*ret = s * NS_A_S + ns;
	return true;
}

/* key="text", the last word of a line; in place. */
static char *find_path(char *line, const char *key)
{
	char *at = strstr(line, key);
	char *end = at ? strrchr(at, '"') : NULL;

	if (!at || end < at + strlen(key))
		return NULL;
	*end = 0;
	return at + strlen(key);
}

static bool find_sid(const char *line, char sid[17])
{
	const char *at = strstr(line, " sid=");

	sid[0] = 0;
	return at && sscanf(at, " sid=%16[0-9a-zA-Z]", sid) == 1;
}

static bool take_session(struct fc_uf_tasks *tasks, char *line)
{
	struct fc_uf_session session = { .ns = 0 };

	if (tasks->sessions.nr >= TASKS_MAX || !find_time(line, &session.ns) ||
	    !find_id(line, " pid=", &session.pid) || !find_sid(line, session.sid))
		return false;
	const char *exe = find_path(line, " exename=\"");
	if (!exe)
		return false;
	session.exe = fc_strdup(exe);
	fc_vec_push(&tasks->sessions, session);
	return true;
}

static void turn(struct fc_uf_task *task, uint64_t ns, size_t session)
{
	if (session != FC_UF_NONE)
		fc_vec_push(&task->turns, (struct fc_uf_turn){ ns, session });
}

static bool take_task(struct fc_uf_tasks *tasks, char *line)
{
	struct fc_uf_task task = { .ppid = 0 };

	if (tasks->tasks.nr >= TASKS_MAX || !find_time(line, &task.ns) ||
	    !find_id(line, " tid=", &task.tid) || !find_id(line, " pid=", &task.pid))
		return false;
	size_t session = session_of_pid(tasks, task.pid, task.ns);
	if (session == FC_UF_NONE)
		session = last_session(tasks, task.pid);
	struct fc_uf_task *known = fc_uf_tasks_find(tasks, task.tid);
	turn(known ? known : add_task(tasks, &task), task.ns, session);
	return true;
}

static bool take_fork(struct fc_uf_tasks *tasks, char *line)
{
	struct fc_uf_task task = { .ppid = 0 };

	if (tasks->tasks.nr >= TASKS_MAX || !find_time(line, &task.ns) ||
	    !find_id(line, " pid=", &task.pid) || !find_id(line, " ppid=", &task.ppid))
		return false;
	task.tid = task.pid;
	size_t session = last_session(tasks, task.ppid);
	if (session == FC_UF_NONE)
		session = session_of_pid(tasks, task.ppid, task.ns);
	struct fc_uf_task *known = fc_uf_tasks_find(tasks, task.tid);
	turn(known ? known : add_task(tasks, &task), task.ns, session);
	return true;
}

static bool take_opened(struct fc_uf_tasks *tasks, char *line)
{
	struct fc_uf_opened opened;
	char sid[17];

	if (!find_time(line, &opened.ns) || !find_sid(line, sid) ||
	    !find_number(line, " base=", 16, &opened.base))
		return false;
	const char *path = find_path(line, " libname=\"");
	if (!path)
		return false;
	for (size_t i = tasks->sessions.nr; i-- > oldest_near(tasks);) {
		struct fc_uf_session *session = &tasks->sessions.at[i];
		if (strcmp(session->sid, sid) || session->opened.nr >= OPENED_MAX)
			continue;
		opened.path = fc_strdup(path);
		fc_vec_push(&session->opened, opened);
		return true;
	}
	return false;
}

static bool read_line(struct fc_uf_tasks *tasks, char *line)
{
	static const struct {
		const char *word;
		bool (*take)(struct fc_uf_tasks *tasks, char *line);
	} kinds[] = {
		{ "SESS", take_session },
		{ "TASK", take_task },
		{ "FORK", take_fork },
		{ "DLOP", take_opened },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(line, kinds[i].word, 4))
			return kinds[i].take(tasks, line);
	return !*line;
}

int fc_uf_tasks_read(const struct fc_folder *folder, struct fc_uf_tasks *ret)
{
	fc_auto_close int fd = -1;
	uint64_t size;
	int err = fc_folder_file(folder, "task.txt", &fd, &size);

	if (err)
		return err;
	*ret = (struct fc_uf_tasks){ .nr_bad = 0 };
	struct fc_text lines;
	fc_text_init(&lines, fd);
	for (char *line = fc_text_next(&lines); line; line = fc_text_next(&lines))
		ret->nr_bad += !read_line(ret, line);
	fc_text_deinit(&lines);
	if (ret->sessions.nr && ret->tasks.nr)
		return 0;
	bool has_none = !ret->sessions.nr;
	fc_uf_tasks_deinit(ret);
	return fc_fail(
		EBADMSG,
		"%s/task.txt tells of no %s: nothing was recorded, or the file is damaged",
		folder->path, has_none ? "program" : "thread");
}

void fc_uf_tasks_deinit(struct fc_uf_tasks *tasks)
{
	fc_vec_each (&tasks->sessions, session) {
		fc_vec_each (&session->opened, opened)
			free(opened->path);
		fc_vec_free(&session->opened);
		free(session->exe);
	}
	fc_vec_free(&tasks->sessions);
	fc_vec_each (&tasks->tasks, task)
		fc_vec_free(&task->turns);
	fc_vec_free(&tasks->tasks);
	fc_pairs_deinit(&tasks->by_tid);
}
