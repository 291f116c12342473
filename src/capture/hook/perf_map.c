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
#include "base/foreign.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/place.h"
#include "base/printable.h"

enum { PATH_SIZE = 64 };

static void name_file(int pid, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "/tmp/perf-%d.map", pid);
}

/*
 * To write to it. Anybody may make files in /tmp under this name: what somebody else can have made is not
 * written to (base/place.h), nor what is no file.
 */
static FILE *open_file(const char *path, int flags)
{
	struct fc_place place;
	int fd = fc_place_find(path, &place);
	if (!fd) {
		fd = place.is_followed ? fc_fail(ELOOP, "it is a link")
				       : fc_place_open(&place, flags | O_NONBLOCK, 0644);
		fc_place_deinit(&place);
	}
	struct stat st;
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = fc_fail(EINVAL, "it is no file");
	}
	if (fd < 0) {
		fc_fail_while(fd, "--perf-map: cannot write to %s", path);
		return NULL;
	}
	return fdopen(fd, "w");
}

/* A name is what a file says: it must not begin a line of its own. */
static void put_stub(FILE *out, const struct fc_module *module, const struct fc_func_info *func,
		     uint64_t start, uint64_t size)
{
	fc_auto_free char *name =
		func->name ? fc_strdup(func->name)
			   : fc_asprintf("%s+0x%llx", fc_base_name(module->elf->path),
					 (unsigned long long)func->vaddr);
	fc_make_printable(name, strlen(name));
	fprintf(out, "%llx %llx %s\n", (unsigned long long)start, (unsigned long long)size,
		name);
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
	FILE *out = open_file(path, O_WRONLY | O_APPEND | O_CREAT);
	if (!out)
		return -EIO;
	put_stubs(out, module, stubs);
	return close_file(out, path);
}

int fc_perf_map_copy(int parent, int child)
{
	char from[PATH_SIZE], to[PATH_SIZE], bytes[4096];
	struct stat st;
	name_file(parent, from);
	name_file(child, to);
	fc_auto_close int in = fc_foreign_open(AT_FDCWD, from, &st);
	if (in < 0 || st.st_uid != geteuid()) /* there was none to be written, which was said */
		return 0;
	FILE *out = open_file(to, O_WRONLY | O_CREAT);
	if (!out)
		return -EIO;
	/* What a process of this number has left. */
	int err = ftruncate(fileno(out), 0);
	for (ssize_t nr; !err && (nr = read(in, bytes, sizeof(bytes))) > 0;)
		fwrite(bytes, 1, (size_t)nr, out);
	return close_file(out, to);
}
