/* SPDX-License-Identifier: Apache-2.0 */
/* folder.c - reads files of a folder that may change or be hostile. */
#include "read/import/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"

#define READ_BYTES (64u << 10)

int fc_folder_open(const char *path, struct fc_folder *ret)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOTDIR)
		return fc_fail(ENOTDIR, "%s is a file, not a folder that uftrace recorded into",
			       path);
	if (fd < 0)
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	*ret = (struct fc_folder){ fd, path };
	return 0;
}

void fc_folder_close(struct fc_folder *folder)
{
	close(folder->fd);
}

int fc_folder_file(const struct fc_folder *folder, const char *name, int *ret_fd,
		   uint64_t *ret_size)
{
	struct stat st;
	int fd = fc_foreign_open(folder->fd, name, &st);

	if (fd == -EINVAL || fd == -EISDIR)
		return fc_fail(EINVAL, "%s/%s is not a regular file", folder->path, name);
	if (fd < 0)
		return fc_fail(-fd, "cannot open %s/%s: %s", folder->path, name,
			       fc_foreign_why(fd));
	*ret_fd = fd;
	*ret_size = (uint64_t)st.st_size;
	return 0;
}

int fc_folder_each(const struct fc_folder *folder, void (*fn)(void *ctx, const char *name),
		   void *ctx)
{
	int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		int err = fc_fail(errno, "cannot read %s: %s", folder->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return err;
	}
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		fn(ctx, entry->d_name);
	closedir(dir);
	return 0;
}

bool fc_folder_holds(const struct fc_folder *folder, const char *path)
{
	const char *slash = strrchr(path, '/');
	fc_auto_free char *dir =
		slash ? fc_asprintf("%.*s", (int)(slash - path + 1), path) : fc_strdup(".");
	struct stat a, b;

	return !stat(dir, &a) && !fstat(folder->fd, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

void fc_text_init(struct fc_text *lines, int fd)
{
	*lines = (struct fc_text){ .fd = fd };
	lines->buf = fc_alloc(READ_BYTES);
	lines->line = fc_alloc(FC_TEXT_LINE_MAX + 1);
}

void fc_text_deinit(struct fc_text *lines)
{
	free(lines->buf);
	free(lines->line);
}

static bool fill(struct fc_text *lines)
{
	ssize_t n = read(lines->fd, lines->buf, READ_BYTES);

	lines->at = 0;
	lines->nr = n > 0 ? (size_t)n : 0;
	return lines->nr > 0;
}

char *fc_text_next(struct fc_text *lines)
{
	size_t len = 0;
	bool is_any = false;

	while (lines->at < lines->nr || fill(lines)) {
		char c = lines->buf[lines->at++];
		is_any = true;
		if (c == '\n')
			break;
		if (len < FC_TEXT_LINE_MAX)
			lines->line[len++] = c;
	}
	lines->line[len] = 0;
	return is_any ? lines->line : NULL;
}
