/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/status.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/kcmp.h>
#include <linux/nsfs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* Namespaces nest, its own is the last. */
static void parse_ids(const char *words, struct fc_status *ret)
{
	char *end;
	while (ret->nr_ns < FC_MAX_PID_NAMESPACES) {
		int id = (int)strtol(words, &end, 10);
		if (end == words)
			return;
		ret->ns_tid[ret->nr_ns++] = ret->own_tid = id;
		words = end;
	}
}

/* What follows the name, if the line is of this field, or NULL. There is one read at each stop of a
 * thread that is stepped: to try sscanf() of each field on each line takes ten times as long. */
static const char *value_of(const char *line, const char *name)
{
	size_t len = strlen(name);
	return strncmp(line, name, len) || line[len] != ':' ? NULL : line + len + 1;
}

static bool parse_number(const char *line, const char *name, int *ret)
{
	const char *value = value_of(line, name);
	return value && sscanf(value, "%d", ret) == 1;
}

static bool parse_mask(const char *line, const char *name, uint64_t *ret)
{
	const char *value = value_of(line, name);
	return value && sscanf(value, "%" SCNx64, ret) == 1;
}

/* Real, effective and saved. */
static bool parse_owner(const char *line, const char *name, unsigned int ret[3])
{
	const char *value = value_of(line, name);
	return value && sscanf(value, "%u %u %u", &ret[0], &ret[1], &ret[2]) == 3;
}

static bool parse_rights(const char *line, struct fc_rights *ret)
{
	return parse_owner(line, "Uid", ret->uid) || parse_owner(line, "Gid", ret->gid) ||
	       parse_mask(line, "CapEff", &ret->capabilities) ||
	       parse_number(line, "NoNewPrivs", &ret->no_new_privs) ||
	       parse_number(line, "Seccomp", &ret->seccomp);
}

static bool parse_signals(const char *line, struct fc_status *ret)
{
	uint64_t mask;
	if (parse_mask(line, "SigPnd", &mask) || parse_mask(line, "ShdPnd", &mask)) {
		ret->pending |= mask;
		return true;
	}
	return parse_mask(line, "SigIgn", &ret->ignored) ||
	       parse_mask(line, "SigCgt", &ret->caught);
}

static void parse(const char *line, struct fc_status *ret)
{
	const char *value;
	if (parse_number(line, "Tgid", &ret->tgid) || parse_number(line, "PPid", &ret->ppid) ||
	    parse_number(line, "TracerPid", &ret->tracer) ||
	    parse_mask(line, "CapPrm", &ret->permitted) || parse_rights(line, &ret->rights) ||
	    parse_signals(line, ret))
		return;
	if ((value = value_of(line, "Name")))
		sscanf(value, " %16[^\n]", ret->name);
	else if ((value = value_of(line, "State")) && sscanf(value, " %c", &ret->state) == 1)
		ret->is_zombie = ret->state == 'Z' || ret->state == 'X';
	else if ((value = value_of(line, "NSpid")))
		parse_ids(value, ret);
}

bool fc_status_read(int tid, struct fc_status *ret)
{
	char name[64], line[256];
	*ret = (struct fc_status){ .tid = tid };
	snprintf(name, sizeof(name), "/proc/%d/status", tid);
	fc_auto_fclose FILE *file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		parse(line, ret);
	return ret->tgid;
}

/* Which one it is, so many levels above a thread's own pid namespace; 0: it cannot be told. */
static ino_t namespace_of(int tid, int nr_up)
{
	struct stat st;
	fc_auto_free char *link = fc_asprintf("/proc/%d/ns/pid", tid);
	int fd = open(link, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && nr_up--) {
		int parent = ioctl(fd, NS_GET_PARENT);
		close(fd);
		fd = parent;
	}
	ino_t ino = fd < 0 || fstat(fd, &st) ? 0 : st.st_ino;
	if (fd >= 0)
		close(fd);
	return ino;
}

int fc_status_seen_by(const struct fc_status *who, const struct fc_status *whom)
{
	if (!who->nr_ns || whom->nr_ns < who->nr_ns)
		return 0;
	int id = whom->ns_tid[who->nr_ns - 1];
	if (who->nr_ns == 1)
		return id;
	ino_t own = namespace_of(who->tid, 0);
	return own && own == namespace_of(whom->tid, whom->nr_ns - who->nr_ns) ? id : 0;
}

bool fc_is_thread_of(int pid, int tid)
{
	char name[64];
	snprintf(name, sizeof(name), "/proc/%d/task/%d", pid, tid);
	return !access(name, F_OK);
}

/* State and flags of /proc/TID/stat. */
static bool read_stat(int tid, char *state, unsigned *flags)
{
	char name[64], line[1024] = "";
	snprintf(name, sizeof(name), "/proc/%d/stat", tid);
	fc_auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, line, sizeof(line) - 1) <= 0)
		return false;
	/* Its name stands in brackets, and may have any in it. */
	const char *rest = strrchr(line, ')');
	return rest && sscanf(rest, ") %c %*d %*d %*d %*d %*d %u", state, flags) == 2;
}

bool fc_is_kernel_thread(int tid)
{
	enum { KERNEL_THREAD = 0x00200000 };
	unsigned flags;
	char state;
	return read_stat(tid, &state, &flags) && flags & KERNEL_THREAD;
}

static bool has_ended(int tid)
{
	unsigned flags;
	char state;
	return !read_stat(tid, &state, &flags) || state == 'Z' || state == 'X';
}

int fc_living_thread(int pid)
{
	if (!has_ended(pid))
		return pid;
	fc_auto_free char *name = fc_asprintf("/proc/%d/task", pid);
	DIR *dir = opendir(name);
	int found = 0;
	for (struct dirent *d; dir && !found && (d = readdir(dir));) {
		int tid = atoi(d->d_name);
		found = tid && !has_ended(tid) ? tid : 0;
	}
	if (dir)
		closedir(dir);
	return found ? found : pid;
}

bool fc_shares_memory(int pid, int child, int event)
{
	long same = syscall(SYS_kcmp, fc_living_thread(pid), child, KCMP_VM, 0, 0);
	return same < 0 ? event == PTRACE_EVENT_VFORK : same == 0;
}

bool fc_is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}
