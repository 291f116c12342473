/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puns: a far jump that shares its last bytes with the code behind it.
 *
 *   f:    c3               ret            e9 |
 *   g:    48 89 f8         mov  ...       48 89 f8 ..    g stays as it is
 *
 *   f is now jmp f+5+0x..f88948: one place, and there a long jump to f's stub is put if
 *   nothing is mapped there. With more bytes to write there are more places: 256, 64 Ki, 16 Mi.
 *
 * Which places are free differs from process to process: the plan only says which functions may
 * be hooked so (capture/hook/hops.c finds the place).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/sort.h"
#include "base/vec.h"
#include "capture/patch/branches.h"
#include "capture/patch/patches.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/probe_sites.h"

struct puns {
	struct fc_plan *plan;
	struct fc_branches *branches;
	FC_VEC(uint64_t) hops; /* of near jumps, ascending */
};

static void find_hops(struct puns *puns)
{
	const struct fc_plan *plan = puns->plan;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (p->is_hooked && p->site.hop)
			fc_vec_push(&puns->hops, fc_site_hop(&p->site));
	}
	fc_sort(puns->hops.at, puns->hops.nr);
}

/* Do bytes [from, to) belong to a near jump's hop? */
static bool is_hop(const struct puns *puns, uint64_t from, uint64_t to)
{
	size_t lo = fc_bisect(puns->hops.at, puns->hops.nr, hop, *hop < to);
	return lo && from < puns->hops.at[lo - 1] + puns->plan->arch->jumps->far_size;
}

/*
 * A program that is not moved when it is loaded: what is below it is no place for a hop, and
 * behind it is its heap. Where a jump behind it would lead is not known yet.
 */
static bool has_place_unmoved(const struct fc_plan *plan, size_t i, uint8_t size,
			      const struct fc_window *window)
{
	static const uint64_t heap_room = 1ull << 30;
	const struct fc_elf *elf = plan->elf;
	const struct fc_segment *end = &elf->segments[elf->nr_segments - 1];
	uint64_t shared = window->vaddr + plan->arch->jumps->far_size, first, last;
	if (i + 1 < plan->nr && plan->planned[i + 1].is_hooked &&
	    plan->planned[i + 1].site.window.vaddr < shared)
		return false;
	plan->arch->jumps->pun(window->vaddr,
			       fc_elf_bytes(elf, window->vaddr, plan->arch->jumps->far_size),
			       size, &first, &last);
	return first <= last && last > end->vaddr + end->memsz + heap_room;
}

/* Can the first size bytes of function i's jump be written? */
static bool is_free(struct puns *puns, size_t i, uint8_t size, struct fc_window *window)
{
	const struct fc_plan *plan = puns->plan;
	if (fc_plan_window(plan, i, size, size, window))
		return false;
	uint64_t start = window->vaddr;
	return fc_elf_bytes(plan->elf, start, plan->arch->jumps->far_size) &&
	       !fc_branches_go_into(puns->branches, start + 1, start + size) &&
	       !is_hop(puns, start, start + size) &&
	       (plan->elf->type != ET_EXEC || has_place_unmoved(plan, i, size, window));
}

static void find_among(struct fc_plan *plan, struct fc_branches *branches)
{
	struct puns puns = { .plan = plan, .branches = branches };
	find_hops(&puns);
	for (size_t i = 0; i < plan->nr && !fc_plan_is_given_up(plan, i); i++) {
		const struct fc_planned *p = &plan->planned[i];
		struct fc_window window;
		if (!p->is_refused || p->is_hooked || plan->infos[i].how == FC_HOW_PART)
			continue;
		/* Of a probe's bytes only the nop is known not to be jumped to. */
		uint8_t size = fc_plan_is_probe(plan, i) ? fc_plan_nop_size(plan, i)
							 : plan->arch->jumps->far_size - 1;
		/* A near jump may have come since the probe was looked at, or another pun. */
		if (fc_plan_is_probe(plan, i) &&
		    fc_plan_is_moved(plan, i, plan->infos[i].vaddr + size))
			continue;
		while (size && !is_free(&puns, i, size, &window))
			size--;
		if (!size)
			continue;
		fc_plan_hook(plan, i, FC_SITE_PUN, &window, "pun");
	}
	fc_vec_free(&puns.hops);
}

/* ---- in a process ---- */

/* Where its jump leads is not known yet: fc_stubs_place_pun(). */
static void add_patches(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	stubs->puns[stubs->nr_puns++] = (struct fc_pun){
		.taddr = stubs->plan->planned[i].site.window.vaddr + stubs->opts.bias,
		.stub_taddr = stub_taddr,
		.func = i,
	};
}

void fc_stubs_pun_range(const struct fc_stubs *stubs, size_t i, uint64_t *first, uint64_t *last)
{
	const struct fc_plan *plan = stubs->plan;
	const struct fc_pun *pun = &stubs->puns[i];
	uint8_t code[sizeof(stubs->patches->new)];
	fc_stubs_read_patched(stubs, pun->taddr, code, plan->arch->jumps->far_size);
	plan->arch->jumps->pun(pun->taddr, code, plan->planned[pun->func].site.window.jump_size,
			       first, last);
}

size_t fc_stubs_place_pun(struct fc_stubs *stubs, size_t i, uint64_t hop_taddr,
			  uint8_t hop[FC_HOP_MAX])
{
	const struct fc_plan *plan = stubs->plan;
	struct fc_pun *pun = &stubs->puns[i];
	size_t at = fc_stubs_find_patch(stubs, pun->taddr);
	struct fc_patch *last = fc_stubs_add_patch(
		stubs, pun->func, pun->taddr - stubs->opts.bias,
		plan->planned[pun->func].site.window.jump_size, FC_PATCH_PUN);
	plan->arch->jumps->make_jump(pun->taddr, hop_taddr, last->new);
	struct fc_patch patch = *last;
	memmove(&stubs->patches[at + 1], &stubs->patches[at],
		(stubs->nr_patches - 1 - at) * sizeof(patch));
	stubs->patches[at] = patch;
	pun->hop_taddr = hop_taddr;
	plan->arch->jumps->make_long_jump(pun->stub_taddr, hop);
	return plan->arch->jumps->long_size;
}

const struct fc_site_ops fc_site_pun = {
	.find_among = find_among,
	.nr_patches = 2,
	.add_patches = add_patches,
};
