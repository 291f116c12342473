/* SPDX-License-Identifier: Apache-2.0 */
/* unitrows.h - the lines of one unit's code, by address: no two neighbours are the same. */
#ifndef FC_DWARF_UNITROWS_H
#define FC_DWARF_UNITROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* From addr on up to the next row's. */
struct fc_unitrow {
	uint64_t addr;
	uint32_t path, line; /* line 0: it is not known, or no code of the unit */
};

/* Zeroed means: none. */
struct fc_unitrows {
	FC_VEC(struct fc_unitrow) rows;
};

/* Rows come in the order of their addresses; of those at the same address, the last counts. */
void fc_unitrows_add(struct fc_unitrows *rows, struct fc_unitrow row);
/* No more will come: memory that is not needed is given back. */
void fc_unitrows_trim(struct fc_unitrows *rows);
/* NULL: no line is known there. */
const struct fc_unitrow *fc_unitrows_find(const struct fc_unitrows *rows, uint64_t addr);
uint64_t fc_unitrows_nr_bytes(const struct fc_unitrows *rows);
void fc_unitrows_deinit(struct fc_unitrows *rows);

#endif
