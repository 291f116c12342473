/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dwarf.h - the sections of a file's debug information: unpacked, and every offset checked.
 *
 * The file may be anybody's. It is mapped, so that it may change while it is read: each number
 * is taken once and checked then, and each text is copied before it is used. What a file takes
 * of memory and time is bounded by its size.
 */
#ifndef FC_DWARF_DWARF_H
#define FC_DWARF_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/cursor.h"
#include "elf/image.h"

enum fc_dwarf_part {
	FC_DWARF_INFO,
	FC_DWARF_ABBREV,
	FC_DWARF_LINE,
	FC_DWARF_STR,
	FC_DWARF_LINE_STR,
	FC_DWARF_STR_OFFSETS,
	FC_DWARF_ADDR,
	FC_DWARF_RANGES,
	FC_DWARF_RNGLISTS,
	FC_DWARF_ALT_STR, /* texts of the file that dwz made for several */
	FC_DWARF_NR_PARTS
};

struct fc_dwarf_section {
	const uint8_t *at;
	size_t size;
	void *unpacked;
	bool is_looked_for;
};

/* Where an abbreviation was found: most units ask for the same ones. */
struct fc_dwarf_abbrev {
	uint64_t table, code, at; /* at: behind the code; 0: none */
};

enum { FC_DWARF_ABBREVS = 256 };

struct fc_dwarf {
	const struct fc_image *image, *alt; /* alt may be NULL */
	struct fc_dwarf_section sections[FC_DWARF_NR_PARTS];
	struct fc_dwarf_abbrev abbrevs[FC_DWARF_ABBREVS];
	uint64_t unpacked;	/* bytes in memory */
	uint64_t granted, work; /* see fc_dwarf_spend() */
	const char *wrong;	/* the first thing that could not be read; NULL: none */
};

/* The images must outlive dwarf; alt: the one that .gnu_debugaltlink names, or NULL. */
void fc_dwarf_init(struct fc_dwarf *dwarf, const struct fc_image *image,
		   const struct fc_image *alt);
void fc_dwarf_deinit(struct fc_dwarf *dwarf);

/* Is there such debug information at all? */
bool fc_dwarf_is_in(const struct fc_image *image);

/* The bytes of a part from off on; none, and is_bad, if it ends before. */
struct fc_cursor fc_dwarf_at(struct fc_dwarf *dwarf, enum fc_dwarf_part part, uint64_t off);

/* The off that a place in that part has. */
uint64_t fc_dwarf_off(struct fc_dwarf *dwarf, enum fc_dwarf_part part, const uint8_t *at);

/*
 * Say that about so many bytes are gone through. False: it is too much for a file of that size,
 * which refers to the same bytes again and again; ->wrong tells it then.
 */
bool fc_dwarf_spend(struct fc_dwarf *dwarf, uint64_t bytes);

/* Note that something could not be read, or that there is more than is kept. */
void fc_dwarf_damaged(struct fc_dwarf *dwarf);
void fc_dwarf_too_much(struct fc_dwarf *dwarf);

/* A text that begins at, and ends at a zero that may be missing. NULL: none. */
struct fc_dwarf_text {
	const char *at;
	size_t room;
};

struct fc_dwarf_text fc_dwarf_text(struct fc_dwarf *dwarf, enum fc_dwarf_part part,
				   uint64_t off);

#endif
