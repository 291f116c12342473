/* SPDX-License-Identifier: Apache-2.0 */
/* Signals are blocked by a system call, but where they are already, or where none may be made. */
#include "capture/agent/base/signals.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"

enum {
	SIG_SETMASK = 2,
};

/* No mask is that: SIGKILL is never blocked. */
#define NOT_BLOCKED (~0ull)

__attribute__((aligned(FCA_PAGE))) char agent_stacks[FCA_NR_STACKS * FCA_STACK_SIZE];

uint64_t signals_block(void)
{
	uint64_t all = ~0ull, old = 0;
	if (agent_config.is_quiet || is_on_own_stack())
		return NOT_BLOCKED;
	syscall4(NR_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof(all));
	return old;
}

void signals_restore(uint64_t mask)
{
	if (mask != NOT_BLOCKED)
		syscall4(NR_rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof(mask));
}
