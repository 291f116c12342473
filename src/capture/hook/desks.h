/* SPDX-License-Identifier: Apache-2.0 */
/* desks.h - where threads of a target leave their letters, and wait for an answer. */
#ifndef FC_CAPTURE_HOOK_DESKS_H
#define FC_CAPTURE_HOOK_DESKS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/abi.h"

struct fc_space;

/* Where desk i is in the target. */
uint64_t fc_desk_at(const struct fc_space *space, int i);
/* All desks, FCA_NR_DESKS. False: they cannot be read. */
bool fc_desks_read(const struct fc_space *space, struct fca_desk *ret);

/* Does a letter lie there that nobody has answered? */
bool fc_desk_is_open(const struct fca_desk *desk);

/*
 * The letter is dealt with: who waits for that goes on. desk: as it was when it was read, at taddr.
 * is_gone: its thread has ended, or runs another program; who shares its memory gets the desk.
 */
void fc_desk_answer(const struct fc_space *space, uint64_t taddr, const struct fca_desk *desk,
		    bool is_gone);

/* Those who wait are to look at their desks. */
void fc_desks_ring(const struct fc_space *space);

/* Answer all letters, unread. */
void fc_desks_decline(const struct fc_space *space);

#endif
