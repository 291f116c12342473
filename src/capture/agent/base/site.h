/* SPDX-License-Identifier: Apache-2.0 */
/* site.h - return sites: addresses in stubs that return slots hold while calls are open. */
#ifndef FC_CAPTURE_AGENT_BASE_SITE_H
#define FC_CAPTURE_AGENT_BASE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/base/config.h"
#include "trace/record.h"

/* Is the address one of a stub's? */
bool agent_is_site(uint64_t address);
/* What a stub's id says, which stands at this address. */
static inline uint32_t agent_func_at(uint64_t id_address)
{
	return *(const uint32_t *)id_address >> FC_RECORD_KIND_BITS;
}

/* The function whose stub has this exit site. */
static inline uint32_t agent_site_func(uint64_t site)
{
	return agent_func_at(site - agent_config.place[FCA_PLACE_EXIT] +
			     agent_config.place[FCA_PLACE_ID]);
}

/* Is it a gate that this stub is of? gate: FCA_PLACE_GATE, or that of the other stubs. */
static inline bool is_gate(uint64_t stub, enum fca_place gate)
{
	return !*(const uint8_t *)(stub + agent_config.place[gate]);
}

#endif
