/* SPDX-License-Identifier: Apache-2.0 */
/* tracefs.c - an instance of the kernel's tracing of our own: made, written to, removed. */
#include "capture/kernel/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/graph_filter.h"
#include "capture/kernel/probe_event.h"
#include "capture/kernel/toplevel.h"
#include "capture/kernel/tracefile.h"

#define PREFIX "fctrace-"
#define GROUP  "fctrace_" /* no dash may stand there */

struct fc_tracefs {
	const char *root;
	char *instance; /* its path */
	char *group;
	bool is_top; /* the instance only keeps what is borrowed */
	int lock;    /* -1: none */
};

static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* ---- where it is ---- */

/* NULL: it is not mounted where it belongs. */
static const char *find_root(void)
{
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		struct statfs at;
		if (!statfs(roots[i], &at) && at.f_type == TRACEFS_MAGIC)
			return roots[i];
	}
	return NULL;
}

static bool is_known_to_kernel(void)
{
	char systems[4096];
	fc_tracefile_read_begin("/proc", "filesystems", systems, sizeof(systems));
	return strstr(systems, "\ttracefs\n");
}

static bool is_locked_down(void)
{
	char state[128];
	fc_tracefile_read_begin("/sys/kernel/security", "lockdown", state, sizeof(state));
	return strstr(state, "[confidentiality]");
}

/* The kernel's tracer numbers threads as the first PID namespace does. */
static bool is_in_first_namespace(void)
{
	static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO, linux/proc_ns.h */
	char link[64] = "";
	ssize_t nr = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);
	return nr < 0 || !strcmp(link, first);
}

static int fail_to_use(int err, const char *root)
{
	if (is_locked_down())
		return fc_fail(err,
			       "the kernel is locked down (confidentiality): nobody may "
			       "use its tracing, %s",
			       root);
	if (geteuid())
		return fc_fail(err,
			       "only root may use %s: run fctrace as root, or with "
			       "CAP_DAC_OVERRIDE and CAP_SYSLOG",
			       root);
	return fc_fail(err,
		       "cannot use %s: %s; in a container this needs the host's tracefs, "
		       "writable",
		       root, strerror(err));
}

/* A kernel in lockdown forbids that, whatever the rights say; -errno. */
static int try_to_read(const char *root)
{
	fc_auto_free char *path = fc_asprintf("%s/trace_clock", root);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

static int check_root(const char *root)
{
	if (!root && !is_known_to_kernel())
		return fc_fail(ENODEV, "this kernel has no tracefs (CONFIG_FTRACE)");
	if (!root)
		return fc_fail(ENOENT,
			       "tracefs is not mounted: as root, mount -t tracefs nodev %s",
			       roots[0]);
	/* By the effective capabilities, which access() leaves out of account. */
	if (faccessat(AT_FDCWD, root, R_OK | W_OK | X_OK, AT_EACCESS))
		return fail_to_use(errno, root);
	int err = try_to_read(root);
	if (err)
		return fail_to_use(-err, root);
	if (!is_in_first_namespace())
		return fc_fail(
			EPERM,
			"in a PID namespace of their own threads have other numbers than "
			"the kernel's tracing knows: run fctrace outside the container");
	return 0;
}

/* ---- instances ---- */

/* When the process was started, as proc(5) has it; 0: there is none. */
static unsigned long long start_of(int pid)
{
	enum { START = 22, NAME = 2 };
	char stat[1024];
	fc_auto_free char *folder = fc_asprintf("/proc/%d", pid);
	fc_tracefile_read_begin(folder, "stat", stat, sizeof(stat));
	char *at = strrchr(stat, ')'); /* of its name, in which anything may stand */
	for (int i = NAME; at && i < START; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/*
 * What stands behind the owner of something that is called so, if that fctrace is no more; NULL: it
 * is, or nothing is called so. format: of the owner's number, of when it was started, and %n.
 */
static const char *behind_dead_owner(const char *name, const char *format)
{
	int pid, end = 0;
	unsigned long long start;
	bool is_owned = sscanf(name, format, &pid, &start, &end) == 2;
	return is_owned && start_of(pid) != start ? name + end : NULL;
}

/* How its name ends: what it keeps for its owner ("": it was the owner's instance); NULL: it is not left. */
static const char *left_as(const char *name)
{
	const char *rest = behind_dead_owner(name, PREFIX "%d-%llu%n");
	bool is_ours = rest && (!*rest || !strcmp(rest, FC_TOPLEVEL_SUFFIX) ||
				!strcmp(rest, FC_GRAPH_FILTER_SUFFIX));
	return is_ours ? rest : NULL;
}

static bool is_group_left(const char *group)
{
	const char *rest = behind_dead_owner(group, GROUP "%d_%llu%n");
	return rest && !*rest;
}

static bool remove_left(const char *root, const char *name, const char *as)
{
	fc_auto_free char *path = fc_asprintf("%s/instances/%s", root, name);
	if (!strcmp(as, FC_TOPLEVEL_SUFFIX))
		fc_toplevel_give_back(root, path);
	if (!strcmp(as, FC_GRAPH_FILTER_SUFFIX))
		fc_graph_filter_take_back(root, path);
	return !rmdir(path);
}

size_t fc_tracefs_clean(void)
{
	const char *root = find_root();
	if (!root || !is_in_first_namespace())
		return 0;
	fc_auto_free char *path = fc_asprintf("%s/instances", root);
	DIR *dir = opendir(path);
	size_t nr = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const char *as = left_as(entry->d_name);
		if (as)
			nr += remove_left(root, entry->d_name, as);
	}
	if (dir)
		closedir(dir);
	fc_probe_events_clean(root, is_group_left);
	return nr;
}

int fc_tracefs_check(void)
{
	return check_root(find_root());
}

static int make_instance(struct fc_tracefs *tracefs, const char *suffix)
{
	fc_auto_free char *path = fc_asprintf("%s/instances/" PREFIX "%d-%llu%s", tracefs->root,
					      getpid(), start_of(getpid()), suffix);
	if (mkdir(path, 0700))
		return fail_to_use(errno, tracefs->root);
	tracefs->instance = fc_take(path);
	return fc_tracefile_write(tracefs->instance, "tracing_on", "0");
}

/* It is busy as long as somebody has a file of it open, who may only look around. */
static void remove_folder(const char *path)
{
	enum { TRIES = 100, BETWEEN_US = 10000 };
	for (int i = 0; rmdir(path) && errno == EBUSY && i < TRIES; i++)
		usleep(BETWEEN_US);
}

static void remove_instance(struct fc_tracefs *tracefs)
{
	if (tracefs->instance)
		remove_folder(tracefs->instance);
	free(tracefs->instance);
	tracefs->instance = NULL;
}

static bool has_graph(const char *folder)
{
	size_t size;
	fc_auto_free char *tracers = fc_tracefile_read(folder, "available_tracers", &size);
	return tracers && strstr(tracers, "function_graph");
}

/* Instances of this kernel cannot trace functions. */
static int borrow_top(struct fc_tracefs *tracefs)
{
	if (!has_graph(tracefs->root))
		return fc_fail(ENODEV, "this kernel has no function_graph tracer "
				       "(CONFIG_FUNCTION_GRAPH_TRACER)");
	remove_instance(tracefs);
	int err = fc_toplevel_lock(tracefs->root, &tracefs->lock);
	if (!err)
		err = make_instance(tracefs, FC_TOPLEVEL_SUFFIX);
	if (err)
		return err;
	tracefs->is_top = true;
	return fc_toplevel_borrow(tracefs->root, tracefs->instance);
}

int fc_tracefs_open(bool with_graph, struct fc_tracefs **ret)
{
	const char *root = find_root();
	int err = check_root(root);
	if (err)
		return err;
	fc_tracefs_clean();
	struct fc_tracefs *tracefs = fc_alloc(sizeof(*tracefs));
	tracefs->root = root;
	tracefs->lock = -1;
	tracefs->group = fc_asprintf(GROUP "%d_%llu", getpid(), start_of(getpid()));
	err = make_instance(tracefs, "");
	if (!err && with_graph && !has_graph(tracefs->instance))
		err = borrow_top(tracefs);
	if (err)
		fc_tracefs_close(tracefs);
	else
		*ret = tracefs;
	return err;
}

void fc_tracefs_close(struct fc_tracefs *tracefs)
{
	if (!tracefs)
		return;
	if (tracefs->is_top)
		fc_toplevel_give_back(tracefs->root, tracefs->instance);
	remove_instance(tracefs);
	if (tracefs->lock >= 0)
		close(tracefs->lock);
	free(tracefs->group);
	free(tracefs);
}

const char *fc_tracefs_group(const struct fc_tracefs *tracefs)
{
	return tracefs->group;
}

const char *fc_tracefs_folder(const struct fc_tracefs *tracefs)
{
	return tracefs->is_top ? tracefs->root : tracefs->instance;
}

const char *fc_tracefs_root(const struct fc_tracefs *tracefs)
{
	return tracefs->root;
}
