/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.h - the functions of a file, as uftrace's FILE.sym lists them. */
#ifndef FC_READ_IMPORT_SYMBOLS_H
#define FC_READ_IMPORT_SYMBOLS_H

#include "base/vec.h"
#include "read/import/folder.h"

struct fc_uf_symbol {
	uint64_t vaddr, size; /* from where the file is mapped on */
	char *name;
};

struct fc_uf_symbols {
	FC_VEC(struct fc_uf_symbol) list; /* by vaddr */
};

/*
 * The symbols of the file path, which build_id is known of or "". -ENOENT…, with a sentence:
 * the folder has none; *ret is empty then.
 */
int fc_uf_symbols_read(const struct fc_folder *folder, const char *path, const char *build_id,
		       struct fc_uf_symbols *ret);
void fc_uf_symbols_deinit(struct fc_uf_symbols *symbols);

/* The one that vaddr is in, or FC_UF_NO_SYMBOL. */
#define FC_UF_NO_SYMBOL SIZE_MAX
size_t fc_uf_symbols_find(const struct fc_uf_symbols *symbols, uint64_t vaddr);

#endif
