/* SPDX-License-Identifier: Apache-2.0 */
/* bell.h - the controller: whether it is there, how it is woken, and how the agent waits for it. */
#ifndef FC_CAPTURE_AGENT_BASE_BELL_H
#define FC_CAPTURE_AGENT_BASE_BELL_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/base/config.h"

/* Has the controller died, or gone? */
bool agent_is_alone(const struct fca_arena *arena);
/*
 * Nothing is to be recorded for now, or nobody reads: a flight recorder goes on then, unless its hooks were not
 * complete when the controller died. Without an unwinder's hook nothing else may replace return addresses.
 */
static inline bool agent_is_off(const struct fca_arena *arena)
{
	return arena->is_off ||
	       (agent_is_alone(arena) && !(arena->is_ring && agent_config.is_whole));
}

/* Wake the controller's drain. */
void agent_ring_bell(struct fca_arena *arena);

/* Until *at is another value, somebody wakes, or so many milliseconds are over; in quiet, awake and not as long. */
void futex_wait(uint32_t *at, uint32_t value, uint32_t ms);
/* One of those that wait there; in quiet, none. */
void futex_wake(uint32_t *at);

#endif
