/* SPDX-License-Identifier: Apache-2.0 */
#include "export/ctf_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"

#define METADATA UINT32_MAX /* as the number of a file */
/* Until it is whole. Who reads the folder passes over files with a dot. */
#define METADATA_ASIDE ".metadata"

/* 1: it is; -errno. */
static int is_empty(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	int ret = 1;

	if (!dir)
		return -errno;
	while (ret && (entry = readdir(dir)))
		ret = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	closedir(dir);
	return ret;
}

int fc_ctf_folder_open(struct fc_ctf_folder *folder, const char *path)
{
	*folder = (struct fc_ctf_folder){ .path = path, .fd = -1 };
	for (size_t i = 0; i < FC_CTF_OPEN_FILES; i++)
		folder->open[i].fd = -1;
	folder->is_made = !mkdir(path, 0777);
	if (!folder->is_made && errno != EEXIST)
		return fc_fail(errno, "%s cannot be made: %s", path, strerror(errno));
	int empty = folder->is_made ? 1 : is_empty(path);
	if (empty == -ENOTDIR)
		return fc_fail(ENOTDIR, "%s is there and is no folder; name another", path);
	if (empty < 0)
		return fc_fail(-empty, "%s cannot be read: %s", path, strerror(-empty));
	if (!empty)
		return fc_fail(ENOTEMPTY,
			       "%s is there and not empty, and nothing in it is written over; "
			       "name another folder",
			       path);
	folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->fd < 0)
		return fc_fail(errno, "%s cannot be opened: %s", path, strerror(errno));
	return 0;
}

static void name_file(uint32_t file, char *ret, size_t size)
{
	if (file == METADATA)
		snprintf(ret, size, "metadata");
	else if (file)
		snprintf(ret, size, "calls-%u", file);
	else
		snprintf(ret, size, "processes");
}

static void fail(struct fc_ctf_folder *folder, uint32_t file, int err)
{
	char name[32];

	if (folder->err)
		return;
	name_file(file, name, sizeof(name));
	folder->err = -err;
	folder->failed = fc_strdup(name);
}

/* Some file systems say only now that there is no room. */
static void close_file(struct fc_ctf_folder *folder, size_t i)
{
	if (folder->open[i].fd >= 0 && close(folder->open[i].fd))
		fail(folder, folder->open[i].file, errno);
	folder->open[i].fd = -1;
}

/* -1 if it cannot be opened. */
static int fd_of(struct fc_ctf_folder *folder, uint32_t file)
{
	size_t i = file % FC_CTF_OPEN_FILES;
	char name[32];

	if (folder->open[i].fd >= 0 && folder->open[i].file == file)
		return folder->open[i].fd;
	close_file(folder, i);
	name_file(file, name, sizeof(name));
	folder->open[i].file = file;
	folder->open[i].fd =
		openat(folder->fd, file == METADATA ? METADATA_ASIDE : name,
		       O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (folder->open[i].fd < 0)
		fail(folder, file, errno);
	if (file != METADATA)
		folder->is_used = true;
	return folder->open[i].fd;
}

/* Who reads it would stumble over half a packet. */
static void take_back(int fd, off_t size)
{
	if (size < 0 || ftruncate(fd, size))
		return; /* nothing more can be done */
}

void fc_ctf_folder_append(struct fc_ctf_folder *folder, uint32_t file, const void *data,
			  size_t len)
{
	int fd = folder->err ? -1 : fd_of(folder, file);
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;

	while (fd >= 0 && len) {
		ssize_t nr = write(fd, data, len);
		if (nr >= 0) {
			data = (const char *)data + nr;
			len -= (size_t)nr;
		} else if (errno != EINTR) {
			fail(folder, file, errno);
			take_back(fd, size);
			return;
		}
	}
}

void fc_ctf_folder_append_metadata(struct fc_ctf_folder *folder, const void *data, size_t len)
{
	fc_ctf_folder_append(folder, METADATA, data, len);
}

void fc_ctf_folder_place_metadata(struct fc_ctf_folder *folder)
{
	close_file(folder, METADATA % FC_CTF_OPEN_FILES);
	if (!folder->err && renameat(folder->fd, METADATA_ASIDE, folder->fd, "metadata"))
		fail(folder, METADATA, errno);
}

int fc_ctf_folder_finish(struct fc_ctf_folder *folder)
{
	for (size_t i = 0; i < FC_CTF_OPEN_FILES; i++)
		close_file(folder, i);
	if (!folder->err)
		return 0;
	return fc_fail(-folder->err, "%s/%s could not be written whole: %s", folder->path,
		       folder->failed, strerror(-folder->err));
}

void fc_ctf_folder_close(struct fc_ctf_folder *folder)
{
	for (size_t i = 0; i < FC_CTF_OPEN_FILES; i++)
		close_file(folder, i);
	if (folder->fd >= 0) {
		unlinkat(folder->fd, METADATA_ASIDE, 0);
		if (!folder->is_used)
			unlinkat(folder->fd, "metadata", 0);
		close(folder->fd);
	}
	if (folder->is_made && !folder->is_used)
		rmdir(folder->path);
	free(folder->failed);
}
