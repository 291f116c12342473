/* SPDX-License-Identifier: Apache-2.0 */
/* dieclass.h - structs, classes and unions as units of debug information tell them. */
#ifndef FC_DWARF_TYPES_DIECLASS_H
#define FC_DWARF_TYPES_DIECLASS_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct fc_dietypes;

/* What die says becomes the node's, all but the name. */
void fc_dieclass_read(struct fc_dietypes *types, uint32_t node, Dwarf_Die *die);

#endif
