/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are return sites: those in pools of stubs. */
#include "capture/agent/base/site.h"

uint32_t agent_site_func(uint64_t site)
{
	return agent_func_at(site - agent_config.place[FCA_PLACE_EXIT] +
			     agent_config.place[FCA_PLACE_ID]);
}

bool agent_is_site(uint64_t address)
{
	uint32_t nr = agent_config.nr_pools;
	for (uint32_t i = 0; i < nr; i++)
		if (address - agent_config.pools[i].lo <
		    agent_config.pools[i].hi - agent_config.pools[i].lo)
			return true;
	return false;
}
