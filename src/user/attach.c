/* SPDX-License-Identifier: Apache-2.0 */
#include "user/attach.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "trace/source.h"
#include "user/detach.h"
#include "user/hold.h"
#include "user/status.h"

/* ---- to seize ---- */

static char *name_of(int tid)
{
	char path[64], name[64] = "";
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	fc_auto_fclose FILE *file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = 0;
	return fc_strdup(name);
}

static int check_process(int pid)
{
	struct fc_status status;
	char exe[64], path[2];
	if (!fc_status_read(pid, &status))
		return fc_fail(ESRCH, "there is no process %d", pid);
	if (status.tgid != pid)
		return fc_fail(ESRCH, "%d is a thread of process %d: give that", pid,
			       status.tgid);
	if (pid == getpid())
		return fc_fail(EINVAL, "%d is fctrace itself", pid);
	if (status.is_zombie)
		return fc_fail(ESRCH, "process %d has ended, its parent has not noticed", pid);
	if (status.tracer) {
		fc_auto_free char *name = name_of(status.tracer);
		return fc_fail(EBUSY,
			       "process %d is traced already, by %s (process %d): there can be "
			       "one tracer only",
			       pid, name, status.tracer);
	}
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	if (readlink(exe, path, sizeof(path)) < 0 && errno == ENOENT)
		return fc_fail(ENOTSUP, "%d is a thread of the kernel, not a program", pid);
	return 0;
}

static int cannot_seize(int pid, int err)
{
	if (err == EPERM)
		return fc_fail(err,
			       "not permitted to trace process %d: it is another user's, or "
			       "protected; `fctrace check` tells, root may",
			       pid);
	return fc_fail(err, "cannot trace process %d: %s", pid, strerror(err));
}

static int seize(struct fc_tracer *tracer, struct fc_process *process, int tid)
{
	struct fc_status status;
	if (!ptrace(PTRACE_SEIZE, tid, 0, tracer->shared.ptrace_options)) {
		if (!fc_tracee_find(&tracer->tracees, tid))
			fc_tracee_add(&tracer->tracees, tid, process);
		return 0;
	}
	int err = errno;
	/* It has ended meanwhile, or it is traced since its birth: an event will tell. */
	if (!fc_status_read(tid, &status) || status.is_zombie || status.tracer == gettid())
		return 0;
	return cannot_seize(process->pid, err);
}

/* Look for threads until there is no new one: those that are not seized yet make more. */
static int seize_threads(struct fc_tracer *tracer, struct fc_process *process)
{
	fc_auto_free char *name = fc_asprintf("/proc/%d/task", process->pid);
	bool is_new = true;
	while (is_new) {
		DIR *dir = opendir(name);
		int ret = dir ? 0 : fc_fail(ESRCH, "process %d has ended", process->pid);
		is_new = false;
		for (struct dirent *d; !ret && (d = readdir(dir));) {
			int tid = atoi(d->d_name);
			if (!tid || fc_tracee_find(&tracer->tracees, tid))
				continue;
			ret = seize(tracer, process, tid);
			is_new |= fc_tracee_find(&tracer->tracees, tid) != NULL;
		}
		if (dir)
			closedir(dir);
		if (ret)
			return ret;
	}
	return process->nr_threads ? 0 : fc_fail(ESRCH, "process %d has ended", process->pid);
}

int fc_attach_seize(struct fc_tracer *tracer, int pid)
{
	int ret = check_process(pid);
	if (ret || fc_process_find(&tracer->tracees, pid))
		return ret;
	return seize_threads(tracer, fc_process_add(&tracer->tracees, pid, NULL));
}

/* ---- to hook ---- */

static void tell(struct fc_tracer *tracer, int pid)
{
	char exe[64], path[4096];
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	ssize_t n = readlink(exe, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	fc_tracer_life(tracer, FC_LIFE_START, pid, pid, 0, 0, NULL);
	fc_tracer_life(tracer, FC_LIFE_EXEC, pid, pid, 0, 0, path);
}

static int attach(struct fc_tracer *tracer, struct fc_process *process, struct fc_space *space)
{
	struct fc_standing standing = { 0 };
	int death = -1;
	int ret = fc_standing_of(tracer, process, &standing);
	tell(tracer, process->pid);
	if (!ret)
		ret = fc_space_attach(space, &standing, &death);
	fc_standing_deinit(&standing);
	return ret;
}

static struct fc_process *find_unhooked(const struct fc_tracer *tracer)
{
	struct fc_process *process = tracer->tracees.first;
	while (process && process->space)
		process = process->next;
	return process;
}

int fc_attach_all(struct fc_tracer *tracer)
{
	FC_VEC(struct fc_space *) spaces = { 0 };
	int ret = 0;
	/* Files are read and planned while everything runs. */
	for (struct fc_process *p = tracer->tracees.first; p && !ret; p = p->next) {
		struct fc_space *space;
		ret = fc_space_prepare(&tracer->shared, p->pid, &space);
		if (!ret)
			fc_vec_push(&spaces, space);
	}
	if (!ret)
		ret = fc_unhook_all(tracer);
	fc_vec_each (&spaces, space) {
		struct fc_process *process =
			fc_process_find(&tracer->tracees, fc_space_pid(*space));
		/* It may have ended meanwhile, or have executed another program. */
		if (!ret && process && !process->space) {
			ret = attach(tracer, process, *space);
			process->space = ret ? NULL : fc_space_share(*space);
		}
		fc_space_put(*space);
	}
	fc_vec_free(&spaces);
	if (!ret && find_unhooked(tracer))
		ret = fc_fail(ESRCH, "process %d has ended", find_unhooked(tracer)->pid);
	fc_release_all(tracer);
	return ret;
}
