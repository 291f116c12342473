/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rotation.h - a new file in the place of an earlier one, which becomes path.old.
 *
 *   begin:  path.old -> path.older    path -> path.old    (path is free)
 *   keep:   path.older is removed
 *   undo:   path.old -> path          path.older -> path.old
 *
 * Where there is a path.older, which is somebody else's, it is path.older.1 and so on. Whoever dies
 * between begin and keep leaves it there.
 */
#ifndef FC_TRACE_ROTATION_H
#define FC_TRACE_ROTATION_H

#include <stdbool.h>

struct fc_place;

struct fc_rotation {
	int folder;
	char *name, *old; /* in it */
	char *older;	  /* if a file that was name.old waits there; NULL: none does */
	bool has_earlier;
};

/*
 * Make room for a new file at place, which must outlive this: it is gone from there. -errno with a
 * sentence, in which path is its name: it is not.
 */
int fc_rotation_begin(struct fc_rotation *rotation, const struct fc_place *place,
		      const char *path);

/* The new file holds something: it stays. A second time it does nothing. */
void fc_rotation_keep(struct fc_rotation *rotation);

/* All is where it was before; what is at path is gone. After fc_rotation_keep() but path.older. */
void fc_rotation_undo(struct fc_rotation *rotation);

/* Forget about it: files stay where they are. */
void fc_rotation_deinit(struct fc_rotation *rotation);

#endif
