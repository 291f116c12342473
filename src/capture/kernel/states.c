/* SPDX-License-Identifier: Apache-2.0 */
/* states.c - what is known of each thread's calls in the kernel, by its number. */
#include "capture/kernel/states.h"

#include <stdlib.h>

#include "base/memory.h"

/* A table with open addressing, at most half full; room is a power of two. */
static struct fc_state *place_of(const struct fc_states *states, int tid)
{
	for (size_t i = (uint32_t)tid * 0x9e3779b1u;; i++) {
		struct fc_state *state = &states->at[i & (states->room - 1)];
		if (!state->tid || state->tid == tid)
			return state;
	}
}

static void grow(struct fc_states *states)
{
	enum { FIRST = 64 };
	struct fc_states old = *states;
	states->room = old.room ? old.room * 2 : FIRST;
	states->at = fc_alloc(states->room * sizeof(*states->at));
	for (size_t i = 0; i < old.room; i++)
		if (old.at[i].tid)
			*place_of(states, old.at[i].tid) = old.at[i];
	free(old.at);
}

struct fc_state *fc_states_get(struct fc_states *states, int tid)
{
	if (states->nr >= states->room / 2)
		grow(states);
	struct fc_state *state = place_of(states, tid);
	states->nr += !state->tid;
	state->tid = tid;
	return state;
}

void fc_states_deinit(struct fc_states *states)
{
	for (size_t i = 0; i < states->room; i++) {
		fc_vec_free(&states->at[i].funcs);
		fc_paths_forget(&states->at[i].paths);
	}
	free(states->at);
	*states = (struct fc_states){ 0 };
}
