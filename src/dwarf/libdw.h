/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdw.h - the source lines of code, as elfutils' libdw reads them.
 *
 * libdw bounds neither memory nor time, and opens what a file names: this is for a process in a
 * jail (jail.h), which it may end.
 */
#ifndef FC_DWARF_LIBDW_H
#define FC_DWARF_LIBDW_H

#include "dwarf/answer.h"
#include "dwarf/size.h"
#include "elf/image.h"

struct fc_dwarf_lines;

/* alt: the file that .gnu_debugaltlink names, or NULL. Both must outlive what is returned. */
struct fc_dwarf_lines *fc_dwarf_lines_open(const struct fc_image *image,
					   const struct fc_image *alt,
					   const struct fc_dwarf_size *size);

/*
 * The line at the first of nr addresses, and at those of the others that are in units which are
 * known then; and what was wrong up to now.
 */
void fc_dwarf_lines_find(struct fc_dwarf_lines *lines, const struct fc_dwarf_question *question,
			 size_t nr, struct fc_dwarf_answer *ret);

#endif
