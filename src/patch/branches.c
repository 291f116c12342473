/* SPDX-License-Identifier: Apache-2.0 */
#include "patch/branches.h"

#include <stdlib.h>

#include "base/memory.h"

/* A branch to these matters. */
static void add(struct fc_targets *targets, uint64_t from, uint64_t to)
{
	for (uint64_t vaddr = from; vaddr < to; vaddr++) {
		uint64_t off = vaddr - targets->vaddr;
		if (off < targets->size)
			targets->bits[off / 64] |= 1ull << off % 64;
	}
}

/* Bytes that function i's jump may overwrite, or that it may lend for another's. */
static void add_window(struct fc_targets *targets, const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *p = &plan->planned[i];
	uint64_t start = p->window.vaddr;
	if (p->is_hooked)
		add(targets, start + 1, start + 2 * plan->arch->far_size);
	else if (p->is_refused)
		add(targets, start + 1, start + plan->arch->far_size);
}

/* What lies between function i and the next, if it is not much: padding. */
static void add_padding(struct fc_targets *targets, const struct fc_plan *plan, size_t i)
{
	enum { MAX_PADDING = 64 };
	const struct fc_func *func = &plan->funcs[i];
	uint64_t end = func->vaddr + func->size;
	uint64_t next = i + 1 < plan->nr ? func[1].vaddr : end;
	if (func->size && end + plan->arch->far_size <= next && next - end <= MAX_PADDING)
		add(targets, end, next);
}

/* The targets of a range, and those among them that only a loop of their own matters to. */
struct sought {
	struct fc_branches *branches;
	struct fc_targets targets;
	struct fc_targets loops;
};

static bool has(const struct fc_targets *targets, uint64_t vaddr)
{
	uint64_t off = vaddr - targets->vaddr;
	return off < targets->size && targets->bits[off / 64] >> off % 64 & 1;
}

static void note(void *ctx, struct fc_branch branch)
{
	enum { MAX_LOOP = 1 << 20 };
	struct sought *sought = ctx;
	bool may_loop = (branch.kind == FC_BRANCH_JUMP || branch.kind == FC_BRANCH_IF) &&
			branch.from - branch.to < MAX_LOOP;
	if (may_loop || !has(&sought->loops, branch.to))
		fc_vec_push(&sought->branches->hits, branch);
}

/* In a range of code. False: there are none. */
static bool find_targets(const struct fc_plan *plan, const struct fc_code_range *range,
			 struct sought *sought)
{
	struct fc_targets *targets = &sought->targets, *loops = &sought->loops;
	*targets = *loops = (struct fc_targets){ range->vaddr, range->size, NULL };
	for (size_t i = 0; i < plan->nr; i++) {
		uint64_t vaddr = plan->funcs[i].vaddr;
		if (vaddr - range->vaddr >= range->size)
			continue;
		if (!targets->bits) {
			targets->bits = fc_alloc((range->size / 64 + 1) * 8);
			loops->bits = fc_alloc((range->size / 64 + 1) * 8);
		}
		add_window(targets, plan, i);
		add_padding(targets, plan, i);
		if (fc_plan_may_be_part(plan, i) || plan->planned[i].is_hooked)
			add(targets, vaddr, vaddr + 1);
		if (!fc_plan_may_be_part(plan, i) && plan->planned[i].is_hooked)
			add(loops, vaddr, vaddr + 1);
	}
	return targets->bits;
}

/* What unwinders will jump to, of a range. */
static void note_landing(void *ctx, uint64_t vaddr)
{
	struct sought *sought = ctx;
	if (has(&sought->targets, vaddr))
		note(sought, (struct fc_branch){ .to = vaddr, .kind = FC_BRANCH_LANDING });
}

/* Branches go from one range into another, too: cold parts may have a section of their own. */
void fc_branches_init(struct fc_branches *branches, struct fc_plan *plan)
{
	*branches = (struct fc_branches){ .plan = plan };
	for (size_t to = 0; to < plan->nr_ranges; to++) {
		struct sought sought = { .branches = branches };
		if (!find_targets(plan, &plan->ranges[to], &sought))
			continue;
		for (size_t from = 0; from < plan->nr_ranges; from++) {
			const struct fc_code_range *range = &plan->ranges[from];
			const uint8_t *code =
				fc_elf_bytes(plan->elf, range->vaddr, range->size);
			if (code)
				plan->arch->scan(code, range->size, range->vaddr,
						 &sought.targets, note, &sought);
		}
		fc_elf_landings(plan->elf, note_landing, &sought);
		free(sought.targets.bits);
		free(sought.loops.bits);
	}
}

void fc_branches_deinit(struct fc_branches *branches)
{
	fc_vec_free(&branches->hits);
}

bool fc_branches_is_real(struct fc_branches *branches, struct fc_branch branch)
{
	enum { LONGEST = 16 };
	struct fc_plan *plan = branches->plan;
	if (branch.kind == FC_BRANCH_LANDING)
		return true;
	const struct fc_planned *home = fc_plan_at(plan, branch.from);
	uint64_t start = home ? plan->funcs[home - plan->planned].vaddr : 0;
	uint64_t end = fc_plan_range_end(plan, branch.from);
	if (!home || end != fc_plan_range_end(plan, start))
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
