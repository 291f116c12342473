/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - resolves a path step by step, and opens its file. */
#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

enum { LINKS_MAX = 40 }; /* as the kernel follows */

static int failed(int err)
{
	return fc_fail(err, "%s", strerror(err));
}

/* In a user namespace root's files may be nobody's: then whose "/" is counts as root. */
static bool is_trusted(uid_t uid)
{
	struct stat root;
	return !uid || uid == geteuid() || (!lstat("/", &root) && uid == root.st_uid);
}

static bool is_shared(const struct stat *folder)
{
	return !is_trusted(folder->st_uid) || folder->st_mode & (S_IWGRP | S_IWOTH);
}

/* What has a second name may be at home elsewhere. */
static bool is_ours(const struct stat *st)
{
	return is_trusted(st->st_uid) && st->st_nlink == 1;
}

static const char *kind_of(mode_t mode)
{
	return S_ISLNK(mode)	? "a symbolic link"
	       : S_ISFIFO(mode) ? "a FIFO"
	       : S_ISREG(mode)	? "a file"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

static int refuse(const char *name, const struct stat *st)
{
	return fc_fail(EPERM,
		       "%s is %s of user %u%s in a folder where others can write: it is not "
		       "%s; remove it, or name another file",
		       name, kind_of(st->st_mode), (unsigned)st->st_uid,
		       st->st_nlink > 1 ? " with more names" : "",
		       S_ISLNK(st->st_mode) ? "followed" : "written to");
}

/* ---- the way ---- */

struct walk {
	int folder;
	char *rest;
	int nr_links;
	bool is_followed, is_magic;
};

static int go(struct walk *walk, int from, const char *path, int flags)
{
	int fd = openat(from, path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	if (fd < 0)
		return failed(errno);
	if (walk->folder >= 0)
		close(walk->folder);
	walk->folder = fd;
	return 0;
}

static int check_link(const struct walk *walk, const char *name, const struct stat *link)
{
	struct stat folder;
	if (fstat(walk->folder, &folder))
		return failed(errno);
	return is_shared(&folder) && !is_ours(link) ? refuse(name, link) : 0;
}

static bool is_proc(const struct walk *walk)
{
	struct statfs fs;
	return !fstatfs(walk->folder, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* A link's text takes the place of its name. */
static int follow(struct walk *walk, const char *name, const char *behind)
{
	char text[PATH_MAX];
	ssize_t len = readlinkat(walk->folder, name, text, sizeof(text) - 1);
	if (len < 0 || ++walk->nr_links > LINKS_MAX)
		return failed(len < 0 ? errno : ELOOP);
	text[len] = 0;
	char *rest = fc_asprintf("%s/%s", text, behind);
	if (!*behind)
		rest[strlen(rest) - 1] = 0;
	free(walk->rest);
	walk->rest = rest;
	return text[0] == '/' ? go(walk, AT_FDCWD, "/", 0) : 0;
}

/* 1: name is the last one, and walk->rest; 0: go on; -errno. */
static int step(struct walk *walk)
{
	char *name = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(name, "/");
	const char *behind = name + len + strspn(name + len, "/");
	fc_auto_free char *one = fc_asprintf("%.*s", (int)len, name);
	bool is_last = !name[len];
	struct stat st;
	bool is_link =
		!fstatat(walk->folder, one, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
	int err = is_link ? check_link(walk, one, &st) : 0;
	if (err)
		return err;
	if (is_link && !is_proc(walk)) {
		walk->is_followed |= is_last;
		return follow(walk, one, behind);
	}
	walk->is_magic = is_last && is_link;
	fc_auto_free char *rest = fc_strdup(is_last ? one : behind);
	if (!is_last)
		err = go(walk, walk->folder, one, is_link ? 0 : O_NOFOLLOW);
	free(walk->rest);
	walk->rest = fc_take(rest);
	return err ? err : is_last;
}

int fc_place_find(const char *path, struct fc_place *ret)
{
	struct walk walk = { .folder = -1, .rest = fc_strdup(path) };
	*ret = (struct fc_place){ .folder = -1 };
	int err = !*path ? failed(ENOENT) : go(&walk, AT_FDCWD, *path == '/' ? "/" : ".", 0);
	while (!err)
		err = step(&walk);
	if (err < 0) {
		if (walk.folder >= 0)
			close(walk.folder);
		free(walk.rest);
		return err;
	}
	*ret = (struct fc_place){ .folder = walk.folder,
				  .name = walk.rest,
				  .is_magic = walk.is_magic,
				  .is_followed = walk.is_followed };
	return 0;
}

void fc_place_deinit(struct fc_place *place)
{
	if (place->folder >= 0)
		close(place->folder);
	free(place->name);
	*place = (struct fc_place){ .folder = -1 };
}

/* ---- what is there ---- */

int fc_place_stat(const struct fc_place *place, struct stat *ret)
{
	int flags = place->is_magic ? 0 : AT_SYMLINK_NOFOLLOW;
	if (!*place->name)
		return failed(EISDIR);
	if (!fstatat(place->folder, place->name, ret, flags))
		return 0;
	return errno == ENOENT ? -ENOENT : failed(errno);
}

/* The owner of a folder may have files there; as fs.protected_regular of the kernel sees it. */
static int check(const struct fc_place *place, const struct stat *st)
{
	struct stat folder;
	if (fstat(place->folder, &folder))
		return failed(errno);
	bool is_its_owners =
		S_ISREG(st->st_mode) && st->st_uid == folder.st_uid && !is_trusted(st->st_uid);
	return !is_shared(&folder) || is_ours(st) || is_its_owners ? 0
								   : refuse(place->name, st);
}

/* That very file: what takes its place meanwhile is not meant. */
static int open_found(const struct fc_place *place, int flags)
{
	char link[64];
	struct stat st;
	fc_auto_close int found =
		openat(place->folder, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (found < 0 || fstat(found, &st))
		return failed(errno);
	if (S_ISLNK(st.st_mode)) /* it was none before */
		return refuse(place->name, &st);
	int err = S_ISDIR(st.st_mode) ? failed(EISDIR) : check(place, &st);
	if (err)
		return err;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	int fd = open(link, flags);
	return fd < 0 ? failed(errno) : fd;
}

int fc_place_open(const struct fc_place *place, int flags, mode_t mode)
{
	enum { TRIES = 8 }; /* if others make and remove it all the time */
	int plain = (flags & ~(O_CREAT | O_EXCL)) | O_NOCTTY | O_CLOEXEC, fd = -ENOENT;
	if (!*place->name)
		return failed(EISDIR);
	if (place->is_magic) {
		fd = openat(place->folder, place->name, plain);
		return fd < 0 ? failed(errno) : fd;
	}
	for (int i = 0; i < TRIES && (fd == -ENOENT || fd == -EEXIST); i++) {
		fd = flags & O_EXCL ? -ENOENT : open_found(place, plain);
		if (fd != -ENOENT || !(flags & O_CREAT))
			return fd;
		fd = openat(place->folder, place->name, plain | O_CREAT | O_EXCL | O_NOFOLLOW,
			    mode);
		if (fd < 0)
			fd = failed(errno);
		if (flags & O_EXCL)
			return fd;
	}
	return fd;
}

int fc_place_write(const char *path)
{
	struct fc_place place;
	int fd = fc_place_find(path, &place);
	if (!fd)
		fd = fc_place_open(&place, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	fc_place_deinit(&place);
	return fd;
}
