/* SPDX-License-Identifier: Apache-2.0 */
/* splitfiles.c - finds and opens .dwo and .dwp files. */
#include "dwarf/splitfiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/path.h"

enum { MOST_FILES = 16384 };

static bool add_size(struct fc_dwarf_size *size, const struct fc_image *image)
{
	uint64_t before = size->all;

	if (!fc_dwarf_size_add(size, image))
		return false;
	size->unpacked += size->all - before; /* it is copied */
	return true;
}

static bool try_open(struct fc_splitfiles *split, const struct fc_image *image, char *path,
		     uint64_t id, struct fc_dwarf_size *size)
{
	fc_auto_free char *its_path = path;
	struct fc_debugfile *file = fc_alloc(sizeof(*file));
	bool is_open = path && fc_debugfile_open_split(file, image, its_path);

	if (is_open && add_size(size, &file->image)) {
		fc_vec_push(&split->open, file);
		fc_vec_push(&split->list, (struct fc_split_file){ id, &file->image });
		return true;
	}
	if (is_open)
		fc_debugfile_close(file);
	free(file);
	return false;
}

/* In the folder of the file that names it, where links have led to that. */
static char *beside(const char *path, const char *name)
{
	fc_auto_free char *folder = realpath(path, NULL);
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (!slash)
		return NULL;
	*slash = 0;
	return fc_asprintf("%s/%s", folder, name);
}

static char *where_made(const struct fc_found_split *found)
{
	if (found->name[0] == '/')
		return fc_strdup(found->name);
	return found->dir[0] == '/' ? fc_asprintf("%s/%s", found->dir, found->name) : NULL;
}

static void open_one(struct fc_splitfiles *split, const struct fc_image *image,
		     const char *path, const struct fc_found_split *found,
		     struct fc_dwarf_size *size)
{
	if (split->list.nr < MOST_FILES &&
	    (try_open(split, image, where_made(found), found->id, size) ||
	     try_open(split, image, beside(path, fc_base_name(found->name)), found->id, size)))
		return;
	if (!split->nr_missing++)
		split->missing = where_made(found) ?: fc_strdup(found->name);
}

/* Of a package it is not known here which units it has. */
static bool open_package(struct fc_splitfiles *split, const struct fc_image *image,
			 const char *path, struct fc_dwarf_size *size)
{
	fc_auto_free char *name = fc_asprintf("%s.dwp", path);

	if (!fc_debugfile_open_split(&split->package, image, name))
		return false;
	if (add_size(size, &split->package.image)) {
		split->files.package = &split->package.image;
		return true;
	}
	fc_debugfile_close(&split->package);
	return false;
}

size_t fc_splitfiles_open(struct fc_splitfiles *split, const struct fc_image *image,
			  const char *path, const struct fc_findings *findings,
			  struct fc_dwarf_size *size)
{
	const uint8_t *at = findings->splits;
	struct fc_found_split found;
	bool has_package = false;

	while (fc_findings_next_split(findings, &at, &found)) {
		if (!split->list.nr && !split->nr_missing)
			has_package = open_package(split, image, path, size);
		open_one(split, image, path, &found, size);
	}
	split->files.at = split->list.at;
	split->files.nr = split->list.nr;
	return split->list.nr + has_package;
}

void fc_splitfiles_close(struct fc_splitfiles *split)
{
	fc_vec_each (&split->open, file) {
		fc_debugfile_close(*file);
		free(*file);
	}
	fc_vec_free(&split->open);
	fc_vec_free(&split->list);
	if (split->files.package)
		fc_debugfile_close(&split->package);
	free(split->missing);
	*split = (struct fc_splitfiles){ 0 };
}
