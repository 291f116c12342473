/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - parses the headers and sections of an ELF image. */
#include "elf/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "elf/cursor.h"

bool fc_image_has(const struct fc_image *image, uint64_t off, uint64_t size)
{
	return off <= image->size && size <= image->size - off;
}

static int check_ident(const uint8_t *at, size_t size, const char *shown)
{
	if (size < SELFMAG || memcmp(at, ELFMAG, SELFMAG))
		return fc_fail(ENOEXEC, "%s is not an ELF file", shown);
	if (size < EI_NIDENT)
		return fc_fail(ENOEXEC, "%s is damaged: it ends after %zu bytes", shown, size);
	if (at[EI_CLASS] == ELFCLASS32)
		return fc_fail(ENOEXEC, "%s is a 32-bit program; fctrace traces 64-bit ones",
			       shown);
	if (at[EI_CLASS] != ELFCLASS64)
		return fc_fail(ENOEXEC, "%s is damaged: unknown ELF class %u", shown,
			       at[EI_CLASS]);
	if (at[EI_DATA] == ELFDATA2MSB)
		return fc_fail(ENOEXEC,
			       "%s is a big-endian program; fctrace traces little-endian ones",
			       shown);
	if (at[EI_DATA] != ELFDATA2LSB)
		return fc_fail(ENOEXEC, "%s is damaged: unknown byte order %u", shown,
			       at[EI_DATA]);
	if (size < sizeof(Elf64_Ehdr))
		return fc_fail(ENOEXEC, "%s is damaged: it ends after %zu bytes", shown, size);
	return 0;
}

/* A table of nr entries at off: the first entry that is not in the file is named. */
static int check_table(const struct fc_image *image, const char *what, uint64_t off,
		       uint64_t nr, size_t entry_size, const char *shown)
{
	uint64_t room = off < image->size ? (image->size - off) / entry_size : 0;
	if (nr > room)
		return fc_fail(ENOEXEC, "%s is damaged: %s header %llu lies outside the file",
			       shown, what, (unsigned long long)room);
	return 0;
}

static int check_entry_size(const char *what, size_t found, size_t expected, const char *shown)
{
	if (found == expected)
		return 0;
	return fc_fail(ENOEXEC, "%s is damaged: a %s header has %zu bytes, expected %zu", shown,
		       what, found, expected);
}

/*
 * Numbers that do not fit the ELF header's 16 bits stand in section 0 (gABI, "ELF
 * Header": e_shnum, e_phnum = PN_XNUM, e_shstrndx = SHN_XINDEX).
 */
static int read_counts(const struct fc_image *image, const Elf64_Ehdr *ehdr, const char *shown,
		       uint64_t *nr_phdrs, uint64_t *nr_sections, uint32_t *strings)
{
	*nr_phdrs = ehdr->e_phnum;
	*nr_sections = ehdr->e_shnum;
	*strings = ehdr->e_shstrndx;
	if (!ehdr->e_shoff) {
		*nr_sections = 0;
		return 0;
	}
	if (ehdr->e_shnum && ehdr->e_phnum != PN_XNUM && ehdr->e_shstrndx != SHN_XINDEX)
		return 0;
	int ret = check_table(image, "section", ehdr->e_shoff, 1, sizeof(Elf64_Shdr), shown);
	if (ret < 0)
		return ret;

	Elf64_Shdr first;
	memcpy(&first, image->at + ehdr->e_shoff, sizeof(first));
	if (!ehdr->e_shnum)
		*nr_sections = first.sh_size;
	if (ehdr->e_phnum == PN_XNUM)
		*nr_phdrs = first.sh_info;
	if (ehdr->e_shstrndx == SHN_XINDEX)
		*strings = first.sh_link;
	return 0;
}

static int read_phdrs(struct fc_image *image, const Elf64_Ehdr *ehdr, uint64_t nr,
		      const char *shown)
{
	if (!nr)
		return 0;
	int ret = check_entry_size("program", ehdr->e_phentsize, sizeof(Elf64_Phdr), shown);
	if (ret == 0)
		ret = check_table(image, "program", ehdr->e_phoff, nr, sizeof(Elf64_Phdr),
				  shown);
	if (ret < 0)
		return ret;

	image->phdrs = fc_alloc(nr * sizeof(*image->phdrs));
	image->nr_phdrs = nr;
	memcpy(image->phdrs, image->at + ehdr->e_phoff, nr * sizeof(*image->phdrs));
	return 0;
}

/* The names of sections: a name that is cut off, lies outside or is too long becomes "". */
static void name_sections(struct fc_image *image, const uint32_t *names, uint32_t strings)
{
	enum { LONGEST = 4096 }; /* all may lie in the same bytes */
	if (strings >= image->nr_sections)
		return;
	const struct fc_section *table = &image->sections[strings];
	const uint8_t *at = fc_image_content(image, table);
	for (size_t i = 0; at && i < image->nr_sections; i++) {
		uint64_t room = names[i] < table->size ? table->size - names[i] : 0;
		if (memchr(at + names[i], 0, room < LONGEST ? room : LONGEST))
			image->sections[i].name = (const char *)at + names[i];
	}
}

static int read_sections(struct fc_image *image, const Elf64_Ehdr *ehdr, uint64_t nr,
			 uint32_t strings, const char *shown)
{
	if (!nr)
		return 0;
	int ret = check_entry_size("section", ehdr->e_shentsize, sizeof(Elf64_Shdr), shown);
	if (ret == 0)
		ret = check_table(image, "section", ehdr->e_shoff, nr, sizeof(Elf64_Shdr),
				  shown);
	if (ret < 0)
		return ret;

	uint32_t *names = fc_alloc(nr * sizeof(*names));
	image->sections = fc_alloc(nr * sizeof(*image->sections));
	image->nr_sections = nr;
	for (size_t i = 0; i < nr; i++) {
		Elf64_Shdr shdr;
		memcpy(&shdr, image->at + ehdr->e_shoff + i * sizeof(shdr), sizeof(shdr));
		names[i] = shdr.sh_name;
		image->sections[i] = (struct fc_section){
			.name = "",
			.type = shdr.sh_type,
			.link = shdr.sh_link,
			.flags = shdr.sh_flags,
			.vaddr = shdr.sh_addr,
			.off = shdr.sh_offset,
			.size = shdr.sh_size,
		};
	}
	name_sections(image, names, strings);
	free(names);
	return 0;
}

int fc_image_init(struct fc_image *image, const uint8_t *at, size_t size, const char *shown)
{
	*image = (struct fc_image){ .at = at, .size = size };
	int ret = check_ident(at, size, shown);
	if (ret < 0)
		return ret;

	Elf64_Ehdr ehdr;
	memcpy(&ehdr, at, sizeof(ehdr));
	image->machine = ehdr.e_machine;
	image->type = ehdr.e_type;
	image->entry = ehdr.e_entry;

	uint64_t nr_phdrs, nr_sections;
	uint32_t strings;
	ret = read_counts(image, &ehdr, shown, &nr_phdrs, &nr_sections, &strings);
	if (ret == 0)
		ret = read_phdrs(image, &ehdr, nr_phdrs, shown);
	if (ret == 0)
		ret = read_sections(image, &ehdr, nr_sections, strings, shown);
	if (ret < 0)
		fc_image_deinit(image);
	return ret;
}

void fc_image_deinit(struct fc_image *image)
{
	free(image->phdrs);
	free(image->sections);
	*image = (struct fc_image){ 0 };
}

const struct fc_section *fc_image_section(const struct fc_image *image, const char *name)
{
	for (size_t i = 0; i < image->nr_sections; i++)
		if (strcmp(image->sections[i].name, name) == 0)
			return &image->sections[i];
	return NULL;
}

const struct fc_section *fc_image_section_type(const struct fc_image *image, uint32_t type)
{
	for (size_t i = 0; i < image->nr_sections; i++)
		if (image->sections[i].type == type)
			return &image->sections[i];
	return NULL;
}

const uint8_t *fc_image_content(const struct fc_image *image, const struct fc_section *section)
{
	if (section->type == SHT_NOBITS || section->flags & SHF_COMPRESSED ||
	    !fc_image_has(image, section->off, section->size))
		return NULL;
	return image->at + section->off;
}

const uint8_t *fc_image_load(const struct fc_image *image, uint64_t vaddr, size_t *size)
{
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type != PT_LOAD || vaddr < phdr->p_vaddr ||
		    vaddr - phdr->p_vaddr >= phdr->p_filesz ||
		    !fc_image_has(image, phdr->p_offset, phdr->p_filesz))
			continue;
		*size = phdr->p_filesz - (vaddr - phdr->p_vaddr);
		return image->at + phdr->p_offset + (vaddr - phdr->p_vaddr);
	}
	return NULL;
}

const Elf64_Phdr *fc_image_phdr(const struct fc_image *image, uint32_t type)
{
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type == type && fc_image_has(image, phdr->p_offset, phdr->p_filesz))
			return phdr;
	}
	return NULL;
}

void fc_image_hex(const uint8_t *at, size_t size, char ret[41])
{
	ret[0] = 0;
	for (size_t i = 0; i < size && i < 20; i++)
		sprintf(ret + 2 * i, "%02x", at[i]);
}

struct note {
	uint64_t name_size, content_size, type;
	const uint8_t *name, *content;
};

/* Notes are 4-aligned records of name size, content size, type, name, content. */
static bool next_note(struct fc_cursor *c, struct note *ret)
{
	if (fc_cursor_left(c) < sizeof(Elf64_Nhdr))
		return false;
	ret->name_size = fc_cursor_uint(c, 4);
	ret->content_size = fc_cursor_uint(c, 4);
	ret->type = fc_cursor_uint(c, 4);
	ret->name = c->at;
	fc_cursor_skip(c, (ret->name_size + 3) & ~UINT64_C(3));
	ret->content = c->at;
	if (c->is_bad || ret->content_size > fc_cursor_left(c))
		return false;
	fc_cursor_skip(c, (ret->content_size + 3) & ~UINT64_C(3));
	return true;
}

/*
 * Some notes, of *left bytes that are read in a file: any number of sections and segments may say
 * that they are notes, and where that is the same hole of a file.
 */
static struct fc_cursor notes_at(const uint8_t *at, uint64_t size, size_t *left)
{
	size_t some = size < *left ? (size_t)size : *left;
	*left -= some;
	return fc_cursor(at, some);
}

enum { NOTES_MOST = 1 << 20 };

static bool find_build_id(struct fc_cursor c, char ret[41])
{
	struct note note;
	while (next_note(&c, &note)) {
		if (note.type == NT_GNU_BUILD_ID && note.name_size == 4 &&
		    !memcmp(note.name, "GNU", 4)) {
			fc_image_hex(note.content, note.content_size, ret);
			return true;
		}
	}
	return false;
}

void fc_image_build_id(const struct fc_image *image, char ret[41])
{
	size_t left = NOTES_MOST;
	ret[0] = 0;
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *section = &image->sections[i];
		const uint8_t *at = fc_image_content(image, section);
		if (section->type == SHT_NOTE && at &&
		    find_build_id(notes_at(at, section->size, &left), ret))
			return;
	}
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type == PT_NOTE &&
		    fc_image_has(image, phdr->p_offset, phdr->p_filesz) &&
		    find_build_id(notes_at(image->at + phdr->p_offset, phdr->p_filesz, &left),
				  ret))
			return;
	}
}

static bool has_go_note(struct fc_cursor c)
{
	struct note note;
	while (next_note(&c, &note))
		if (note.name_size == 4 && !memcmp(note.name, "Go\0", 4))
			return true;
	return false;
}

bool fc_image_is_go(const struct fc_image *image)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab",
					     ".go.buildinfo", ".note.go.buildid" };
	size_t left = NOTES_MOST;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (fc_image_section(image, names[i]))
			return true;
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type == PT_NOTE &&
		    fc_image_has(image, phdr->p_offset, phdr->p_filesz) &&
		    has_go_note(notes_at(image->at + phdr->p_offset, phdr->p_filesz, &left)))
			return true;
	}
	return false;
}
