/* SPDX-License-Identifier: Apache-2.0 */
/* dietypes.h - types as units of debug information tell them, and all that they are made of. */
#ifndef FC_DWARF_TYPES_DIETYPES_H
#define FC_DWARF_TYPES_DIETYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pairs.h"
#include "base/vec.h"
#include "dwarf/types/scopes.h"
#include "dwarf/types/typegraph.h"

/* Zeroed means: none. */
struct fc_dietypes {
	struct fc_typegraph graph;
	struct fc_pairs entries; /* by where they are in memory */
	FC_VEC(uint32_t) nodes;	 /* by number of entries */
	struct fc_pairs
		classes; /* of C++: by name, size and kind; they are the same everywhere */
	FC_VEC(uint32_t) class_nodes;
	FC_VEC(struct fc_unread {
		Dwarf_Die die;
		uint32_t node;
	})
	unread;
	struct fc_scopes scopes;
	uint64_t left;	  /* entries that may be read yet; 0: they were too many, or */
	bool is_full;	  /* there are more types than are kept */
	bool splits_wide; /* of the unit: an integer of two words is passed as two */
};

/* The node of a type, which is read by fc_dieread_all(). */
uint32_t fc_dietypes_node(struct fc_dietypes *types, Dwarf_Die *die);
/* The same of what die has or returns; 0: void. */
uint32_t fc_dietypes_node_of(struct fc_dietypes *types, Dwarf_Die *die);
/* The number of a name; 0: it is NULL or "". */
uint32_t fc_dietypes_name(struct fc_dietypes *types, const char *name);

/* A type's name, with what it is in; *is_local: others may have it, too. */
uint32_t fc_dietypes_full_name(struct fc_dietypes *types, Dwarf_Die *die, bool *is_local);

/* Is that a struct, a class or a union? */
bool fc_dietypes_is_struct(int tag);

void fc_dietypes_deinit(struct fc_dietypes *types);

#endif
