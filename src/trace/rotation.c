/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/rotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

static void put_aside(struct fc_rotation *rotation)
{
	struct stat st;
	char *older = fc_asprintf("%s.older", rotation->path);
	if (lstat(rotation->old, &st) || !S_ISREG(st.st_mode) || rename(rotation->old, older))
		free(older);
	else
		rotation->older = older;
}

static void put_back(struct fc_rotation *rotation)
{
	if (rotation->older)
		rename(rotation->older, rotation->old);
	free(fc_take(rotation->older));
}

int fc_rotation_begin(struct fc_rotation *rotation, const char *path)
{
	struct stat st;
	*rotation = (struct fc_rotation){
		.path = fc_strdup(path),
		.old = fc_asprintf("%s.old", path),
	};
	rotation->has_earlier = !lstat(path, &st) && S_ISREG(st.st_mode);
	if (!rotation->has_earlier)
		return 0;
	put_aside(rotation);
	if (!rename(path, rotation->old))
		return 0;
	int err = fc_fail(errno, "cannot rename the earlier %s to %s: %s", path, rotation->old,
			  strerror(errno));
	rotation->has_earlier = false;
	put_back(rotation);
	fc_rotation_deinit(rotation);
	return err;
}

void fc_rotation_keep(struct fc_rotation *rotation)
{
	if (rotation->older)
		unlink(rotation->older);
	free(fc_take(rotation->older));
}

void fc_rotation_undo(struct fc_rotation *rotation)
{
	if (rotation->has_earlier)
		rename(rotation->old, rotation->path);
	else
		unlink(rotation->path);
	put_back(rotation);
}

void fc_rotation_deinit(struct fc_rotation *rotation)
{
	free(fc_take(rotation->older));
	free(fc_take(rotation->old));
	free(fc_take(rotation->path));
}
