/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel says EPERM and no more. It asks in turn: is it the same user, with the same rights
 * and in the same user namespace (__ptrace_may_access() in kernel/ptrace.c)? May it be read?
 * What do security modules say (security/yama)? Here the same is asked of what anybody may see.
 */
#include "capture/target/permit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/target/status.h"

struct asking {
	int pid;
	bool has_cap; /* CAP_SYS_PTRACE, where this process is */
	struct fc_status self, other;
};

int fc_permit_yama(void)
{
	int scope = 0;
	fc_auto_fclose FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	return file && fscanf(file, "%d", &scope) == 1 ? scope : 0;
}

static void read_uid_map(int pid, char *ret, size_t room)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/uid_map", pid);
	fc_auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, room - 1);
	ret[n > 0 ? n : 0] = 0;
}

/* Which one it is in, only who may trace it may see; how it is made, anybody may. */
static bool is_elsewhere(const struct asking *asking)
{
	char mine[512], theirs[512];
	read_uid_map(getpid(), mine, sizeof(mine));
	read_uid_map(asking->pid, theirs, sizeof(theirs));
	return *mine && *theirs && strcmp(mine, theirs) != 0;
}

static bool is_other_users(const struct asking *asking)
{
	for (int i = 0; i < FC_NR_UIDS; i++)
		if (asking->other.rights.uid[i] != geteuid())
			return true;
	return false;
}

/* What is in its folder in /proc belongs to root then, or to the root of its namespace. */
static bool is_protected(const struct asking *asking)
{
	char name[64];
	struct stat st;
	snprintf(name, sizeof(name), "/proc/%d/status", asking->pid);
	return !stat(name, &st) && st.st_uid != asking->other.rights.uid[FC_UID_EFFECTIVE];
}

static bool has_more_rights(const struct asking *asking)
{
	return asking->other.permitted & ~asking->self.permitted;
}

static bool is_descendant(int pid)
{
	struct fc_status status;
	while (pid > 1 && pid != getpid() && fc_status_read(pid, &status))
		pid = status.ppid;
	return pid == getpid();
}

/* What CAP_SYS_PTRACE would permit; NULL: nothing that it would. */
static const char *reason_without_cap(const struct asking *asking, int yama)
{
	if (is_other_users(asking))
		return "it is another user's";
	if (is_protected(asking))
		return "it is protected, as programs are that are set-uid, that their user may "
		       "not read, or that ask for it (PR_SET_DUMPABLE)";
	if (has_more_rights(asking))
		return "it has capabilities that fctrace has not";
	if (yama == 2)
		return "kernel.yama.ptrace_scope is 2";
	if (yama == 1 && !is_descendant(asking->pid))
		return "kernel.yama.ptrace_scope is 1: only who has started a program may "
		       "trace it; start it by fctrace";
	return NULL;
}

/* Root may have been left without it. */
static const char *way_to_cap(void)
{
	return geteuid() ? "root may"
			 : "fctrace runs as root, but without CAP_SYS_PTRACE, as in many "
			   "containers (--cap-add=SYS_PTRACE gives it)";
}

/* NULL: the kernel has a reason that is not known here. */
static char *reason(const struct asking *asking)
{
	int yama = fc_permit_yama();
	if (yama >= 3)
		return fc_strdup("kernel.yama.ptrace_scope is 3: nobody may trace anything "
				 "before the next boot");
	if (is_elsewhere(asking) && (asking->has_cap || !is_other_users(asking)))
		return fc_strdup(
			"it is in another user namespace, where fctrace has no rights");
	const char *lack = asking->has_cap ? NULL : reason_without_cap(asking, yama);
	if (lack)
		return fc_asprintf("%s; %s", lack, way_to_cap());
	if (asking->self.rights.seccomp)
		return fc_strdup("fctrace runs under a filter of system calls, as in many "
				 "containers; those need --cap-add=SYS_PTRACE");
	return NULL;
}

int fc_permit_fail(int err, int pid, const char *what, ...)
{
	struct asking asking = { .pid = pid };
	va_list ap;
	va_start(ap, what);
	fc_auto_free char *named = fc_vasprintf(what, ap);
	va_end(ap);
	bool is_there =
		fc_status_read(pid, &asking.other) && fc_status_read(getpid(), &asking.self);
	asking.has_cap = asking.self.rights.capabilities >> CAP_SYS_PTRACE & 1;
	fc_auto_free char *why =
		is_there && (err == EPERM || err == EACCES) ? reason(&asking) : NULL;
	if (why)
		return fc_fail(err, "not permitted to %s: %s", named, why);
	return fc_fail(err, "cannot %s: %s; `fctrace check` tells what forbids it", named,
		       strerror(err));
}
