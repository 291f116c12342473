/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stackwalk.h - the stacks of threads that are stopped, and where signal handlers on them go back to.
 *
 * A thread may stand on one stack and come back to another. Each arrow is followed:
 *
 *	the agent's own stack  ----->  the stack that the agent was called on
 *	a signal handler's     ----->  the stack that the signal interrupted
 */
#ifndef FC_CAPTURE_TARGET_STACKWALK_H
#define FC_CAPTURE_TARGET_STACKWALK_H

#include "capture/agent/abi.h"
#include "capture/target/maps.h"
#include "capture/target/standing.h"

/* Memory, of a stack or of several. */
struct fc_stack_range {
	uint64_t from, to;
};

/* What a signal handler goes back to. */
struct fc_stack_frame {
	uint64_t taddr; /* of the word that says where; frames are in the order of it */
	uint64_t ip, sp;
	size_t turn; /* when it was followed last */
};

/*
 * The stacks in one memory. What was read once is not read again, so it is of use only while all
 * threads stand still.
 */
struct fc_stackwalk {
	int pid, mem_fd; /* mem_fd stays the caller's */
	struct fc_maps maps;
	struct fc_stack_range own;	    /* the agent's own stacks; empty: there are none */
	FC_VEC(struct fc_stack_range) read; /* in ascending order; no two touch */
	FC_VEC(struct fc_stack_frame) frames; /* in these */
	size_t nr_turns;
};

/* agent: where the image is that begins with this header; 0: there is none. -errno with a sentence. */
int fc_stackwalk_open(int pid, int mem_fd, uint64_t agent, const struct fca_header *header,
		      struct fc_stackwalk *ret);
void fc_stackwalk_close(struct fc_stackwalk *stacks);
#define fc_auto_stackwalk __attribute__((cleanup(fc_stackwalk_close)))

/* Addresses, in ascending order and each once. */
struct fc_addresses {
	FC_VEC(uint64_t) list;
};

/*
 * Where the handlers on a thread's stacks go back to, in any order. Frames of handlers that have
 * ended are among them, as long as nothing has overwritten them.
 */
void fc_stackwalk_back(struct fc_stackwalk *stacks, const struct fc_stand *stand,
		       struct fc_addresses *ret);

/*
 * The same of all threads, in code. Other words on a stack are no matter to who overwrites the
 * first instructions of functions: a call's return is never to the middle of these, and an
 * unwinder's frames are full of addresses in its own, where it steps through its unwind information.
 */
void fc_stackwalk_busy(struct fc_stackwalk *stacks, const struct fc_standing *standing,
		       struct fc_addresses *ret);

/* fn sees all words of all stacks of all threads. */
void fc_stackwalk_each_word(struct fc_stackwalk *stacks, const struct fc_standing *standing,
			    void (*fn)(void *ctx, const uint64_t *words, size_t nr), void *ctx);

#endif
