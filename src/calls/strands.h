/* SPDX-License-Identifier: Apache-2.0 */
/* strands.h - what a reader of events keeps for each strand, found by the strand's dense id. */
#ifndef FC_CALLS_STRANDS_H
#define FC_CALLS_STRANDS_H

#include <stddef.h>
#include <stdint.h>

/* Strand ids are dense; an id beyond this can only come from a damaged trace. */
#define FC_STRAND_MAX (1u << 24)

struct fc_strands {
	size_t size; /* of one strand's state */
	void **at;   /* by id; NULL: not seen yet */
	size_t nr, room;
};

/* The strand's state, zeroed when it is new; NULL for an id beyond FC_STRAND_MAX. */
void *fc_strands_make(struct fc_strands *strands, uint32_t id);
/* The strand's state, or NULL if it has none. */
void *fc_strands_find(const struct fc_strands *strands, uint32_t id);
/* Free the state of one strand; what it points to is the caller's. */
void fc_strands_drop(struct fc_strands *strands, uint32_t id);
void fc_strands_deinit(struct fc_strands *strands);

/* p, a pointer to such a state, is each one in turn. */
#define fc_strands_each(strands, p)                                                            \
	for (size_t p##_id = 0; p##_id < (strands)->nr; p##_id++)                              \
		if (!((p) = (strands)->at[p##_id])) {                                          \
		} else

#endif
