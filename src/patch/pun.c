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
 * be hooked so (user/pun.c finds the place).
 */
#include "patch/branches.h"

static const char tactic[] = "pun";

/* Do bytes [from, to) belong to a near jump's hop? */
static bool is_hop(const struct fc_plan *plan, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (p->is_hooked && p->hop && p->hop < to &&
		    from < p->hop + plan->arch->far_size)
			return true;
	}
	return false;
}

/* Can the first size bytes of function i's jump be written? */
static bool is_free(struct fc_branches *branches, size_t i, uint8_t size,
		    struct fc_window *window)
{
	const struct fc_plan *plan = branches->plan;
	if (fc_plan_window(plan, i, size, size, window))
		return false;
	uint64_t start = window->vaddr;
	return fc_elf_bytes(plan->elf, start, plan->arch->far_size) &&
	       !fc_branches_go_into(branches, start + 1, start + size) &&
	       !is_hop(plan, start, start + size);
}

void fc_plan_puns(struct fc_plan *plan, struct fc_branches *branches)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct fc_planned *p = &plan->planned[i];
		struct fc_window window;
		if (!p->is_refused || p->is_hooked || plan->infos[i].how == FC_HOW_PART)
			continue;
		uint8_t size = plan->arch->far_size - 1;
		while (size && !is_free(branches, i, size, &window))
			size--;
		if (!size)
			continue;
		fc_plan_hook(plan, i, &window, tactic);
		p->is_pun = true;
	}
}
