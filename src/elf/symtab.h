/* SPDX-License-Identifier: Apache-2.0 */
/* symtab.h - the symbols of one or more ELF files, and the search for one by name. */
#ifndef FC_ELF_SYMTAB_H
#define FC_ELF_SYMTAB_H

#include "base/vec.h"
#include "elf/found.h"

struct fc_image;

/* Flags of struct fc_func that only this room uses, besides those of elf.h. */
enum {
	FC_SYM_FUNC = 1 << 24, /* STT_FUNC, STT_GNU_IFUNC */
	FC_SYM_NOTYPE = 1 << 25,
	FC_SYM_GLOBAL = 1 << 26,      /* or weak, or unique */
	FC_SYM_OLD_VERSION = 1 << 27, /* "name@VERSION": new programs get another one */
	FC_SYM_WEAK = 1 << 28,
	FC_SYM_PRIVATE = 0x1f << 24,
};

struct fc_symtab {
	FC_VEC(struct fc_func) symbols; /* with FC_SYM_ flags; each has a name */
	FC_VEC(char *) copies;		/* names that had to be cut at their version */
	bool has_symtab;		/* a .symtab was among them */
	uint32_t *hash;			/* 1 + index in symbols, 0: free */
	size_t hash_mask;
};

/*
 * Add the defined functions, objects and untyped symbols of image, which must outlive
 * symtab. Damaged entries are left out.
 */
void fc_symtab_read(struct fc_symtab *symtab, const struct fc_image *image);
/* The symbols go; names that were cut stay, for those that point to them. */
void fc_symtab_forget(struct fc_symtab *symtab);
void fc_symtab_deinit(struct fc_symtab *symtab);

/*
 * The symbol of that name: of several, the exported, else the global. NULL: none. The first time
 * all are indexed, after the last fc_symtab_read().
 */
const struct fc_func *fc_symtab_find(struct fc_symtab *symtab, const char *name);

/* Is a the better name for what both stand for? */
bool fc_symtab_is_better(const struct fc_func *a, const struct fc_func *b);

#endif
