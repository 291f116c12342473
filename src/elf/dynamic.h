/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.h - what PT_DYNAMIC says, for files whose section table was taken away. */
#ifndef FC_ELF_DYNAMIC_H
#define FC_ELF_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/found.h"

struct fc_image;

/* A table of symbols, with what belongs to it. */
struct fc_symbol_table {
	const uint8_t *symbols; /* nr_symbols of Elf64_Sym, unaligned; NULL: none */
	size_t nr_symbols;
	const char *strings;
	size_t strings_size;
	const uint8_t *versions; /* nr_versions of 16 bits, one a symbol; NULL: none */
	size_t nr_versions;
	const uint8_t *verdef; /* version definitions, up to the end of their segment */
	size_t verdef_size;
};

struct fc_dynamic {
	bool has_textrel; /* what is not writable is relocated: code, or something beside it */
	struct fc_code_range rela, rel, relr, plt; /* tables of relocations; size 0: none */
	bool plt_has_addends;
	uint64_t init_vaddr, fini_vaddr; /* DT_INIT, DT_FINI; 0: none */
	struct fc_symbol_table table;
};

/* All that ret points to is inside the file; what is missing or damaged is NULL. */
void fc_dynamic_read(const struct fc_image *image, struct fc_dynamic *ret);

/* The string of the i-th entry with that tag. NULL: there are no more, or it is damaged. */
const char *fc_dynamic_string(const struct fc_image *image, int64_t tag, size_t i);

#endif
