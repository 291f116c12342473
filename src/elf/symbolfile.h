/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbolfile.h - names of functions by their addresses, from a file that has symbols: a debug file,
 * without any code perhaps, or a program that is not stripped.
 */
#ifndef FC_ELF_SYMBOLFILE_H
#define FC_ELF_SYMBOLFILE_H

#include <stddef.h>
#include <stdint.h>

struct fc_symbolfile;

/*
 * -ENOEXEC: it is no such file; -ENODATA: it has no symbols, or no build-id, or it became shorter;
 * -errno: it cannot be opened. Each with a sentence.
 */
int fc_symbolfile_open(const char *path, struct fc_symbolfile **ret);
/* The same of a descriptor, which stays the caller's. */
int fc_symbolfile_open_fd(int fd, const char *shown, struct fc_symbolfile **ret);
/*
 * The same of a program or library that is still where it was, with the debug files that belong to
 * it: by build-id, beside it, or inside it.
 */
int fc_symbolfile_open_program(const char *path, struct fc_symbolfile **ret);
void fc_symbolfile_close(struct fc_symbolfile *file);

const char *fc_symbolfile_path(const struct fc_symbolfile *file);
/* Has it this build-id? 0, or -EINVAL with a sentence that has both. */
int fc_symbolfile_check(const struct fc_symbolfile *file, const char *build_id);
const char *fc_symbolfile_build_id(const struct fc_symbolfile *file); /* in hex, never "" */

/*
 * What the function at vaddr is called; "NAME+0x12": it begins within one. NULL: there is none.
 * The caller's to free.
 */
char *fc_symbolfile_name(const struct fc_symbolfile *file, uint64_t vaddr);

/* The build-id of a file, without reading more than that takes; "" if it has none, or is no ELF file. */
void fc_symbolfile_peek(int folder, const char *path, char ret[41]);

#endif
