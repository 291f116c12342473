/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remnant.h - what fctrace has put into a process, as the process' own memory tells: pools
 * with their ledgers, strands, agent, arena. So it can be taken out by another controller
 * than the one that put it in.
 *
 *   1 fc_remnant_unhook     functions begin with their own instructions again, but for those
 *                           that must know of frames with sites while there may be some
 *   2 fc_remnant_settle     return addresses are the true ones; is anyone still inside?
 *     ... threads run, and are stopped again, until nobody is. Then no hook is left.
 *   3 fc_remnant_remove     nothing of it is mapped any more
 *
 * All threads that use the memory are at rest in each step.
 */
#ifndef FC_CAPTURE_HOOK_REMNANT_H
#define FC_CAPTURE_HOOK_REMNANT_H

#include "capture/agent/abi.h"
#include "capture/target/standing.h"

struct fc_remnant {
	int pid, mem_fd; /* mem_fd stays the caller's */
	uint64_t agent;
	uint64_t arena, arena_size;
	uint64_t cave;	      /* to be filled in: that a killed controller has left; 0: none */
	uint64_t shadow_size; /* of a strand, at most; FCA_SHADOW_AT_ONCE() of it in an attic */
	bool has_register;    /* %gs of its threads points to strands */
	uint64_t waste, waste_size; /* counters that the agent has mapped; 0: none */
	struct fca_header header;
	uint64_t kept[FCA_KEPT_WORDS]; /* as in struct fca_config */
	uint32_t exit_off;	       /* from a stub's start to its site */
	FC_VEC(struct fca_pool) pools; /* in the order of their addresses */
	FC_VEC(struct fca_pool) pages; /* with hops of puns; known after fc_remnant_unhook() */
	FC_VEC(struct fca_pool) hops;  /* the same, mapped last: not all may be there */
	FC_VEC(uint64_t) strands;
	FC_VEC(uint64_t) spares; /* memory for strands that was not needed yet; 0: it was */
	uint64_t look_bytes;	 /* of shadow stacks and attics, that may yet be looked at */
	bool is_too_deep;	 /* there was more */
	FC_VEC(struct fc_stand) inside; /* threads that fc_remnant_settle() found to be */
	bool had_attic;			/* frames may lie copied in memory that is no stack */
};

/* -ENOENT: there is none; without a sentence. -EBADMSG with one: it was written over. */
int fc_remnant_find(int pid, int mem_fd, struct fc_remnant *ret);
void fc_remnant_deinit(struct fc_remnant *remnant);

/*
 * undo: up to which; FCA_UNDO_LAST is fc_remnant_settle()'s. -errno with a sentence: some hooks
 * cannot be removed; nothing that they lead to may be.
 */
int fc_remnant_unhook(struct fc_remnant *remnant, const struct fc_standing *standing,
		      enum fca_undo undo);

/*
 * 0: nothing is hooked, and no thread will come back to what is to be removed. -EAGAIN without a
 * sentence: one will. Other errors: as fc_remnant_unhook().
 */
int fc_remnant_settle(struct fc_remnant *remnant, const struct fc_standing *standing);

/*
 * The process is about to die: its open calls' return addresses become the true ones, and nothing else.
 * standing: all its threads that are at rest. Without is_all others run: their stacks stay as they are.
 */
void fc_remnant_show_returns(struct fc_remnant *remnant, const struct fc_standing *standing,
			     bool is_all);

/* Where the instruction came from of which a stub's copy is at ip; 0: there is none. */
uint64_t fc_remnant_way_out(const struct fc_remnant *remnant, uint64_t ip);

/* Is it in a pool, a page of hops, or the agent? */
bool fc_remnant_is_inside(const struct fc_remnant *remnant, uint64_t address);

/* Is it in a pool? */
bool fc_remnant_is_site(const struct fc_remnant *remnant, uint64_t address);

/* Of a dead thread's stack another thread may have been given the memory. */
bool fc_remnant_is_live(const struct fc_remnant *remnant, const struct fca_strand *head,
			const struct fc_standing *standing);

/*
 * fn sees, of each open call of each strand, what stands in the shadow stack and in the slot. False:
 * there are more than can be looked at, or frames may lie copied elsewhere.
 */
bool fc_remnant_each_slot(struct fc_remnant *remnant,
			  void (*fn)(void *ctx, uint64_t ret, uint64_t word), void *ctx);

/* Bytes of a strand's shadow stack: the agent may have given back some. */
uint64_t fc_remnant_shadow_size(const struct fc_remnant *remnant,
				const struct fca_strand *head);

/* It is settled, and fc_copies_check() has found none. -errno with a sentence. options: ptrace's. */
int fc_remnant_remove(const struct fc_remnant *remnant, const struct fc_standing *standing,
		      unsigned long options);

#endif
