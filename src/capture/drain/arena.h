/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory that is shared with a process and its forked children: rings, and a control
 * block (struct fca_arena).
 *
 * Whoever has it mapped may write what he likes into it, at any time: what is read from it is a
 * claim, read once, and checked before it is used.
 */
#ifndef FC_CAPTURE_DRAIN_ARENA_H
#define FC_CAPTURE_DRAIN_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/agent/abi.h"
#include "capture/drain/edges.h"
#include "capture/drain/keeper.h"
#include "capture/target/status.h"

/* An arena as the controller sees it. */
struct fc_arena {
	struct fca_arena *at;
	size_t size;
	int keeper; /* slot of its word; -1: the agents are alone */
	int refs;   /* spaces that use it; the tracer's business */
	struct fc_arena_rings *rings;
	struct fc_places places; /* only where edges are counted */
	bool is_released;
	bool is_left; /* processes stay hooked: their agents go on with their rings */
	struct fc_rights rights; /* of all that share it */
	bool has_rights;	 /* these are known */
	uint32_t heard;		 /* ->at->letters, when the tracer last looked for letters */
	struct fc_arena *next;
};

/*
 * The memfd that process pid has just made, as its descriptor target_fd: -errno with a sentence,
 * also when that is no such file. The process may lie: nothing but a fresh memfd is touched.
 */
int fc_arena_receive(int pid, int target_fd);

/*
 * Give the memfd its size, for good, and map it; the keeper tells that this fctrace lives. fd
 * stays the caller's. -errno with a sentence.
 */
int fc_arena_create(struct fc_keeper *keeper, int fd, size_t size, struct fc_arena **ret);
/* Its agents are alone from now on. Twice is fine. */
void fc_arena_let_go(struct fc_keeper *keeper, struct fc_arena *arena);
/* It was let go; any thread. */
void fc_arena_destroy(struct fc_arena *arena);

/* Has one of its agents written a letter since fc_arena_hear()? Any thread. */
bool fc_arena_has_letters(const struct fc_arena *arena);
/* Letters are about to be looked for; the tracer's thread. */
void fc_arena_hear(struct fc_arena *arena);

#endif
