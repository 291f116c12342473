/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/plan.h"

#include <stdlib.h>

#include "arch/stub_row.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "capture/patch/plan_private.h"

struct fc_plan *fc_plan_new(const struct fc_elf *elf, const struct fc_arch *arch,
			    const struct fc_plan_opts *opts)
{
	struct fc_plan *plan = fc_alloc(sizeof(*plan));
	plan->elf = elf;
	plan->arch = arch;
	plan->opts = *opts;
	plan->ranges = fc_elf_code(elf, &plan->nr_ranges);
	return plan;
}

void fc_plan_forget(struct fc_plan *plan)
{
	free(plan->funcs);
	plan->funcs = NULL;
	free(plan->returned_to);
	plan->returned_to = NULL;
}

void fc_plan_destroy(struct fc_plan *plan)
{
	if (!plan)
		return;
	fc_plan_forget(plan);
	free(plan->texts);
	free(plan->infos);
	free(plan->planned);
	free(plan->probes);
	free(plan->unplaced);
	free(plan->out_of_reach);
	free(plan);
}

const struct fc_func_info *fc_plan_info_before(const struct fc_plan *plan, uint64_t vaddr)
{
	size_t nr = fc_bisect(plan->infos, plan->nr, info, info->vaddr <= vaddr);
	return nr ? &plan->infos[nr - 1] : NULL;
}

struct fc_planned *fc_plan_at(const struct fc_plan *plan, uint64_t vaddr)
{
	const struct fc_func_info *info = fc_plan_info_before(plan, vaddr);
	return info ? &plan->planned[info - plan->infos] : NULL;
}

struct fc_planned *fc_plan_lender(const struct fc_plan *plan, const struct fc_planned *p)
{
	return p->site.hop ? fc_plan_at(plan, fc_site_hop(&p->site)) : NULL;
}

struct fc_func *fc_plan_func_at(const struct fc_plan *plan, uint64_t vaddr)
{
	size_t nr = fc_bisect(plan->funcs, plan->nr, func, func->vaddr <= vaddr);
	while (nr && plan->funcs[nr - 1].flags & FC_FUNC_PROBE)
		nr--;
	return nr ? &plan->funcs[nr - 1] : NULL;
}

uint64_t fc_plan_range_end(const struct fc_plan *plan, uint64_t vaddr)
{
	for (size_t i = 0; i < plan->nr_ranges; i++)
		if (vaddr - plan->ranges[i].vaddr < plan->ranges[i].size)
			return plan->ranges[i].vaddr + plan->ranges[i].size;
	return 0;
}

const struct fc_planned_probe *fc_plan_probe_at(const struct fc_plan *plan, uint64_t vaddr)
{
	size_t k = fc_bisect(plan->probes, plan->nr_probes, probe, probe->vaddr < vaddr);
	return k < plan->nr_probes && plan->probes[k].vaddr == vaddr ? &plan->probes[k] : NULL;
}

const struct fc_planned_probe *fc_plan_probe(const struct fc_plan *plan, size_t i)
{
	return plan->nr_probes ? fc_plan_probe_at(plan, plan->infos[i].vaddr) : NULL;
}

bool fc_plan_has_probes(const struct fc_plan *plan)
{
	return plan->nr_probes;
}

const struct fc_unplaced_probe *fc_plan_unplaced_probes(const struct fc_plan *plan, size_t *nr)
{
	*nr = plan->nr_unplaced;
	return plan->unplaced;
}

size_t fc_plan_next(const struct fc_plan *plan, size_t i)
{
	do
		i++;
	while (i < plan->nr && fc_plan_is_probe(plan, i));
	return i < plan->nr ? i : plan->nr;
}

size_t fc_plan_previous(const struct fc_plan *plan, size_t i)
{
	size_t k = i;
	while (k && fc_plan_is_probe(plan, k - 1))
		k--;
	return k ? k - 1 : i;
}

/* What function i's jump may not reach. To a function a probe that is not hooked is bytes like others. */
static uint64_t window_end(const struct fc_plan *plan, size_t i)
{
	bool is_probe = fc_plan_is_probe(plan, i);
	do
		i++;
	while (!is_probe && i < plan->nr && fc_plan_is_probe(plan, i) &&
	       !plan->planned[i].is_hooked);
	return i < plan->nr ? plan->infos[i].vaddr : 0;
}

const char *fc_plan_window(const struct fc_plan *plan, size_t i, uint8_t jump_size,
			   uint8_t need, struct fc_window *ret)
{
	enum { ENOUGH = 64 };
	uint64_t vaddr = plan->infos[i].vaddr + plan->planned[i].stack_check;
	uint64_t next = window_end(plan, i);
	uint64_t end = fc_plan_range_end(plan, vaddr);
	size_t room = end ? end - vaddr : 0;
	if (room > ENOUGH)
		room = ENOUGH;
	const uint8_t *code = room ? fc_elf_bytes(plan->elf, vaddr, room) : NULL;
	if (!code)
		return "outside the code of its file";
	const char *why =
		plan->arch->jumps->window(code, room, vaddr, next, jump_size, need, ret);
	return why ? why : fc_plan_read_by_runtime(plan, ret);
}

void fc_plan_hook(struct fc_plan *plan, size_t i, enum fc_site_kind kind,
		  const struct fc_window *window, const char *tactic)
{
	struct fc_planned *planned = &plan->planned[i];
	planned->site.kind = kind;
	planned->site.window = *window;
	planned->is_hooked = true;
	plan->infos[i].how = planned->how;
	plan->infos[i].why = planned->how == FC_HOW_HOOKED ? tactic : planned->why;
}

bool fc_plan_takes_register(const struct fc_plan *plan)
{
	return plan->takes_register;
}

const char *fc_plan_entry_only(const struct fc_plan *plan)
{
	return plan->elf->is_go ? "Go functions are entry only: Go moves its stacks"
	       : plan->engine	? plan->engine
				: plan->tables;
}

bool fc_plan_is_refused(const struct fc_plan *plan)
{
	return plan->elf->has_textrel && !plan->opts.control_only;
}

bool fc_plan_has_exits(const struct fc_plan *plan)
{
	return !plan->elf->is_go && !plan->engine;
}

const struct fc_func_info *fc_plan_funcs(const struct fc_plan *plan, size_t *nr)
{
	*nr = plan->nr;
	return plan->infos;
}

struct fc_plan_sums fc_plan_sums(const struct fc_plan *plan)
{
	struct fc_plan_sums sums = { 0 };
	for (size_t i = 0; i < plan->nr; i++) {
		size_t *sum[] = {
			[FC_HOW_HOOKED] = &sums.hooked,
			[FC_HOW_ENTRY_ONLY] = &sums.entry_only,
			[FC_HOW_SKIPPED] = &sums.skipped,
			[FC_HOW_PART] = &sums.parts,
		};
		++*sum[plan->infos[i].how];
	}
	return sums;
}

void fc_plan_turn(struct fc_plan *plan,
		  uint8_t (*turn_of)(void *ctx, const struct fc_func_info *func), void *ctx)
{
	for (size_t i = 0; i < plan->nr; i++) {
		uint8_t turns = turn_of(ctx, &plan->infos[i]);
		if (turns && fc_stub_row(plan->planned[i].kind)
				     ->has_switch) /* else it may be a mark that does */
			plan->planned[i].turns = turns;
	}
}

bool fc_plan_is_turned(const struct fc_plan *plan, size_t i)
{
	return plan->planned[i].is_hooked && plan->planned[i].turns;
}
