/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - where the members of a struct lie: x86-64 psABI 3.1.2, and attributes of gcc's. */
#ifndef FC_VALUES_PROTO_LAYOUT_H
#define FC_VALUES_PROTO_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed, with what it is: nothing has been laid yet. */
struct fc_layout {
	bool is_union, is_packed;
	uint64_t bits;	/* used so far; of a union, of the largest member */
	uint64_t align; /* bytes; 0: of nothing so far */
};

/*
 * A member of size bytes, aligned to align; is_bits: a bit-field of nr_bits, in a type of that size.
 * forced: what an attribute says at least; 0: none does. Returns the bit that it begins at, or
 * UINT64_MAX: the struct would be too large.
 */
uint64_t fc_layout_add(struct fc_layout *layout, uint64_t size, uint64_t align, uint64_t forced,
		       bool is_bits, uint32_t nr_bits, bool has_name);
/* All were added; forced: of the struct itself. Its size in bytes; its alignment is in layout. */
uint64_t fc_layout_end(struct fc_layout *layout, uint64_t forced);

#endif
