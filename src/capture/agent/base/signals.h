/* SPDX-License-Identifier: Apache-2.0 */
/* signals.h - signals of this thread, while something is half done; and the stacks where none come. */
#ifndef FC_CAPTURE_AGENT_BASE_SIGNALS_H
#define FC_CAPTURE_AGENT_BASE_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/abi.h"

/* The agent's own stacks, for where the program's has no room (agent_x86_64.S). */
extern __attribute__((visibility("hidden"))) char agent_stacks[FCA_NR_STACKS * FCA_STACK_SIZE];

/* There the doors have blocked all signals, unless it was in quiet when they came. */
static inline bool is_on_own_stack(void)
{
	return (uint64_t)__builtin_frame_address(0) - (uint64_t)agent_stacks <
	       sizeof(agent_stacks);
}

/*
 * Blocks all signals; returns what signals_restore() is to be given. In quiet they are not blocked:
 * see quiet_begin(). What was blocked before is restored also then.
 */
uint64_t signals_block(void);
void signals_restore(uint64_t mask);

#endif
