/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chains.h - what the last of a chain of tail calls returns and writes belongs to each of them.
 *
 *	stat("/nowhere", ...)            leaves by a jump to fstatat(), and waits
 *	  fstatat(..., "/nowhere", ...)  returns -1: so did stat()
 *
 * Between the stack machine and its sink. While a call waits so does all that comes after it: of all
 * strands where these come in order of time, else of its strand. A chain that goes on for too long is
 * told as it is.
 */
#ifndef FC_CALLS_CHAINS_H
#define FC_CALLS_CHAINS_H

#include "calls/call.h"
#include "calls/strands.h"

struct fc_chains {
	struct fc_call_sink *next;
	size_t nr_waiting; /* calls, events; 0: who tells may tell next at once */
	bool is_ordered;
	struct fc_strands lines; /* of what waits: one, or one of each strand */
	struct fc_strands strands;
};

struct fc_chains *fc_chains_create(struct fc_call_sink *next, bool is_ordered);
void fc_chains_destroy(struct fc_chains *chains);

void fc_chains_enter(struct fc_chains *chains, const struct fc_call *call);
/* The call's values become those of chains. */
void fc_chains_leave(struct fc_chains *chains, const struct fc_call *call);
void fc_chains_event(struct fc_chains *chains, const struct fc_event *event);
/* Calls that left before then wait no longer. */
void fc_chains_pass_time(struct fc_chains *chains, uint64_t before_tsc);

/*
 * The values of a call of the chain, func, whose last one's are last; giver: of the function by whose
 * format the result was fetched, as that was given them. The caller frees it.
 */
struct fc_call_values *fc_chain_values(uint32_t func, const struct fc_call_values *own,
				       const struct fc_call_values *last,
				       const struct fc_call_values *giver);

#endif
