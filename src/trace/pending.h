/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.h - values that were told of a call whose record has not come yet.
 *
 * They stand before the record that they belong to; but a signal's handler may come in between,
 * whose own calls have values, too. So the last ones that are of the record's function, and were told
 * when as many calls were open, are its own.
 */
#ifndef FC_TRACE_PENDING_H
#define FC_TRACE_PENDING_H

#include <stdbool.h>

#include "base/vec.h"
#include "trace/event.h"

struct fc_pending_values {
	uint32_t depth; /* calls that were open */
	uint32_t key;	/* values/formats.h */
	uint64_t *words;
	uint32_t nr;
};

struct fc_pending {
	FC_VEC(struct fc_pending_values) values; /* the innermost last */
};

/* A mark of values came while depth calls are open. */
void fc_pending_add(struct fc_pending *pending, const struct fc_event *mark, uint32_t depth);
/* How a text of such a mark goes on. What does not fit to what came before is passed over. */
void fc_pending_more(struct fc_pending *pending, const struct fc_event *mark, uint32_t depth);
/*
 * Those of a function's entry or exit at this depth, which become the caller's; no words: there are
 * none. What was told further in is forgotten.
 */
struct fc_pending_values fc_pending_take(struct fc_pending *pending, uint32_t func,
					 bool is_result, uint32_t depth);
void fc_pending_deinit(struct fc_pending *pending);

#endif
