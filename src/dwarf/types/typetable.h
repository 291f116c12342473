/* SPDX-License-Identifier: Apache-2.0 */
/* typetable.h - a graph of types (typegraph.h) as a table in BTF. */
#ifndef FC_DWARF_TYPES_TYPETABLE_H
#define FC_DWARF_TYPES_TYPETABLE_H

#include <stdint.h>

#include "dwarf/types/typegraph.h"

struct btf;

/*
 * As a table, which the caller frees by btf__free(); ret_ids[id - 1] is the type of each node. What
 * no table may have is cut: members outside their struct, types that contain themselves or too many
 * others, arrays of more than 4 GiB. NULL: memory ran out.
 */
struct btf *fc_typegraph_table(struct fc_typegraph *graph, uint32_t *ret_ids);

#endif
