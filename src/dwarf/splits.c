/* SPDX-License-Identifier: Apache-2.0 */
/*
 * splits.c - makes ELF files of split units, for libdw.
 *
 * libdw would open the file of a split unit by its name, which a jail forbids, and knows no packages
 * before elfutils 0.191. So of each unit an ELF file is made in memory that has all that it needs:
 *
 *	from the .dwo or .dwp	.debug_info, .debug_abbrev, .debug_str, .debug_str_offsets, lists
 *	from the file itself	its part of .debug_addr and .debug_ranges, at offset 0
 *
 * Only its skeleton tells the address that lists of places are relative to, in DWARF 5. The unit's
 * first entry gets it as DW_AT_low_pc: by an abbreviation of its own, with as many bytes as there
 * were.
 */
#include "dwarf/splits.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/memory.h"
#include "dwarf/handle.h"
#include "dwarf/splitindex.h"
#include "dwarf/types/die.h"

#define MOST_BYTES (UINT64_C(1) << 30) /* of copies */

enum { ADDRESS = 8 };

static const char *const names[FC_NR_SPLIT_PARTS] = {
	[FC_SPLIT_INFO] = ".debug_info.dwo",
	[FC_SPLIT_TYPES] = ".debug_types.dwo",
	[FC_SPLIT_ABBREV] = ".debug_abbrev.dwo",
	[FC_SPLIT_STR] = ".debug_str.dwo",
	[FC_SPLIT_STR_OFFSETS] = ".debug_str_offsets.dwo",
	[FC_SPLIT_LOC] = ".debug_loc.dwo",
	[FC_SPLIT_LOCLISTS] = ".debug_loclists.dwo",
	[FC_SPLIT_RNGLISTS] = ".debug_rnglists.dwo",
	[FC_SPLIT_ADDR] = ".debug_addr.dwo",
	[FC_SPLIT_RANGES] = ".debug_ranges.dwo",
};

/* ---- what there is ---- */

static const char *text_of(Dwarf_Die *die, unsigned int attribute, unsigned int gnu)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_attr(die, attribute, &attr) || dwarf_attr(die, gnu, &attr)
				   ? dwarf_formstring(&attr)
				   : NULL;
	return text ? text : "";
}

static uint64_t offset_of(Dwarf_Die *die, unsigned int attribute, unsigned int gnu)
{
	uint64_t off = 0;
	return fc_die_number(die, attribute, &off) || fc_die_number(die, gnu, &off) ? off : 0;
}

bool fc_skeleton_read(Dwarf_CU *unit, Dwarf_Die *die, struct fc_skeleton *ret)
{
	Dwarf_Half version;
	uint8_t type;
	uint64_t id;
	Dwarf_Addr base;

	if (dwarf_cu_info(unit, &version, &type, NULL, NULL, &id, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return false;
	*ret = (struct fc_skeleton){
		.id = id,
		.name = text_of(die, DW_AT_dwo_name, DW_AT_GNU_dwo_name),
		.dir = text_of(die, DW_AT_comp_dir, DW_AT_comp_dir),
		.base = dwarf_lowpc(die, &base) ? 0 : base,
		.addr_base = offset_of(die, DW_AT_addr_base, DW_AT_GNU_addr_base),
		.ranges_base = offset_of(die, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base),
		.has_header = version >= 5,
	};
	return true;
}

/* NULL: there are too many already. */
static uint8_t *take_bytes(struct fc_splits *splits, uint64_t nr)
{
	if (nr > MOST_BYTES - splits->nr_bytes) {
		splits->is_full = true;
		return NULL;
	}
	splits->nr_bytes += nr;
	return fc_alloc(nr + 1);
}

/* Its next section of that name behind *section; empty: there is none. */
static struct fc_split_bytes next_section(Elf *elf, const char *name, Elf_Scn **section)
{
	GElf_Shdr head;
	size_t strings;

	while (elf && !elf_getshdrstrndx(elf, &strings) &&
	       (*section = elf_nextscn(elf, *section))) {
		const char *its = gelf_getshdr(*section, &head)
					  ? elf_strptr(elf, strings, head.sh_name)
					  : NULL;
		if (!its || strcmp(its, name) || head.sh_type == SHT_NOBITS)
			continue;
		if (head.sh_flags & SHF_COMPRESSED && elf_compress(*section, 0, 0) < 0)
			break;
		Elf_Data *data = elf_rawdata(*section, NULL);
		if (data && data->d_buf && data->d_size)
			return (struct fc_split_bytes){ data->d_buf, data->d_size };
	}
	return (struct fc_split_bytes){ 0 };
}

static struct fc_split_bytes section_of(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	return next_section(elf, name, &section);
}

/* As one: a .dwo has each type in a section of its own, as object files have. */
static struct fc_split_bytes sections_of(struct fc_splits *splits, Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	struct fc_split_bytes first = next_section(elf, name, &section), next = first;
	uint64_t size = 0;

	if (!first.size || !next_section(elf, name, &section).size)
		return first;
	for (section = NULL; (next = next_section(elf, name, &section)).size;)
		size += next.size;
	uint8_t *bytes = take_bytes(splits, size), *at = bytes;
	if (!bytes)
		return (struct fc_split_bytes){ 0 };
	for (section = NULL; (next = next_section(elf, name, &section)).size; at += next.size)
		memcpy(at, next.at, next.size);
	return (struct fc_split_bytes){ bytes, size };
}

static struct fc_split_bytes from(struct fc_split_bytes span, uint64_t off)
{
	if (off > span.size)
		return (struct fc_split_bytes){ 0 };
	return (struct fc_split_bytes){ span.at + off, span.size - off };
}

static struct fc_split_bytes at_most(struct fc_split_bytes span, uint64_t size)
{
	return (struct fc_split_bytes){ span.at, span.size < size ? span.size : size };
}

/* Addresses of this unit, if they say how many they are; else all from its first one on. */
static struct fc_split_bytes addresses(const struct fc_splits *splits,
				       const struct fc_skeleton *skeleton)
{
	enum { LENGTH = 4, HEAD = 8 };
	struct fc_split_bytes all = section_of(splits->main, ".debug_addr");
	struct fc_split_bytes its = from(all, skeleton->addr_base);
	uint32_t length;

	if (!skeleton->has_header || skeleton->addr_base < HEAD || !its.size)
		return its;
	memcpy(&length, all.at + skeleton->addr_base - HEAD, sizeof(length));
	return length < UINT32_MAX && length >= HEAD - LENGTH
		       ? at_most(its, length - (HEAD - LENGTH))
		       : its;
}

static Elf *open_once(Elf **elf, const struct fc_image *image)
{
	if (!*elf)
		*elf = fc_dwarf_elf(image, FC_DWARF_SIGNATURES);
	return *elf;
}

/* The .dwo of the unit; NULL: there is none. */
static Elf *file_of(struct fc_splits *splits, uint64_t id)
{
	while (splits->elfs.nr < splits->files->nr)
		fc_vec_push(&splits->elfs, NULL);
	for (size_t i = 0; i < splits->files->nr; i++)
		if (splits->files->at[i].id == id)
			return open_once(&splits->elfs.at[i], splits->files->at[i].image);
	return NULL;
}

static bool find_parts(struct fc_splits *splits, const struct fc_skeleton *skeleton,
		       struct fc_split_parts *ret)
{
	Elf *package = splits->files->package
			       ? open_once(&splits->package, splits->files->package)
			       : NULL;
	struct fc_split_bytes index = section_of(package, ".debug_cu_index");
	Elf *elf = index.size ? package : NULL;

	*ret = (struct fc_split_parts){ 0 };
	for (int i = 0; elf && i < FC_SPLIT_ADDR; i++)
		ret->at[i] = section_of(elf, names[i]);
	if (!elf || !fc_split_index_cut(index, skeleton->id, ret)) {
		elf = file_of(splits, skeleton->id);
		for (int i = 0; elf && i < FC_SPLIT_ADDR; i++)
			ret->at[i] = sections_of(splits, elf, names[i]);
	}
	ret->at[FC_SPLIT_ADDR] = addresses(splits, skeleton);
	ret->at[FC_SPLIT_RANGES] =
		from(section_of(splits->main, ".debug_ranges"), skeleton->ranges_base);
	return elf && ret->at[FC_SPLIT_INFO].size;
}

/* ---- a file of it ---- */

static uint64_t align(uint64_t off)
{
	return (off + 7) & ~(uint64_t)7;
}

/* Sections 1 to FC_NR_SPLIT_PARTS, and behind them their names. */
static Dwarf *make_file(struct fc_splits *splits, const struct fc_split_parts *parts)
{
	enum { NR = FC_NR_SPLIT_PARTS + 2, STRINGS = NR - 1 };
	Elf64_Shdr heads[NR] = { 0 };
	char strings[512] = "";
	size_t nr_strings = 1;
	uint64_t off = sizeof(Elf64_Ehdr);

	for (int i = 1; i < NR; i++) {
		const char *name = i < STRINGS ? names[i - 1] : ".shstrtab";
		size_t len = strlen(name) + 1;
		heads[i] = (Elf64_Shdr){
			.sh_name = (Elf64_Word)nr_strings,
			.sh_type = i < STRINGS ? SHT_PROGBITS : SHT_STRTAB,
			.sh_offset = off,
			.sh_size = i < STRINGS ? parts->at[i - 1].size : sizeof(strings),
			.sh_addralign = 1,
		};
		memcpy(strings + nr_strings, name, len);
		nr_strings += len;
		off = align(off + heads[i].sh_size);
	}
	uint64_t size = off + sizeof(heads);
	uint8_t *bytes = take_bytes(splits, size);
	if (!bytes)
		return NULL;
	Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_REL,
			    .e_version = EV_CURRENT,
			    .e_shoff = off,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = NR,
			    .e_shstrndx = STRINGS };
	GElf_Ehdr its;
	head.e_machine = gelf_getehdr(splits->main, &its) ? its.e_machine : EM_NONE;
	memcpy(bytes, &head, sizeof(head));
	for (int i = 1; i < STRINGS; i++)
		if (parts->at[i - 1].size)
			memcpy(bytes + heads[i].sh_offset, parts->at[i - 1].at,
			       parts->at[i - 1].size);
	memcpy(bytes + heads[STRINGS].sh_offset, strings, sizeof(strings));
	memcpy(bytes + off, heads, sizeof(heads));
	return fc_dwarf_begin(elf_memory((char *)bytes, size));
}

static bool find_unit(Dwarf *dwarf, uint64_t id, Dwarf_Die *ret)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;
	uint64_t its;

	while (dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, &type, ret, NULL))
		if (type == DW_UT_split_compile && dwarf_tag(ret) == DW_TAG_compile_unit &&
		    !dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &its, NULL, NULL) && its == id)
			return true;
	return false;
}

/* ---- its address ---- */

static size_t put_uleb(uint8_t *at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++, value >>= 7)
		at[i] = (uint8_t)((value & 0x7f) | (i + 1 < size ? 0x80 : 0));
	return size;
}

/* A unit's first entry: what can be told in as many bytes. */
struct entry {
	uint64_t head_off,
		off;   /* in .debug_info: of the unit, of what stands behind the number */
	uint64_t code; /* its abbreviation's number */
	size_t for_index, for_language, others; /* bytes */
};

/* False: it has no children, or too few bytes. */
static bool measure(Dwarf_Die *die, struct entry *ret)
{
	enum { MOST_INDEX = 3, HEAD = 20, MOST_BYTES_OF_IT = 4096 };
	uint64_t off = dwarf_dieoffset(die);
	const uint8_t *begin = die->addr, *at = begin;
	unsigned shift = 0;
	Dwarf_Die child;

	*ret = (struct entry){ 0 };
	if (off < HEAD || dwarf_child(die, &child))
		return false;
	do
		ret->code |= (uint64_t)(*at & 0x7f) << shift;
	while (*at++ & 0x80 && (shift += 7) < 35);
	if (at + 2 > (uint8_t *)child.addr || at + MOST_BYTES_OF_IT < (uint8_t *)child.addr)
		return false;
	size_t room = (size_t)((uint8_t *)child.addr - at);
	ret->head_off = off - HEAD;
	ret->off = off + (uint64_t)(at - begin);
	ret->for_language = room > MOST_INDEX ? 2 : 1;
	ret->for_index = room - ret->for_language;
	if (ret->for_index > MOST_INDEX)
		ret->for_index = MOST_INDEX;
	ret->others = room - ret->for_index - ret->for_language;
	return true;
}

/* With the entry's number: an address, a language, and other bytes that say nothing. */
static size_t put_abbreviation(uint8_t *at, const struct entry *entry)
{
	enum { NOTHING = 0x3ffe };
	const uint8_t *begin = at;

	at += put_uleb(at, entry->code, 5);
	*at++ = DW_TAG_compile_unit;
	*at++ = DW_CHILDREN_yes;
	*at++ = DW_AT_low_pc;
	*at++ = DW_FORM_addrx;
	*at++ = DW_AT_language;
	*at++ = entry->for_language == 2 ? DW_FORM_data2 : DW_FORM_data1;
	for (size_t i = 0; i < entry->others; i++) {
		at += put_uleb(at, NOTHING, 2);
		*at++ = DW_FORM_data1;
	}
	*at++ = 0;
	*at++ = 0;
	return (size_t)(at - begin);
}

/* Where the unit's abbreviations tell this one: from where they begin. False: they do not. */
static bool find_abbreviation(Dwarf_Die *die, uint64_t code, size_t *off, size_t *size)
{
	Dwarf_Abbrev *abbrev;

	*off = 0;
	while ((abbrev = dwarf_getabbrev(die, *off, size)) && abbrev != DWARF_END_ABBREV) {
		if (dwarf_getabbrevcode(abbrev) == code)
			return true;
		*off += *size;
	}
	return false;
}

/* Behind all abbreviations: those of the unit, with the new one instead of one that it had. */
static bool change_abbreviation(struct fc_splits *splits, Dwarf_Die *die,
				const struct entry *entry, uint8_t *its_place,
				struct fc_split_bytes *span)
{
	enum { PER_BYTE = 3, REST = 32 };
	uint32_t old = fc_get_32(its_place);
	size_t before, replaced, size = span->size;
	uint8_t *bytes = take_bytes(splits, 2 * size + entry->others * PER_BYTE + REST);

	if (!bytes || old > size || size > UINT32_MAX / 4 ||
	    !find_abbreviation(die, entry->code, &before, &replaced) ||
	    before + replaced > size - old)
		return false;
	const uint8_t *its = span->at + old;
	memcpy(bytes, span->at, size);
	fc_put_32(its_place, (uint32_t)size);
	memcpy(bytes + size, its, before);
	size += before;
	size += put_abbreviation(bytes + size, entry);
	size_t behind = span->size - old - before - replaced;
	memcpy(bytes + size, its + before + replaced, behind);
	*span = (struct fc_split_bytes){ bytes, size + behind };
	return true;
}

/* Its number; UINT64_MAX: there is no room for it. */
static uint64_t add_address(struct fc_splits *splits, uint64_t address,
			    struct fc_split_bytes *span)
{
	uint64_t nr = span->size / ADDRESS;
	uint8_t *bytes = take_bytes(splits, (nr + 1) * ADDRESS);

	if (!bytes)
		return UINT64_MAX;
	if (nr)
		memcpy(bytes, span->at, nr * ADDRESS);
	memcpy(bytes + nr * ADDRESS, &address, ADDRESS);
	*span = (struct fc_split_bytes){ bytes, (nr + 1) * ADDRESS };
	return nr;
}

/* The same parts, with the address that the skeleton has. False: there is no room for it. */
static bool add_base(struct fc_splits *splits, const struct fc_skeleton *skeleton,
		     Dwarf_Die *die, struct fc_split_parts *parts)
{
	enum { ABBREV_OFF = 8 };
	struct fc_split_bytes *info = &parts->at[FC_SPLIT_INFO];
	struct entry entry;
	int language = dwarf_srclang(die);
	bool is_measured = measure(die, &entry);
	uint8_t *bytes = is_measured ? take_bytes(splits, info->size) : NULL;
	uint64_t index = add_address(splits, skeleton->base, &parts->at[FC_SPLIT_ADDR]);

	if (!bytes || index >> 7 * entry.for_index || entry.off >= info->size)
		return false;
	memcpy(bytes, info->at, info->size);
	uint8_t *at = bytes + entry.off;
	at += put_uleb(at, index, entry.for_index);
	for (size_t i = 0; i < entry.for_language; i++)
		*at++ = (uint8_t)((unsigned)(language < 0 ? 0 : language) >> 8 * i);
	at = bytes + entry.head_off;
	*info = (struct fc_split_bytes){ bytes, info->size };
	return fc_get_32(at) != UINT32_MAX &&
	       change_abbreviation(splits, die, &entry, at + ABBREV_OFF,
				   &parts->at[FC_SPLIT_ABBREV]);
}

bool fc_splits_find(struct fc_splits *splits, const struct fc_skeleton *skeleton,
		    struct fc_split_unit *ret)
{
	struct fc_split_parts parts;
	Dwarf_Attribute attr;

	if (!find_parts(splits, skeleton, &parts) ||
	    !find_unit(make_file(splits, &parts), skeleton->id, &ret->die))
		return false;
	ret->producer =
		dwarf_attr(&ret->die, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;
	if (!skeleton->base || !skeleton->has_header)
		return true;
	uint64_t off = dwarf_dieoffset(&ret->die);
	if (!add_base(splits, skeleton, &ret->die, &parts))
		return false;
	Dwarf *dwarf = make_file(splits, &parts);
	return dwarf && dwarf_offdie(dwarf, off, &ret->die);
}
