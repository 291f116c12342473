/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - the files of the libraries that a program needs, found as ld.so finds them. */
#ifndef FC_ELF_LIBRARY_H
#define FC_ELF_LIBRARY_H

#include "base/vec.h"
#include "elf/elf.h"

struct fc_library {
	char *name; /* as DT_NEEDED says it */
	char *path; /* NULL: not found */
};

struct fc_libraries {
	FC_VEC(struct fc_library) list;
};

/*
 * What elf needs, what these need, and so on, each once, in the order in which ld.so loads
 * them; its dynamic linker is not among them unless something needs it. What a program opens
 * by itself is not known before it runs.
 */
void fc_libraries_find(const struct fc_elf *elf, struct fc_libraries *ret);
void fc_libraries_deinit(struct fc_libraries *libraries);

#endif
