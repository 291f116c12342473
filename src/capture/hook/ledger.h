/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.h - what was written over a module's code for a stub pool, as the pool tells. */
#ifndef FC_CAPTURE_HOOK_LEDGER_H
#define FC_CAPTURE_HOOK_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "capture/agent/abi.h"
#include "capture/patch/plan.h"

struct fc_ledger {
	uint64_t pool, end; /* end: behind its patches, which are the last of the pool */
	struct fca_patch *patches;
	size_t nr;
	bool is_damaged; /* it is there, and not as any plan has made it; it is empty then */
};

/* False: it cannot be read, and is empty. What is read is sound, whatever the target wrote. */
bool fc_ledger_read(int mem_fd, uint64_t pool, struct fc_ledger *ret);
void fc_ledger_deinit(struct fc_ledger *ledger);
#define fc_auto_ledger __attribute__((cleanup(fc_ledger_deinit)))

/* An entry that tells of written bytes, as the patcher takes it. */
struct fc_patch fc_ledger_patch(const struct fca_patch *entry);

/* The site of the function whose stub begins at off of the pool, or last before it; or NULL. */
const struct fca_patch *fc_ledger_owner(const struct fc_ledger *ledger, uint64_t off);

/*
 * Where the instructions of a site's window are in its stub: offsets from the window, and from
 * the stub, which begins at site->stub of the pool. Returns how many; 0: it cannot be read.
 */
size_t fc_ledger_moves(const struct fc_ledger *ledger, int mem_fd, const struct fca_patch *site,
		       struct fc_move ret[FC_MAX_MOVES]);

#endif
