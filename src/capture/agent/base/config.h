/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - the agent's own data, which the controller writes, and the arena that both share. */
#ifndef FC_CAPTURE_AGENT_BASE_CONFIG_H
#define FC_CAPTURE_AGENT_BASE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/abi.h"

/*
 * What a process' threads have in use. A forked child begins with zeros: its first hooks may be
 * of several threads at once.
 */
struct agent_wiped {
	uint32_t stacks; /* a bit for each own stack */
	uint32_t desks;	 /* mail.c: its parent's letters are forgotten, or are being so */
	__attribute__((aligned(FCA_PAGE))) char end[];
};
extern __attribute__((visibility("hidden"))) struct agent_wiped agent_wiped;

/* The image's first bytes: agent.ld. */
extern __attribute__((visibility("hidden"))) const struct fca_header agent_head;
/* Hidden, or clang would look for it through a table of absolute addresses. */
extern __attribute__((visibility("hidden"))) struct fca_config agent_config;

static inline struct fca_arena *agent_arena(void)
{
	return (struct fca_arena *)agent_config.arena;
}

/* --no-follow: is this process one whose calls nobody asked for? */
static inline bool is_unwanted(const struct fca_arena *arena, int pid)
{
	return arena->only_pid && arena->only_pid != pid;
}

static inline uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(FCA_PAGE - 1);
}

/* Records that are counted as lost elsewhere: why. */
static inline void agent_lost(enum fca_lost why, uint32_t nr)
{
	__atomic_fetch_add(&agent_arena()->lost_by[why], nr, __ATOMIC_RELAXED);
}

#endif
