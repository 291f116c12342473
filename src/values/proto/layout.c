/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - computes offsets and sizes of struct members. */
#include "values/proto/layout.h"

#define MOST_BITS (UINT64_C(8) << 32)

static uint64_t aligned(uint64_t at, uint64_t to)
{
	return to ? (at + to - 1) / to * to : at;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Where nr bits of a type go: not over the end of one of its own places. */
static uint64_t place_bits(const struct fc_layout *layout, uint64_t size, uint64_t align,
			   uint32_t nr_bits)
{
	uint64_t at = layout->is_union ? 0 : layout->bits;
	if (!nr_bits)
		return aligned(at, align * 8);
	if (!layout->is_packed && at / (size * 8) != (at + nr_bits - 1) / (size * 8))
		at = aligned(at, align * 8);
	return at;
}

uint64_t fc_layout_add(struct fc_layout *layout, uint64_t size, uint64_t align, uint64_t forced,
		       bool is_bits, uint32_t nr_bits, bool has_name)
{
	uint64_t own = layout->is_packed && !(is_bits && !nr_bits) ? 1 : align;
	uint64_t at;
	own = max(own, forced);
	if (is_bits && !forced) {
		at = place_bits(layout, size, own, nr_bits);
	} else {
		at = aligned(layout->is_union ? 0 : layout->bits, own * 8);
		nr_bits = is_bits ? nr_bits : 0;
	}
	uint64_t end = at + (is_bits ? nr_bits : size * 8);
	if (size > MOST_BITS / 8 || end > MOST_BITS)
		return UINT64_MAX;
	layout->bits = layout->is_union ? max(layout->bits, end) : end;
	/* Bit-fields without a name do not align the struct that they are in. */
	if (!is_bits || has_name)
		layout->align = max(layout->align, own);
	return at;
}

uint64_t fc_layout_end(struct fc_layout *layout, uint64_t forced)
{
	layout->align = max(max(layout->align, forced), 1);
	return aligned((layout->bits + 7) / 8, layout->align);
}
