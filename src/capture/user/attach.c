/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/call_stops.h"
#include "capture/user/attach.h"

#include <dirent.h>
#include <errno.h>
#include <linux/kcmp.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/target/cave.h"
#include "capture/target/exe.h"
#include "capture/target/permit.h"
#include "capture/target/registers.h"
#include "capture/target/status.h"
#include "capture/user/detach.h"
#include "capture/user/hold.h"
#include "trace/source.h"

/* ---- to seize ---- */

static int check_process(int pid)
{
	struct fc_status status;
	char path[FC_EXE_PATH];
	int err = fc_registers_check();
	if (err)
		return err;
	if (!fc_status_read(pid, &status))
		return fc_fail(ESRCH, "there is no process %d", pid);
	if (status.tgid != pid)
		return fc_fail(ESRCH, "%d is a thread of process %d: give that", pid,
			       status.tgid);
	if (pid == getpid())
		return fc_fail(EINVAL, "%d is fctrace itself", pid);
	if (status.is_zombie)
		fc_status_read(fc_living_thread(pid), &status);
	if (status.is_zombie)
		return fc_fail(ESRCH, "process %d has ended, its parent has not noticed", pid);
	if (status.tracer) {
		struct fc_status tracer;
		fc_status_read(status.tracer, &tracer);
		return fc_fail(EBUSY,
			       "process %d is traced already, by %s (process %d): there can be "
			       "one tracer only",
			       pid, tracer.name, status.tracer);
	}
	if (fc_is_kernel_thread(pid))
		return fc_fail(ENOTSUP, "%d is a thread of the kernel, not a program", pid);
	if (!fc_exe_path(pid, path) && errno == ENOENT)
		return fc_fail(ESRCH, "process %d is ending", pid);
	return 0;
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
	return fc_permit_fail(err, process->pid, "trace process %d", process->pid);
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
	struct fc_process *process = fc_process_add(&tracer->tracees, pid);
	process->is_asked_for = true;
	/* Before any of its threads makes another, which is told. */
	fc_tracer_life(tracer, FC_LIFE_START, pid, pid, 0, 0, NULL);
	ret = seize_threads(tracer, process);
	fc_auto_close int mem_fd = ret ? -1 : fc_remote_open(pid);
	if (mem_fd >= 0)
		process->cave = fc_cave_left(pid, mem_fd);
	return ret;
}

/* ---- to hook ---- */

static void tell_program(struct fc_tracer *tracer, int pid)
{
	char path[FC_EXE_PATH];
	fc_exe_path(pid, path);
	fc_tracer_life(tracer, FC_LIFE_EXEC, pid, pid, 0, 0, path);
}

/*
 * A process that has the same memory (clone() with CLONE_VM, not yet through vfork()) and no
 * %gs would run into the stubs. 0: there is none.
 */
static int find_sharer(int pid)
{
	int found = 0, living = fc_living_thread(pid);
	DIR *dir = opendir("/proc");
	for (struct dirent *d; dir && !found && (d = readdir(dir));) {
		int other = atoi(d->d_name);
		if (other && other != pid && !syscall(SYS_kcmp, living, other, KCMP_VM, 0, 0))
			found = other;
	}
	if (dir)
		closedir(dir);
	return found;
}

static int hook(struct fc_tracer *tracer, struct fc_process *process, struct fc_space *space)
{
	fc_auto_standing struct fc_standing standing = { 0 };
	int other = find_sharer(process->pid);
	if (other)
		return fc_fail(EBUSY, "process %d shares its memory with process %d",
			       process->pid, other);
	int ret = fc_standing_of(tracer, process, &standing);
	if (!ret)
		ret = fc_space_look(space, &standing);
	if (!ret) {
		tell_program(tracer, process->pid);
		ret = fc_space_attach(space, &standing);
	}
	if (!ret)
		fc_vec_each (&standing.threads, stand)
			fc_space_born(space, process->pid, stand->tid);
	return ret;
}

struct spaces {
	FC_VEC(struct fc_space *) list;
};

static struct fc_space *space_for(const struct spaces *spaces, int pid)
{
	fc_vec_each (&spaces->list, space)
		if (fc_space_pid(*space) == pid)
			return fc_space_share(*space);
	return NULL;
}

/* A child that was born since needs a space of its own: its files are known by now. */
static int attach(struct fc_tracer *tracer, struct fc_process *process,
		  const struct spaces *prepared)
{
	struct fc_space *space = space_for(prepared, process->pid);
	int ret = space ? 0 : fc_space_prepare(&tracer->shared, process->pid, &space);
	if (ret)
		return ret;
	ret = hook(tracer, process, space);
	if (ret)
		fc_space_put(space);
	else
		process->space = space;
	return ret;
}

/* A child may have ended meanwhile; if not it runs on, as its parent does when that fails. */
static void say_untraced(struct fc_tracer *tracer, int pid)
{
	struct fc_status status;
	if (fc_status_read(pid, &status) && !status.is_zombie)
		fc_tracer_say(tracer, pid, "process %d runs untraced: %s", pid, fc_fail_text());
}

static int attach_held(struct fc_tracer *tracer, const struct spaces *prepared)
{
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		/* It may have executed another program meanwhile, which is hooked later. */
		const struct fc_tracee *leader = fc_tracee_find(&tracer->tracees, p->pid);
		bool is_new = leader && leader->is_at_start;
		int ret = p->space || is_new ? 0 : attach(tracer, p, prepared);
		if (ret && p->is_asked_for)
			return ret;
		if (ret)
			say_untraced(tracer, p->pid);
	}
	return 0;
}

/* What is in the way for a moment has time to go; processes that are hooked stay so. */
static int attach_patiently(struct fc_tracer *tracer, const struct spaces *prepared)
{
	enum { TRIES = 200, MOMENT_NS = 2 * 1000 * 1000 };
	for (int i = 0;; i++) {
		int ret = fc_unhook_all(tracer);
		if (!ret)
			ret = attach_held(tracer, prepared);
		if (ret != -EAGAIN || i == TRIES || fc_tracer_is_told(tracer))
			return ret;
		fc_release_all(tracer);
		fc_hold_let_run(tracer, MOMENT_NS);
	}
}

/* They are held: what they do from here on is all seen. */
static void follow_all(struct fc_tracer *tracer)
{
	fc_tracees_each (&tracer->tracees, tracee)
		if (tracee->process && tracee->process->space)
			fc_call_stops_follow(tracer, tracee);
}

int fc_attach_all(struct fc_tracer *tracer)
{
	struct spaces spaces = { 0 };
	int ret = 0;
	/* Files are read and planned while everything runs. */
	for (struct fc_process *p = tracer->tracees.first; p && !ret; p = p->next) {
		struct fc_space *space;
		if (!p->is_asked_for)
			continue;
		ret = fc_space_prepare(&tracer->shared, p->pid, &space);
		if (!ret)
			fc_vec_push(&spaces.list, space);
	}
	if (fc_tracer_is_told(tracer))
		ret = 0; /* nothing was done to any of them */
	else if (!ret)
		ret = attach_patiently(tracer, &spaces);
	fc_vec_each (&spaces.list, space)
		fc_space_put(*space);
	fc_vec_free(&spaces.list);
	if (!ret && !fc_tracer_is_told(tracer))
		follow_all(tracer);
	fc_release_all(tracer);
	return ret;
}
