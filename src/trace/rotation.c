/* SPDX-License-Identifier: Apache-2.0 */
/* rotation.c - renames files before and after a trace is written. */
#include "trace/rotation.h"

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

static int move(const struct fc_rotation *rotation, const char *from, const char *to)
{
	return renameat(rotation->folder, from, rotation->folder, to) ? -errno : 0;
}

/* The same, but nothing is replaced. Some file systems know links only. */
static int move_to_free(const struct fc_rotation *rotation, const char *from, const char *to)
{
	int folder = rotation->folder;
	if (!renameat2(folder, from, folder, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	return linkat(folder, from, folder, to, 0) || unlinkat(folder, from, 0) ? -errno : 0;
}

static void put_aside(struct fc_rotation *rotation)
{
	enum { TRIES = 100 };
	struct stat st;
	if (fstatat(rotation->folder, rotation->old, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode))
		return;
	for (int i = 0; i < TRIES; i++) {
		fc_auto_free char *older = i ? fc_asprintf("%s.older.%d", rotation->name, i)
					     : fc_asprintf("%s.older", rotation->name);
		int err = move_to_free(rotation, rotation->old, older);
		if (!err)
			rotation->older = fc_take(older);
		if (err != -EEXIST)
			return;
	}
}

static void put_back(struct fc_rotation *rotation)
{
	if (rotation->older)
		move(rotation, rotation->older, rotation->old);
	free(fc_take(rotation->older));
}

int fc_rotation_begin(struct fc_rotation *rotation, const struct fc_place *place,
		      const char *path)
{
	struct stat st;
	*rotation = (struct fc_rotation){
		.folder = place->folder,
		.name = fc_strdup(place->name),
		.old = fc_asprintf("%s.old", place->name),
	};
	rotation->has_earlier = !fc_place_stat(place, &st) && S_ISREG(st.st_mode);
	if (!rotation->has_earlier)
		return 0;
	put_aside(rotation);
	int err = move(rotation, rotation->name, rotation->old);
	if (!err)
		return 0;
	fc_fail(-err, "cannot rename the earlier %s to %s.old: %s", path, path, strerror(-err));
	rotation->has_earlier = false;
	put_back(rotation);
	fc_rotation_deinit(rotation);
	return err;
}

void fc_rotation_keep(struct fc_rotation *rotation)
{
	if (rotation->older)
		unlinkat(rotation->folder, rotation->older, 0);
	free(fc_take(rotation->older));
}

void fc_rotation_undo(struct fc_rotation *rotation)
{
	if (rotation->has_earlier)
		move(rotation, rotation->old, rotation->name);
	else
		unlinkat(rotation->folder, rotation->name, 0);
	put_back(rotation);
}

void fc_rotation_deinit(struct fc_rotation *rotation)
{
	free(fc_take(rotation->older));
	free(fc_take(rotation->old));
	free(fc_take(rotation->name));
}
