/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/exe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "capture/target/status.h"

struct fc_exe_link fc_exe_link(int pid)
{
	struct fc_exe_link link;
	snprintf(link.text, sizeof(link.text), "/proc/%d/exe", fc_living_thread(pid));
	return link;
}

bool fc_exe_cut_deleted(char *path)
{
	const size_t end = sizeof(FC_EXE_DELETED) - 1, size = strlen(path);
	bool is_deleted =
		path[0] == '/' && size > end && !strcmp(path + size - end, FC_EXE_DELETED);
	if (is_deleted)
		path[size - end] = 0;
	return is_deleted;
}

/* The name of a file that is there may end so, too. */
static bool leads_to(const char *path, const char *link)
{
	struct stat a, b;
	return !stat(path, &a) && !stat(link, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool fc_exe_path(int pid, char ret[FC_EXE_PATH])
{
	struct fc_exe_link link = fc_exe_link(pid);
	ssize_t size = readlink(link.text, ret, FC_EXE_PATH - 1);
	ret[size > 0 ? size : 0] = 0;
	int err = errno;
	if (size > 0 && !leads_to(ret, link.text))
		fc_exe_cut_deleted(ret);
	errno = err;
	return size > 0;
}
