/* SPDX-License-Identifier: Apache-2.0 */
/* sametypes.h - which types of a graph are the same (typegraph.h). */
#ifndef FC_DWARF_TYPES_SAMETYPES_H
#define FC_DWARF_TYPES_SAMETYPES_H

#include <stdint.h>

struct fc_typegraph;

/* ret[id] is the first node that is the same as id, for each of the graph's; ret[0] is 0. */
void fc_sametypes_find(const struct fc_typegraph *graph, uint32_t *ret);

#endif
