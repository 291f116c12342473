/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - calls of stubs that are watched: of those of --dump-on the controller is told, when their entry or exit was
 * recorded just now; others turn the recording of their thread on or off.
 */
#ifndef FC_CAPTURE_AGENT_WATCH_H
#define FC_CAPTURE_AGENT_WATCH_H

#include "capture/agent/abi.h"
#include "capture/agent/strand/strand.h"

/* Which watch + 1 the stub of a call is under; 0: none. */
uint32_t watch_of(uint64_t stub);
static inline bool turns_on(uint32_t watch)
{
	return watch == FCA_SWITCH_ON || watch == FCA_SWITCH_ON_GATE;
}

/* Is it one of --dump-on? */
static inline bool is_told_of(uint32_t watch)
{
	return watch && watch <= FCA_MAX_WATCHES;
}

/* func: the call's function; slot: where its return address is. */
void watch_entry(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
void watch_exit(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot);
/* Of a stub without an exit, whose watch is looked for here. */
void watch_entry_only(struct strand *s, uint64_t stub, uint32_t func);

#endif
