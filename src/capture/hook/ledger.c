/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/patch/choice.h"
#include "capture/target/remote.h"

static bool is_address(uint64_t taddr)
{
	return taddr >= fc_arch_here->page_size && taddr < fc_arch_here->end - UINT8_MAX;
}

_Static_assert(FC_STUB_NR_KINDS <= 1 << 5, "an entry can tell each kind");
_Static_assert(FC_PATCH_NR_ORDERS == 1 << 2, "each order that an entry can tell is one");

/* What a plan may have made of it; patches are in the order of their addresses. */
static bool is_sound(const struct fca_patch *entry, uint64_t last, uint32_t pool_size)
{
	if (!is_address(entry->taddr))
		return false;
	if (!entry->size)
		return fc_page_down(entry->taddr) == entry->taddr && entry->stub;
	return entry->taddr >= last && entry->size <= FCA_MAX_PATCH &&
	       entry->kind < FC_STUB_NR_KINDS && entry->undo <= FCA_UNDO_LAST &&
	       (!entry->window || entry->stub < pool_size);
}

static bool are_sound(const struct fca_patch *entries, size_t nr, uint32_t pool_size)
{
	uint64_t last = 0;
	size_t i = 0;
	for (; i < nr && entries[i].size && is_sound(&entries[i], last, pool_size); i++)
		last = entries[i].taddr;
	for (; i < nr && !entries[i].size && is_sound(&entries[i], last, pool_size); i++)
		;
	return i == nr;
}

/* The target may have written all of it: what is taken for true later is looked at here. */
bool fc_ledger_read(int mem_fd, uint64_t pool, struct fc_ledger *ret)
{
	enum { MOST = 1 << 22 };
	uint32_t head[2];
	*ret = (struct fc_ledger){ .pool = pool, .end = pool };
	if (!is_address(pool) ||
	    !fc_remote_get(mem_fd, pool + FCA_POOL_LEDGER * 8, head, sizeof(head)))
		return false;
	ret->is_damaged = head[1] > MOST;
	if (ret->is_damaged)
		return false;
	ret->patches = fc_alloc((head[1] + 1) * sizeof(*ret->patches));
	bool is_read = fc_remote_get(mem_fd, pool + head[0], ret->patches,
				     head[1] * sizeof(*ret->patches));
	ret->is_damaged = !is_read || !are_sound(ret->patches, head[1], head[0]);
	if (ret->is_damaged) {
		fc_ledger_deinit(ret);
		return false;
	}
	ret->nr = head[1];
	ret->end = pool + head[0] + head[1] * sizeof(*ret->patches);
	return true;
}

void fc_ledger_deinit(struct fc_ledger *ledger)
{
	free(ledger->patches);
	ledger->patches = NULL;
	ledger->nr = 0;
}

struct fc_patch fc_ledger_patch(const struct fca_patch *entry)
{
	struct fc_patch patch = {
		.taddr = entry->taddr,
		.size = entry->size,
		.order = entry->order,
		.is_data = fc_patch_is_semaphore(entry),
	};
	memcpy(patch.old, entry->old, entry->size);
	memcpy(patch.new, entry->new, entry->size);
	return patch;
}

const struct fca_patch *fc_ledger_owner(const struct fc_ledger *ledger, uint64_t off)
{
	const struct fca_patch *owner = NULL;
	for (size_t i = 0; i < ledger->nr; i++) {
		const struct fca_patch *patch = &ledger->patches[i];
		if (patch->window && patch->stub <= off &&
		    (!owner || patch->stub > owner->stub))
			owner = patch;
	}
	return owner;
}

/* The window's instructions as they were before anything was written over them. */
static bool read_window(const struct fc_ledger *ledger, int mem_fd,
			const struct fca_patch *site, uint8_t ret[UINT8_MAX])
{
	if (!fc_remote_get(mem_fd, site->taddr, ret, site->window))
		return false;
	for (const struct fca_patch *p = ledger->patches; p < ledger->patches + ledger->nr; p++)
		for (int i = 0; i < p->size; i++)
			if (p->taddr + i - site->taddr < site->window)
				ret[p->taddr + i - site->taddr] = p->old[i];
	return true;
}

size_t fc_ledger_moves(const struct fc_ledger *ledger, int mem_fd, const struct fca_patch *site,
		       struct fc_move ret[FC_MAX_MOVES])
{
	uint8_t code[UINT8_MAX];
	if (!read_window(ledger, mem_fd, site, code))
		return 0;
	struct fc_stub stub = {
		.kind = site->kind,
		.code = code,
		.window = { .vaddr = site->taddr, .size = site->window },
		.taddr = ledger->pool + site->stub,
		.pool_taddr = ledger->pool,
	};
	return fc_arch_here->stub->moves(&stub, ret);
}
