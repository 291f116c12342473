/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nested.h - how much of a call's time was counted already, for calls of its own row within it.
 *
 *	walk("/a") {              row 1
 *	  walk("/a/b") {          row 2
 *	    walk("/a");           row 1: counted once, with the outermost
 *	  }
 *	}
 *
 * For rows that are known only as a call ends: of one function, by what it was given and returned.
 */
#ifndef FC_READ_SUMS_NESTED_H
#define FC_READ_SUMS_NESTED_H

#include "calls/call.h"
#include "calls/strands.h"

/* Times of calls, and what they waited. */
struct fc_within {
	uint64_t ticks, wait_ticks;
};

struct fc_nested {
	struct fc_strands strands;
};

void fc_nested_init(struct fc_nested *nested);
void fc_nested_deinit(struct fc_nested *nested);
void fc_nested_enter(struct fc_nested *nested, const struct fc_call *call);
/* It ended, and is of this row: what the calls of that row within it took. */
struct fc_within fc_nested_leave(struct fc_nested *nested, const struct fc_call *call,
				 uint32_t row);

#endif
