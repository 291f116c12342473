/* SPDX-License-Identifier: Apache-2.0 */
/* code.h - which addresses of an ELF file are code, and which of these hold functions. */
#ifndef FC_ELF_CODE_H
#define FC_ELF_CODE_H

#include "base/vec.h"
#include "elf/found.h"

struct fc_image;

/* Sorted, without overlaps; each range is in the file and in an executable PT_LOAD. */
struct fc_ranges {
	FC_VEC(struct fc_code_range) list;
};

struct fc_code {
	struct fc_ranges text;	  /* to scan: everything but .plt* */
	struct fc_ranges linkage; /* .plt*, .init, .fini */
	struct fc_ranges all;
};

void fc_code_init(struct fc_code *code, const struct fc_image *image);
/* As fc_elf_data(). */
size_t fc_code_data(const struct fc_image *image, struct fc_code_range *ranges, size_t room);

void fc_code_deinit(struct fc_code *code);

/* How many bytes from vaddr to the end of its range; 0 if it is in none. */
uint64_t fc_ranges_room(const struct fc_ranges *ranges, uint64_t vaddr);

#endif
