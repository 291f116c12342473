/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are return sites: those in pools of stubs. */
#include "capture/agent/base/site.h"

bool agent_is_site(uint64_t address)
{
	uint32_t nr = agent_config.nr_pools;
	for (uint32_t i = 0; i < nr; i++)
		if (address - agent_config.pools[i].lo <
		    agent_config.pools[i].hi - agent_config.pools[i].lo)
			return true;
	return false;
}
