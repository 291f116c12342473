/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c - opens regular files only, without waiting. */
#include "base/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* O_PATH opens nothing: what it found is looked at, and that very file is then opened. */
int fc_foreign_open(int folder, const char *path, struct stat *st)
{
	char link[64];
	fc_auto_close int found = openat(folder, path, O_PATH | O_CLOEXEC);
	if (found < 0 || fstat(found, st))
		return -errno;
	if (!S_ISREG(st->st_mode))
		return S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	int fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

const char *fc_foreign_why(int err)
{
	switch (-err) {
	case EISDIR:
		return "it is a directory";
	case EINVAL:
		return "it is not a regular file";
	case EAGAIN:
		return "somebody holds a lease on it";
	default:
		return strerror(-err);
	}
}

bool fc_foreign_is_roots(const struct stat *st)
{
	return !st->st_uid && !(st->st_mode & (S_IWGRP | S_IWOTH));
}
