/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - an address space that is traced: the agent in it, its arena, its hooked modules. */
#ifndef FC_CAPTURE_HOOK_SPACE_H
#define FC_CAPTURE_HOOK_SPACE_H

#include "capture/drain/drain.h"
#include "capture/hook/hops.h"
#include "capture/module/module.h"
#include "capture/module/scope.h"
#include "capture/module/tell.h"
#include "capture/opts.h"
#include "capture/target/remote.h"
#include "capture/target/stackwalk.h"
#include "capture/target/standing.h"

/*
 * Functions that could not be hooked at an attach, as a signal's handler was about to go back into
 * their first bytes: that is tried again until it can be done (user/retry.h).
 */
struct fc_late {
	FC_VEC(uint32_t) funcs; /* ids; unhooked, as struct fc_modules says it */
	uint64_t next_ns,
		pause_ns; /* when to try, by the monotonic clock, and then so much later */
};

#define FC_LATE_PAUSE_NS (10 * 1000 * 1000)
#define FC_LATE_WHY	 "a signal handler will come back to their first instructions"

struct fc_space;

/* What all spaces of a session share. */
struct fc_shared {
	const struct fc_user_opts *opts;
	struct fc_tap *tap;
	struct fc_drain *drain;
	struct fc_numbers numbers;
	struct fc_modules modules;
	struct fc_late late;
	unsigned long ptrace_options; /* of every tracee */
	bool has_sanitizer;	      /* a program; said once */
	bool has_slow;	      /* a process in which each call asks the agent; said once */
	bool is_off;	      /* nothing is recorded for now */
	bool was_on;	      /* after it had begun off */
	uint32_t nr_numbers;  /* given to processes of other pid namespaces */
	uint32_t nr_counters; /* of each strand: FCA_NR_COUNTERS, or 0 */
	/* As in struct fca_config: */
	uint64_t watch_ticks[FCA_MAX_WATCHES], watch_nth[FCA_MAX_WATCHES];
	uint8_t watch_next[FCA_MAX_WATCHES];
	/*
	 * With a budget: switch stubs that no jump leads to yet as those functions are elsewhere, or
	 * -errno with a sentence. NULL: they stay as they were made.
	 */
	int (*switch_stubs)(void *ctx, const struct fc_module *module,
			    const struct fc_stubs *stubs, int mem_fd);
	void *switch_ctx;
	struct fc_said said;
	/*
	 * Stop all threads that run, and tell which of them use the space's memory. release()
	 * follows.
	 */
	void (*hold)(void *ctx, const struct fc_space *space, struct fc_standing *ret);
	void (*release)(void *ctx);
	void *hold_ctx;
};

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

/*
 * tid has just executed a program and is stopped: put the agent into it and hook what is
 * mapped. -errno with a sentence: the target is as it was and runs untraced (-ENOTSUP:
 * it is not a program that can be traced at all).
 */
int fc_space_create(struct fc_shared *shared, int tid, struct fc_space **ret);

/*
 * pid runs already: read and plan its files. Nothing of it is touched yet. -errno with a
 * sentence (-ENOTSUP: it is not a program that can be traced at all).
 */
int fc_space_prepare(struct fc_shared *shared, int pid, struct fc_space **ret);

/*
 * Can it be hooked while its threads stand so? standing are all that use its memory, all at rest.
 * -errno with a sentence: no. -EAGAIN: not at this moment.
 */
int fc_space_look(struct fc_space *space, const struct fc_standing *standing);

/*
 * Put the agent into it and hook what is mapped, where fc_space_look() has found nothing.
 * -errno with a sentence: the threads are as they were.
 */
int fc_space_attach(struct fc_space *space, const struct fc_standing *standing);

/* The same memory, seen from one more process (vfork, clone). */
struct fc_space *fc_space_share(struct fc_space *space);
/* The same memory copied to a process (fork). NULL: the process has other memory. */
struct fc_space *fc_space_fork(struct fc_space *space, int pid);
void fc_space_put(struct fc_space *space);

struct fc_arena *fc_space_arena(struct fc_space *space);

/* Another one traces it from here on: its agent need not wait for answers to letters. */
void fc_space_lend(const struct fc_space *space);

/* It stays hooked when this fctrace has ended; its threads stand still. Nothing is recorded. */
void fc_space_leave(struct fc_space *space);

int fc_space_pid(const struct fc_space *space);

/* Has all been hooked that the program starts with? ld.so tells when it has loaded that. */
bool fc_space_is_complete(const struct fc_space *space);

/* It has a new thread, tid of process pid, that has not run yet. space may be NULL. */
void fc_space_born(struct fc_space *space, int pid, int tid);

/* The strand of a thread whose stack is not that of the thread that made it: it has none yet. */
uint64_t fc_space_root(const struct fc_space *space);
/* tid is such a thread, and at its first stop. space may be NULL. */
void fc_space_begin_thread(const struct fc_space *space, int tid, uint64_t root);

/* Tell the trace alone, each sentence once. */
void fc_shared_note(struct fc_shared *shared, int pid, const char *sentence);
/* Tell the user and the trace, each sentence once. */
__attribute__((format(printf, 3, 4))) void fc_shared_say(struct fc_shared *shared, int pid,
							 const char *fmt, ...);

/* ---- for who goes on with a space: capture/user, while its threads are held ---- */

/* Of its process: to the user and the trace, each sentence once. */
#define fc_space_say(space, ...) fc_shared_say((space)->shared, (space)->pid, __VA_ARGS__)

/* The address in the target of a field of its struct fca_config. */
#define FC_CONFIG(space, field)                                                                \
	((space)->agent + (space)->header.config + offsetof(struct fca_config, field))

/* Where in its arena ring i begins. */
uint64_t fc_space_ring_off(const struct fc_space *space, uint32_t i);

/*
 * A new memfd of process pid, which the caller is of: its descriptor there, and one of ours. -errno
 * with a sentence. Both are the caller's.
 */
int fc_space_make_memory(struct fc_space *space, struct fc_caller *caller, int pid, int *fd,
			 int *own);

/* The stacks of its threads, which are stopped. -errno with a sentence. */
int fc_space_stacks(const struct fc_space *space, struct fc_stackwalk *ret);

/* Tell it how many there are. -errno with a sentence: there are as many as before. */
int fc_space_count_pools(struct fc_space *space, uint32_t nr);

/* Pages with hooks that are no copies any more since this was last asked: are there some? */
bool fc_known_has_lost(const struct fc_space *space, struct fc_known *known);

/* Hook the files that were mapped since. */
void fc_space_hook_new(struct fc_space *space, struct fc_caller *caller);

#endif
