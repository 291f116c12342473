/* SPDX-License-Identifier: Apache-2.0 */
/*
 * splits.h - units of which the file itself has but a skeleton: the rest stands in a file of its own
 * (.dwo), or in a package of such (.dwp). DWARF 5, 7.3.2 and 7.3.5; in DWARF 4 an extension of GCC's.
 *
 * As all that uses libdw, this is for a process in a jail (jail.h).
 */
#ifndef FC_DWARF_SPLITS_H
#define FC_DWARF_SPLITS_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "elf/image.h"

/* A file that may have the rest of a unit, by the number that both have. */
struct fc_split_file {
	uint64_t id;
	const struct fc_image *image;
};

struct fc_split_files {
	const struct fc_split_file *at;
	size_t nr;
	const struct fc_image *package; /* NULL: there is none */
};

struct fc_skeleton {
	uint64_t id;
	const char *name, *dir; /* of the .dwo, and where it was made; "" if it is not told */
	uint64_t base;		/* address that its places are relative to; 0: none */
	uint64_t addr_base, ranges_base;
	bool has_header; /* its addresses say how many they are */
};

struct fc_split_unit {
	Dwarf_Die die;
	const char *producer; /* NULL: not told */
};

/* Zeroed, with the files: nothing has been opened yet. */
struct fc_splits {
	const struct fc_split_files *files;
	Elf *main;	    /* of the skeletons */
	FC_VEC(Elf *) elfs; /* of each file; NULL: not opened yet */
	Elf *package;	    /* the same */
	uint64_t nr_bytes;  /* of copies that were made */
	bool is_full;	    /* there would be more than is kept */
};

/* False: it is none. */
bool fc_skeleton_read(Dwarf_CU *unit, Dwarf_Die *die, struct fc_skeleton *ret);

/*
 * The rest of a unit, as if it stood alone. What it points to stays until the process ends. False:
 * no file has it.
 */
bool fc_splits_find(struct fc_splits *splits, const struct fc_skeleton *skeleton,
		    struct fc_split_unit *ret);

#endif
