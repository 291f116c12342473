/* SPDX-License-Identifier: Apache-2.0 */
/* perf_map.c - a line for each stub: where it begins, its size, and the name of its function. */
#include "capture/hook/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"

enum { PATH_SIZE = 64 };

static void name_file(int pid, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "/tmp/perf-%d.map", pid);
}

/*
 * To add to it. Anybody may make files in /tmp: one that is a link, or another user's, is not ours to write to.
 */
static int open_file(const char *path, int flags)
{
	fc_auto_close int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0644);
	struct stat st;
	if (fd < 0 || fstat(fd, &st))
		return fc_fail(errno, "--perf-map: %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1)
		return fc_fail(EEXIST,
			       "--perf-map: %s is there, and not a file of yours: remove it",
			       path);
	int ret = fd;
	fd = -1;
	return ret;
}

static void put_stub(FILE *out, const struct fc_module *module, const struct fc_func_info *func,
		     uint64_t start, uint64_t size)
{
	fprintf(out, "%llx %llx ", (unsigned long long)start, (unsigned long long)size);
	if (func->name)
		fprintf(out, "%s\n", func->name);
	else
		fprintf(out, "%s+0x%llx\n", fc_base_name(module->elf->path),
			(unsigned long long)func->vaddr);
}

/* Stubs stand in the order of their functions. */
static void put_stubs(FILE *out, const struct fc_module *module, const struct fc_stubs *stubs)
{
	size_t nr, last = SIZE_MAX;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	uint64_t pool = stubs->opts.pool_taddr;
	for (size_t i = 0; i < nr; i++) {
		if (!stubs->offs[i])
			continue;
		if (last != SIZE_MAX)
			put_stub(out, module, &funcs[last], pool + stubs->offs[last],
				 stubs->offs[i] - stubs->offs[last]);
		last = i;
	}
	if (last != SIZE_MAX)
		put_stub(out, module, &funcs[last], pool + stubs->offs[last],
			 stubs->code_size - stubs->offs[last]);
}

static int close_file(FILE *out, const char *path)
{
	int err = ferror(out) ? EIO : 0;
	if (fclose(out))
		err = errno;
	return err ? fc_fail(err, "--perf-map: %s: %s", path, strerror(err)) : 0;
}

int fc_perf_map_add(int pid, const struct fc_module *module, const struct fc_stubs *stubs)
{
	char path[PATH_SIZE];
	name_file(pid, path);
	int fd = open_file(path, O_WRONLY | O_APPEND | O_CREAT);
	if (fd < 0)
		return fd;
	FILE *out = fdopen(fd, "a");
	put_stubs(out, module, stubs);
	return close_file(out, path);
}

int fc_perf_map_copy(int parent, int child)
{
	char from[PATH_SIZE], to[PATH_SIZE], bytes[4096];
	name_file(parent, from);
	name_file(child, to);
	fc_auto_close int in = open_file(from, O_RDONLY);
	int fd = in < 0 ? in : open_file(to, O_WRONLY | O_TRUNC | O_CREAT);
	if (fd < 0)
		return fd;
	FILE *out = fdopen(fd, "w");
	for (ssize_t nr; (nr = read(in, bytes, sizeof(bytes))) > 0;)
		fwrite(bytes, 1, (size_t)nr, out);
	return close_file(out, to);
}
