/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_folder.c - creates the folder's files, and keeps few of them open. */
#include "show/export/ctf/ctf_folder.h"

#include <dirent.h>
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
#include "base/place.h"

#define METADATA UINT32_MAX /* as the number of a file */
/* Until it is whole. Who reads the folder passes over files with a dot. */
#define METADATA_ASIDE ".metadata"

/* 1: it is; -errno. */
static int is_empty(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int ret = 1;

	if (!dir && fd >= 0)
		close(fd);
	if (!dir)
		return -errno;
	while (ret && (entry = readdir(dir)))
		ret = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	closedir(dir);
	return ret;
}

/* The folder, made if it is not there; -errno with the end of a sentence. */
static int make(struct fc_ctf_folder *folder, const char *path)
{
	fc_auto_free char *plain = fc_strdup(path);
	size_t len = strlen(plain);
	struct fc_place place;

	while (len > 1 && plain[len - 1] == '/')
		plain[--len] = 0;
	int err = fc_place_find(plain, &place);
	if (err)
		return err;
	folder->is_made = !mkdirat(place.folder, place.name, 0777);
	err = folder->is_made || errno == EEXIST ? 0 : -errno;
	if (!err)
		folder->fd = openat(place.folder, place.name,
				    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (!err && folder->fd < 0)
		err = -errno;
	fc_place_deinit(&place);
	return err ? fc_fail(-err, "%s", strerror(-err)) : 0;
}

int fc_ctf_folder_open(struct fc_ctf_folder *folder, const char *path)
{
	*folder = (struct fc_ctf_folder){ .path = path, .fd = -1 };
	for (size_t i = 0; i < FC_CTF_OPEN_FILES; i++)
		folder->open[i].fd = -1;
	int err = make(folder, path);
	if (err == -ENOTDIR)
		return fc_fail(ENOTDIR, "%s is there and is no folder; name another", path);
	if (err) {
		fc_auto_free char *why = fc_strdup(fc_fail_text());
		return fc_fail(-err, "%s cannot be made: %s", path, why);
	}
	int empty = folder->is_made ? 1 : is_empty(folder->fd);
	if (empty <= 0) { /* nothing in it is ours */
		close(folder->fd);
		folder->fd = -1;
	}
	if (empty < 0)
		return fc_fail(-empty, "%s cannot be read: %s", path, strerror(-empty));
	if (!empty)
		return fc_fail(ENOTEMPTY,
			       "%s is there and not empty, and nothing in it is written over; "
			       "name another folder",
			       path);
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

/* A file that was made here, and by us: others may write in the folder. -errno. */
static int open_own(const struct fc_ctf_folder *folder, const char *name)
{
	struct stat st;
	int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = openat(folder->fd, name, flags | O_CREAT | O_EXCL, 0666);

	if (fd < 0 && errno == EEXIST)
		fd = openat(folder->fd, name, flags);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_nlink == 1)
		return fd;
	close(fd);
	return -EEXIST;
}

/* Less than 0 if it cannot be opened. */
static int fd_of(struct fc_ctf_folder *folder, uint32_t file)
{
	size_t i = file % FC_CTF_OPEN_FILES;
	char name[32];

	if (folder->open[i].fd >= 0 && folder->open[i].file == file)
		return folder->open[i].fd;
	close_file(folder, i);
	name_file(file, name, sizeof(name));
	folder->open[i].file = file;
	folder->open[i].fd = open_own(folder, file == METADATA ? METADATA_ASIDE : name);
	if (folder->open[i].fd < 0)
		fail(folder, file, -folder->open[i].fd);
	if (file != METADATA)
		folder->is_used = true;
	return folder->open[i].fd;
}

/* A reader would fail on half a packet: cut it off. */
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
