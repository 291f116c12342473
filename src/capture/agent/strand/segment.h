/* SPDX-License-Identifier: Apache-2.0 */
/* segment.h - the flight recorder's ring, which nobody drains. */
#ifndef FC_CAPTURE_AGENT_STRAND_SEGMENT_H
#define FC_CAPTURE_AGENT_STRAND_SEGMENT_H

#include "capture/agent/strand/strand.h"

/* Raise the limit for nr words, in a new segment if need be; signals are blocked. */
void segment_extend(struct strand *s, uint32_t nr);
/* Is the last time that the ring tells in full so long ago that it must be told again? */
bool segment_is_stale(const struct strand *s);

#endif
