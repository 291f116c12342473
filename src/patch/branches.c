/* SPDX-License-Identifier: Apache-2.0 */
#include "patch/branches.h"

#include <stdlib.h>

#include "base/memory.h"

/* One bit a byte of a code range: does a branch to it matter? */
struct targets {
	uint64_t *bits;
	const struct fc_code_range *range;
};

static void add(struct targets *targets, uint64_t from, uint64_t to)
{
	for (uint64_t vaddr = from; vaddr < to; vaddr++) {
		uint64_t off = vaddr - targets->range->vaddr;
		if (off < targets->range->size)
			targets->bits[off / 64] |= 1ull << off % 64;
	}
}

/* Bytes that function i's jump may overwrite, or that it may lend for another's. */
static void add_window(struct targets *targets, const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *p = &plan->planned[i];
	if (p->is_hooked)
		add(targets, p->window.vaddr + 1, p->window.vaddr + 2 * plan->arch->far_size);
	else if (p->is_refused)
		add(targets, plan->elf->funcs[i].vaddr + 1,
		    plan->elf->funcs[i].vaddr + plan->arch->far_size);
}

/* What lies between function i and the next, if it is not much: padding. */
static void add_padding(struct targets *targets, const struct fc_plan *plan, size_t i)
{
	enum { MAX_PADDING = 64 };
	const struct fc_func *func = &plan->elf->funcs[i];
	uint64_t end = func->vaddr + func->size;
	uint64_t next = i + 1 < plan->nr ? func[1].vaddr : end;
	if (func->size && end + plan->arch->far_size <= next && next - end <= MAX_PADDING)
		add(targets, end, next);
}

static void note(void *ctx, struct fc_branch branch)
{
	struct fc_branches *branches = ctx;
	fc_vec_push(&branches->hits, branch);
}

static void scan_range(struct fc_branches *branches, const struct fc_code_range *range)
{
	struct fc_plan *plan = branches->plan;
	const uint8_t *code = fc_elf_bytes(plan->elf, range->vaddr, range->size);
	if (!code)
		return;
	struct targets targets = { fc_alloc((range->size / 64 + 1) * 8), range };
	for (size_t i = 0; i < plan->nr; i++) {
		uint64_t vaddr = plan->elf->funcs[i].vaddr;
		if (vaddr - range->vaddr >= range->size)
			continue;
		add_window(&targets, plan, i);
		add_padding(&targets, plan, i);
		if (fc_plan_may_be_part(plan, i))
			add(&targets, vaddr, vaddr + 1);
	}
	plan->arch->scan(code, range->size, range->vaddr, targets.bits, note, branches);
	free(targets.bits);
}

void fc_branches_init(struct fc_branches *branches, struct fc_plan *plan)
{
	*branches = (struct fc_branches){ .plan = plan };
	for (size_t i = 0; i < plan->nr_ranges; i++)
		scan_range(branches, &plan->ranges[i]);
}

void fc_branches_deinit(struct fc_branches *branches)
{
	fc_vec_free(&branches->hits);
}

static uint64_t range_end(const struct fc_plan *plan, uint64_t vaddr)
{
	for (size_t i = 0; i < plan->nr_ranges; i++)
		if (vaddr - plan->ranges[i].vaddr < plan->ranges[i].size)
			return plan->ranges[i].vaddr + plan->ranges[i].size;
	return 0;
}

bool fc_branches_is_real(struct fc_branches *branches, struct fc_branch branch)
{
	enum { LONGEST = 16 };
	struct fc_plan *plan = branches->plan;
	const struct fc_planned *home = fc_plan_at(plan, branch.from);
	uint64_t start = home ? plan->elf->funcs[home - plan->planned].vaddr : 0;
	uint64_t end = range_end(plan, branch.from);
	if (!home || end != range_end(plan, start))
		return true;
	if (start != branches->func || branches->at > branch.from) {
		branches->func = start;
		branches->at = start;
	}
	while (branches->at < branch.from) {
		uint64_t left = end - branches->at;
		size_t room = left > LONGEST ? LONGEST : left;
		const uint8_t *code = fc_elf_bytes(plan->elf, branches->at, room);
		bool is_branch = false;
		size_t len = code ? plan->arch->insn_len(code, room, &is_branch) : 0;
		if (!len)
			return true;
		if (branches->at + len > branch.from) /* a branch with a prefix, or no branch */
			return is_branch && branches->at + len == branch.end;
		branches->at += len;
	}
	return true;
}

bool fc_branches_go_into(struct fc_branches *branches, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < branches->hits.nr; i++) {
		struct fc_branch branch = branches->hits.at[i];
		if (branch.to >= from && branch.to < to &&
		    fc_branches_is_real(branches, branch))
			return true;
	}
	return false;
}
