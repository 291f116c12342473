/* SPDX-License-Identifier: Apache-2.0 */
/* returned.c - finds the calls of functions, and what the code behind them reads. */
#include "capture/module/returned.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "elf/elf.h"

/* A branch to one of the functions. */
struct reached {
	uint64_t vaddr;
	uint64_t returns_to; /* 0: it does not come back */
};

struct finding {
	const struct fc_arch *arch;
	const struct fc_elf *elf;
	FC_VEC(struct reached) branches;
};

/* What the code behind a call reads. */
static uint64_t read_behind(const struct finding *finding, uint64_t vaddr)
{
	enum { MOST = 128, LEAST = 16 };
	struct fc_reg_uses uses = { 0 };
	const uint8_t *code = NULL;
	size_t size = MOST;

	for (; !code && size >= LEAST; size /= 2)
		code = fc_elf_bytes(finding->elf, vaddr, size);
	if (code)
		finding->arch->abi->reg_uses(code, size, &uses);
	return uses.read;
}

static void note_branch(void *ctx, struct fc_branch branch)
{
	struct finding *finding = ctx;
	bool is_call = branch.kind == FC_BRANCH_CALL;

	fc_vec_push(&finding->branches,
		    (struct reached){ branch.to, is_call ? branch.end : 0 });
}

static void scan(struct finding *finding, const struct fc_targets *targets)
{
	const struct fc_elf *elf = finding->elf;

	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *segment = &elf->segments[i];
		const uint8_t *code = fc_elf_segment_code(elf, segment);
		if (code)
			finding->arch->code->scan(code, segment->filesz, segment->vaddr,
						  targets, note_branch, finding);
	}
}

static struct fc_returned_func *find(const struct fc_returned *returned, uint64_t vaddr)
{
	size_t i = fc_bisect(returned->funcs.at, returned->funcs.nr, func, func->vaddr < vaddr);
	bool is_there = i < returned->funcs.nr && returned->funcs.at[i].vaddr == vaddr;

	return is_there ? &returned->funcs.at[i] : NULL;
}

static void take_all(const struct finding *finding, struct fc_returned *ret)
{
	enum { ENOUGH = 64 /* calls of a function */ };

	fc_vec_each (&finding->branches, branch) {
		struct fc_returned_func *func = find(ret, branch->vaddr);
		if (func->read == UINT64_MAX)
			func->read = 0;
		if (branch->returns_to && func->nr_seen++ < ENOUGH)
			func->read |= read_behind(finding, branch->returns_to);
	}
}

void fc_returned_find(const struct fc_arch *arch, const struct fc_elf *elf,
		      const uint64_t *vaddrs, size_t nr, struct fc_returned *ret)
{
	struct finding finding = { .arch = arch, .elf = elf };
	FC_VEC(uint64_t) list = { 0 };

	*ret = (struct fc_returned){ 0 };
	if (!nr || !arch->abi)
		return;
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&list, vaddrs[i]);
	list.nr = fc_sort_once(list.at, list.nr);
	fc_vec_each (&list, vaddr)
		fc_vec_push(&ret->funcs, (struct fc_returned_func){ *vaddr, UINT64_MAX, 0 });
	struct fc_targets targets =
		fc_targets_make(list.at[0], list.at[list.nr - 1] - list.at[0] + 1);
	fc_vec_each (&list, vaddr)
		fc_targets_add(&targets, *vaddr);
	scan(&finding, &targets);
	take_all(&finding, ret);
	free(targets.bits);
	fc_vec_free(&finding.branches);
	fc_vec_free(&list);
}

uint64_t fc_returned_of(const struct fc_returned *returned, uint64_t vaddr)
{
	const struct fc_returned_func *func = find(returned, vaddr);

	return func ? func->read : 0;
}

void fc_returned_deinit(struct fc_returned *returned)
{
	fc_vec_free(&returned->funcs);
}
