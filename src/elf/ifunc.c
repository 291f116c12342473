/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ifunc.c - names the implementations of indirect functions (STT_GNU_IFUNC): strlen, memcpy, sin,
 * and those of target_clones.
 *
 *   symbol strlen, IFUNC --> resolver:  lea  f1(%rip), %rax    f1:  a strlen for AVX2
 *                                       test ...
 *                                       lea  f2(%rip), %rdx    f2:  one for any CPU
 *                                       cmov %rdx, %rax
 *                                       ret
 *
 * The symbol is that of the resolver. ld.so calls it once for each module that needs the function,
 * and what it returns is called from then on: a function without a symbol in a stripped library,
 * with a private one elsewhere. Which one that is depends on the CPU and the environment
 * (GLIBC_TUNABLES), and where callers get it from on how they were bound: by PLT at their first
 * call, at the start, by dlsym(). So all that a resolver can return are named: what runs is
 * recorded under its public name, whoever chose it and whenever.
 */
#include "elf/ifunc.h"

#include <elf.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "arch/targets.h"
#include "base/bisect.h"
#include "elf/code.h"
#include "elf/image.h"
#include "elf/symtab.h"

enum {
	MAX_DEPTH = 3,	   /* calls from a resolver to what does its work */
	MAX_SIZE = 0x4000, /* of a resolver whose symbol has none */
	LONG_BRANCH = 5,   /* bytes; by chance, it leads to a function's first byte never */
};
/* Code from the first function to the last: no more is looked at. */
static const uint64_t max_span = 1ull << 30;

struct search {
	struct fc_func *funcs;
	size_t nr;
	const struct fc_image *image;
	const struct fc_code *code;
	const struct fc_arch *arch;
	struct fc_targets starts; /* of functions that are no resolvers */
	const struct fc_func *ifunc;
	size_t nr_named; /* of this one */
	unsigned int depth;
};

static struct fc_func *func_at(const struct search *s, uint64_t vaddr)
{
	size_t nr = fc_bisect(s->funcs, s->nr, func, func->vaddr <= vaddr);
	return nr && s->funcs[nr - 1].vaddr == vaddr ? &s->funcs[nr - 1] : NULL;
}

/* Two public functions may share their code: memcpy and memmove do. */
static bool keeps_name(const struct fc_func *func, const struct fc_func *ifunc)
{
	return func->flags & FC_FUNC_CHOSEN ? !fc_symtab_is_better(ifunc, func)
					    : func->flags & FC_FUNC_API;
}

static void name_implementation(void *ctx, uint64_t from, uint64_t to)
{
	struct search *s = ctx;
	struct fc_func *func = func_at(s, to);
	(void)from;
	if (!func)
		return;
	s->nr_named++;
	if (keeps_name(func, s->ifunc))
		return;
	func->name = s->ifunc->name;
	func->flags |= FC_FUNC_CHOSEN |
		       (s->ifunc->flags & (FC_FUNC_SYMBOL | FC_FUNC_EXPORTED | FC_FUNC_API));
}

static void look_at(struct search *s, const struct fc_func *func);

static void follow(void *ctx, struct fc_branch branch)
{
	struct search *s = ctx;
	if (branch.end - branch.from < LONG_BRANCH || branch.kind == FC_BRANCH_IF)
		return;
	const struct fc_func *func = func_at(s, branch.to);
	if (func && !(func->flags & FC_FUNC_EXPORTED))
		look_at(s, func);
}

/*
 * What a resolver takes the address of is what it returns. Only if it takes none, another function
 * does its work.
 */
static void look_at(struct search *s, const struct fc_func *func)
{
	size_t room, next = func + 1 - s->funcs;
	uint64_t size = func->size;
	const uint8_t *code = fc_image_load(s->image, func->vaddr, &room);
	if (!size)
		size = next < s->nr ? s->funcs[next].vaddr - func->vaddr : MAX_SIZE;
	if (size > MAX_SIZE)
		size = MAX_SIZE;
	if (size > room)
		size = room;
	if (!code || s->depth == MAX_DEPTH)
		return;
	s->arch->code->refs(code, size, func->vaddr, s->image->type == ET_EXEC, &s->starts,
			    name_implementation, s);
	if (s->nr_named)
		return;
	s->depth++;
	s->arch->code->scan(code, size, func->vaddr, &s->starts, follow, s);
	s->depth--;
}

static bool is_whole(const struct fc_func *func)
{
	return !(func->flags &
		 (FC_FUNC_IFUNC | FC_FUNC_PART | FC_FUNC_SIGNAL | FC_FUNC_NO_RETURN_ADDRESS));
}

static bool find_starts(struct search *s)
{
	uint64_t first = s->funcs[0].vaddr, last = s->funcs[s->nr - 1].vaddr;
	bool is_any = false;
	for (size_t i = 0; i < s->nr && !is_any; i++)
		is_any = s->funcs[i].flags & FC_FUNC_IFUNC;
	if (!is_any || last - first >= max_span)
		return false;
	s->starts = fc_targets_make(first, last + 1 - first);
	for (size_t i = 0; i < s->nr; i++)
		if (is_whole(&s->funcs[i]) &&
		    !fc_ranges_room(&s->code->linkage, s->funcs[i].vaddr))
			fc_targets_add(&s->starts, s->funcs[i].vaddr);
	return true;
}

void fc_ifuncs_name(struct fc_func *funcs, size_t nr, const struct fc_image *image,
		    const struct fc_code *code)
{
	struct search s = { .funcs = funcs,
			    .nr = nr,
			    .image = image,
			    .code = code,
			    .arch = fc_arch_find(image->machine) };
	if (!nr || !s.arch || !find_starts(&s))
		return;
	for (size_t i = 0; i < nr; i++) {
		if (!(funcs[i].flags & FC_FUNC_IFUNC) || !funcs[i].name)
			continue;
		s.ifunc = &funcs[i];
		s.nr_named = 0;
		look_at(&s, &funcs[i]);
	}
	free(s.starts.bits);
}
