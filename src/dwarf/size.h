/* SPDX-License-Identifier: Apache-2.0 */
/* size.h - how large debug information is once it is unpacked, before anybody unpacks it. */
#ifndef FC_DWARF_SIZE_H
#define FC_DWARF_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/image.h"

enum fc_dwarf_wanted { FC_DWARF_LINES, FC_DWARF_SIGNATURES };

struct fc_dwarf_size {
	enum fc_dwarf_wanted wanted;
	uint64_t unpacked; /* bytes that take memory */
	uint64_t all, lines,
		ranges; /* in all that are needed; in those of line tables; of code's ranges */
};

/* Is it debug information that says nothing of what is wanted? */
bool fc_dwarf_is_idle(const struct fc_section *section, enum fc_dwarf_wanted wanted);

/* Is there debug information in it at all? */
bool fc_dwarf_is_in(const struct fc_image *image);

/* Is what should be its units zeros? */
bool fc_dwarf_is_padding(const struct fc_image *image);

/* Add what is needed of image to *size. False: it unpacks to too much. */
bool fc_dwarf_size_add(struct fc_dwarf_size *size, const struct fc_image *image);

#endif
