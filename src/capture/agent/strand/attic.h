/* SPDX-License-Identifier: Apache-2.0 */
/* attic.h - entries that were given up while their slots still held return sites. */
#ifndef FC_CAPTURE_AGENT_STRAND_ATTIC_H
#define FC_CAPTURE_AGENT_STRAND_ATTIC_H

#include "capture/agent/strand/strand.h"

/* False: there is none to be kept. slot: as load_word() has it. */
bool attic_keep(struct strand *s, uint64_t slot, const struct fca_shadow *entry);
/* All that is open, of a stack that may not be there any more. */
void attic_keep_all(struct strand *s);
/* Where the call with this slot returns to, as it was kept for s, or for another; 0: it was not. */
uint64_t attic_find(const struct strand *s, uint64_t slot);

#endif
