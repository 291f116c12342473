/* SPDX-License-Identifier: Apache-2.0 */
/* space_private.h - what the files that make up a space share. */
#ifndef FC_CAPTURE_HOOK_SPACE_PRIVATE_H
#define FC_CAPTURE_HOOK_SPACE_PRIVATE_H

#include "capture/hook/hops.h"
#include "capture/hook/space.h"
#include "capture/target/stackwalk.h"
#include "capture/module/scope.h"

/* A file's mapping that was looked at, whether it was hooked or not. */
struct fc_known {
	uint64_t start, ino;
	uint64_t
		bias; /* of the file, if it is hooked: one with two code segments is hooked once */
	uint64_t pool; /* where its stubs are, 0: it has none */
	uint64_t pool_size;
	const struct fc_module *module;
	bool is_hooked;
	bool is_written;       /* its patches are in place, or may be */
	bool is_covered;       /* gone, and another file was told of since at its place */
	struct fc_patch probe; /* one of its patches; of no size: none can tell */
	/* The pages that its patches are on, and how many there the process has written to. */
	uint64_t code_start, code_end, nr_own;
};

struct fc_space {
	struct fc_shared *shared;
	struct fc_arena *arena;
	struct fca_header header;
	int refs, pid, mem_fd;
	uint32_t number; /* as in struct fca_config */
	uint64_t agent;	 /* where its image is */
	uint64_t arena_taddr;
	uint32_t nr_pools;
	struct fc_scope_of of;
	uint64_t nr_rings, shadow_size; /* as in struct fca_config */
	uint64_t limit;	       /* of address space, that its agent was told of; 0: none */
	uint64_t room;	       /* for stub pools: bytes of address space */
	bool is_growing;       /* its arena has one ring until all is hooked */
	bool is_filtered;      /* its system calls were filtered, or dispatched, before */
	uint64_t spares;       /* then: memory for its first strands */
	bool is_guest_told;    /* that another program, which it translates, is not traced */
	const char *sanitizer; /* why no return address is replaced, or NULL */
	uint32_t found_by;     /* enum fca_found_by */
	uint32_t without_register; /* the same, once the program has %gs for itself */
	FC_VEC(struct fc_known) known;
	/*
	 * Hooked once, and not mapped any more. Something may yet be in their pools, which wait
	 * for the same file to come to the same place, or for fc_space_reclaim().
	 */
	FC_VEC(struct fc_known) gone;
	size_t most_gone; /* from so many on they are to be reclaimed */
	/* While it is attached to: */
	const struct fc_standing *standing;
	struct fc_addresses busy;
	struct fc_borrow *borrow;
};

/* Of its process: to the user and the trace, each sentence once. */
#define fc_space_say(space, ...) fc_shared_say((space)->shared, (space)->pid, __VA_ARGS__)

/* The address in the target of a field of its struct fca_config. */
#define FC_CONFIG(space, field)                                                                \
	((space)->agent + (space)->header.config + offsetof(struct fca_config, field))

/* The number of a process (struct fca_config): 0 if the agent knows the ids that it has here. */
uint32_t fc_space_number(struct fc_shared *shared, int pid);

/* Bytes of its arena, and where in it ring i begins. */
size_t fc_space_arena_bytes(const struct fc_space *space);
uint64_t fc_space_ring_off(const struct fc_space *space, uint32_t i);

/*
 * A new memfd of process pid, which the caller is of: its descriptor there, and one of ours. -errno
 * with a sentence. Both are the caller's.
 */
int fc_space_make_memory(struct fc_space *space, struct fc_caller *caller, int pid, int *fd,
			 int *own);

/* The stacks of its threads, which are stopped. -errno with a sentence. */
int fc_space_stacks(const struct fc_space *space, struct fc_stackwalk *ret);

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
/* Tell it how many there are. -errno with a sentence: there are as many as before. */
int fc_space_count_pools(struct fc_space *space, uint32_t nr);

/* Pages with hooks that are no copies any more since this was last asked: are there some? */
bool fc_known_has_lost(const struct fc_space *space, struct fc_known *known);

/* Hook the files that were mapped since. */
void fc_space_hook_new(struct fc_space *space, struct fc_caller *caller);

/* For struct fc_stubs_opts: of a module with this bias, whose pool is there. */
void fc_space_stubs_opts(const struct fc_space *space, uint64_t bias, uint64_t pool,
			 struct fc_stubs_opts *ret);

#endif
