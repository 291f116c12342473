/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image.h - the headers of one 64-bit ELF file in memory, every offset checked.
 *
 * Used alike for the program, its debug file, and the small one inside .gnu_debugdata.
 */
#ifndef FC_ELF_IMAGE_H
#define FC_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_section {
	const char *name; /* "" if unnamed */
	uint32_t type, link;
	uint64_t flags, vaddr, off, size;
};

struct fc_image {
	const uint8_t *at;
	size_t size;
	uint16_t machine, type;
	uint64_t entry;
	Elf64_Phdr *phdrs;
	size_t nr_phdrs;
	struct fc_section *sections; /* with the null section first; NULL: no section table */
	size_t nr_sections;
};

/* Read the headers of size bytes, which must outlive image. -ENOEXEC with a sentence. */
int fc_image_init(struct fc_image *image, const uint8_t *at, size_t size, const char *shown);
void fc_image_deinit(struct fc_image *image);

/* Does the file hold size bytes at off? */
bool fc_image_has(const struct fc_image *image, uint64_t off, uint64_t size);

/* The first section of that name, or of that type; NULL if there is none. */
const struct fc_section *fc_image_section(const struct fc_image *image, const char *name);
const struct fc_section *fc_image_section_type(const struct fc_image *image, uint32_t type);

/* The content of a section; NULL if it has none in this file, or lies outside of it. */
const uint8_t *fc_image_content(const struct fc_image *image, const struct fc_section *section);

/* The bytes that PT_LOAD maps at vaddr, and how many there are; NULL if none. */
const uint8_t *fc_image_load(const struct fc_image *image, uint64_t vaddr, size_t *size);

/* The first program header of that type; NULL if there is none or it lies outside the
 * file. */
const Elf64_Phdr *fc_image_phdr(const struct fc_image *image, uint32_t type);

/* The build-id as hex, cut to 20 bytes; "" if there is none. */
void fc_image_build_id(const struct fc_image *image, char ret[41]);
/* These bytes in the same form. */
void fc_image_hex(const uint8_t *at, size_t size, char ret[41]);

/* Did Go's linker make this? By its sections, or by its note where there is no section table. */
bool fc_image_is_go(const struct fc_image *image);

#endif
