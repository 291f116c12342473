/* SPDX-License-Identifier: Apache-2.0 */
/* symtab.c - reads symbol tables, and searches them by name. */
#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"
#include "elf/dynamic.h"
#include "elf/image.h"
#include "elf/versions.h"

enum { VERSYM_HIDDEN = 0x8000, RANK_GLOBAL = 2 };

struct table {
	struct fc_symbol_table of; /* its strings up to and with the last NUL */
	size_t name_budget;	   /* bytes of names that may still be looked at */
	struct fc_versions defined;
	bool is_dynamic;
};

static bool is_kept(const Elf64_Sym *sym)
{
	unsigned int type = ELF64_ST_TYPE(sym->st_info);
	return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS &&
	       sym->st_shndx != SHN_COMMON &&
	       (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC ||
		type == STT_GNU_IFUNC);
}

static uint32_t flags_of(const struct table *table, size_t i, const Elf64_Sym *sym)
{
	uint32_t flags = FC_FUNC_SYMBOL;
	unsigned int type = ELF64_ST_TYPE(sym->st_info);
	unsigned int visibility = ELF64_ST_VISIBILITY(sym->st_other);

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		flags |= FC_SYM_FUNC;
	if (type == STT_GNU_IFUNC)
		flags |= FC_FUNC_IFUNC;
	if (type == STT_NOTYPE)
		flags |= FC_SYM_NOTYPE;
	if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL)
		return flags;
	flags |= FC_SYM_GLOBAL;
	if (ELF64_ST_BIND(sym->st_info) == STB_WEAK)
		flags |= FC_SYM_WEAK;
	uint16_t version = 0;
	if (i < table->of.nr_versions)
		memcpy(&version, table->of.versions + i * sizeof(version), sizeof(version));
	if (version & VERSYM_HIDDEN)
		flags |= FC_SYM_OLD_VERSION;
	if (!table->is_dynamic || (visibility != STV_DEFAULT && visibility != STV_PROTECTED))
		return flags;
	bool is_private = fc_versions_is_private(&table->defined, version);
	return flags | FC_FUNC_EXPORTED | (is_private ? 0 : FC_FUNC_API);
}

/* "memcpy@@GLIBC_2.14" is called memcpy, and so is the older "memcpy@GLIBC_2.2.5". */
static void cut_version(struct fc_symtab *symtab, struct fc_func *symbol, size_t len)
{
	const char *at = memchr(symbol->name, '@', len);
	if (!at || at == symbol->name)
		return;
	if (at[1] != '@')
		symbol->flags |= FC_SYM_OLD_VERSION;
	size_t kept = at - symbol->name;
	char *copy = fc_alloc(kept + 1);
	memcpy(copy, symbol->name, kept);
	fc_vec_push(&symtab->copies, copy);
	symbol->name = copy;
}

static void add(struct fc_symtab *symtab, struct table *table, size_t i)
{
	Elf64_Sym sym;
	memcpy(&sym, table->of.symbols + i * sizeof(sym), sizeof(sym));
	if (!is_kept(&sym) || sym.st_name >= table->of.strings_size)
		return;
	const char *name = table->of.strings + sym.st_name;
	size_t len = strnlen(name, table->name_budget);
	if (!len || len == table->name_budget)
		return;
	table->name_budget -= len;

	struct fc_func symbol = {
		.vaddr = sym.st_value,
		.size = sym.st_size,
		.name = name,
		.flags = flags_of(table, i, &sym),
	};
	cut_version(symtab, &symbol, len);
	fc_vec_push(&symtab->symbols, symbol);
}

static void add_table(struct fc_symtab *symtab, struct table *table)
{
	const char *last = table->of.strings_size
				   ? memrchr(table->of.strings, 0, table->of.strings_size)
				   : NULL;
	table->of.strings_size = last ? last + 1 - table->of.strings : 0;
	fc_versions_read(&table->defined, table->of.verdef, table->of.verdef_size,
			 table->of.strings, table->of.strings_size);
	/*
	 * Symbols may share a name, so names can sum up to more than the strings, but
	 * only a forged file has a million that share one of a megabyte.
	 */
	table->name_budget =
		64 * (table->of.strings_size + table->of.nr_symbols * sizeof(Elf64_Sym));
	fc_vec_reserve(&symtab->symbols, table->of.nr_symbols + 1);
	for (size_t i = 0; i < table->of.nr_symbols; i++)
		add(symtab, table, i);
}

static bool find_table(const struct fc_image *image, uint32_t type, struct fc_symbol_table *ret)
{
	const struct fc_section *symbols = fc_image_section_type(image, type);
	if (!symbols || symbols->link >= image->nr_sections)
		return false;
	const struct fc_section *strings = &image->sections[symbols->link];
	ret->symbols = fc_image_content(image, symbols);
	ret->strings = (const char *)fc_image_content(image, strings);
	ret->nr_symbols = symbols->size / sizeof(Elf64_Sym);
	ret->strings_size = strings->size;
	return ret->symbols && ret->strings;
}

static bool find_dynamic_table(const struct fc_image *image, struct fc_symbol_table *ret)
{
	if (find_table(image, SHT_DYNSYM, ret)) {
		const struct fc_section *versions =
			fc_image_section_type(image, SHT_GNU_versym);
		ret->versions = versions ? fc_image_content(image, versions) : NULL;
		ret->nr_versions = ret->versions ? versions->size / 2 : 0;
		const struct fc_section *defined = fc_image_section_type(image, SHT_GNU_verdef);
		ret->verdef = defined ? fc_image_content(image, defined) : NULL;
		ret->verdef_size = ret->verdef ? defined->size : 0;
		return true;
	}
	if (image->nr_sections)
		return false;
	struct fc_dynamic dynamic;
	fc_dynamic_read(image, &dynamic);
	*ret = dynamic.table;
	return ret->symbols;
}

void fc_symtab_read(struct fc_symtab *symtab, const struct fc_image *image)
{
	struct table table = { 0 };
	if (find_table(image, SHT_SYMTAB, &table.of)) {
		symtab->has_symtab = true;
		add_table(symtab, &table);
	}
	table = (struct table){ .is_dynamic = true };
	if (find_dynamic_table(image, &table.of))
		add_table(symtab, &table);
}

void fc_symtab_forget(struct fc_symtab *symtab)
{
	fc_vec_free(&symtab->symbols);
	free(symtab->hash);
	symtab->hash = NULL;
}

void fc_symtab_deinit(struct fc_symtab *symtab)
{
	fc_symtab_forget(symtab);
	for (size_t i = 0; i < symtab->copies.nr; i++)
		free(symtab->copies.at[i]);
	fc_vec_free(&symtab->copies);
}

static unsigned int rank(const struct fc_func *symbol)
{
	unsigned int api = symbol->flags & FC_FUNC_API ? 8 : 0;
	unsigned int exported = symbol->flags & FC_FUNC_EXPORTED ? 4 : 0;
	unsigned int global = symbol->flags & FC_SYM_GLOBAL ? RANK_GLOBAL : 0;
	return api + exported + global + !(symbol->flags & FC_SYM_OLD_VERSION);
}

/*
 * C libraries call strchr and memcmp also index and bcmp, which are shorter, but weak. In a static
 * program that can be moved, strchr is local.
 */
static int order_ifuncs(const struct fc_func *a, const struct fc_func *b)
{
	unsigned int rank_a = rank(a) & ~RANK_GLOBAL, rank_b = rank(b) & ~RANK_GLOBAL;
	if (rank_a != rank_b)
		return rank_a > rank_b ? 1 : -1;
	int under = (a->name[0] == '_') - (b->name[0] == '_');
	int weak = !!(a->flags & FC_SYM_WEAK) - !!(b->flags & FC_SYM_WEAK);
	return under ? -under : -weak;
}

bool fc_symtab_is_better(const struct fc_func *a, const struct fc_func *b)
{
	bool are_ifuncs = a->flags & b->flags & FC_FUNC_IFUNC;
	int order = are_ifuncs ? order_ifuncs(a, b) : 0;
	if (order)
		return order > 0;
	if (!are_ifuncs && rank(a) != rank(b))
		return rank(a) > rank(b);
	size_t len_a = strlen(a->name), len_b = strlen(b->name);
	size_t under_a = strspn(a->name, "_"), under_b = strspn(b->name, "_");
	if (len_a != len_b)
		return len_a < len_b;
	if (under_a != under_b)
		return under_a < under_b;
	return strcmp(a->name, b->name) < 0;
}

static uint64_t hash_of(const char *name)
{
	uint64_t hash = fc_fnv_text(name);
	return hash ^ hash >> 32;
}

/* The place of name in the hash, or the free one where it would stand. */
static uint32_t *place_of(const struct fc_symtab *symtab, const char *name)
{
	size_t i = hash_of(name) & symtab->hash_mask;
	while (symtab->hash[i] && strcmp(symtab->symbols.at[symtab->hash[i] - 1].name, name))
		i = (i + 1) & symtab->hash_mask;
	return &symtab->hash[i];
}

/* Of most files no name is ever asked for. */
static void make_index(struct fc_symtab *symtab)
{
	size_t nr_places = 16;
	while (nr_places < symtab->symbols.nr * 2)
		nr_places *= 2;
	symtab->hash = fc_alloc(nr_places * sizeof(*symtab->hash));
	symtab->hash_mask = nr_places - 1;
	for (size_t i = 0; i < symtab->symbols.nr; i++) {
		struct fc_func *symbol = &symtab->symbols.at[i];
		uint32_t *place = place_of(symtab, symbol->name);
		if (!*place || rank(symbol) > rank(&symtab->symbols.at[*place - 1]))
			*place = i + 1;
	}
}

const struct fc_func *fc_symtab_find(struct fc_symtab *symtab, const char *name)
{
	if (!symtab->hash)
		make_index(symtab);
	uint32_t index = *place_of(symtab, name);
	return index ? &symtab->symbols.at[index - 1] : NULL;
}
