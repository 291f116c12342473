/* SPDX-License-Identifier: Apache-2.0 */
/* edge.h - calls counted by caller, in a strand's table. */
#ifndef FC_CAPTURE_AGENT_STRAND_EDGE_H
#define FC_CAPTURE_AGENT_STRAND_EDGE_H

#include "capture/agent/strand/strand.h"

/* One call more of a function, by a caller that it returns to at ret; its stub has found no place. */
void edge_count(struct strand *s, uint64_t ret, uint32_t func);
/* One less. False: the strand has counted none. */
bool edge_uncount(struct strand *s, uint64_t ret, uint32_t func);

#endif
