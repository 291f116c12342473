/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.c - parses the dynamic section. */
#include "elf/dynamic.h"

#include <elf.h>
#include <string.h>

#include "elf/cursor.h"
#include "elf/image.h"

/* The entries of interest, by tag. */
struct tags {
	uint64_t value[DT_NUM];
	uint64_t gnu_hash, versym, verdef;
};

static void read_tags(const uint8_t *at, size_t size, struct tags *ret)
{
	struct fc_cursor c = fc_cursor(at, size);
	while (fc_cursor_left(&c) >= sizeof(Elf64_Dyn)) {
		int64_t tag = fc_cursor_int(&c, 8);
		uint64_t value = fc_cursor_uint(&c, 8);
		if (tag == DT_NULL)
			return;
		if (tag == DT_TEXTREL)
			value = 1;
		if (tag > 0 && tag < DT_NUM)
			ret->value[tag] = value;
		else if (tag == DT_GNU_HASH)
			ret->gnu_hash = value;
		else if (tag == DT_VERSYM)
			ret->versym = value;
		else if (tag == DT_VERDEF)
			ret->verdef = value;
	}
}

/*
 * DT_GNU_HASH holds no count: the last symbol is the end of the chain that starts last.
 *
 *   nr_buckets, first, nr_bloom, shift | bloom: u64[nr_bloom] | bucket: u32[nr_buckets] |
 *   chain: u32[...], one a symbol from first on, bit 0 set at the end of a chain
 */
static size_t count_by_gnu_hash(const uint8_t *at, size_t size)
{
	struct fc_cursor c = fc_cursor(at, size);
	uint64_t nr_buckets = fc_cursor_uint(&c, 4);
	uint64_t first = fc_cursor_uint(&c, 4);
	fc_cursor_skip(&c, fc_cursor_uint(&c, 4) * 8 + 4);

	uint64_t last = 0;
	for (uint64_t i = 0; i < nr_buckets && !c.is_bad; i++) {
		uint64_t start = fc_cursor_uint(&c, 4);
		last = start > last ? start : last;
	}
	if (c.is_bad || last < first)
		return first;
	fc_cursor_skip(&c, (last - first) * 4);
	while (!c.is_bad && !(fc_cursor_uint(&c, 4) & 1))
		last++;
	return c.is_bad ? 0 : last + 1;
}

/* DT_HASH: nr_buckets, nr_chains, and there is one chain entry a symbol. */
static size_t count_by_hash(const uint8_t *at, size_t size)
{
	struct fc_cursor c = fc_cursor(at, size);
	fc_cursor_skip(&c, 4);
	return fc_cursor_uint(&c, 4);
}

static size_t count_symbols(const struct fc_image *image, const struct tags *tags)
{
	size_t size;
	const uint8_t *at = fc_image_load(image, tags->value[DT_HASH], &size);
	if (tags->value[DT_HASH] && at)
		return count_by_hash(at, size);
	at = fc_image_load(image, tags->gnu_hash, &size);
	if (tags->gnu_hash && at)
		return count_by_gnu_hash(at, size);
	return 0;
}

static void read_symbols(const struct fc_image *image, const struct tags *tags,
			 struct fc_symbol_table *ret)
{
	size_t symbols_room, strings_room;
	const uint8_t *symbols = fc_image_load(image, tags->value[DT_SYMTAB], &symbols_room);
	const uint8_t *strings = fc_image_load(image, tags->value[DT_STRTAB], &strings_room);
	if (!tags->value[DT_SYMTAB] || !tags->value[DT_STRTAB] || !symbols || !strings)
		return;

	size_t nr = count_symbols(image, tags), max = symbols_room / sizeof(Elf64_Sym);
	size_t size = tags->value[DT_STRSZ];
	ret->symbols = symbols;
	ret->nr_symbols = nr < max ? nr : max;
	ret->strings = (const char *)strings;
	ret->strings_size = size < strings_room ? size : strings_room;

	size_t versions_room;
	const uint8_t *versions = fc_image_load(image, tags->versym, &versions_room);
	if (tags->versym && versions) {
		ret->versions = versions;
		ret->nr_versions = versions_room / sizeof(Elf64_Half);
	}
	if (tags->verdef)
		ret->verdef = fc_image_load(image, tags->verdef, &ret->verdef_size);
}

static struct fc_code_range table_of(const struct tags *tags, int tag, int size)
{
	return (struct fc_code_range){ tags->value[tag], tags->value[size] };
}

void fc_dynamic_read(const struct fc_image *image, struct fc_dynamic *ret)
{
	*ret = (struct fc_dynamic){ 0 };
	const Elf64_Phdr *phdr = fc_image_phdr(image, PT_DYNAMIC);
	if (!phdr)
		return;

	struct tags tags = { 0 };
	read_tags(image->at + phdr->p_offset, phdr->p_filesz, &tags);
	ret->has_textrel = tags.value[DT_TEXTREL] || tags.value[DT_FLAGS] & DF_TEXTREL;
	ret->rela = table_of(&tags, DT_RELA, DT_RELASZ);
	ret->rel = table_of(&tags, DT_REL, DT_RELSZ);
	ret->relr = table_of(&tags, DT_RELR, DT_RELRSZ);
	ret->plt = table_of(&tags, DT_JMPREL, DT_PLTRELSZ);
	ret->plt_has_addends = tags.value[DT_PLTREL] != DT_REL;
	ret->init_vaddr = tags.value[DT_INIT];
	ret->fini_vaddr = tags.value[DT_FINI];
	read_symbols(image, &tags, &ret->table);
}

const char *fc_dynamic_string(const struct fc_image *image, int64_t tag, size_t i)
{
	const Elf64_Phdr *phdr = fc_image_phdr(image, PT_DYNAMIC);
	struct fc_dynamic dynamic;
	if (!phdr)
		return NULL;
	fc_dynamic_read(image, &dynamic);
	struct fc_cursor c = fc_cursor(image->at + phdr->p_offset, phdr->p_filesz);
	const struct fc_symbol_table *table = &dynamic.table;
	while (table->strings && fc_cursor_left(&c) >= sizeof(Elf64_Dyn)) {
		int64_t found = fc_cursor_int(&c, 8);
		uint64_t off = fc_cursor_uint(&c, 8);
		if (found == DT_NULL)
			break;
		if (found != tag || i--)
			continue;
		return off < table->strings_size && memchr(table->strings + off, 0,
							   table->strings_size - off)
			       ? table->strings + off
			       : NULL;
	}
	return NULL;
}
