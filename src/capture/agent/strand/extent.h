/* SPDX-License-Identifier: Apache-2.0 */
/* extent.h - from where to where a strand's stack reaches, as far as that is known, or was seen. */
#ifndef FC_CAPTURE_AGENT_STRAND_EXTENT_H
#define FC_CAPTURE_AGENT_STRAND_EXTENT_H

#include "capture/agent/strand/strand.h"

void strand_put_bounds(struct strand *s, const struct bounds *bounds);
/* Of stacks whose bounds nobody knows a step that is not too large is one on the same stack. */
bool strand_is_near(const struct strand *s, uint64_t slot);
/* The stack was seen to reach slot: its page is this strand's. */
void strand_grow(struct strand *s, uint64_t slot);

/* Of this strand's stack, as far as that was followed below what it records. */
bool strand_is_spilled(const struct strand *s, uint64_t slot);
/* So it is: the shadow stack has no room for calls from there. */
void strand_spill(struct strand *s, uint64_t slot);

/* What is known of its stack's bounds does not hold any more: neither what is above, nor what is free below. */
void strand_split(struct strand *s);
/* The same of those with memory from start to end, of which the program changes how it may be used. */
void strands_split(uint64_t start, uint64_t end);

#endif
