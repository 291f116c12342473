/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Far jumps: 5 bytes over the first instructions.
 *
 *   f:    55           push %rbp             e9 .. .. .. ..   jmp stub
 *   f+1:  48 89 e5     mov %rsp, %rbp
 *   f+4:  41 54        push %r12             54               is not run any more
 */
#include "capture/patch/patches.h"
#include "capture/patch/plan_private.h"

static const char *find(struct fc_plan *plan, size_t i)
{
	struct fc_site *site = &plan->planned[i].site;
	uint8_t size = plan->arch->jumps->far_size;
	const char *why = fc_plan_window(plan, i, size, size, &site->window);
	if (!why)
		fc_plan_hook(plan, i, FC_SITE_FAR, &site->window,
			     plan->arch->jumps->far_tactic);
	return why;
}

static void add_patches(struct fc_stubs *stubs, size_t i, uint64_t stub_taddr)
{
	const struct fc_window *window = &stubs->plan->planned[i].site.window;
	struct fc_patch *patch =
		fc_stubs_add_patch(stubs, i, window->vaddr, window->jump_size, FC_PATCH_JUMP);
	stubs->plan->arch->jumps->make_jump(patch->taddr, stub_taddr, patch->new);
}

const struct fc_site_ops fc_site_far = {
	.find = find,
	.nr_patches = 1,
	.add_patches = add_patches,
};
