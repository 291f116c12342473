/* SPDX-License-Identifier: Apache-2.0 */
/* ifunc.h - the implementations that indirect functions choose from get their names. */
#ifndef FC_ELF_IFUNC_H
#define FC_ELF_IFUNC_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/found.h"

struct fc_code;
struct fc_image;

/*
 * Name the functions whose address a resolver (FC_FUNC_IFUNC) of the nr funcs can return as the
 * indirect function is named, and flag them FC_FUNC_CHOSEN; it is exported, so are they. Those
 * that are exported under a name of their own keep it.
 */
void fc_ifuncs_name(struct fc_func *funcs, size_t nr, const struct fc_image *image,
		    const struct fc_code *code);

#endif
