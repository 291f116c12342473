/* SPDX-License-Identifier: Apache-2.0 */
/* splitfiles.h - the files (.dwo, .dwp) that units are in which a file has but skeletons of. */
#ifndef FC_DWARF_SPLITFILES_H
#define FC_DWARF_SPLITFILES_H

#include <stddef.h>

#include "base/vec.h"
#include "dwarf/findings.h"
#include "dwarf/size.h"
#include "dwarf/splits.h"
#include "elf/debugfile.h"

/* Zeroed means: none. */
struct fc_splitfiles {
	struct fc_split_files files; /* what was found */
	FC_VEC(struct fc_debugfile *) open;
	FC_VEC(struct fc_split_file) list;
	struct fc_debugfile package;
	size_t nr_missing;
	char *missing; /* the first of them */
};

/*
 * Those that findings tell, of the file at path: beside it, or where they were made. What is opened
 * is mapped, and added to size. Returns how many there are.
 */
size_t fc_splitfiles_open(struct fc_splitfiles *split, const struct fc_image *image,
			  const char *path, const struct fc_findings *findings,
			  struct fc_dwarf_size *size);
void fc_splitfiles_close(struct fc_splitfiles *split);

#endif
