/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/branches.h"

#include <stdlib.h>

#include "base/memory.h"

enum { BUCKET = 4096 }; /* bytes of code */

/* A branch to these matters. */
static void add(struct fc_targets *targets, uint64_t from, uint64_t to)
{
	for (uint64_t vaddr = from; vaddr < to; vaddr++)
		fc_targets_add(targets, vaddr);
}

/* Bytes that function i's jump may overwrite, or that it may lend for another's. */
static void add_window(struct fc_targets *targets, const struct fc_plan *plan, size_t i)
{
	const struct fc_planned *p = &plan->planned[i];
	uint64_t start = p->site.window.vaddr;
	if (p->is_hooked)
		add(targets, start + 1, start + 2 * plan->arch->jumps->far_size);
	else if (p->is_refused)
		add(targets, start + 1, start + plan->arch->jumps->far_size);
}

/* What lies between function i and the next, if it is not much: padding. */
static void add_padding(struct fc_targets *targets, const struct fc_plan *plan, size_t i)
{
	enum { MAX_PADDING = 64 };
	const struct fc_func *func = &plan->funcs[i];
	uint64_t end = func->vaddr + func->size;
	size_t behind = fc_plan_next(plan, i);
	uint64_t next = behind < plan->nr ? plan->funcs[behind].vaddr : end;
	if (func->size && end + plan->arch->jumps->far_size <= next &&
	    next - end <= MAX_PADDING)
		add(targets, end, next);
}

/*
 * The targets in ranges that lie close together, and those among them that only a loop of their
 * own matters to.
 */
struct sought {
	struct fc_hits *hits;
	struct fc_targets targets;
	struct fc_targets loops;
};

static bool matters(const void *ctx, const struct fc_branch *branch)
{
	enum { MAX_LOOP = 1 << 20 };
	const struct sought *sought = ctx;
	bool may_loop = (branch->kind == FC_BRANCH_JUMP || branch->kind == FC_BRANCH_IF) &&
			branch->from - branch->to < MAX_LOOP;
	return may_loop || !fc_targets_has(&sought->loops, branch->to);
}

/* In the code from vaddr to end. False: there are none. */
static bool find_targets(const struct fc_plan *plan, uint64_t vaddr, uint64_t end,
			 struct sought *sought)
{
	struct fc_targets *targets = &sought->targets, *loops = &sought->loops;
	for (size_t i = 0; i < plan->nr; i++) {
		uint64_t entry = plan->funcs[i].vaddr;
		if (entry < vaddr || entry >= end || !fc_plan_range_end(plan, entry))
			continue;
		if (!targets->bits) {
			*targets = fc_targets_make(vaddr, end - vaddr);
			*loops = fc_targets_make(vaddr, end - vaddr);
		}
		add_window(targets, plan, i);
		add_padding(targets, plan, i);
		if (fc_plan_may_be_part(plan, i) || plan->planned[i].is_hooked)
			fc_targets_add(targets, entry);
		if (!fc_plan_may_be_part(plan, i) && plan->planned[i].is_hooked)
			fc_targets_add(loops, entry);
	}
	return targets->bits;
}

/* What unwinders will jump to. */
static void note_landing(void *ctx, uint64_t vaddr)
{
	struct sought *sought = ctx;
	struct fc_branch branch = { .to = vaddr, .kind = FC_BRANCH_LANDING };
	if (fc_targets_has(&sought->targets, vaddr) && matters(sought, &branch))
		fc_vec_push(&sought->hits->list, branch);
}

/*
 * One bit set serves range i and those behind it, as long as it is mostly for code. Returns the
 * first range that it is not for.
 */
static size_t end_of_cluster(const struct fc_plan *plan, size_t i)
{
	enum { GAPS = 16 << 20 };
	const struct fc_code_range *first = &plan->ranges[i], *range = first;
	uint64_t code = 0;
	for (; i < plan->nr_ranges; i++, range++) {
		code += range->size;
		if (range > first &&
		    range->vaddr + range->size - first->vaddr > 4 * code + GAPS)
			break;
	}
	return i;
}

static size_t page_of(const struct fc_branches *branches, size_t i)
{
	return (branches->hits.list.at[i].to - branches->vaddr) / BUCKET;
}

/* Who asks for a few addresses looks at the hits to their page only. */
static void sort_by_page(struct fc_branches *branches)
{
	size_t nr = branches->hits.list.nr;
	uint64_t first = UINT64_MAX, last = 0;
	fc_vec_each (&branches->hits.list, hit) {
		first = hit->to < first ? hit->to : first;
		last = hit->to > last ? hit->to : last;
	}
	branches->vaddr = first;
	branches->nr_pages = nr ? (last - first) / BUCKET + 1 : 0;
	branches->starts = fc_alloc((branches->nr_pages + 1) * sizeof(*branches->starts));
	branches->order = fc_alloc(nr * sizeof(*branches->order) + 1);
	/* First each page's number of hits, then where they end, then, going back, begin. */
	for (size_t i = 0; i < nr; i++)
		branches->starts[page_of(branches, i)]++;
	for (size_t i = 0, sum = 0; i <= branches->nr_pages; i++)
		sum = branches->starts[i] += sum;
	for (size_t i = nr; i--;)
		branches->order[--branches->starts[page_of(branches, i)]] = i;
}

/* Branches go from one range into another, too: cold parts may have a section of their own. */
void fc_branches_init(struct fc_branches *branches, struct fc_plan *plan)
{
	*branches = (struct fc_branches){ .plan = plan };
	for (size_t i = 0, next; i < plan->nr_ranges; i = next) {
		struct sought sought = { .hits = &branches->hits };
		next = end_of_cluster(plan, i);
		const struct fc_code_range *last = &plan->ranges[next - 1];
		if (!find_targets(plan, plan->ranges[i].vaddr, last->vaddr + last->size,
				  &sought))
			continue;
		fc_scan(plan, &sought.targets, matters, &sought, &branches->hits);
		fc_elf_landings(plan->elf, note_landing, &sought);
		free(sought.targets.bits);
		free(sought.loops.bits);
	}
	sort_by_page(branches);
}

void fc_branches_deinit(struct fc_branches *branches)
{
	fc_vec_free(&branches->hits.list);
	free(branches->starts);
	free(branches->order);
}

bool fc_branches_is_real(struct fc_branches *branches, struct fc_branch branch)
{
	enum { LONGEST = 16 };
	struct fc_plan *plan = branches->plan;
	if (branch.kind == FC_BRANCH_LANDING)
		return true;
	const struct fc_func *home = fc_plan_func_at(plan, branch.from);
	uint64_t start = home ? home->vaddr : 0;
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
		size_t len = code ? plan->arch->code->insn_len(code, room, &is_branch) : 0;
		if (!len)
			return true;
		if (branches->at + len > branch.from) /* a branch with a prefix, or no branch */
			return is_branch && branches->at + len == branch.end;
		branches->at += len;
	}
	return true;
}

static bool page_goes_into(struct fc_branches *branches, size_t page, uint64_t from,
			   uint64_t to)
{
	for (size_t i = branches->starts[page]; i < branches->starts[page + 1]; i++) {
		struct fc_branch branch = branches->hits.list.at[branches->order[i]];
		if (branch.to >= from && branch.to < to &&
		    fc_branches_is_real(branches, branch))
			return true;
	}
	return false;
}

bool fc_branches_go_into(struct fc_branches *branches, uint64_t from, uint64_t to)
{
	if (to <= branches->vaddr || from >= to)
		return false;
	size_t page = from > branches->vaddr ? (from - branches->vaddr) / BUCKET : 0;
	size_t last = (to - 1 - branches->vaddr) / BUCKET;
	for (; page <= last && page < branches->nr_pages; page++)
		if (page_goes_into(branches, page, from, to))
			return true;
	return false;
}
