/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tracing has only reserved counts as what the program has mapped. The agent sees a limit that
 * the program sets itself (capture/agent/strand/claim.c), but not prlimit() of another process.
 */
#include "capture/user/limits.h"

#include <sys/resource.h>

#include "capture/hook/off.h"
#include "capture/hook/space.h"

static void tell(struct fc_space *space, uint64_t limit)
{
	space->limit = limit;
	if (!fc_remote_write(space->mem_fd, FC_CONFIG(space, told_limit), &limit,
			     sizeof(limit)))
		fc_space_wake_strands(space);
}

void fc_limits_look(struct fc_tracer *tracer)
{
	struct rlimit limit;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		if (!p->space || prlimit(p->pid, RLIMIT_AS, NULL, &limit))
			continue;
		uint64_t now = limit.rlim_cur == RLIM_INFINITY ? 0 : limit.rlim_cur;
		if (now && now != p->space->limit)
			tell(p->space, now);
		p->space->limit = now;
	}
}
