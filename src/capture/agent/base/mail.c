/* SPDX-License-Identifier: Apache-2.0 */
/* Letters to the controller: written to a desk, and served there until the controller is done (abi.h). */
#include "capture/agent/base/mail.h"

#include <stdbool.h>
#include <stddef.h>

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/signals.h"

enum {
	PATIENCE = 100, /* waits of 100 ms for an answer to begin */
};

static struct fca_desk *claim(uint32_t tid)
{
	for (int i = 0; i < FCA_NR_DESKS; i++) {
		uint32_t owner = 0;
		if (__atomic_compare_exchange_n(&agent_config.desks[i].owner, &owner, tid, 0,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return &agent_config.desks[i];
	}
	return NULL;
}

/*
 * Those of its parent's threads were copied to a forked child: there are no such threads here.
 * Once, before one of its own has a desk. Signals are blocked.
 */
void mail_forget(void)
{
	enum { NOT_YET = 0, BEGUN, DONE };
	uint32_t *state = &agent_wiped.desks, not_yet = NOT_YET;
	if (!__atomic_compare_exchange_n(state, &not_yet, BEGUN, 0, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE)) {
		while (__atomic_load_n(state, __ATOMIC_ACQUIRE) == BEGUN)
			pause_cpu();
		return;
	}
	for (int i = 0; i < FCA_NR_DESKS; i++)
		if (agent_config.desks[i].owner)
			agent_config.desks[i].asked = agent_config.desks[i].owner = 0;
	__atomic_store_n(state, DONE, __ATOMIC_RELEASE);
}

static void announce(struct fca_arena *arena)
{
	__atomic_fetch_add(&arena->letters, 1, __ATOMIC_SEQ_CST);
	agent_ring_bell(arena);
}

/* False: the controller has begun after all. */
static bool take_back(struct fca_desk *desk, uint32_t number)
{
	__atomic_store_n(&desk->asked, 0, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&desk->taken, __ATOMIC_SEQ_CST) != number;
}

/* What a pool, or pages of hops, is mapped by; and no more. */
static bool maps_code(const uint64_t arg[6])
{
	enum {
		MAY_WRITE = 2,
		MAP_CODE = 0x100022, /* MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE */
	};
	return !(arg[2] & MAY_WRITE) && arg[3] == MAP_CODE && (int)arg[4] == -1;
}

static bool holds(struct fca_pool pool, uint64_t start, uint64_t size)
{
	uint64_t pages = (pool.hi - pool.lo + FCA_PAGE - 1) & ~(FCA_PAGE - 1ull);
	return pool.lo && start >= pool.lo && size <= pages && start - pool.lo <= pages - size;
}

static bool is_code(uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; i < agent_config.nr_pools && i < FCA_MAX_POOLS; i++)
		if (holds(agent_config.pools[i], start, size))
			return true;
	for (int i = 0; i < FCA_NR_HOPS; i++)
		if (holds(agent_config.hops[i], start, size))
			return true;
	return false;
}

static bool is_allowed(uint64_t nr, const uint64_t arg[6])
{
	if (agent_config.is_quiet)
		return false;
	return nr == NR_getpid || (nr == NR_mmap && maps_code(arg)) ||
	       (nr == NR_munmap && is_code(arg[0], arg[1]));
}

static int64_t carry_out(uint64_t nr, const uint64_t arg[6])
{
	enum { EPERM = 1 };
	return is_allowed(nr, arg)
		       ? syscall6(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5])
		       : -EPERM;
}

/* Make the system call that the controller asks for, if there is a new one. */
static bool obey(struct fca_arena *arena, struct fca_desk *desk)
{
	uint32_t command = __atomic_load_n(&desk->command, __ATOMIC_ACQUIRE);
	uint64_t nr = desk->nr, arg[6];
	if (!command || command == desk->answered)
		return false;
	for (int i = 0; i < 6; i++)
		arg[i] = desk->call[i];
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&desk->command, __ATOMIC_RELAXED) != command)
		return true; /* the controller has given that one up, and writes another */
	desk->result = carry_out(nr, arg);
	__atomic_store_n(&desk->answered, command, __ATOMIC_RELEASE);
	__atomic_fetch_add(&arena->answers, 1, __ATOMIC_SEQ_CST);
	futex_wake(&arena->answers);
	return true;
}

/* Until the controller is done with the letter, or does not begin. */
static void serve(struct fca_arena *arena, struct fca_desk *desk, uint32_t number)
{
	int patience = PATIENCE;
	while (!agent_is_alone(arena)) {
		uint32_t told = __atomic_load_n(&arena->told, __ATOMIC_ACQUIRE);
		bool is_taken = __atomic_load_n(&desk->taken, __ATOMIC_ACQUIRE) == number;
		if (__atomic_load_n(&desk->done, __ATOMIC_ACQUIRE) == number)
			return;
		if (is_taken && obey(arena, desk))
			continue;
		if (!is_taken && !patience-- && take_back(desk, number))
			return;
		futex_wait(&arena->told, told, 100);
		/* Others may write to the arena: what it says may have been lost. */
		if (__atomic_load_n(&arena->told, __ATOMIC_ACQUIRE) == told)
			announce(arena);
	}
}

/* --no-follow, or another one traces it: nobody would answer. */
static bool is_followed(const struct fca_arena *arena)
{
	if (agent_config.is_lent)
		return false;
	return !arena->only_pid || arena->only_pid == syscall1(NR_getpid, 0);
}

/*
 * Tell the controller what has happened, and serve it until it is done with that.
 * No signal comes in between: its handler might jump out of here for good.
 */
void mail_send(struct fca_arena *arena, enum fca_letter what, uint64_t arg, uint64_t more)
{
	uint64_t mask = signals_block();
	mail_forget();
	struct fca_desk *desk = is_followed(arena) ? claim(syscall1(NR_gettid, 0)) : NULL;
	if (desk) {
		uint32_t number = desk->last + 1 ? desk->last + 1 : 1;
		desk->last = number;
		desk->what = what;
		desk->arg[0] = arg;
		desk->arg[1] = more;
		__atomic_store_n(&desk->asked, number, __ATOMIC_RELEASE);
		announce(arena);
		serve(arena, desk, number);
		__atomic_store_n(&desk->asked, 0, __ATOMIC_SEQ_CST);
		__atomic_store_n(&desk->owner, 0, __ATOMIC_RELEASE);
	}
	signals_restore(mask);
}
