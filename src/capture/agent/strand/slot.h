/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slot.h - what the return slots of open calls hold: their return addresses, or the sites in place of these. A slot
 * tells where on the stack its call began; where the address is kept from there on is the machine's matter. Of the call
 * that the agent works for, frame_return() tells it (machine.h).
 */
#ifndef FC_CAPTURE_AGENT_STRAND_SLOT_H
#define FC_CAPTURE_AGENT_STRAND_SLOT_H

#include "capture/agent/strand/strand.h"

/* Of a call on the strand's stack. False: it is not there any more, or nobody knows. from: as load_word() has slot. */
bool slot_get(const struct strand *s, uint64_t from, uint64_t slot, uint64_t *ret);
/* The same where it must be there, or the program ends: somebody is about to load it. */
uint64_t slot_get_surely(uint64_t slot);
/* The same of a stack that need not be there at all; not in quiet. */
bool slot_peek(uint64_t slot, uint64_t *ret);
/* After slot_get(): its call returns to there. */
void slot_set(const struct strand *s, uint64_t from, uint64_t slot, uint64_t address);
/* Does it hold a stub's return site? Then that is *site. */
bool slot_is_armed(const struct strand *s, uint64_t from, uint64_t slot, uint64_t *site);

#endif
