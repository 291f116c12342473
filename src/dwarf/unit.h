/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unit.h - a unit of .debug_info, which is what was compiled at once: what its first entry says.
 *
 * DWARF 2 to 5. Only that entry is read: entries below it lead nowhere from here.
 */
#ifndef FC_DWARF_UNIT_H
#define FC_DWARF_UNIT_H

#include "dwarf/dwarf.h"

/* What is kept of the entry. */
enum fc_dwarf_attr_kind {
	FC_DWARF_LOW_PC,
	FC_DWARF_HIGH_PC,
	FC_DWARF_ENTRY_PC,
	FC_DWARF_CODE_RANGES,
	FC_DWARF_STMT_LIST,
	FC_DWARF_COMP_DIR,
	FC_DWARF_ADDR_BASE,
	FC_DWARF_RNGLISTS_BASE,
	FC_DWARF_STR_OFFSETS_BASE,
	FC_DWARF_NR_ATTRS
};

struct fc_dwarf_attr {
	uint16_t form;	/* 0: there is none */
	uint64_t value; /* a text that stands here: its off */
};

struct fc_dwarf_unit {
	uint64_t off, next; /* in .debug_info */
	uint8_t version, address_size, offset_size;
	bool has_code; /* no types, and no part of other units */
	struct fc_dwarf_attr attrs[FC_DWARF_NR_ATTRS];
};

/* 1: *ret is filled; 0: the end, or there is nothing that can be read from there on. */
int fc_dwarf_unit_read(struct fc_dwarf *dwarf, uint64_t off, struct fc_dwarf_unit *ret);

/* Where its line program begins. False: it has none. */
bool fc_dwarf_unit_lines(const struct fc_dwarf_unit *unit, uint64_t *ret);

/* Call fn with each range of its code, which may be empty or lie anywhere; until that is false. */
void fc_dwarf_unit_ranges(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
			  bool (*fn)(void *ctx, uint64_t begin, uint64_t end), void *ctx);

/*
 * The next value of that form, of an entry or of a line table, which is in part. False: the form
 * is not known, or it is cut off.
 */
bool fc_dwarf_value(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
		    enum fc_dwarf_part part, uint64_t form, struct fc_cursor *c,
		    struct fc_dwarf_attr *ret);

/* The text that such a value means. */
struct fc_dwarf_text fc_dwarf_text_of(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
				      enum fc_dwarf_part part,
				      const struct fc_dwarf_attr *value);

#endif
