/* SPDX-License-Identifier: Apache-2.0 */
/* standing.h - where the threads of a process stand: their next instructions, their stacks. */
#ifndef FC_CAPTURE_TARGET_STANDING_H
#define FC_CAPTURE_TARGET_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "capture/target/maps.h"

struct fc_stand {
	int tid, own_tid; /* here, and in its own pid namespace */
	uint64_t ip, sp;
};

/* Threads that are stopped. */
struct fc_standing {
	FC_VEC(struct fc_stand) threads;
};

/* -errno with a sentence: the thread is gone. */
int fc_standing_add(struct fc_standing *standing, int tid);
void fc_standing_deinit(struct fc_standing *standing);
#define fc_auto_standing __attribute__((cleanup(fc_standing_deinit)))

/* The live part of a stack: words of 8 bytes from taddr on. */
struct fc_stack {
	uint64_t taddr;
	uint64_t *words;
	size_t nr;
};

/*
 * fn sees the stack that sp points into, from the red zone below it to the end of its
 * mapping (at most 8 MiB), and the stacks that signal handlers interrupted to come to it.
 */
void fc_stacks_each(int mem_fd, const struct fc_maps *maps, uint64_t sp,
		    void (*fn)(void *ctx, const struct fc_stack *stack), void *ctx);

/*
 * Is word i the place of the next instruction in a signal's frame? Frames of handlers that
 * have ended may look so too.
 */
bool fc_stack_is_interrupted(const struct fc_stack *stack, size_t i);

/* Addresses, in ascending order and each once. */
struct fc_addresses {
	FC_VEC(uint64_t) list;
};

/*
 * Where in files' code signal handlers on the threads' stacks will go back to. Other words there
 * are no matter: a call's return is never to the middle of a window. An unwinder's frames are
 * full of addresses in its own prologue, where it steps through its unwind information.
 */
void fc_standing_interrupted(const struct fc_standing *standing, int mem_fd,
			     const struct fc_maps *maps, struct fc_addresses *ret);

#endif
