/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handle.h - a file's debug information as elfutils' libdw opens it, for a process in a jail
 * (jail.h): it bounds neither memory nor time, and opens what a file names.
 */
#ifndef FC_DWARF_HANDLE_H
#define FC_DWARF_HANDLE_H

#include <elfutils/libdw.h>
#include <libelf.h>

#include "dwarf/size.h"
#include "elf/image.h"

/* The status with which the process ends when libdw has no more memory. */
enum { FC_DWARF_NO_MEMORY = 4 };

struct fc_dwarf_handle {
	Elf *elf, *alt_elf;
	Dwarf *dwarf, *alt; /* NULL: there is none */
};

/* NULL: it cannot be read so. image must outlive it. */
Elf *fc_dwarf_elf(const struct fc_image *image, enum fc_dwarf_wanted wanted);
/* NULL: there is none. */
Dwarf *fc_dwarf_begin(Elf *elf);

/* alt: the file that .gnu_debugaltlink names, or NULL. Both must outlive it. */
void fc_dwarf_handle_init(struct fc_dwarf_handle *handle, const struct fc_image *image,
			  const struct fc_image *alt, enum fc_dwarf_wanted wanted);

/* What libdw has read is given back. DIEs are found by their offsets again. */
void fc_dwarf_handle_renew(struct fc_dwarf_handle *handle);

#endif
