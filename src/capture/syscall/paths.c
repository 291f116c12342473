/* SPDX-License-Identifier: Apache-2.0 */
/* paths.c - a table of the system calls that are given names of files, and which name is which argument's. */
#include "capture/syscall/paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * The kernel's include/linux/syscalls.h, as far as fs/ and ipc/mqueue.c take the argument by
 * getname(): not names of extended attributes, of file systems, or what a link is to hold as a device.
 */
static const struct row {
	const char *syscall;
	uint8_t nr, param[FC_PATH_PARAMS];
} rows[] = {
	{ "access", 1, { 0 } },
	{ "acct", 1, { 0 } },
	{ "chdir", 1, { 0 } },
	{ "chmod", 1, { 0 } },
	{ "chown", 1, { 0 } },
	{ "chroot", 1, { 0 } },
	{ "creat", 1, { 0 } },
	{ "execve", 1, { 0 } },
	{ "execveat", 1, { 1 } },
	{ "faccessat", 1, { 1 } },
	{ "faccessat2", 1, { 1 } },
	{ "fanotify_mark", 1, { 4 } },
	{ "fchmodat", 1, { 1 } },
	{ "fchmodat2", 1, { 1 } },
	{ "fchownat", 1, { 1 } },
	{ "fspick", 1, { 1 } },
	{ "futimesat", 1, { 1 } },
	{ "getxattr", 1, { 0 } },
	{ "inotify_add_watch", 1, { 1 } },
	{ "lchown", 1, { 0 } },
	{ "lgetxattr", 1, { 0 } },
	{ "link", 2, { 0, 1 } },
	{ "linkat", 2, { 1, 3 } },
	{ "listxattr", 1, { 0 } },
	{ "llistxattr", 1, { 0 } },
	{ "lremovexattr", 1, { 0 } },
	{ "lsetxattr", 1, { 0 } },
	{ "lstat", 1, { 0 } },
	{ "mkdir", 1, { 0 } },
	{ "mkdirat", 1, { 1 } },
	{ "mknod", 1, { 0 } },
	{ "mknodat", 1, { 1 } },
	{ "mount", 1, { 1 } },
	{ "mount_setattr", 1, { 1 } },
	{ "move_mount", 2, { 1, 3 } },
	{ "mq_open", 1, { 0 } },
	{ "mq_unlink", 1, { 0 } },
	{ "name_to_handle_at", 1, { 1 } },
	{ "newfstatat", 1, { 1 } },
	{ "open", 1, { 0 } },
	{ "open_tree", 1, { 1 } },
	{ "openat", 1, { 1 } },
	{ "openat2", 1, { 1 } },
	{ "pivot_root", 2, { 0, 1 } },
	{ "quotactl", 1, { 1 } },
	{ "readlink", 1, { 0 } },
	{ "readlinkat", 1, { 1 } },
	{ "removexattr", 1, { 0 } },
	{ "rename", 2, { 0, 1 } },
	{ "renameat", 2, { 1, 3 } },
	{ "renameat2", 2, { 1, 3 } },
	{ "rmdir", 1, { 0 } },
	{ "setxattr", 1, { 0 } },
	{ "stat", 1, { 0 } },
	{ "statfs", 1, { 0 } },
	{ "statx", 1, { 1 } },
	{ "swapoff", 1, { 0 } },
	{ "swapon", 1, { 0 } },
	{ "symlink", 2, { 0, 1 } },
	{ "symlinkat", 2, { 0, 2 } },
	{ "truncate", 1, { 0 } },
	{ "umount2", 1, { 0 } },
	{ "unlink", 1, { 0 } },
	{ "unlinkat", 1, { 1 } },
	{ "uselib", 1, { 0 } },
	{ "utime", 1, { 0 } },
	{ "utimensat", 1, { 1 } },
	{ "utimes", 1, { 0 } },
};

unsigned fc_paths_params(const char *syscall, uint8_t param[FC_PATH_PARAMS])
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].syscall, syscall)) {
			memcpy(param, rows[i].param, rows[i].nr);
			return rows[i].nr;
		}
	return 0;
}

void fc_paths_begin(struct fc_paths *paths, const uint64_t *pointer, unsigned nr)
{
	fc_paths_forget(paths);
	paths->nr = (uint8_t)nr;
	for (unsigned i = 0; i < nr; i++)
		paths->pointer[i] = pointer[i];
}

static bool set(char **known, const char *text)
{
	if (*known)
		return false;
	*known = fc_strdup(text);
	return true;
}

void fc_paths_take(struct fc_paths *paths, uint64_t object, uint64_t pointer, const char *text)
{
	bool is_argument = false, is_set = paths->last == object;
	for (unsigned i = 0; i < paths->nr; i++)
		if (paths->pointer[i] == pointer) {
			is_argument = true;
			set(&paths->text[i], text);
		}
	for (unsigned i = 0; !is_argument && !is_set && i < paths->nr; i++)
		is_set = set(&paths->text[i], text);
	paths->last = object;
}

void fc_paths_forget(struct fc_paths *paths)
{
	for (unsigned i = 0; i < FC_PATH_PARAMS; i++)
		free(paths->text[i]);
	*paths = (struct fc_paths){ 0 };
}
