/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock_names.h - what the addresses of a trace's locks are called: the variable there, or where in a file
 * they are.
 *
 * The files that were traced are opened when an address in one of them is asked for, and only if their
 * build-ids are those that the trace tells.
 */
#ifndef FC_CMD_VIEW_LOCK_NAMES_H
#define FC_CMD_VIEW_LOCK_NAMES_H

#include "read/locks/lock.h"
#include "trace/reader.h"

struct fc_lock_names;
struct fc_lock_names *fc_lock_names_create(const struct fc_reader *reader);
/* Before the reader is closed. Says of which files no variables are known, and why. */
void fc_lock_names_destroy(struct fc_lock_names *names);

/*
 * "config_lock", "cache+0x8", "prog+0x40a0", or NULL: it is in no file that is known. The caller frees it.
 * *module: the base name of the file, NULL if it is in none; it lives as long as the reader.
 */
char *fc_lock_names_find(struct fc_lock_names *names, const struct fc_lock *lock,
			 const char **module);

#endif
