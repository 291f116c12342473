/* SPDX-License-Identifier: Apache-2.0 */
/* splitindex.h - what of a package of split units (.dwp) belongs to one: DWARF 5, 7.3.5. */
#ifndef FC_DWARF_SPLITINDEX_H
#define FC_DWARF_SPLITINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_split_bytes {
	const uint8_t *at;
	size_t size;
};

/* The sections that a unit needs: of its own file, and the last two of its skeleton's. */
enum fc_split_part {
	FC_SPLIT_INFO,
	FC_SPLIT_TYPES,
	FC_SPLIT_ABBREV,
	FC_SPLIT_STR,
	FC_SPLIT_STR_OFFSETS,
	FC_SPLIT_LOC,
	FC_SPLIT_LOCLISTS,
	FC_SPLIT_RNGLISTS,
	FC_SPLIT_ADDR,
	FC_SPLIT_RANGES,
	FC_NR_SPLIT_PARTS
};

struct fc_split_parts {
	struct fc_split_bytes at[FC_NR_SPLIT_PARTS];
};

/*
 * Leave of a package's sections what index (.debug_cu_index) says is of unit id. Strings are copied
 * that it has, and stay. False: it is not in there, or lies outside of them.
 */
bool fc_split_index_cut(struct fc_split_bytes index, uint64_t id, struct fc_split_parts *parts);

#endif
