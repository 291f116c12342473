/* SPDX-License-Identifier: Apache-2.0 */
/* search.h - whose stack a slot is on. */
#ifndef FC_CAPTURE_AGENT_STRAND_SEARCH_H
#define FC_CAPTURE_AGENT_STRAND_SEARCH_H

#include "capture/agent/strand/strand.h"

/*
 * The strand of the stack that slot lies on, made if need be. NULL: record nothing;
 * nr_lost records are counted as lost if they were wanted.
 */
struct strand *strand_of(uint64_t slot, uint32_t nr_lost);
/* The strand whose innermost call has its return address at slot, which is current then; NULL. */
struct strand *strand_switch(uint64_t slot);

#endif
