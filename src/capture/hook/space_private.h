/* SPDX-License-Identifier: Apache-2.0 */
/* space_private.h - what the files that make up a space share. */
#ifndef FC_CAPTURE_HOOK_SPACE_PRIVATE_H
#define FC_CAPTURE_HOOK_SPACE_PRIVATE_H

#include "capture/hook/space.h"

/* The number of a process (struct fca_config): 0 if the agent knows the ids that it has here. */
uint32_t fc_space_number(struct fc_shared *shared, int pid);

/* Bytes of its arena. */
size_t fc_space_arena_bytes(const struct fc_space *space);

/* Fill in ->header. */
void fc_space_init_agent(struct fc_space *space);

/* Put the agent into the process of tid, which is stopped, and hook what is mapped. */
int fc_space_inject(struct fc_space *space, int tid);

/* Read and plan the files of these mappings, as far as they are to be hooked. */
void fc_space_read_modules(struct fc_space *space, const struct fc_map *maps, size_t nr);

/* Files are not hooked as their planning was given up: there may be many, it is said once. */
void fc_space_say_given_up(struct fc_space *space);

/* -EAGAIN with a sentence: an unwinder cannot be hooked at this moment. */
int fc_space_check_unwinders(struct fc_space *space, const struct fc_maps *maps);

/*
 * A place for size bytes of code within reach of [start, end), told of in the target and mapped.
 * 0 with a sentence if there is none.
 */
uint64_t fc_space_map_pool(struct fc_space *space, struct fc_caller *caller,
			   struct fc_maps *maps, uint64_t start, uint64_t end, size_t size);

/* Tell the agent where pool i is. -errno with a sentence. */
int fc_space_write_pool(struct fc_space *space, uint32_t i, uint64_t lo, uint64_t hi);

/* For struct fc_stubs_opts: of a module with this bias, whose pool is there. */
void fc_space_stubs_opts(const struct fc_space *space, uint64_t bias, uint64_t pool,
			 struct fc_stubs_opts *ret);

#endif
