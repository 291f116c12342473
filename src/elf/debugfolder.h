/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debugfolder.h - debug files in a folder, found by build-id.
 *
 *   usr/lib/debug/.build-id/ab/cdef….debug    as distributions install them
 *   ab/cdef….debug                            such a tree itself
 *   abcdef…/debuginfo                         the cache of debuginfod's client
 *   anything/below.debug                      any other file: its own build-id tells
 */
#ifndef FC_ELF_DEBUGFOLDER_H
#define FC_ELF_DEBUGFOLDER_H

struct fc_debugfolder;
struct fc_symbolfile;

/* -ENOTDIR: it is no folder; -errno; with a sentence. */
int fc_debugfolder_open(const char *path, struct fc_debugfolder **ret);
void fc_debugfolder_close(struct fc_debugfolder *folder);

/*
 * The file with symbols for that build-id. What lies where it should and is of another build-id, or
 * has no symbols, is told to pass() as a sentence, which may be NULL. NULL: there is none. The first
 * time that trees do not have it all files of the folder are looked at, up to FC_DEBUGFOLDER_FILES; if there are more,
 * pass() is told so.
 */
enum { FC_DEBUGFOLDER_FILES = 200000, FC_DEBUGFOLDER_DEPTH = 32 };
struct fc_symbolfile *fc_debugfolder_find(struct fc_debugfolder *folder, const char *build_id,
					  void (*pass)(const char *sentence));

/* The same of trees alone: nothing is told, and no other file is looked at. */
struct fc_symbolfile *fc_debugfolder_find_installed(const struct fc_debugfolder *folder,
						    const char *build_id);

#endif
