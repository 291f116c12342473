/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscall_places.c - looks through the code of a file, function by function and between them, for instructions
 * that make system calls.
 */
#include "capture/patch/syscall_places.h"

#include "capture/patch/plan_private.h"

struct finding {
	struct fc_syscall_places *places;
	const struct fc_plan *plan;
	const struct fc_func_info *func;
	bool may_be_data;
};

static void add(void *ctx, struct fc_syscall_insn insn)
{
	struct finding *finding = ctx;
	struct fc_syscall_place place = { insn, finding->func };
	if (insn.is_known || !finding->may_be_data)
		fc_vec_push(&finding->places->list, place);
}

/* Is there something that is no instruction? Assembly has tables between its functions. */
static bool has_data(const struct fc_plan *plan, const uint8_t *code, size_t size)
{
	bool is_branch;
	for (size_t off = 0, len; off < size; off += len)
		if (!(len = plan->arch->code->insn_len(code + off, size - off, &is_branch)))
			return true;
	return false;
}

static void look(struct finding *finding, const struct fc_func_info *func, uint64_t vaddr,
		 uint64_t end)
{
	const struct fc_plan *plan = finding->plan;
	const uint8_t *code = end > vaddr ? fc_elf_bytes(plan->elf, vaddr, end - vaddr) : NULL;
	finding->func = func;
	bool has_end = func && func->size;
	finding->may_be_data = !has_end && code && has_data(plan, code, end - vaddr);
	if (code)
		plan->arch->code->syscalls(code, end - vaddr, vaddr, add, finding);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A function goes as far as its size says, or to the next one. */
static void look_in_range(struct finding *finding, uint64_t at, uint64_t end)
{
	const struct fc_plan *plan = finding->plan;
	for (size_t i = 0; i < plan->nr && at < end; i++) {
		const struct fc_func_info *func = &plan->infos[i];
		if (func->vaddr < at || func->vaddr >= end || fc_plan_is_probe(plan, i))
			continue;
		size_t next = fc_plan_next(plan, i);
		uint64_t behind = next < plan->nr ? lesser(plan->infos[next].vaddr, end) : end;
		look(finding, NULL, at, func->vaddr);
		at = func->size ? lesser(func->vaddr + func->size, behind) : behind;
		look(finding, func, func->vaddr, at);
	}
	look(finding, NULL, at, end);
}

void fc_syscall_places_find(struct fc_syscall_places *places, const struct fc_plan *plan)
{
	struct finding finding = { .places = places, .plan = plan };
	size_t nr;
	const struct fc_code_range *ranges = fc_elf_code(plan->elf, &nr);
	for (size_t i = 0; i < nr; i++)
		look_in_range(&finding, ranges[i].vaddr, ranges[i].vaddr + ranges[i].size);
}

void fc_syscall_places_deinit(struct fc_syscall_places *places)
{
	fc_vec_free(&places->list);
}
