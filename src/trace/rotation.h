/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rotation.h - a new file in the place of an earlier one, which becomes path.old.
 *
 *   begin:  path.old -> path.old.PID    path -> path.old    (path is free)
 *   keep:   path.old.PID is removed
 *   undo:   path.old -> path            path.old.PID -> path.old
 *
 * Between begin and keep nothing is lost, whoever dies.
 */
#ifndef FC_TRACE_ROTATION_H
#define FC_TRACE_ROTATION_H

#include <stdbool.h>

struct fc_rotation {
	char *path, *old;
	char *oldest; /* where the file that was path.old waits; NULL: there is none */
	bool has_earlier;
};

/* Make room for a new file at path: it is gone from there. -errno with a sentence: it is not. */
int fc_rotation_begin(struct fc_rotation *rotation, const char *path);

/* The new file holds something: it stays. A second time it does nothing. */
void fc_rotation_keep(struct fc_rotation *rotation);

/* All is where it was before; what is at path is gone. Not after fc_rotation_keep(). */
void fc_rotation_undo(struct fc_rotation *rotation);

/* Forget about it: files stay where they are. */
void fc_rotation_deinit(struct fc_rotation *rotation);

#endif
