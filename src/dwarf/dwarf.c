/* SPDX-License-Identifier: Apache-2.0 */
#include "dwarf/dwarf.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define MIB ((uint64_t)1 << 20)

/*
 * Debug information packs to a third or a tenth; what claims more than this is made to fill the
 * memory.
 */
static const uint64_t unpacked_free = 16 * MIB, unpacked_ratio = 64;
static const uint64_t unpacked_most = 2048 * MIB;

/* Each byte may be gone through some times, by units that share it. */
static const uint64_t work_free = 64 * MIB, work_ratio = 16, work_most = 4096 * MIB;

static const char *const names[FC_DWARF_NR_PARTS] = {
	[FC_DWARF_INFO] = "info",	  [FC_DWARF_ABBREV] = "abbrev",
	[FC_DWARF_LINE] = "line",	  [FC_DWARF_STR] = "str",
	[FC_DWARF_LINE_STR] = "line_str", [FC_DWARF_STR_OFFSETS] = "str_offsets",
	[FC_DWARF_ADDR] = "addr",	  [FC_DWARF_RANGES] = "ranges",
	[FC_DWARF_RNGLISTS] = "rnglists", [FC_DWARF_ALT_STR] = "str",
};

/* A section as it is stored. */
struct stored {
	const uint8_t *at;
	size_t size;
	enum { PLAIN, ZLIB, ZSTD, UNKNOWN } how;
	uint64_t unpacked_size;
};

void fc_dwarf_init(struct fc_dwarf *dwarf, const struct fc_image *image,
		   const struct fc_image *alt)
{
	*dwarf = (struct fc_dwarf){
		.image = image, .alt = alt, .granted = work_free, .work = work_free
	};
}

void fc_dwarf_deinit(struct fc_dwarf *dwarf)
{
	for (int i = 0; i < FC_DWARF_NR_PARTS; i++)
		free(dwarf->sections[i].unpacked);
	*dwarf = (struct fc_dwarf){ 0 };
}

static void note(struct fc_dwarf *dwarf, const char *wrong)
{
	if (!dwarf->wrong)
		dwarf->wrong = wrong;
}

void fc_dwarf_damaged(struct fc_dwarf *dwarf)
{
	note(dwarf, "some of its debug information is damaged, or of a kind that fctrace does "
		    "not know");
}

void fc_dwarf_too_much(struct fc_dwarf *dwarf)
{
	note(dwarf, "not all of its debug information was read: it has too many parts");
}

bool fc_dwarf_spend(struct fc_dwarf *dwarf, uint64_t bytes)
{
	if (bytes <= dwarf->work) {
		dwarf->work -= bytes;
		return true;
	}
	dwarf->work = 0;
	note(dwarf, "not all of its debug information was read: it refers to the same bytes "
		    "too often");
	return false;
}

static void grant(struct fc_dwarf *dwarf, uint64_t size)
{
	uint64_t more = size < work_most / work_ratio ? size * work_ratio : work_most;
	if (more > work_most - dwarf->granted)
		more = work_most - dwarf->granted;
	dwarf->granted += more;
	dwarf->work += more;
}

/* gABI, "Compression Header". */
static bool read_head(struct stored *stored)
{
	struct fc_cursor c = fc_cursor(stored->at, stored->size);
	uint32_t type = (uint32_t)fc_cursor_uint(&c, 4);
	fc_cursor_skip(&c, 4);
	stored->unpacked_size = fc_cursor_uint(&c, 8);
	fc_cursor_skip(&c, 8);
	stored->how = type == ELFCOMPRESS_ZLIB ? ZLIB : type == 2 ? ZSTD : UNKNOWN;
	stored->at = c.at;
	stored->size = fc_cursor_left(&c);
	return !c.is_bad;
}

/* Before that was: "ZLIB" and the size, the high byte first. */
static bool read_old_head(struct stored *stored)
{
	struct fc_cursor c = fc_cursor(stored->at, stored->size);
	const uint8_t *magic = c.at;
	fc_cursor_skip(&c, 4);
	bool is_zlib = !c.is_bad && !memcmp(magic, "ZLIB", 4);
	stored->unpacked_size = __builtin_bswap64(fc_cursor_uint(&c, 8));
	stored->how = is_zlib ? ZLIB : UNKNOWN;
	stored->at = c.at;
	stored->size = fc_cursor_left(&c);
	return !c.is_bad;
}

static const struct fc_section *section_named(const struct fc_image *image, const char *prefix,
					      const char *name)
{
	size_t len = strlen(prefix);
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *section = &image->sections[i];
		if (section->type != SHT_NOBITS && !strncmp(section->name, prefix, len) &&
		    !strcmp(section->name + len, name))
			return section;
	}
	return NULL;
}

static bool find(const struct fc_image *image, const char *name, struct stored *ret)
{
	const struct fc_section *plain = section_named(image, ".debug_", name);
	const struct fc_section *section =
		plain ? plain : section_named(image, ".zdebug_", name);
	if (!section || !fc_image_has(image, section->off, section->size))
		return false;
	*ret = (struct stored){ .at = image->at + section->off, .size = section->size };
	if (section->flags & SHF_COMPRESSED)
		return read_head(ret);
	return plain || read_old_head(ret);
}

static bool unpack_bytes(const struct stored *stored, const uint8_t *from, uint8_t *to)
{
	uLongf to_size = stored->unpacked_size;
	if (stored->how == ZLIB)
		return uncompress(to, &to_size, from, stored->size) == Z_OK &&
		       to_size == stored->unpacked_size;
	return stored->how == ZSTD &&
	       ZSTD_decompress(to, to_size, from, stored->size) == to_size;
}

/* Of a copy: what is unpacked must not change meanwhile. NULL: damaged, or no memory. */
static void *unpack(const struct stored *stored)
{
	uint8_t *from = malloc(stored->size + 1), *to = malloc(stored->unpacked_size + 1);
	bool is_good = from && to;
	if (is_good) {
		memcpy(from, stored->at, stored->size);
		is_good = unpack_bytes(stored, from, to);
	}
	free(from);
	if (is_good)
		return to;
	free(to);
	return NULL;
}

static bool is_too_much(const struct fc_dwarf *dwarf, const struct stored *stored)
{
	uint64_t most = stored->size < unpacked_most / unpacked_ratio
				? unpacked_free + stored->size * unpacked_ratio
				: unpacked_most;
	return stored->unpacked_size > most ||
	       stored->unpacked_size > unpacked_most - dwarf->unpacked;
}

static void load_packed(struct fc_dwarf *dwarf, const struct stored *stored,
			struct fc_dwarf_section *section)
{
	if (is_too_much(dwarf, stored)) {
		note(dwarf,
		     "not all of its debug information was read: it unpacks to too much");
		return;
	}
	section->unpacked = unpack(stored);
	if (!section->unpacked) {
		fc_dwarf_damaged(dwarf);
		return;
	}
	section->at = section->unpacked;
	section->size = stored->unpacked_size;
	dwarf->unpacked += section->size;
}

static void load(struct fc_dwarf *dwarf, enum fc_dwarf_part part)
{
	struct fc_dwarf_section *section = &dwarf->sections[part];
	const struct fc_image *image = part == FC_DWARF_ALT_STR ? dwarf->alt : dwarf->image;
	struct stored stored;
	section->is_looked_for = true;
	if (!image || !find(image, names[part], &stored))
		return;
	if (stored.how == PLAIN) {
		section->at = stored.at;
		section->size = stored.size;
	} else {
		load_packed(dwarf, &stored, section);
	}
	grant(dwarf, section->size);
}

bool fc_dwarf_is_in(const struct fc_image *image)
{
	struct stored stored;
	return find(image, names[FC_DWARF_INFO], &stored) && stored.size;
}

static const struct fc_dwarf_section *section_of(struct fc_dwarf *dwarf,
						 enum fc_dwarf_part part)
{
	if (!dwarf->sections[part].is_looked_for)
		load(dwarf, part);
	return &dwarf->sections[part];
}

struct fc_cursor fc_dwarf_at(struct fc_dwarf *dwarf, enum fc_dwarf_part part, uint64_t off)
{
	static const uint8_t nothing;
	const struct fc_dwarf_section *section = section_of(dwarf, part);
	if (!section->at || off > section->size)
		return (struct fc_cursor){ &nothing, &nothing, true };
	return fc_cursor(section->at + off, section->size - off);
}

uint64_t fc_dwarf_off(struct fc_dwarf *dwarf, enum fc_dwarf_part part, const uint8_t *at)
{
	return (uint64_t)(at - section_of(dwarf, part)->at);
}

struct fc_dwarf_text fc_dwarf_text(struct fc_dwarf *dwarf, enum fc_dwarf_part part,
				   uint64_t off)
{
	struct fc_cursor c = fc_dwarf_at(dwarf, part, off);
	size_t room = c.is_bad ? 0 : fc_cursor_left(&c);
	return (struct fc_dwarf_text){ room ? (const char *)c.at : NULL, room };
}
