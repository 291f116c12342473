/* SPDX-License-Identifier: Apache-2.0 */
/*
 * functions.h - the functions at some addresses, as elfutils' libdw reads them: their types, and
 * where their parameters are.
 *
 * libdw bounds neither memory nor time, and opens what a file names: this is for a process in a
 * jail (jail.h), which it may end.
 */
#ifndef FC_DWARF_FUNCTIONS_H
#define FC_DWARF_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "dwarf/findings.h"
#include "dwarf/size.h"
#include "dwarf/splits.h"
#include "elf/image.h"

/*
 * The nr addresses are in order. alt: the file that .gnu_debugaltlink names, or NULL. What units
 * stand in files that splits has not, is told.
 * -ENOMEM; else 0, and what fc_findings_load() takes.
 */
int fc_dwarf_functions_find(const struct fc_image *image, const struct fc_image *alt,
			    const struct fc_split_files *splits,
			    const struct fc_dwarf_size *size, const uint64_t *vaddrs, size_t nr,
			    struct fc_found_bytes *ret);

#endif
