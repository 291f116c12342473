/* SPDX-License-Identifier: Apache-2.0 */
/* scopes.h - in which namespaces and classes the types of units are. */
#ifndef FC_DWARF_TYPES_SCOPES_H
#define FC_DWARF_TYPES_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pairs.h"
#include "base/vec.h"
#include "dwarf/types/texts.h"

struct fc_typescope {
	uint32_t prefix; /* "std::chrono::" in texts; 0: none */
	bool is_local;	 /* others may have the same name: of a function, or without a name */
};

/* Zeroed means: none. */
struct fc_scopes {
	struct fc_pairs entries, units;	    /* by where they are in memory */
	FC_VEC(struct fc_typescope) scopes; /* by number of entries */
};

/*
 * The scope of a type. Its unit is gone through at the first time; *left is the number of entries
 * that still may be, and 0 if they were too many.
 */
struct fc_typescope fc_scopes_of(struct fc_scopes *scopes, struct fc_texts *texts,
				 Dwarf_Die *die, uint64_t *left);
void fc_scopes_deinit(struct fc_scopes *scopes);

#endif
