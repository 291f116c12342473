/* SPDX-License-Identifier: Apache-2.0 */
/*
 * returned.h - which registers callers read where a function returns to. A compiler may leave out a
 * result that nobody looks at; what a caller reads has been returned.
 */
#ifndef FC_CAPTURE_MODULE_RETURNED_H
#define FC_CAPTURE_MODULE_RETURNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct fc_arch;
struct fc_elf;

struct fc_returned_func {
	uint64_t vaddr;
	uint64_t read;	  /* registers, as bits by DWARF's numbers */
	uint32_t nr_seen; /* calls that have been looked at */
};

/* Zeroed means: of none. */
struct fc_returned {
	FC_VEC(struct fc_returned_func) funcs; /* by vaddr */
};

/* Of nr functions that only their own file calls. */
void fc_returned_find(const struct fc_arch *arch, const struct fc_elf *elf,
		      const uint64_t *vaddrs, size_t nr, struct fc_returned *ret);
/*
 * Of the function at vaddr. All: no branch leads there, so it is called by its address, and compilers leave
 * such a function as it is written. 0: it was not asked for.
 */
uint64_t fc_returned_of(const struct fc_returned *returned, uint64_t vaddr);
void fc_returned_deinit(struct fc_returned *returned);

#endif
