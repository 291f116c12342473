/* SPDX-License-Identifier: Apache-2.0 */
/* func.h - symbols and FDEs make the list of functions. */
#ifndef FC_ELF_FUNC_H
#define FC_ELF_FUNC_H

#include "base/vec.h"
#include "elf/found.h"

struct fc_code;
struct fc_image;
struct fc_symtab;

struct fc_funcs {
	FC_VEC(struct fc_func) list; /* by vaddr, one an address */
	bool has_eh_frame;	     /* there was at least one FDE */
};

/* Names point into symtab, which must outlive funcs. */
void fc_funcs_init(struct fc_funcs *funcs, const struct fc_image *image,
		   const struct fc_symtab *symtab, const struct fc_code *code);
void fc_funcs_deinit(struct fc_funcs *funcs);

#endif
