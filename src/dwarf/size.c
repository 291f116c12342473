/* SPDX-License-Identifier: Apache-2.0 */
/* size.c - reads the sizes of compressed sections from their heads. */
#include "dwarf/size.h"

#include <string.h>

#include "elf/cursor.h"

#define MIB ((uint64_t)1 << 20)

/*
 * Debug information packs to a third or a tenth; what claims more than this is made to fill the
 * memory.
 */
static const uint64_t unpacked_free = 16 * MIB, unpacked_ratio = 64;
static const uint64_t unpacked_most = 2048 * MIB;

/*
 * The name behind .debug_ or .zdebug_, also with ".dwo" at its end; NULL: it is no such section.
 */
static const char *part_of(const struct fc_section *section)
{
	static const char *const prefixes[] = { ".debug_", ".zdebug_" };
	for (size_t i = 0; section->type != SHT_NOBITS && i < 2; i++) {
		size_t len = strlen(prefixes[i]);
		if (!strncmp(section->name, prefixes[i], len))
			return section->name + len;
	}
	return NULL;
}

/* What it is found with. */
static bool is_needed(const char *part, enum fc_dwarf_wanted wanted)
{
	size_t len = strcspn(part, ".");
	if (part[len] && strcmp(part + len, ".dwo"))
		return false;
	enum { FOR_LINES = 1 << FC_DWARF_LINES, FOR_SIGNATURES = 1 << FC_DWARF_SIGNATURES };
	static const struct {
		const char *name;
		int needed_for;
	} parts[] = {
		{ "info", FOR_LINES | FOR_SIGNATURES },
		{ "abbrev", FOR_LINES | FOR_SIGNATURES },
		{ "line", FOR_LINES },
		{ "line_str", FOR_LINES | FOR_SIGNATURES },
		{ "str", FOR_LINES | FOR_SIGNATURES },
		{ "addr", FOR_LINES | FOR_SIGNATURES },
		{ "rnglists", FOR_LINES | FOR_SIGNATURES },
		{ "ranges", FOR_LINES | FOR_SIGNATURES },
		{ "str_offsets", FOR_LINES | FOR_SIGNATURES },
		{ "types", FOR_SIGNATURES },
		{ "loc", FOR_SIGNATURES },
		{ "loclists", FOR_SIGNATURES },
		{ "cu_index", FOR_SIGNATURES },
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strncmp(part, parts[i].name, len) && !parts[i].name[len])
			return parts[i].needed_for & 1 << wanted;
	return false;
}

bool fc_dwarf_is_idle(const struct fc_section *section, enum fc_dwarf_wanted wanted)
{
	const char *part = part_of(section);
	return part && !is_needed(part, wanted);
}

/*
 * What a header says: gABI, "Compression Header"; before that, "ZLIB" and the size, the high byte
 * first. 0: it is stored as it is.
 */
static uint64_t claimed(const struct fc_section *section, const uint8_t *at)
{
	struct fc_cursor c = fc_cursor(at, section->size);
	bool is_old = section->name[1] == 'z' && section->size >= 4 && !memcmp(at, "ZLIB", 4);
	uint64_t older = 0, newer = 0;
	if (is_old) {
		fc_cursor_skip(&c, 4);
		older = __builtin_bswap64(fc_cursor_uint(&c, 8));
	}
	c = fc_cursor(at, section->size);
	if (section->flags & SHF_COMPRESSED) {
		fc_cursor_skip(&c, 8);
		newer = fc_cursor_uint(&c, 8);
	}
	return older > newer ? older : newer;
}

/* As it is stored, packed or not; NULL: it lies outside of the file. */
static const uint8_t *stored(const struct fc_image *image, const struct fc_section *section)
{
	return fc_image_has(image, section->off, section->size) ? image->at + section->off
								: NULL;
}

static bool is_too_much(uint64_t unpacked, uint64_t packed, uint64_t before)
{
	uint64_t most = packed < unpacked_most / unpacked_ratio
				? unpacked_free + packed * unpacked_ratio
				: unpacked_most;
	return unpacked > most || unpacked > unpacked_most - before;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static bool add_section(struct fc_dwarf_size *size, const struct fc_section *section,
			const char *part, const uint8_t *at)
{
	uint64_t unpacked = claimed(section, at);
	uint64_t bytes = unpacked ? unpacked : section->size;
	if (is_too_much(unpacked, section->size, size->unpacked))
		return false;
	size->unpacked += unpacked;
	size->all = sum(size->all, bytes);
	if (!strcmp(part, "line"))
		size->lines = sum(size->lines, bytes);
	if (!strcmp(part, "info") || !strcmp(part, "ranges") || !strcmp(part, "rnglists"))
		size->ranges = sum(size->ranges, bytes);
	return true;
}

static const struct fc_section *units_of(const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *section = &image->sections[i];
		const char *part = part_of(section);
		if (part && !strcmp(part, "info") && section->size && stored(image, section))
			return section;
	}
	return NULL;
}

bool fc_dwarf_is_in(const struct fc_image *image)
{
	return units_of(image);
}

bool fc_dwarf_is_padding(const struct fc_image *image)
{
	const struct fc_section *section = units_of(image);
	struct fc_cursor c;

	if (!section)
		return false;
	c = fc_cursor(stored(image, section), section->size);
	return !fc_cursor_uint(&c, 4) && !c.is_bad && !(section->flags & SHF_COMPRESSED);
}

bool fc_dwarf_size_add(struct fc_dwarf_size *size, const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *section = &image->sections[i];
		const char *part = part_of(section);
		const uint8_t *at = part ? stored(image, section) : NULL;
		if (at && is_needed(part, size->wanted) &&
		    !add_section(size, section, part, at))
			return false;
	}
	return true;
}
