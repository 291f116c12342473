/* SPDX-License-Identifier: Apache-2.0 */
/* func.c - merges symbols and FDEs into one list of functions. */
#include "elf/func.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/sort.h"
#include "elf/code.h"
#include "elf/ehframe.h"
#include "elf/ifunc.h"
#include "elf/image.h"
#include "elf/symtab.h"

/*
 * Every symbol in code and every FDE is a mark; marks of one address, side by side after
 * sorting, become one function or none.
 *
 *   1139  FDE                       \  _start: flags of both
 *   1139  NOTYPE GLOBAL _start      /
 *   1230  FUNC 40 foo, FUNC 40 bar     bar, or whichever is better known
 *   1250  FDE                          none: inside foo
 *   1290  FDE                          a function without a name
 *   129e  FDE                          none: padding, its function starts at 12a0
 *   12c0  NOTYPE LOCAL loop            none: a label
 */
struct marks {
	FC_VEC(struct fc_func) list;
};

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Names that linkers give to places, not to functions. */
static bool is_place(const char *name)
{
	return strcmp(name, "etext") == 0 || strcmp(name, "_etext") == 0 ||
	       strcmp(name, "__etext") == 0 || starts_with(name, "__start_") ||
	       starts_with(name, "__stop_");
}

static bool is_mark(const struct fc_func *symbol, const struct fc_code *code)
{
	if (symbol->flags & FC_SYM_FUNC)
		return fc_ranges_room(&code->all, symbol->vaddr);
	return symbol->flags & FC_SYM_NOTYPE && !is_place(symbol->name) &&
	       fc_ranges_room(&code->all, symbol->vaddr) &&
	       !fc_ranges_room(&code->linkage, symbol->vaddr);
}

static void mark_symbols(struct marks *marks, const struct fc_symtab *symtab,
			 const struct fc_code *code)
{
	for (size_t i = 0; i < symtab->symbols.nr; i++)
		if (is_mark(&symtab->symbols.at[i], code))
			fc_vec_push(&marks->list, symtab->symbols.at[i]);
}

static struct fc_func mark_of(const struct fc_fde *fde)
{
	struct fc_func mark = { .vaddr = fde->vaddr, .size = fde->size, .flags = FC_FUNC_FDE };

	if (!fde->is_entry)
		mark.flags |= FC_FUNC_PART;
	if (!fde->has_return_address)
		mark.flags |= FC_FUNC_NO_RETURN_ADDRESS;
	if (fde->is_signal)
		mark.flags |= FC_FUNC_SIGNAL;
	return mark;
}

/* Returns whether there was an FDE at all. */
static bool mark_fdes(struct marks *marks, const struct fc_image *image,
		      const struct fc_code *code)
{
	struct fc_ehframe frames;
	struct fc_fde fde;
	bool is_any = false;

	if (!fc_ehframe_init(&frames, image))
		return false;
	while (fc_ehframe_next(&frames, &fde)) {
		is_any = true;
		struct fc_func mark = mark_of(&fde);
		if (fc_ranges_room(&code->all, mark.vaddr) &&
		    !fc_ranges_room(&code->linkage, mark.vaddr))
			fc_vec_push(&marks->list, mark);
	}
	return is_any;
}

static bool is_sigreturn(const struct fc_image *image, uint64_t vaddr)
{
	const struct fc_arch *arch = fc_arch_find(image->machine);
	size_t size;
	const uint8_t *at = fc_image_load(image, vaddr, &size);
	return arch && at && arch->code->is_sigreturn(at, size);
}

/* Do nothing but no-ops fill the bytes from vaddr to the next multiple of 16? */
static bool is_padding(const struct fc_image *image, uint64_t vaddr)
{
	const struct fc_arch *arch = fc_arch_find(image->machine);
	size_t size, left = -vaddr & 15;
	const uint8_t *at = fc_image_load(image, vaddr, &size);
	return arch && at && size >= left && arch->code->is_nops(at, left);
}

/*
 * Some hand-written FDEs start before their function: glibc opens that of
 * _dl_tlsdesc_dynamic before the alignment, and that of __restore_rt one byte early on
 * purpose, because unwinders look at the byte before a return address.
 */
static uint64_t head_start(const struct fc_func *mark, const struct fc_image *image)
{
	uint64_t padding = -mark->vaddr & 15;
	if (mark->flags & FC_FUNC_SIGNAL && is_sigreturn(image, mark->vaddr + 1))
		return 1;
	return padding && padding < mark->size && is_padding(image, mark->vaddr) ? padding : 0;
}

/* Move FDEs without a symbol from padding to the function. Marks stay sorted. */
static void settle_early_fdes(struct marks *marks, const struct fc_image *image)
{
	struct fc_func *at = marks->list.at;
	bool is_moved = false;

	for (size_t i = 0; i < marks->list.nr; i++) {
		bool is_alone = (i == 0 || at[i - 1].vaddr != at[i].vaddr) &&
				(i + 1 == marks->list.nr || at[i + 1].vaddr != at[i].vaddr);
		uint64_t early = at[i].name || !is_alone ? 0 : head_start(&at[i], image);
		at[i].vaddr += early;
		at[i].size -= early;
		is_moved |= early != 0;
	}
	if (is_moved)
		fc_sort_by(at, marks->list.nr, vaddr);
}

/* foo.cold, foo.cold.3, foo.part.0.cold; foo.part.0 is called like any function. */
static bool is_cold_name(const char *name)
{
	for (const char *at = strstr(name, ".cold"); at; at = strstr(at + 1, ".cold"))
		if (at[5] == 0 || at[5] == '.')
			return true;
	return false;
}

static bool is_better(const struct fc_func *a, const struct fc_func *b)
{
	if ((a->flags ^ b->flags) & FC_SYM_FUNC)
		return a->flags & FC_SYM_FUNC;
	if ((a->flags ^ b->flags) & FC_FUNC_IFUNC)
		return a->flags & FC_FUNC_IFUNC; /* the other one is the resolver's own */
	return fc_symtab_is_better(a, b);
}

/* What the marks of one address say together. */
struct group {
	const struct fc_func *best; /* symbol; NULL: only an FDE */
	uint64_t symbol_size, fde_size;
	uint32_t flags;
};

static struct group gather(const struct fc_func *mark, const struct fc_func *end)
{
	struct group group = { 0 };

	for (; mark < end; mark++) {
		group.flags |= mark->flags;
		if (!mark->name) {
			group.fde_size = mark->size;
			continue;
		}
		if (!group.best || is_better(mark, group.best))
			group.best = mark;
		if (mark->size > group.symbol_size)
			group.symbol_size = mark->size;
	}
	return group;
}

/* The sweep over the sorted marks: up to where a symbol and a signal frame reach. */
struct sweep {
	uint64_t symbol_end, signal_end;
};

static bool is_function(const struct group *group, uint64_t vaddr, const struct sweep *sweep)
{
	if (!group->best)
		return vaddr >= sweep->symbol_end;
	return group->flags & (FC_SYM_FUNC | FC_SYM_GLOBAL | FC_FUNC_FDE);
}

static uint64_t later(uint64_t end, uint64_t vaddr, uint64_t size)
{
	uint64_t other = vaddr + size;
	return other >= vaddr && other > end ? other : end;
}

static void add(struct fc_funcs *funcs, const struct group *group, uint64_t vaddr,
		struct sweep *sweep, const struct fc_code *code)
{
	if (group->flags & FC_FUNC_SIGNAL)
		sweep->signal_end = later(sweep->signal_end, vaddr, group->fde_size);
	if (!is_function(group, vaddr, sweep))
		return;
	if (group->best)
		sweep->symbol_end = later(sweep->symbol_end, vaddr, group->symbol_size);

	uint64_t size = group->symbol_size ? group->symbol_size : group->fde_size;
	uint64_t room = fc_ranges_room(&code->all, vaddr);
	struct fc_func func = {
		.vaddr = vaddr,
		.size = size < room ? size : room,
		.name = group->best ? group->best->name : NULL,
		.flags = group->flags & ~FC_SYM_PRIVATE,
	};
	if (func.name && is_cold_name(func.name))
		func.flags |= FC_FUNC_PART;
	if (vaddr < sweep->signal_end)
		func.flags |= FC_FUNC_SIGNAL;
	fc_vec_push(&funcs->list, func);
}

void fc_funcs_init(struct fc_funcs *funcs, const struct fc_image *image,
		   const struct fc_symtab *symtab, const struct fc_code *code)
{
	struct marks marks = { 0 };
	*funcs = (struct fc_funcs){ 0 };
	mark_symbols(&marks, symtab, code);
	funcs->has_eh_frame = mark_fdes(&marks, image, code);
	if (!marks.list.nr)
		return;
	fc_sort_by(marks.list.at, marks.list.nr, vaddr);
	settle_early_fdes(&marks, image);

	struct sweep sweep = { 0 };
	const struct fc_func *end = marks.list.at + marks.list.nr;
	for (const struct fc_func *first = marks.list.at; first < end;) {
		const struct fc_func *next = first;
		while (next < end && next->vaddr == first->vaddr)
			next++;
		struct group group = gather(first, next);
		add(funcs, &group, first->vaddr, &sweep, code);
		first = next;
	}
	fc_vec_free(&marks.list);
	fc_ifuncs_name(funcs->list.at, funcs->list.nr, image, code);
}

void fc_funcs_deinit(struct fc_funcs *funcs)
{
	fc_vec_free(&funcs->list);
}
