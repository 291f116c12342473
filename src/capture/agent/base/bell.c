/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting and waking, by futexes that lie in the arena: in quiet nobody may be asked to. */
#include "capture/agent/base/bell.h"

#include "capture/agent/base/machine.h"

enum {
	FUTEX_WAIT = 0, /* shared: the arena is another process' too */
	FUTEX_WAKE = 1,
};

/* Quiet: wait awake. The controller's thread needs a core, so each round is a long one. */
static void spin(const uint32_t *at, uint32_t value)
{
	for (int i = 0; i < 100000 && __atomic_load_n(at, __ATOMIC_ACQUIRE) == value; i++)
		pause_cpu();
}

void futex_wait(uint32_t *at, uint32_t value, uint32_t ms)
{
	if (agent_config.is_quiet) {
		spin(at, value);
		return;
	}
	struct {
		int64_t s, ns;
	} limit = { ms / 1000, ms % 1000 * 1000000ll };
	syscall4(NR_futex, at, FUTEX_WAIT, value, &limit);
}

void futex_wake(uint32_t *at)
{
	if (!agent_config.is_quiet) /* else the drain looks by itself, 10 ms later at most */
		syscall3(NR_futex, at, FUTEX_WAKE, 1);
}

/* The kernel marks the controller's word when the controller dies (capture/drain/keeper.c). */
bool agent_is_alone(const struct fca_arena *arena)
{
	uint32_t owner = __atomic_load_n(&arena->keeper, __ATOMIC_RELAXED);
	return !owner || owner & FCA_KEEPER_DIED;
}

void agent_ring_bell(struct fca_arena *arena)
{
	__atomic_fetch_add(&arena->bell, 1, __ATOMIC_SEQ_CST);
	futex_wake(&arena->bell);
}
