/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linetable.h - the source lines of a file's code, as its debug information has them.
 *
 * That may lie in a file of its own: below /usr/lib/debug by build-id or beside the file by
 * debuglink, or come from debuginfod when DEBUGINFOD_URLS is set. Any of these files may be
 * anybody's: what is wrong with one costs its lines, and nothing else.
 */
#ifndef FC_DWARF_LINETABLE_H
#define FC_DWARF_LINETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_linetable;

/*
 * build_id: in hex, what the file at path must have; "" is that of a file that has none.
 * -ENOENT…: cannot be opened; -ESTALE: it is another file by now; -EFBIG: what there is is not
 * read; -ENODATA: there is no debug information. Each with a sentence.
 */
int fc_linetable_open(const char *path, const char *build_id, struct fc_linetable **ret);
void fc_linetable_close(struct fc_linetable *table);

/*
 * These nr addresses may be asked for: those that are near one that is are looked up with it. Once
 * at most, before any is.
 */
void fc_linetable_expect(struct fc_linetable *table, const uint64_t *vaddrs, size_t nr);

/*
 * The line that the code at vaddr was made from. *file lives as long as the table. False: not
 * known. Units are read when they are asked for, and kept as long as there is room.
 */
bool fc_linetable_find(struct fc_linetable *table, uint64_t vaddr, const char **file,
		       int *line);

/* Why some lines are not known, as a sentence ends; NULL: nothing was wrong. */
const char *fc_linetable_wrong(const struct fc_linetable *table);

#endif
