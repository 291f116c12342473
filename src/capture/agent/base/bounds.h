/* SPDX-License-Identifier: Apache-2.0 */
/* bounds.h - where stacks begin and end, as far as somebody knows. */
#ifndef FC_CAPTURE_AGENT_BASE_BOUNDS_H
#define FC_CAPTURE_AGENT_BASE_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/base/config.h"

struct bounds {
	uint64_t low, high;
	uint64_t kind; /* enum fc_strand_kind */
};

/* Can only the main stack be there? */
static inline bool is_main_stack(uint64_t address)
{
	return address >= agent_config.stack_low && address < agent_config.stack_high;
}

/* Where the stack ends that slot is on, which this thread runs on. False: not known. */
bool bounds_find(uint64_t slot, struct bounds *ret);
/* Down to where the agent may use a stack with these bounds. */
uint64_t bounds_room(const struct bounds *bounds);

#endif
