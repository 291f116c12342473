/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that is found by its return addresses: tables of its file have them.
 *
 *   f:        ...              table:  .quad f+0x17, what is live there, ...
 *   f+0x12:   call *(%rbx)             .quad g+0x2c, what is live there, ...
 *   f+0x17:   ...
 *
 * So do OCaml's frame tables: collector, exceptions and signal handlers look up there what is
 * on the stack. A word of the data that is the address behind a call is hardly ever anything
 * else: of what C's compilers make, data has the starts of functions and the cases of switches.
 *
 * What such calls lead to keeps its return address: the functions that they name; where they
 * take the function from memory, all whose address is taken; and what these leave to by a jump.
 * All else in the file, most of the runtime's C code, is called from elsewhere.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "capture/patch/plan_private.h"

static const char found_by_returns[] = "tables of the file find code by its return addresses";

/* From one function to another's start. */
struct jump {
	uint32_t from, to;
};

struct returns {
	struct fc_plan *plan;
	uint64_t vaddr, size;	  /* all code lies in there */
	FC_VEC(uint64_t) sites;	  /* addresses behind calls that the data has */
	size_t nr_others;	  /* others in the middle of a function */
	struct fc_targets starts; /* of functions */
	bool *is_taken;		  /* its address is in data or code */
	FC_VEC(struct jump) jumps;
	FC_VEC(uint32_t) open; /* found so, and where they jump to is not looked at yet */
};

static size_t index_at(const struct returns *r, uint64_t vaddr)
{
	return fc_plan_func_at(r->plan, vaddr) - r->plan->funcs;
}

/* Does a call end at vaddr? *to: where it leads, 0: what it takes from elsewhere. */
static bool is_behind_call(const struct fc_plan *plan, uint64_t vaddr, uint64_t *to)
{
	enum { LONGEST = 8 };
	const uint8_t *code = fc_plan_range_end(plan, vaddr - LONGEST)
				      ? fc_elf_bytes(plan->elf, vaddr - LONGEST, LONGEST)
				      : NULL;
	return code && plan->arch->code->is_call(code, LONGEST, vaddr, to) &&
	       (!*to || fc_plan_range_end(plan, *to));
}

static void note_site(struct returns *r, uint64_t word, uint64_t next)
{
	(void)next;
	uint64_t to;
	if (word - r->vaddr >= r->size)
		return;
	const struct fc_func *func = fc_plan_func_at(r->plan, word);
	if (!func || word == func->vaddr || word - func->vaddr > func->size)
		return;
	if (is_behind_call(r->plan, word, &to))
		fc_vec_push(&r->sites, word);
	else if (word - func->vaddr < func->size)
		r->nr_others++;
}

static void note_taken(struct returns *r, uint64_t vaddr)
{
	if (fc_targets_has(&r->starts, vaddr))
		r->is_taken[index_at(r, vaddr)] = true;
}

/* Symbols are for other modules: behind a function's address they have its size. */
static void note_pointer(struct returns *r, uint64_t word, uint64_t next)
{
	if (fc_targets_has(&r->starts, word) && next != fc_plan_func_at(r->plan, word)->size)
		note_taken(r, word);
}

/* Each word of the data, and of the relocations by which ld.so makes words of the data. */
static void each_word(struct returns *r,
		      void (*fn)(struct returns *r, uint64_t word, uint64_t next))
{
	const struct fc_elf *elf = r->plan->elf;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		const uint8_t *data = fc_elf_bytes(elf, seg->vaddr, seg->filesz);
		for (uint64_t off = -seg->vaddr & 7; data && off + 8 <= seg->filesz; off += 8) {
			uint64_t at = seg->vaddr + off, word, next = 0;
			uint64_t end = seg->is_exec ? fc_plan_range_end(r->plan, at) : 0;
			memcpy(&word, data + off, sizeof(word));
			if (off + 16 <= seg->filesz)
				memcpy(&next, data + off + 8, sizeof(next));
			if (end > at + 8)
				off = ((end + 7) & ~7ull) - seg->vaddr - 8;
			else
				fn(r, word, next);
		}
	}
}

static void mark(struct returns *r, size_t func)
{
	if (r->plan->returned_to[func])
		return;
	r->plan->returned_to[func] = true;
	fc_vec_push(&r->open, func);
}

static void note_jump(void *ctx, struct fc_branch branch)
{
	struct returns *r = ctx;
	const struct fc_func *from = fc_plan_func_at(r->plan, branch.from);
	if (from && branch.kind != FC_BRANCH_CALL)
		fc_vec_push(&r->jumps,
			    (struct jump){ from - r->plan->funcs, index_at(r, branch.to) });
}

static void note_ref(void *ctx, uint64_t from, uint64_t to)
{
	(void)from;
	note_taken(ctx, to);
}

static void scan_code(struct returns *r)
{
	const struct fc_plan *plan = r->plan;
	for (size_t i = 0; i < plan->nr; i++)
		fc_targets_add(&r->starts, plan->funcs[i].vaddr);
	for (size_t i = 0; i < plan->nr_ranges; i++) {
		const struct fc_code_range *range = &plan->ranges[i];
		const uint8_t *code = fc_elf_bytes(plan->elf, range->vaddr, range->size);
		if (!code)
			continue;
		plan->arch->code->scan(code, range->size, range->vaddr, &r->starts, note_jump,
				       r);
		plan->arch->code->refs(code, range->size, range->vaddr,
				       plan->elf->type == ET_EXEC, &r->starts, note_ref, r);
	}
	fc_sort_by(r->jumps.at, r->jumps.nr, from);
}

static void follow_jumps(struct returns *r)
{
	while (r->open.nr) {
		uint32_t func = r->open.at[--r->open.nr];
		size_t lo = fc_bisect(r->jumps.at, r->jumps.nr, jump, jump->from < func);
		for (; lo < r->jumps.nr && r->jumps.at[lo].from == func; lo++)
			mark(r, r->jumps.at[lo].to);
	}
}

/* May those who know it by name, in other modules, call it where these have such tables? */
static bool is_open_to_all(const struct fc_plan *plan, size_t i)
{
	return !plan->elf->interp && plan->elf->type == ET_DYN &&
	       plan->funcs[i].flags & FC_FUNC_EXPORTED;
}

static void mark_all(struct returns *r)
{
	struct fc_plan *plan = r->plan;
	bool takes_any = false;
	fc_vec_each (&r->sites, site) {
		uint64_t to;
		is_behind_call(plan, *site, &to);
		takes_any = takes_any || !to;
		mark(r, index_at(r, *site - 1));
		if (fc_targets_has(&r->starts, to))
			mark(r, index_at(r, to));
	}
	for (size_t i = 0; i < plan->nr; i++)
		if (takes_any && (r->is_taken[i] || is_open_to_all(plan, i)))
			mark(r, i);
	follow_jumps(r);
}

/* Much of what leads into functions must be such a site. */
static bool has_tables(const struct returns *r)
{
	enum { LEAST = 8 };
	return r->sites.nr >= LEAST && r->sites.nr > r->nr_others;
}

void fc_plan_find_returns(struct fc_plan *plan)
{
	struct returns r = { .plan = plan };
	if (!plan->nr_ranges || !plan->nr || plan->elf->is_go)
		return;
	const struct fc_code_range *last = &plan->ranges[plan->nr_ranges - 1];
	r.vaddr = plan->ranges[0].vaddr;
	r.size = last->vaddr + last->size - r.vaddr;
	each_word(&r, note_site);
	if (has_tables(&r)) {
		plan->tables = found_by_returns;
		plan->returned_to = fc_alloc(plan->nr * sizeof(*plan->returned_to));
		r.is_taken = fc_alloc(plan->nr * sizeof(*r.is_taken));
		r.starts = fc_targets_make(r.vaddr, r.size);
		scan_code(&r);
		each_word(&r, note_pointer);
		mark_all(&r);
	}
	free(r.starts.bits);
	free(r.is_taken);
	fc_vec_free(&r.sites);
	fc_vec_free(&r.jumps);
	fc_vec_free(&r.open);
}
