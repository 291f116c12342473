/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/patches.h"

#include <string.h>

#include "base/bisect.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/stub_kind.h"

struct fc_patch *fc_stubs_add_patch(struct fc_stubs *stubs, size_t i, uint64_t vaddr,
				    uint8_t size, enum fc_patch_order order)
{
	const struct fc_planned *p = &stubs->plan->planned[i];
	struct fc_patch *patch = &stubs->patches[stubs->nr_patches++];
	patch->taddr = vaddr + stubs->opts.bias;
	patch->size = size;
	patch->order = order;
	patch->undo = stubs->undo[i];
	patch->kind = fc_stubs_kind(stubs, p);
	patch->window = p->site.window.size;
	patch->stub = stubs->offs[i];
	memcpy(patch->old, fc_elf_bytes(stubs->plan->elf, vaddr, size), size);
	return patch;
}

size_t fc_stubs_find_patch(const struct fc_stubs *stubs, uint64_t taddr)
{
	return fc_bisect(stubs->patches, stubs->nr_patches, patch,
			 patch->taddr + patch->size <= taddr);
}

void fc_stubs_read_patched(const struct fc_stubs *stubs, uint64_t taddr, uint8_t *ret,
			   size_t size)
{
	memcpy(ret, fc_elf_bytes(stubs->plan->elf, taddr - stubs->opts.bias, size), size);
	for (size_t i = 0; i < size; i++) {
		size_t k = fc_stubs_find_patch(stubs, taddr + i);
		const struct fc_patch *patch = &stubs->patches[k];
		if (k < stubs->nr_patches && patch->taddr <= taddr + i)
			ret[i] = patch->new[taddr + i - patch->taddr];
	}
}
