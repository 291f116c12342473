/* SPDX-License-Identifier: Apache-2.0 */
/*
 * part.h - which lines of a tree are shown when a part of them was asked for, and which calls
 * are open where that part begins.
 */
#ifndef FC_SHOW_LINES_PART_H
#define FC_SHOW_LINES_PART_H

#include "calls/call.h"
#include "calls/strands.h"

struct fc_part {
	uint64_t from_tsc, to_tsc; /* to_tsc 0: no limit */
	uint64_t since_tsc;	   /* what is told before then is no line yet */
	uint64_t skip, max;	   /* lines; max 0: no limit */

	uint64_t nr;	/* lines in the range of time, shown or not */
	bool has_begun; /* a line was shown */
	struct fc_strands strands;
};

static inline bool fc_part_is_all(const struct fc_part *part)
{
	return !part->from_tsc && !part->to_tsc && !part->since_tsc && !part->skip &&
	       !part->max;
}

void fc_part_deinit(struct fc_part *part);

/* A line that is told now of what lasted from first to last: is it shown? */
bool fc_part_wants(struct fc_part *part, uint64_t now_tsc, uint64_t first_tsc,
		   uint64_t last_tsc);

/* A call was entered, its line was shown or not, it ended: the innermost of its strand. */
void fc_part_enter(struct fc_part *part, const struct fc_call *call);
void fc_part_tell(struct fc_part *part, uint32_t strand, bool is_told);
void fc_part_leave(struct fc_part *part, uint32_t strand);

/*
 * The open calls without a line that began before the part ends (a filter may tell one thread
 * late, when another is past the part), in order of begin, of one thread or with tid 0 of all;
 * each counts as told. is_held: this strand's innermost call may get a line yet. The caller frees
 * *ret.
 */
size_t fc_part_untold(struct fc_part *part, int tid,
		      bool (*is_held)(void *ctx, uint32_t strand), void *ctx,
		      struct fc_call **ret);

#endif
