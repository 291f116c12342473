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
#include "base/vec.h"

#define PREFIX "fctrace-"

struct fc_tracefs {
	char *path; /* of the instance */
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

/* The bytes of a file, up to room of them; "": it cannot be read. */
static void read_short(const char *path, char *ret, size_t room)
{
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? -1 : read(fd, ret, room - 1);
	ret[nr > 0 ? nr : 0] = 0;
}

static bool is_known_to_kernel(void)
{
	char systems[4096];
	read_short("/proc/filesystems", systems, sizeof(systems));
	return strstr(systems, "\ttracefs\n");
}

static bool is_locked_down(void)
{
	char state[128];
	read_short("/sys/kernel/security/lockdown", state, sizeof(state));
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
		return fc_fail(err, "only root may use %s: run fctrace as root", root);
	return fc_fail(err,
		       "cannot use %s: %s; in a container this needs the host's tracefs, "
		       "writable",
		       root, strerror(err));
}

static int check_root(const char *root)
{
	if (!root && !is_known_to_kernel())
		return fc_fail(ENODEV, "this kernel has no tracefs (CONFIG_FTRACE)");
	if (!root)
		return fc_fail(ENOENT,
			       "tracefs is not mounted: as root, mount -t tracefs nodev %s",
			       roots[0]);
	if (access(root, R_OK | W_OK | X_OK))
		return fail_to_use(errno, root);
	if (!is_in_first_namespace())
		return fc_fail(
			EPERM,
			"in a PID namespace of their own threads have other numbers than "
			"the kernel's tracing knows: run fctrace outside the container");
	return 0;
}

/* ---- files ---- */

char *fc_tracefs_path(const struct fc_tracefs *tracefs, const char *file)
{
	return fc_asprintf("%s/%s", tracefs->path, file);
}

static int put(const struct fc_tracefs *tracefs, const char *file, const char *text, int flags)
{
	fc_auto_free char *path = fc_tracefs_path(tracefs, file);
	fc_auto_close int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	if (fd < 0)
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	size_t size = strlen(text);
	if (write(fd, text, size) != (ssize_t)size)
		return fc_fail(errno, "cannot write %s to %s: %s", text, path, strerror(errno));
	return 0;
}

int fc_tracefs_write(const struct fc_tracefs *tracefs, const char *file, const char *text)
{
	return put(tracefs, file, text, O_TRUNC);
}

int fc_tracefs_append(const struct fc_tracefs *tracefs, const char *file, const char *text)
{
	return put(tracefs, file, text, O_APPEND);
}

char *fc_tracefs_read(const struct fc_tracefs *tracefs, const char *file, size_t *size)
{
	enum { PIECE = 16384 };
	fc_auto_free char *path = fc_tracefs_path(tracefs, file);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	FC_VEC(char) text = { 0 };
	ssize_t nr = fd < 0 ? -1 : 1;
	while (nr > 0) {
		fc_vec_reserve(&text, PIECE);
		nr = read(fd, text.at + text.nr, PIECE - 1);
		text.nr += nr > 0 ? (size_t)nr : 0;
	}
	if (nr < 0) {
		fc_vec_free(&text);
		return NULL;
	}
	text.at[text.nr] = 0;
	*size = text.nr;
	return text.at;
}

/* ---- instances ---- */

/* When the process was started, as proc(5) has it; 0: there is none. */
static unsigned long long start_of(int pid)
{
	enum { START = 22, NAME = 2 };
	char stat[1024];
	fc_auto_free char *path = fc_asprintf("/proc/%d/stat", pid);
	read_short(path, stat, sizeof(stat));
	char *at = strrchr(stat, ')'); /* of its name, in which anything may stand */
	for (int i = NAME; at && i < START; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* Is it of an fctrace that is no more? */
static bool is_left(const char *name)
{
	int pid, end = 0;
	unsigned long long start;
	if (sscanf(name, PREFIX "%d-%llu%n", &pid, &start, &end) != 2 || name[end])
		return false;
	return start_of(pid) != start;
}

size_t fc_tracefs_clean(void)
{
	const char *root = find_root();
	if (!root || !is_in_first_namespace())
		return 0;
	fc_auto_free char *path = fc_asprintf("%s/instances", root);
	DIR *dir = opendir(path);
	size_t nr = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (is_left(entry->d_name))
			nr += !unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
	return nr;
}

int fc_tracefs_check(void)
{
	return check_root(find_root());
}

int fc_tracefs_open(struct fc_tracefs **ret)
{
	const char *root = find_root();
	int err = check_root(root);
	if (err)
		return err;
	fc_tracefs_clean();
	fc_auto_free char *path = fc_asprintf("%s/instances/" PREFIX "%d-%llu", root, getpid(),
					      start_of(getpid()));
	if (mkdir(path, 0700))
		return fail_to_use(errno, root);
	*ret = fc_alloc(sizeof(**ret));
	(*ret)->path = fc_take(path);
	err = fc_tracefs_write(*ret, "tracing_on", "0");
	if (err) {
		fc_tracefs_close(*ret);
		*ret = NULL;
	}
	return err;
}

void fc_tracefs_close(struct fc_tracefs *tracefs)
{
	if (!tracefs)
		return;
	rmdir(tracefs->path);
	free(tracefs->path);
	free(tracefs);
}
