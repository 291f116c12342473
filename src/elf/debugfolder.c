/* SPDX-License-Identifier: Apache-2.0 */
/* debugfolder.c - looks where tools put debug files, then at all files. */
#include "elf/debugfolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "elf/symbolfile.h"

struct found {
	char build_id[41];
	char *path;
};

struct fc_debugfolder {
	char *path;
	bool is_walked, is_too_large;
	size_t nr_seen;
	FC_VEC(struct found) files;
};

int fc_debugfolder_open(const char *path, struct fc_debugfolder **ret)
{
	struct stat st;
	if (stat(path, &st))
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return fc_fail(ENOTDIR, "%s is not a folder", path);
	*ret = fc_alloc(sizeof(**ret));
	(*ret)->path = fc_strdup(path);
	return 0;
}

void fc_debugfolder_close(struct fc_debugfolder *folder)
{
	if (!folder)
		return;
	fc_vec_each (&folder->files, file)
		free(file->path);
	fc_vec_free(&folder->files);
	free(folder->path);
	free(folder);
}

/* ---- all files ---- */

static void walk(struct fc_debugfolder *folder, const char *path, int depth);

static void look_at(struct fc_debugfolder *folder, const char *path, int depth)
{
	struct stat st;
	struct found found = { 0 };
	if (lstat(path, &st))
		return;
	if (S_ISDIR(st.st_mode) && depth < FC_DEBUGFOLDER_DEPTH)
		walk(folder, path, depth + 1);
	if (!S_ISREG(st.st_mode))
		return;
	fc_symbolfile_peek(AT_FDCWD, path, found.build_id);
	if (!found.build_id[0])
		return;
	found.path = fc_strdup(path);
	fc_vec_push(&folder->files, found);
}

/* Links are not followed: they lead out of it, or in a circle. */
static void walk(struct fc_debugfolder *folder, const char *path, int depth)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	if (!dir)
		return;
	while (!folder->is_too_large && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		folder->is_too_large = ++folder->nr_seen > FC_DEBUGFOLDER_FILES;
		fc_auto_free char *below = fc_asprintf("%s/%s", path, entry->d_name);
		look_at(folder, below, depth);
	}
	closedir(dir);
}

static void walk_all(struct fc_debugfolder *folder, void (*pass)(const char *sentence))
{
	fc_auto_free char *rest = fc_asprintf("%s: all files behind the first %d", folder->path,
					      FC_DEBUGFOLDER_FILES);
	folder->is_walked = true;
	walk(folder, folder->path, 0);
	if (folder->is_too_large && pass)
		pass(rest);
}

/* ---- one build-id ---- */

static struct fc_symbolfile *try_file(const char *path, const char *build_id,
				      void (*pass)(const char *sentence))
{
	struct fc_symbolfile *file = NULL;
	int err = fc_symbolfile_open(path, &file);
	if (!err)
		err = fc_symbolfile_check(file, build_id);
	if (!err)
		return file;
	fc_symbolfile_close(file);
	if (pass && err != -ENOENT && err != -ENOTDIR)
		pass(fc_fail_text());
	fc_fail_clear();
	return NULL;
}

static struct fc_symbolfile *try_trees(const struct fc_debugfolder *folder,
				       const char *build_id, void (*pass)(const char *sentence))
{
	const char *rest = build_id + 2;
	char *const paths[] = {
		fc_asprintf("%s/.build-id/%.2s/%s.debug", folder->path, build_id, rest),
		fc_asprintf("%s/%.2s/%s.debug", folder->path, build_id, rest),
		fc_asprintf("%s/%s/debuginfo", folder->path, build_id),
	};
	struct fc_symbolfile *file = NULL;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (!file)
			file = try_file(paths[i], build_id, pass);
		free(paths[i]);
	}
	return file;
}

struct fc_symbolfile *fc_debugfolder_find_installed(const struct fc_debugfolder *folder,
						    const char *build_id)
{
	return strlen(build_id) <= 2 ? NULL : try_trees(folder, build_id, NULL);
}

struct fc_symbolfile *fc_debugfolder_find(struct fc_debugfolder *folder, const char *build_id,
					  void (*pass)(const char *sentence))
{
	if (strlen(build_id) <= 2)
		return NULL;
	struct fc_symbolfile *file = try_trees(folder, build_id, pass);
	if (!file && !folder->is_walked)
		walk_all(folder, pass);
	fc_vec_each (&folder->files, found)
		if (!file && !strcmp(found->build_id, build_id))
			file = try_file(found->path, build_id, NULL);
	return file;
}
