/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Near jumps: eb rel8 needs 2 bytes at the entry, and 5 bytes of padding close by.
 *
 *   entry:  jmp hop          31 c0 89 ... become eb 21
 *   next:   ...              a loop comes back here: must stay
 *   ...
 *   hop:    jmp stub         in the padding behind a function near by
 *
 * Code that was not aligned has no padding. A hooked function near by can lend the bytes
 * behind its own jump, when as many more of its instructions move into its stub.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "capture/patch/branches.h"
#include "capture/patch/patches.h"
#include "capture/patch/plan_private.h"

/* A function that got a near jump here. */
struct tried {
	struct fc_planned *p;
	struct fc_planned *lender; /* NULL: padding */
	struct fc_window before;   /* the lender's own */
};

struct near {
	struct fc_plan *plan;
	FC_VEC(struct tried) tried;
};

static const char refused[] = "a branch goes into its first 2 bytes";

static uint64_t vaddr_of(const struct fc_plan *plan, size_t i)
{
	return plan->funcs[i].vaddr;
}

/* Where function i's bytes end, with those that its jump overwrites. */
static uint64_t end_of(const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *p = &plan->planned[i];
	uint64_t end = vaddr_of(plan, i) + plan->funcs[i].size;
	uint64_t written = p->is_hooked ? p->site.window.vaddr + p->site.window.jump_size : 0;
	return end > written ? end : written;
}

/* Functions are tried by vaddr: the hops of those far below are below, too. */
static bool is_taken(const struct near *near, uint64_t hop, uint8_t size)
{
	const struct fc_arch *arch = near->plan->arch;
	uint64_t reach = arch->jumps->near_size + arch->jumps->near_reach + size;
	for (size_t i = near->tried.nr; i--;) {
		const struct fc_planned *p = near->tried.at[i].p;
		if (p->site.window.vaddr + reach < hop)
			break;
		uint64_t its = fc_site_hop(&p->site);
		if (its < hop + size && hop < its + size)
			return true;
	}
	return false;
}

static bool is_near(const struct fc_arch *arch, uint64_t hop, uint64_t from)
{
	int64_t far = (int64_t)(hop - from);
	return far <= arch->jumps->near_reach && far >= -(int64_t)arch->jumps->near_reach;
}

bool fc_plan_is_over(const struct fc_plan *plan, size_t i)
{
	uint64_t vaddr = vaddr_of(plan, i), end = vaddr + plan->funcs[i].size;
	size_t next = fc_plan_next(plan, i);
	if (end == vaddr) /* assembly that does not tell */
		end = next < plan->nr ? vaddr_of(plan, next) : fc_plan_range_end(plan, vaddr);
	const uint8_t *code = fc_elf_bytes(plan->elf, vaddr, end - vaddr);
	enum fc_insn_kind last = FC_INSN_NONE;
	for (size_t off = 0, len; code && off < end - vaddr; off += len) {
		enum fc_insn_kind kind =
			plan->arch->code->insn_kind(code + off, end - vaddr - off, &len, NULL);
		if (kind != FC_INSN_FILLER)
			last = kind;
	}
	return last == FC_INSN_END || last == FC_INSN_CALL;
}

/* Free padding behind function i, in reach of a near jump that ends at from. 0: none. */
static uint64_t hop_behind(const struct near *near, size_t i, uint64_t from)
{
	const struct fc_plan *plan = near->plan;
	const struct fc_arch *arch = plan->arch;
	size_t behind = fc_plan_next(plan, i);
	if (behind == plan->nr || fc_plan_is_probe(plan, i))
		return 0;
	uint64_t end = end_of(plan, i), next = vaddr_of(plan, behind);
	if (!plan->funcs[i].size || end > next)
		return 0;
	for (uint64_t hop = end; hop + arch->jumps->far_size <= next; hop++) {
		const uint8_t *code = fc_elf_bytes(plan->elf, end, next - end);
		if (!is_near(arch, hop, from) || !code ||
		    is_taken(near, hop, arch->jumps->far_size))
			continue;
		return arch->code->is_padding(code, next - end, next - end) &&
				       fc_plan_is_over(plan, i)
			       ? hop
			       : 0;
	}
	return 0;
}

/* The bytes behind function i's own jump. 0: it cannot lend them. */
static uint64_t hop_inside(struct near *near, size_t i, uint64_t from, struct tried *tried)
{
	const struct fc_arch *arch = near->plan->arch;
	struct fc_planned *lender = &near->plan->planned[i];
	uint64_t hop = lender->site.window.vaddr + arch->jumps->far_size;
	struct fc_window window;
	if (!lender->is_hooked || fc_plan_is_probe(near->plan, i) || lender->site.hop ||
	    !is_near(arch, hop, from) || is_taken(near, hop, arch->jumps->far_size) ||
	    fc_plan_window(near->plan, i, arch->jumps->far_size, 2 * arch->jumps->far_size,
			   &window) ||
	    window.size < 2 * arch->jumps->far_size)
		return 0;
	tried->lender = lender;
	tried->before = lender->site.window;
	lender->site.window = window;
	return hop;
}

static uint64_t hop_at(struct near *near, size_t k, uint64_t from, bool is_lent,
		       struct tried *tried)
{
	if (is_lent)
		return hop_inside(near, k, from, tried);
	return hop_behind(near, k, from);
}

/* From function i outwards. */
static uint64_t find_hop(struct near *near, size_t i, uint64_t from, bool is_lent,
			 struct tried *tried)
{
	enum { REACH = 256 };
	const struct fc_plan *plan = near->plan;
	uint64_t hop = 0;
	for (size_t k = i; !hop && k < plan->nr && vaddr_of(plan, k) < from + REACH; k++)
		hop = hop_at(near, k, from, is_lent, tried);
	for (size_t k = i; !hop && k-- && vaddr_of(plan, k + 1) + REACH > from;)
		hop = hop_at(near, k, from, is_lent, tried);
	return hop;
}

static void try_function(struct near *near, size_t i)
{
	struct fc_plan *plan = near->plan;
	struct fc_planned *p = &plan->planned[i];
	uint8_t size = plan->arch->jumps->near_size;
	struct fc_window window;
	if (fc_plan_window(plan, i, size, size, &window))
		return;
	struct tried tried = { .p = p };
	uint64_t from = window.vaddr + size;
	uint64_t hop = find_hop(near, i, from, false, &tried);
	if (!hop)
		hop = find_hop(near, i, from, true, &tried);
	if (!hop)
		return;
	fc_plan_hook(plan, i, FC_SITE_NEAR, &window, plan->arch->jumps->near_tactic);
	p->site.hop = (int16_t)(hop - window.vaddr);
	fc_vec_push(&near->tried, tried);
}

static void give_up(struct fc_plan *plan, struct tried *tried)
{
	struct fc_planned *p = tried->p;
	struct fc_func_info *info = &plan->infos[p - plan->planned];
	p->is_hooked = false;
	p->site.hop = 0;
	info->how = FC_HOW_SKIPPED;
	info->why = refused;
	if (tried->lender)
		tried->lender->site.window = tried->before;
	tried->lender = NULL;
}

/* Branches into what is overwritten now; into the lender's first bytes there is none. */
static bool is_safe(struct fc_branches *branches, const struct tried *tried)
{
	const struct fc_window *window = &tried->p->site.window;
	uint64_t hop = fc_site_hop(&tried->p->site);
	return !fc_branches_go_into(branches, window->vaddr + 1,
				    window->vaddr + window->jump_size) &&
	       !fc_branches_go_into(branches, hop, hop + branches->plan->arch->jumps->far_size);
}

static void find_among(struct fc_plan *plan, struct fc_branches *branches)
{
	struct near near = { .plan = plan };
	for (size_t i = 0; i < plan->nr && !fc_plan_is_given_up(plan, i); i++)
		if (plan->planned[i].is_refused && plan->infos[i].how == FC_HOW_SKIPPED &&
		    !fc_plan_is_probe(plan, i))
			try_function(&near, i);
	fc_vec_each (&near.tried, tried)
		if (!is_safe(branches, tried))
			give_up(plan, tried);
	fc_vec_free(&near.tried);
}

/* window: jmp hop, hop: jmp stub */
static void add_patches(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	const struct fc_arch *arch = stubs->plan->arch;
	const struct fc_site *site = &stubs->plan->planned[i].site;
	uint64_t hop = fc_site_hop(site);
	struct fc_patch *patch = fc_stubs_add_patch(stubs, i, site->window.vaddr,
						    site->window.jump_size, FC_PATCH_NEAR);
	arch->jumps->make_near_jump(patch->taddr, hop + stubs->opts.bias, patch->new);
	patch = fc_stubs_add_patch(stubs, i, hop, arch->jumps->far_size, FC_PATCH_HOP);
	patch->from = (int16_t)-site->hop;
	patch->window = 0;
	arch->jumps->make_jump(patch->taddr, stub_taddr, patch->new);
}

const struct fc_site_ops fc_site_near = {
	.find_among = find_among,
	.nr_patches = 2,
	.add_patches = add_patches,
};
