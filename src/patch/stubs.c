/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "agent/abi.h"
#include "base/memory.h"
#include "patch/plan_private.h"

enum { STUB_ALIGN = 16 };

static size_t aligned(size_t size)
{
	return (size + STUB_ALIGN - 1) & ~(size_t)(STUB_ALIGN - 1);
}

size_t fc_plan_pool_size(const struct fc_plan *plan)
{
	size_t size = 0;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (p->is_hooked)
			size += aligned(plan->arch->stub_size(p->kind, &p->window));
	}
	return size ? FCA_POOL_HEAD + size : 0;
}

static void make_patch(const struct fc_plan *plan, const struct fc_planned *p, uint64_t bias,
		       uint64_t stub_taddr, struct fc_patch *ret)
{
	const uint8_t *code = fc_elf_bytes(plan->elf, p->window.vaddr, p->window.jump_size);
	ret->taddr = p->window.vaddr + bias;
	ret->size = p->window.jump_size;
	memcpy(ret->old, code, ret->size);
	plan->arch->make_jump(ret->taddr, stub_taddr, ret->new);
}

void fc_plan_build(const struct fc_plan *plan, const struct fc_stubs_opts *opts,
		   struct fc_stubs *ret)
{
	size_t room = fc_plan_pool_size(plan);
	*ret = (struct fc_stubs){ .pool = fc_alloc(room ? room : 1), .pool_size = room };
	ret->patches = fc_alloc(plan->nr * sizeof(*ret->patches));
	if (!room)
		return;
	memcpy(ret->pool, opts->doors, sizeof(opts->doors));

	size_t used = FCA_POOL_HEAD;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		if (!p->is_hooked)
			continue;
		struct fc_stub stub = {
			.kind = p->kind,
			.func = plan->infos[i].id,
			.code = fc_elf_bytes(plan->elf, p->window.vaddr, p->window.size),
			.window = p->window,
			.bias = opts->bias,
			.taddr = opts->pool_taddr + used,
			.pool_taddr = opts->pool_taddr,
		};
		size_t size = plan->arch->emit_stub(&stub, ret->pool + used);
		if (!size) {
			ret->nr_far++;
			continue;
		}
		make_patch(plan, p, opts->bias, stub.taddr, &ret->patches[ret->nr_patches++]);
		used += aligned(size);
	}
	ret->pool_size = used;
}

void fc_stubs_deinit(struct fc_stubs *stubs)
{
	free(stubs->pool);
	free(stubs->patches);
	*stubs = (struct fc_stubs){ 0 };
}
