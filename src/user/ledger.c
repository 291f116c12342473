/* SPDX-License-Identifier: Apache-2.0 */
#include "user/ledger.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

static bool read_at(int mem_fd, uint64_t taddr, void *ret, size_t size)
{
	return pread(mem_fd, ret, size, (off_t)taddr) == (ssize_t)size;
}

bool fc_ledger_read(int mem_fd, uint64_t pool, struct fc_ledger *ret)
{
	enum { MOST = 1 << 24 };
	uint32_t head[2];
	*ret = (struct fc_ledger){ .pool = pool, .end = pool };
	if (!read_at(mem_fd, pool + FCA_POOL_LEDGER * 8, head, sizeof(head)) || head[1] > MOST)
		return false;
	ret->patches = fc_alloc((head[1] + 1) * sizeof(*ret->patches));
	if (!read_at(mem_fd, pool + head[0], ret->patches, head[1] * sizeof(*ret->patches))) {
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
	if (!read_at(mem_fd, site->taddr, ret, site->window))
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
	return fc_arch_x86_64.moves(&stub, ret);
}
