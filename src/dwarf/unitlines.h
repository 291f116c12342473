/* SPDX-License-Identifier: Apache-2.0 */
/* unitlines.h - the line table of a unit: which line each piece of its code was made from. */
#ifndef FC_DWARF_UNITLINES_H
#define FC_DWARF_UNITLINES_H

#include "dwarf/unit.h"

struct fc_unitlines;

/* Run the line program of unit. NULL: it has none, or dwarf->wrong tells what is wrong with it. */
struct fc_unitlines *fc_unitlines_read(struct fc_dwarf *dwarf,
				       const struct fc_dwarf_unit *unit);
void fc_unitlines_free(struct fc_unitlines *lines);

/* How many rows are in memory. */
size_t fc_unitlines_nr_rows(const struct fc_unitlines *lines);

/* The line at vaddr, and the number of its file. False: no line is known. */
bool fc_unitlines_find(const struct fc_unitlines *lines, uint64_t vaddr, uint32_t *file,
		       int *line);

/* The path of a file as it was when it was compiled, to be freed; NULL: not known. */
char *fc_unitlines_path(struct fc_dwarf *dwarf, const struct fc_unitlines *lines,
			uint32_t file);

#endif
