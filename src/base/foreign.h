/* SPDX-License-Identifier: Apache-2.0 */
/*
 * foreign.h - files that others named: another file, a process, a folder.
 *
 * To open a device does something (a watchdog starts, a tape rewinds), to open a FIFO waits for
 * its other end, and a lease makes whoever opens a file wait for its holder: none of it is done.
 */
#ifndef FC_BASE_FOREIGN_H
#define FC_BASE_FOREIGN_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Open what is a regular file, to read it, and tell of it in *st; from folder (or AT_FDCWD) on.
 * -errno without a sentence; -EISDIR or -EINVAL: it is another kind of file, which was not
 * opened, and *st tells of that.
 */
int fc_foreign_open(int folder, const char *path, struct stat *st);

/* Why not, as a sentence ends; of other errors than those two, too. */
const char *fc_foreign_why(int err);

/* Can nobody but root change what is in the file? */
bool fc_foreign_is_roots(const struct stat *st);

#endif
