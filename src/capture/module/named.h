/* SPDX-License-Identifier: Apache-2.0 */
/* named.h - what the names of a file's C++ functions tell of their parameters. */
#ifndef FC_CAPTURE_MODULE_NAMED_H
#define FC_CAPTURE_MODULE_NAMED_H

#include "elf/elf.h"
#include "elf/image.h"
#include "elf/symtab.h"
#include "trace/source.h"
#include "values/signature.h"
#include "values/types.h"

/* Zeroed, with the file: nothing has been read yet. */
struct fc_named {
	const struct fc_elf *elf;
	struct fc_types *types; /* of those that were asked for */
	struct fc_image image;
	struct fc_symtab symtab;
	bool is_read;
};

/*
 * Only of functions with a global symbol, which keep to the rules of the machine's ABI. False:
 * nothing is told.
 */
bool fc_named_find(struct fc_named *named, const struct fc_func_info *info,
		   struct fc_signature *ret);
void fc_named_deinit(struct fc_named *named);

#endif
